import { Address, beginCell, type Cell, Dictionary, type TupleItem } from '@ton/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { undefinedOnMismatch } from '../../../src/chain/contracts/probe.ts';
import type { ContractTable } from '../../../src/db/tables/contract-tables.ts';
import type { Detector } from '../../../src/detect/detection.ts';
import { NFT_AUCTION, NFT_SALE } from '../../../src/detect/detectors/nft-sales.ts';
import { DEX_POOL, NOMINATOR_POOL } from '../../../src/detect/detectors/pools.ts';
import { MULTISIG, MULTISIG_ORDER, VESTING } from '../../../src/detect/detectors/wallets.ts';
import type { ContractColumns } from '../../../src/index/write/write-contracts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { getMethodCode, type MethodResult } from '../../support/get-method-code.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import {
  AGREEING,
  assetOf,
  listOf,
  nominatorsOf,
  OTHERS,
  PARENT,
  PEOPLE,
  pricesOf,
  SELF,
  whitelistOf,
} from '../support/other-contract-results.ts';
import {
  ANYCAST,
  address,
  cell,
  EXTERN,
  int,
  key,
  NAN,
  NULL,
  slice,
  somebody,
} from '../support/stack-items.ts';
import { openTestProbes, type TestProbes } from '../support/test-probe.ts';

type Methods = Readonly<Record<string, MethodResult>>;
type Kind = keyof typeof OTHERS;

const DETECTORS: Readonly<Record<Kind, Detector>> = {
  saleOld: NFT_SALE,
  saleV4: NFT_SALE,
  auctionOld: NFT_AUCTION,
  auctionV4: NFT_AUCTION,
  multisig: MULTISIG,
  order: MULTISIG_ORDER,
  vesting: VESTING,
  nominators: NOMINATOR_POOL,
  pool: DEX_POOL,
  poolV2: DEX_POOL,
};
const KINDS = Object.keys(OTHERS) as Kind[];
const KNOWN = { zones: [], poolFactory: { workchain: 0, hash: PARENT.hash } };
const { MARKET, NFT, SELLER, FEES, ROYALTIES, BIDDER, WALLET, JETTON } = PEOPLE;
const DATA = beginCell().endCell();

let probes: TestProbes;
let context: TestDatabase;
beforeAll(async () => {
  probes = openTestProbes();
  context = await createTestDatabase();
});
afterAll(async () => {
  await probes.close();
  await context.drop();
});

/** The columns that a detector reads from a contract with these methods; undefined if it is not recognised. */
function detect(
  detector: Detector,
  methods: Methods,
  { parent = AGREEING, known = KNOWN }: { parent?: Methods; known?: Parameters<Detector['detect']>[1] } = {},
): Promise<ContractColumns | undefined> {
  probes.put({ account: PARENT, code: getMethodCode(parent), data: DATA });
  const probe = probes.put({ account: SELF, code: getMethodCode(methods), data: DATA });
  return undefinedOnMismatch(detector.detect(probe, known));
}

const good = (kind: Kind) => detect(DETECTORS[kind], OTHERS[kind]);

/** The same with one entry of the result of its only method replaced. */
function changed(kind: Kind, at: number, entry: TupleItem) {
  const [[name, stack]] = Object.entries(OTHERS[kind]) as [[string, readonly TupleItem[]]];
  return detect(DETECTORS[kind], { [name]: stack.with(at, entry) });
}

let rows = 0;
/** Writes the detected columns, each as a separate contract. */
async function write(table: ContractTable, found: readonly ContractColumns[]): Promise<void> {
  const values = found.map((columns) => {
    const account = Buffer.alloc(33);
    account.writeUInt32BE(++rows, 1);
    return { account, last_transaction_lt: 1n, code_hash: SELF.hash, data_hash: SELF.hash, ...columns };
  });
  await context.database.primary
    .insertInto(table)
    .values(values as never)
    .execute();
}

