import { accountKey, sameAccount } from '../../../chain/address.ts';
import { MASTERCHAIN } from '../../../chain/block-id.ts';
import { NOMINATOR_POOL_CODES, readNominators } from '../../../chain/contracts/nominator-pool.ts';
import { type MethodResult, mismatchOnCellError, throwMismatch } from '../../../chain/contracts/probe.ts';
import { intEntry, openEntry } from '../../../chain/stack/entries.ts';
import type { Detector } from '../detection.ts';
import { ResultColumns } from './result-columns.ts';

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

const NATIVE = 0;
const JETTON = 1;

/** A DeDust pool that the factory confirms. */
export const DEX_POOL: Detector<'dex_pools'> = {
  table: 'dex_pools',
  methods: [['get_assets', 'is_stable', 'get_reserves', 'get_trade_fee']],
  codes: new Set([
    '1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1',
    '778f0d3fe6482c50888970df5e787f40f3a4ab282170c035a5920877058c99d3',
    'c0f9d14fbc8e14f0d72cba2214165eee35836ab174130912baf9dbfa43ead562',
  ]),
  async detect(probe, { poolFactory }) {
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
  },
};

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
