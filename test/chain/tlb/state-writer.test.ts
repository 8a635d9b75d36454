import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import {
  type Account,
  type AccountState,
  buildAccount,
  readAccount,
  readStateInit,
  writeStateInit,
} from '../../../src/chain/tlb/account.ts';
import { addCurrencies, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { Dictionary, int32Key } from '../../../src/chain/tlb/dictionary.ts';
import {
  buildPublishers,
  LIBRARIES,
  libraryPublishers,
  lookUpLibrary,
} from '../../../src/chain/tlb/libraries.ts';
import {
  BLOCK_CREATE_STATS,
  buildMcStateExtra,
  buildMcStateInfo,
  lookUpOldMcBlock,
  OLD_MC_BLOCKS,
  readMcStateExtra,
  readMcStateInfo,
} from '../../../src/chain/tlb/masterchain-state.ts';
import { buildOutMsgQueueInfo } from '../../../src/chain/tlb/queues.ts';
import {
  buildShardAccounts,
  lookUpShardAccount,
  readShardAccounts,
  SHARD_ACCOUNTS,
} from '../../../src/chain/tlb/shard-accounts.ts';
import {
  buildShardState,
  buildShardStateTotals,
  readShardState,
  readShardStateTotals,
} from '../../../src/chain/tlb/shard-state.ts';
import {
  address,
  amountOf,
  blockRef,
  cellOf,
  coins,
  hash,
  shard,
  uint,
  uint64,
} from '../support/arbitrary-parts.ts';

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
// An account has no room for two of the largest amounts, nor for two hashes beside its address.
const someCoins = fc.bigInt({ min: 0n, max: 2n ** 64n });
const init = fc.record({
  fixedPrefixLength: maybe(uint(5)),
  special: maybe(fc.record({ tick: fc.boolean(), tock: fc.boolean() })),
  code: fc.constantFrom(-1, 0),
  data: fc.constantFrom(-1, 1),
  library: fc.constantFrom(-1, 2),
});
const accountState: fc.Arbitrary<AccountState> = fc.oneof(
  fc.constant({ kind: 'uninit' as const }),
  fc.record({ kind: fc.constant('frozen' as const), stateHash: hash }),
  fc.record({ kind: fc.constant('active' as const), init }),
);
const account: fc.Arbitrary<Account> = fc
  .record({
    address: address.filter(({ kind }) => kind === 'std') as fc.Arbitrary<Account['address']>,
    storageInfo: fc.record({
      usedCells: uint(48),
      usedBits: uint(48),
      publicCells: fc.constant(undefined),
      dictHash: maybe(hash),
      lastPaid: uint(32),
      duePayment: maybe(someCoins),
    }),
    lastTransLt: uint64,
    balance: someCoins.map((grams) => ({ grams, extra: -1 })),
    state: accountState,
  })
  .map(({ storageInfo, ...rest }) => ({
    ...rest,
    storageInfo: rest.state.kind === 'frozen' ? { ...storageInfo, dictHash: undefined } : storageInfo,
  }));

/** An arena with three cells, numbers 0 to 2. */
function arenaWithCells(): BuildingArena {
  const arena = new BuildingArena();
  for (let i = 0; i < 3; i++) cellOf(arena, i);
  return arena;
}

/** A plain account with a balance. */
function plain(balance: Account['balance'], state: AccountState = { kind: 'uninit' }): Account {
  return {
    address: { kind: 'std', workchain: 0, hash: Buffer.alloc(32, 1), anycast: undefined },
    storageInfo: {
      usedCells: 1,
      usedBits: 100,
      publicCells: undefined,
      dictHash: undefined,
      lastPaid: 5,
      duePayment: undefined,
    },
    lastTransLt: 5n,
    balance,
    state,
  };
}

describe('buildAccount', () => {
  it('writes accounts of all kinds that readAccount reads', () => {
    const arena = arenaWithCells();
    fc.assert(
      fc.property(account, (one) => {
        expect(readAccount(arena, buildAccount(arena, one))).toEqual(one);
      }),
    );
    expect(readAccount(arena, buildAccount(arena, undefined))).toBeUndefined();
  });

  it('writes accounts from before storage_extra', () => {
    const arena = arenaWithCells();
    const old = plain({ grams: 7n, extra: -1 });
    const account = { ...old, storageInfo: { ...old.storageInfo, publicCells: 300 } };
    expect(readAccount(arena, buildAccount(arena, account))).toEqual(account);
  });

  it('writes the StateInit of an account', () => {
    const arena = arenaWithCells();
    fc.assert(
      fc.property(init, (one) => {
        const builder = new CellBuilder();
        writeStateInit(builder, one);
        const slice = new Slice(arena, arena.build(builder));
        expect(readStateInit(slice)).toEqual(one);
        slice.end();
      }),
    );
  });

  it('writes ShardAccounts with the sum of balances and the maximum split depth', () => {
    const arena = arenaWithCells();
    const accounts = new Dictionary(arena, SHARD_ACCOUNTS);
    const special = { fixedPrefixLength: 8, special: undefined, code: -1, data: -1, library: -1 };
    const list = [
      plain(amountOf(arena, 10n, { 1: 5n })),
      plain(amountOf(arena, 20n), { kind: 'active', init: special }),
      plain(amountOf(arena, 30n, { 1: 2n, 9: 3n })),
      undefined,
    ];
    let root = -1;
    for (const [i, one] of list.entries()) {
      const entry = {
        account: buildAccount(arena, one),
        lastTransHash: Buffer.alloc(32, i),
        lastTransLt: BigInt(i),
      };
      root = accounts.set(root, Buffer.alloc(32, i * 50), entry);
      const found = lookUpShardAccount(arena, buildShardAccounts(arena, root), Buffer.alloc(32, i * 50));
      expect(found).toEqual(entry);
    }
    const balance = amountOf(arena, 60n, { 1: 7n, 9: 3n });
    expect(readShardAccounts(arena, buildShardAccounts(arena, root))).toEqual({
      root,
      splitDepth: 8,
      balance,
    });
    expect(readShardAccounts(arena, buildShardAccounts(arena, -1))).toEqual({
      root: -1,
      splitDepth: 0,
      balance: amountOf(arena, 0n),
    });
  });
});

describe('addCurrencies', () => {
  it('adds amounts currency by currency', () => {
    const arena = new BuildingArena();
    const currencies = fc.dictionary(fc.nat({ max: 9 }).map(String), fc.bigInt({ min: 1n, max: 2n ** 200n }));
    fc.assert(
      fc.property(currencies, currencies, (a, b) => {
        const sum = addCurrencies(amountOf(arena, 5n, a), amountOf(arena, 6n, b), arena);
        const ids = [...new Set([...Object.keys(a), ...Object.keys(b)])].map(Number).sort((x, y) => x - y);
        const expected = ids.map((id) => ({ id, amount: (a[id] ?? 0n) + (b[id] ?? 0n) }));
        expect([sum.grams, readExtraCurrencies(arena, sum)]).toEqual([11n, expected]);
      }),
    );
  });
});

describe('buildShardState', () => {
  it('writes what readShardState reads', () => {
    const arena = arenaWithCells();
    const parts = fc.record({
      globalId: fc.constant(-777),
      workchain: fc.constantFrom(-1, 0),
      shard,
      seqno: uint(32),
      vertSeqno: uint(32),
      genUtime: uint(32),
      genLt: uint64,
      minRefMcSeqno: uint(32),
      outMsgQueueInfo: fc.constant(
        buildOutMsgQueueInfo(arena, { outQueue: -1, processedInfo: -1, extra: undefined }),
      ),
      beforeSplit: fc.boolean(),
      accounts: fc.constant(buildShardAccounts(arena, -1)),
      totals: fc.constant(2),
      custom: fc.constantFrom(-1, 1),
    });
    fc.assert(
      fc.property(parts, uint64, coins, maybe(blockRef), (state, history, grams, masterRef) => {
        expect(readShardState(arena, buildShardState(arena, state))).toEqual(state);
        const totals = {
          overloadHistory: history,
          underloadHistory: history ^ 1n,
          totalBalance: amountOf(arena, grams),
          totalValidatorFees: amountOf(arena, 2n),
          libraries: -1,
          masterRef,
        };
        expect(readShardStateTotals(arena, buildShardStateTotals(arena, totals))).toEqual(totals);
      }),
    );
  });

  it('writes the libraries of the masterchain with their publishers', () => {
    const arena = arenaWithCells();
    const ids = [3, 1, 2].map((fill) => Buffer.alloc(32, fill));
    const key = Buffer.from(arena.hash(1));
    const libraries = new Dictionary(arena, LIBRARIES);
    const root = libraries.set(-1, key, { library: 1, publishers: buildPublishers(arena, ids) });
    expect(lookUpLibrary(arena, root, key)).toBe(1);
    expect(libraryPublishers(arena, root, key)).toEqual(ids.toSorted(Buffer.compare));
  });

  it('writes the extra of the masterchain with earlier blocks and block statistics', () => {
    const arena = arenaWithCells();
    const blocks = new Dictionary(arena, OLD_MC_BLOCKS);
    const block = (seqno: number) => {
      const [rootHash, fileHash] = [Buffer.alloc(32, seqno), Buffer.alloc(32, seqno + 1)];
      return { seqno, endLt: BigInt(seqno) * 10n, rootHash, fileHash, isKeyBlock: seqno % 20 === 0 };
    };
    let root = -1;
    for (let seqno = 1; seqno < 70; seqno++) root = blocks.set(root, int32Key(seqno), block(seqno));
    expect(blocks.extra(root)).toEqual({ hasKeyBlock: true, maxEndLt: 690n });
    expect(lookUpOldMcBlock(arena, root, 40)).toEqual(block(40));

    const stats = new Dictionary(arena, BLOCK_CREATE_STATS);
    const counters = { lastUpdated: 7, total: 8n, count2048: 9n, count65536: 10n };
    const statsRoot = stats.set(-1, Buffer.alloc(32), { mcBlocks: counters, shardBlocks: counters });
    expect(stats.get(statsRoot, Buffer.alloc(32))?.bigUint(100)).toBe((4n << 96n) | (7n << 64n) | 8n);

    const { isKeyBlock: _, ...lastKeyBlock } = block(60);
    const info = {
      validatorListHashShort: 2 ** 32 - 1,
      catchainSeqno: 5,
      nextCatchainUpdated: true,
      prevBlocks: { root, ...blocks.extra(root) },
      afterKeyBlock: false,
      lastKeyBlock,
      blockCreateStats: { root: statsRoot, augmented: false },
    };
    const bare = { ...info, lastKeyBlock: undefined, blockCreateStats: undefined };
    for (const one of [info, bare]) expect(readMcStateInfo(arena, buildMcStateInfo(arena, one))).toEqual(one);
    const augmented = { ...info, blockCreateStats: { root: -1, augmented: true } };
    expect(() => buildMcStateInfo(arena, augmented)).toThrow('cannot be written');

    const extra = {
      shardHashes: -1,
      configAddress: Buffer.alloc(32, 5),
      config: 1,
      info: buildMcStateInfo(arena, info),
      globalBalance: amountOf(arena, 99n, { 3: 4n }),
    };
    expect(readMcStateExtra(arena, buildMcStateExtra(arena, extra))).toEqual(extra);
  });
});