const SALE = {
  is_complete: false,
  created_at: 1_700_000_000n,
  marketplace: key(MARKET),
  nft: key(NFT),
  nft_owner: key(SELLER),
  full_price: 5000n,
  marketplace_fee_address: key(FEES),
  marketplace_fee: 50n,
  royalty_address: key(ROYALTIES),
  royalty_amount: 25n,
};
const AUCTION = {
  end_flag: false,
  end_time: 1_700_000_500n,
  marketplace: key(MARKET),
  nft: key(NFT),
  nft_owner: key(SELLER),
  last_bid: 70n,
  last_member: key(BIDDER),
  min_step: 5n,
  marketplace_fee_address: key(FEES),
  marketplace_fee_factor: 1n,
  marketplace_fee_base: 20n,
  royalty_address: key(ROYALTIES),
  royalty_factor: 3n,
  royalty_base: 100n,
  max_bid: 900n,
  min_bid: 60n,
  created_at: 1_700_000_000n,
  last_bid_at: 1_700_000_300n,
  is_canceled: false,
};

describe('detectors recognise', () => {
  it('sales of all versions', async () => {
    const none = { sold_at: null, sold_query_id: null, jetton_prices: null };
    expect(await good('saleOld')).toEqual({ ...SALE, ...none });
    const v4 = { ...SALE, sold_at: 1_700_000_900n, sold_query_id: 11n };
    const name = `0:${JETTON.hash.toString('hex').toUpperCase()}`;
    expect(await good('saleV4')).toEqual({ ...v4, jetton_prices: { [name]: '500' } });
    expect(await changed('saleV4', 12, NULL)).toEqual({ ...v4, jetton_prices: null });
    expect(await changed('saleOld', 5, address(null))).toMatchObject({ nft_owner: null });
    expect(await detect(NFT_AUCTION, OTHERS.saleOld)).toBeUndefined();
  });

  it('auctions of all versions', async () => {
    const none = {
      activated: null,
      step_time: null,
      last_query_id: null,
      jetton_wallet: null,
      jetton_master: null,
      is_broken_state: null,
      public_key: null,
    };
    const v4 = {
      activated: true,
      step_time: 300n,
      last_query_id: 12n,
      jetton_wallet: key(WALLET),
      jetton_master: key(JETTON),
      is_broken_state: false,
      public_key: Buffer.from('4d'.padStart(64, '0'), 'hex'),
    };
    expect(await good('auctionOld')).toEqual({ ...AUCTION, ...none });
    expect(await good('auctionV4')).toEqual({ ...AUCTION, ...v4 });
    expect(await detect(NFT_AUCTION, { ...OTHERS.auctionOld, ...OTHERS.auctionV4 })).toMatchObject(v4);
    const broken = { ...OTHERS.auctionOld, get_auction_data_v4: { throws: 9 } } as const;
    expect(await detect(NFT_AUCTION, broken)).toMatchObject(none);
    expect(await detect(NFT_SALE, OTHERS.auctionOld)).toBeUndefined();
  });

  it('multisigs and their orders', async () => {
    const multisig = { threshold: 2n, signers: [MARKET, NFT].map(key), proposers: [SELLER].map(key) };
    expect(await good('multisig')).toEqual({ ...multisig, next_order_seqno: 4n });
    expect(await changed('multisig', 0, int(-1))).toEqual({ ...multisig, next_order_seqno: -1n });
    expect(await changed('multisig', 3, NULL)).toMatchObject({ proposers: [] });
    const cells = fromCoreCell(beginCell().storeUint(1, 9).endCell());
    expect(await good('order')).toEqual({
      multisig: key(PARENT),
      order_seqno: 3n,
      threshold: 2n,
      sent_for_execution: true,
      signers: [MARKET, NFT].map(key),
      approvals_mask: 3n,
      approvals_num: 2n,
      expiration_date: 1_700_003_600n,
      order_boc: writeBoc({ cells, roots: [0] }, { order: 'tonlib' }),
    });
  });

  it('vestings, pools of nominators, pools of an exchange', async () => {
    const vesting = {
      start_time: 1_700_000_000n,
      total_duration: 1000n,
      unlock_period: 100n,
      cliff_duration: 200n,
      total_amount: 10n ** 20n,
      sender: key(SELLER),
      owner: key(BIDDER),
    };
    expect(await good('vesting')).toEqual({ ...vesting, whitelist: [MARKET, NFT].map(key) });
    expect(await changed('vesting', 7, NULL)).toEqual({ ...vesting, whitelist: [] });
    expect(await good('nominators')).toEqual({
      state: 2n,
      nominators_count: 40n,
      stake_amount_sent: 10n ** 15n,
      validator_amount: 10n ** 13n,
      validator: key(new Address(-1, SELLER.hash)),
      validator_reward_share: 3000n,
      max_nominators_count: 40n,
      min_validator_stake: 10n,
      min_nominator_stake: 20n,
      stake_at: 1_700_000_000n,
      nominators: [],
      nominator_balances: [],
      nominator_pending_balances: [],
    });
    const [low, high] = [Buffer.alloc(32, 1), Buffer.alloc(32, 0xee)];
    expect(
      await changed('nominators', 9, cell(nominatorsOf([high, 10n ** 30n, 0n], [low, 0n, 7n]))),
    ).toMatchObject({
      nominators: [low, high].map((hash) => key(new Address(0, hash))),
      nominator_balances: [0n, 10n ** 30n],
      nominator_pending_balances: [7n, 0n],
    });
    expect(await changed('nominators', 9, cell(DATA))).toBeUndefined();
    const pool = { dex: 'dedust', reserve_1: 1000n, reserve_2: 10n ** 40n, fee: 0.0025 };
    expect(await good('pool')).toEqual({ ...pool, is_stable: true, asset_1: null, asset_2: key(JETTON) });
    const volatile = { ...OTHERS.pool, is_stable: [int(0)] };
    expect(await detect(DEX_POOL, volatile)).toMatchObject({ is_stable: false });
    const assets = { asset_1: null, asset_2: key(JETTON) };
    const second = { dex: 'dedust', is_stable: false, fee: 0.003, reserve_1: 5000n, reserve_2: 10n ** 30n };
    expect(await good('poolV2')).toEqual({ ...second, ...assets });
  });

  it('fits the tables', async () => {
    for (const kind of KINDS) await write(DETECTORS[kind].table, [(await good(kind))!]);
  });
});

