import { accountKey, sameAccount } from '../../chain/address.ts';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import { NOMINATOR_POOL_CODES, readNominators } from '../../chain/contracts/nominator-pool.ts';
import {
  type ContractReader,
  type MethodResult,
  mismatchOnCellError,
  throwMismatch,
  undefinedOnMismatch,
} from '../../chain/contracts/probe.ts';
import { intEntry, openEntry } from '../../chain/stack/entries.ts';
import type { ContractColumns } from '../../index/write/write-contracts.ts';
import type { Detector, KnownContracts } from '../detection.ts';
import { ResultColumns } from './result-columns.ts';

type Pool = ContractColumns<'dex_pools'>;

/** A DeDust pool: one of the first version that the factory confirms, or one of the second by its code. */
export const DEX_POOL: Detector<'dex_pools'> = {
  table: 'dex_pools',
  methods: [['get_assets', 'is_stable', 'get_reserves', 'get_trade_fee'], ['get_pool_data']],
  codes: new Set([
    '1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1',
    '778f0d3fe6482c50888970df5e787f40f3a4ab282170c035a5920877058c99d3',
    'c0f9d14fbc8e14f0d72cba2214165eee35836ab174130912baf9dbfa43ead562',
    // Version 2.0 and 2.1.
    '3997a5c1ee8923e93cf3a6a98ea3ef9482c64dd8aea2ba8365689e14d99c760d',
    '5851780d2386e989b9ab956da7cec5c69a667b9e525f628dcba5eb02c1ee0367',
  ]),
  detect: async (probe, known) => (await undefinedOnMismatch(readPool(probe, known))) ?? readPoolV2(probe),
};

async function readPool(probe: ContractReader, { poolFactory }: KnownContracts): Promise<Pool> {
  if (poolFactory === undefined) return throwMismatch('no pool factory on this network');
  const [assets, kind, reserves, fee] = await Promise.all([
    probe.run('get_assets'),
    probe.run('is_stable'),
    probe.run('get_reserves'),
    probe.run('get_trade_fee'),
  ]);
  const amounts = new ResultColumns(reserves.atLeast(2));
  const pool = {
    dex: 'dedust',
    is_stable: kind.integer(0) !== 0n,
    asset_1: readAsset(assets, 0),
    asset_2: readAsset(assets, 1),
    reserve_1: amounts.decimal(0),
    reserve_2: amounts.decimal(1),
    fee: readFee(fee),
  };
  const factory = await probe.beside(poolFactory);
  // The factory identifies pool kinds by number.
  const named = [intEntry(pool.is_stable ? 1 : 0), assets.part(0), assets.part(1)];
  const place = (await factory.run('get_pool_address', named)).address(0);
  return sameAccount(place, probe.account)
    ? pool
    : throwMismatch('the factory has another pool for these assets');
}

/** Fees of the second version are in units of 1/10000. */
const FEE_UNITS = 10_000;

async function readPoolV2(probe: ContractReader): Promise<Pool> {
  const result = (await probe.run('get_pool_data')).atLeast(19);
  const columns = new ResultColumns(result);
  for (const at of [0, 1, 2]) result.integer(at);
  for (const at of [5, 6]) result.cell(at);
  result.maybeCell(7);
  return {
    // The same name as the first version: actions tell them apart.
    dex: 'dedust',
    is_stable: false,
    asset_1: columns.accountOrNull(3),
    asset_2: columns.accountOrNull(4),
    fee: Number(columns.int64(8)) / FEE_UNITS,
    reserve_1: columns.decimal(9),
    reserve_2: columns.decimal(10),
  };
}

const NATIVE = 0;
const JETTON = 1;

/** A jetton master, or null for TON. */
function readAsset(assets: MethodResult, index: number): Buffer | null {
  return mismatchOnCellError(() => {
    const asset = openEntry(assets.part(index));
    const kind = asset.uint(4);
    if (kind === NATIVE) return null;
    return kind === JETTON ? accountKey(asset.int(8), asset.hash()) : throwMismatch('unknown asset kind');
  });
}

function readFee(result: MethodResult): number {
  const fee = Number(result.integer(0)) / Number(result.integer(1));
  return Number.isFinite(fee) ? fee : throwMismatch('no fee');
}

/** A nominator pool. Validator wallets are in the masterchain, so it returns only the hash of one. */
export const NOMINATOR_POOL: Detector<'nominator_pools'> = {
  table: 'nominator_pools',
  methods: [['get_pool_data']],
  codes: NOMINATOR_POOL_CODES,
  async detect(probe) {
    // Not stored: withdrawals (10), and validator fields after the time of the stake (11).
    const result = (await probe.run('get_pool_data')).atLeast(17);
    const columns = new ResultColumns(result);
    const dictionary = result.maybeCell(9);
    const nominators = mismatchOnCellError(() =>
      dictionary === undefined ? [] : [...readNominators(dictionary.cells, dictionary.cell)],
    );
    return {
      state: columns.int64(0),
      nominators_count: columns.int64(1),
      stake_amount_sent: columns.decimal(2),
      validator_amount: columns.decimal(3),
      validator: accountKey(MASTERCHAIN, columns.bits256(4)),
      validator_reward_share: columns.int64(5),
      max_nominators_count: columns.int64(6),
      min_validator_stake: columns.decimal(7),
      min_nominator_stake: columns.decimal(8),
      stake_at: columns.int64(11),
      nominators: nominators.map(([account]) => Buffer.from(account, 'hex')),
      nominator_balances: nominators.map(([, { balance }]) => balance),
      nominator_pending_balances: nominators.map(([, { pending }]) => pending),
    };
  },
};