describe('a contract that another one must confirm', () => {
  const mismatches: [string, Methods][] = [
    [
      'returns another address',
      { get_order_address: [address(MARKET)], get_pool_address: [address(MARKET)] },
    ],
    ['returns addr_none', { get_order_address: [address(null)], get_pool_address: [address(null)] }],
    ['returns a number', { get_order_address: [int(1)], get_pool_address: [int(1)] }],
    ['throws', { get_order_address: { throws: 4 }, get_pool_address: { throws: 4 } }],
    ['loops', { get_order_address: { loops: true }, get_pool_address: [] }],
    ['has no such method', { other: [] }],
  ];
  it.each(mismatches)('is a mismatch when the other one %s', async (_, parent) => {
    expect(await detect(MULTISIG_ORDER, OTHERS.order, { parent })).toBeUndefined();
    expect(await detect(DEX_POOL, OTHERS.pool, { parent })).toBeUndefined();
  });

  it('is a mismatch without the other one', async () => {
    expect(await changed('order', 0, address(somebody(77)))).toBeUndefined();
    expect(await changed('order', 0, address(null))).toBeUndefined();
    const nowhere = { zones: [], poolFactory: { workchain: 0, hash: somebody(77).hash } };
    expect(await detect(DEX_POOL, OTHERS.pool, { known: nowhere })).toBeUndefined();
    expect(
      await detect(DEX_POOL, OTHERS.pool, { known: { zones: [], poolFactory: undefined } }),
    ).toBeUndefined();
  });

  it('is confirmed by order seqno, and by pool kind', async () => {
    const self = beginCell().storeAddress(SELF).endCell();
    // Compares its arguments with the expected ones and throws 50 if they differ.
    const sayIf = (check: number, bits: number): MethodResult => ({
      code: beginCell().storeUint(check, bits).storeUint(0xbaf2b289, 32).storeRef(self).endCell(),
    });
    const third = { get_order_address: sayIf(0x73, 8), get_pool_address: sayIf(0x5b71, 16) };
    expect(await detect(MULTISIG_ORDER, OTHERS.order, { parent: third })).toBeDefined();
    expect(await detect(DEX_POOL, OTHERS.pool, { parent: third })).toBeDefined();
    const others = { get_order_address: sayIf(0x74, 8), get_pool_address: sayIf(0x5b70, 16) };
    expect(await detect(MULTISIG_ORDER, OTHERS.order, { parent: others })).toBeUndefined();
    expect(await detect(DEX_POOL, OTHERS.pool, { parent: others })).toBeUndefined();
    const volatile = { ...OTHERS.pool, is_stable: [int(0)] };
    expect(await detect(DEX_POOL, volatile, { parent: others })).toBeDefined();
  });
});

/** An entry is replaced by one unusual one in so many. */
const ODD_STRIDE = 4;
const MAX = 2n ** 256n - 1n;
/** Malformed dictionaries. */
const wide = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Address()).set(9, MARKET);
const outside = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.BitString(19)).set(
  1,
  beginCell().storeUint(0b01, 2).storeUint(8, 9).storeUint(5, 8).endCell().bits,
);
const notAnAddress = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.BitString(2)).set(
  1,
  beginCell().storeUint(0, 2).endCell().bits,
);
const LIBRARY = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });
const packed = (dictionary: Dictionary<never, never>): Cell =>
  beginCell().storeDictDirect(dictionary).endCell();
const BAD_LISTS = [...[wide, outside, notAnAddress].map((list) => packed(list as never)), DATA, LIBRARY].map(
  cell,
);

describe('detectors reject', () => {
  it('failing or missing methods', async () => {
    for (const kind of KINDS)
      for (const name of Object.keys(OTHERS[kind])) {
        const stack = (OTHERS[kind] as Methods)[name] as readonly TupleItem[];
        const results: MethodResult[] = [{ throws: 5 }, [], stack.slice(0, -1), stack.slice(1)];
        for (const result of results)
          expect(await detect(DETECTORS[kind], { ...OTHERS[kind], [name]: result })).toBeUndefined();
        expect(await detect(DETECTORS[kind], { other: [] })).toBeUndefined();
      }
    const longer = Object.entries(OTHERS.multisig).map(([name, stack]) => [name, [...stack, NAN]] as const);
    expect(await detect(MULTISIG, Object.fromEntries(longer))).toEqual(await good('multisig'));
  });

  it('invalid lists', async () => {
    for (const list of BAD_LISTS) {
      expect(await changed('multisig', 2, list)).toBeUndefined();
      expect(await changed('multisig', 3, list)).toBeUndefined();
      expect(await changed('order', 4, list)).toBeUndefined();
      expect(await changed('vesting', 7, list)).toBeUndefined();
    }
    // The value of a price is not checked, so most dictionaries are accepted.
    for (const list of [DATA, LIBRARY]) expect(await changed('saleV4', 12, cell(list))).toBeUndefined();
    expect(await changed('order', 4, NULL)).toBeUndefined();
  });

  it('too long lists', async () => {
    const many = (count: number) =>
      Array.from(
        { length: count },
        (_, i) => new Address(0, Buffer.from(i.toString(16).padStart(64, '0'), 'hex')),
      );
    const prices = (count: number) => cell(pricesOf(many(count).map((jetton) => [jetton, 1n])));
    const found = await changed('saleV4', 12, prices(1000));
    expect(Object.keys((found as { jetton_prices: object }).jetton_prices)).toHaveLength(1000);
    expect(await changed('saleV4', 12, prices(1001))).toBeUndefined();
    expect(await changed('vesting', 7, cell(whitelistOf(...many(1001))))).toBeUndefined();
    const everybody = { signers: many(256).map(key) };
    expect(await changed('multisig', 2, cell(listOf(...many(256))))).toMatchObject(everybody);
  });

  it('unknown assets and invalid fees', async () => {
    const native = slice(assetOf(null));
    const assets: TupleItem[] = [
      int(0),
      slice(DATA),
      slice(beginCell().storeUint(2, 4).endCell()),
      slice(beginCell().storeUint(1, 4).endCell()),
    ];
    for (const asset of assets)
      expect(await detect(DEX_POOL, { ...OTHERS.pool, get_assets: [native, asset] })).toBeUndefined();
    for (const fee of [
      [int(1), int(0)],
      [int(0), int(0)],
      [int(1), NAN],
    ])
      expect(await detect(DEX_POOL, { ...OTHERS.pool, get_trade_fee: fee })).toBeUndefined();
  });

  /** Replaces each entry of each result by each unusual one, or by some of them in a sample. Columns that are accepted nevertheless must fit their table. */
  it('wrong stack entries', async () => {
    const numbers = [MAX, 2n ** 63n, -(2n ** 63n)].map(int);
    const others = [NULL, NAN, EXTERN, ANYCAST, address(null), cell(LIBRARY)];
    const odds: TupleItem[] = [...numbers, ...others, { type: 'tuple', items: [] }];
    const taken: Record<string, number> = {};
    for (const kind of KINDS) {
      const found: ContractColumns[] = [];
      for (const [name, stack] of Object.entries(OTHERS[kind]) as [string, readonly TupleItem[]][])
        for (const at of stack.keys())
          for (const odd of odds.filter((_, i) => isLongRun || (i + at) % ODD_STRIDE === 0)) {
            const row = await detect(DETECTORS[kind], { ...OTHERS[kind], [name]: stack.with(at, odd) });
            if (row !== undefined) found.push(row);
          }
      await write(DETECTORS[kind].table, found);
      taken[kind] = found.length;
    }
    // Numbers of any size, times within 64 bits, people that may be nobody, lists that may be empty. Most of what a
    // pool of nominators says is not looked at.
    const all = {
      saleOld: 14,
      saleV4: 19,
      auctionOld: 25,
      auctionV4: 39,
      multisig: 6,
      order: 13,
      vesting: 8,
      nominators: 80,
      pool: 15,
      poolV2: 102,
    };
    const sample = {
      saleOld: 5,
      saleV4: 4,
      auctionOld: 9,
      auctionV4: 11,
      multisig: 1,
      order: 4,
      vesting: 2,
      nominators: 22,
      pool: 3,
      poolV2: 23,
    };
    expect(taken).toEqual(sampled(sample, all));
  });

  it('any result with nothing but a mismatch', async () => {
    const item = fc.oneof(
      fc.bigInt({ min: -MAX - 1n, max: MAX }).map(int),
      fc.constantFrom(
        ...BAD_LISTS,
        NULL,
        NAN,
        EXTERN,
        ANYCAST,
        int(0x46495850),
        int(0x415543),
        address(MARKET),
      ),
      fc
        .uint8Array({ maxLength: 60 })
        .map((bytes) => slice(beginCell().storeBuffer(Buffer.from(bytes)).endCell())),
      fc
        .uint8Array({ maxLength: 60 })
        .map((bytes) => cell(beginCell().storeBuffer(Buffer.from(bytes)).storeRef(DATA).endCell())),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...KINDS),
        fc.array(item, { maxLength: 27 }),
        fc.array(fc.nat(30)),
        async (kind, items, places) => {
          const methods = Object.entries(OTHERS[kind]).map(
            ([name, stack]: [string, readonly TupleItem[]]) => {
              const mixed = stack.map((entry, at) => (places.includes(at) && items[at]) || entry);
              return [name, places.length === 0 ? items : mixed] as const;
            },
          );
          const found = await detect(DETECTORS[kind], Object.fromEntries(methods));
          if (found !== undefined) await write(DETECTORS[kind].table, [found]);
        },
      ),
      { numRuns: sampled(15, 300) },
    );
  });
});
