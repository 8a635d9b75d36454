import { type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import {
  findShardAccount,
  lookUpShardAccount,
  readShardAccounts,
  walkShardAccounts,
} from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState, readShardStateTotals, splitStateParts } from '../../../src/chain/tlb/shard-state.ts';
import { buildAccount } from '../../support/chain-builder/accounts.ts';
import { buildShardState } from '../../support/chain-builder/states.ts';
import { makePart } from '../support/proofs.ts';

const hash = (fill: number): Buffer => Buffer.alloc(32, fill);
const ids = Array.from({ length: 20 }, (_, i) => hash(i * 11));
const accounts = ids.map((id, i) =>
  buildAccount({
    id: { workchain: 0, hash: id },
    balance: BigInt(i + 1),
    lastTransLt: BigInt(100 + i),
    lastTransHash: hash(i),
  }),
);
const id = { workchain: -1, shard: -0x8000000000000000n, seqno: 77, rootHash: hash(1), fileHash: hash(2) };
const parts = {
  workchain: 0,
  shard: 0x4000000000000000n,
  seqno: 500,
  utime: 1_700_000_123,
  lt: 9_000_000n,
  accounts,
  masterRef: { id, endLt: 8_000_000n },
};

/** A state whose every field has its own value. */
function fullState(): Cell {
  const amount = (grams: number) => (builder: Builder) => builder.storeCoins(grams).storeBit(0);
  const empty = beginCell().endCell();
  return beginCell()
    .storeUint(0x9023afe2, 32)
    .storeInt(-239, 32)
    .storeUint(0, 2)
    .storeUint(4, 6)
    .storeInt(-5, 32)
    .storeUint(0xa000000000000000n, 64)
    .storeUint(1, 32)
    .storeUint(2, 32)
    .storeUint(3, 32)
    .storeUint(4, 64)
    .storeUint(5, 32)
    .storeRef(empty)
    .storeBit(1)
    .storeRef(empty)
    .storeRef(
      beginCell()
        .storeUint(6, 64)
        .storeUint(7, 64)
        .store(amount(8))
        .store(amount(9))
        .storeBit(1)
        .storeRef(empty)
        .storeBit(0),
    )
    .storeMaybeRef(empty)
    .endCell();
}

describe('readShardState', () => {
  it('reads all fields', () => {
    const bag = fromCoreCell(fullState());
    const state = readShardState(bag, bag.root);
    expect(state).toEqual({
      globalId: -239,
      workchain: -5,
      shard: BigInt.asIntN(64, 0xa800000000000000n),
      seqno: 1,
      vertSeqno: 2,
      genUtime: 3,
      genLt: 4n,
      minRefMcSeqno: 5,
      outMsgQueueInfo: bag.ref(bag.root, 0),
      beforeSplit: true,
      accounts: bag.ref(bag.root, 1),
      totals: bag.ref(bag.root, 2),
      custom: bag.ref(bag.root, 3),
    });
    expect(readShardStateTotals(bag, state.totals)).toEqual({
      overloadHistory: 6n,
      underloadHistory: 7n,
      totalBalance: { grams: 8n, extra: -1 },
      totalValidatorFees: { grams: 9n, extra: -1 },
      libraries: bag.ref(state.totals, 0),
      masterRef: undefined,
    });
  });

  it('reads a shard that refers to the masterchain', () => {
    const bag = fromCoreCell(buildShardState(parts));
    const state = readShardState(bag, bag.root);
    expect(state).toMatchObject({ workchain: 0, shard: 0x4000000000000000n, seqno: 500, custom: -1 });
    const { masterRef, libraries } = readShardStateTotals(bag, state.totals);
    expect(masterRef).toEqual({ endLt: 8_000_000n, seqno: 77, rootHash: hash(1), fileHash: hash(2) });
    expect(libraries).toBe(-1);
  });

  it('distinguishes a split state from the state of one shard', () => {
    const [left, right] = [fullState(), buildShardState(parts)];
    const joined = beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).endCell();
    const bag = fromCoreCell(joined);
    const halves = splitStateParts(bag, bag.root)!;
    expect(halves.map((half) => readShardState(bag, half).seqno)).toEqual([1, 500]);
    expect(splitStateParts(bag, halves[0])).toBeUndefined();
    expect(() => readShardState(bag, bag.root)).toThrow(CellError);
  });

  it('does not read parts that are not requested', () => {
    const cells = fromCoreCell(buildShardState({ ...parts, libraries: [beginCell().endCell()] }));
    const { bag, root } = makePart({ cells, root: cells.root, shows: (cell) => cell === cells.root });
    const state = readShardState(bag, root);
    expect(state.seqno).toBe(500);
    expect(() => lookUpShardAccount(bag, state.accounts, ids[0]!)).toThrow(PrunedCellError);
    expect(() => readShardStateTotals(bag, state.totals)).toThrow(PrunedCellError);
  });

  it('reads a shard id whose prefix includes the end bit', () => {
    const cell = beginCell().storeUint(0x9023afe2, 32).storeInt(0, 32).storeUint(0, 8).storeInt(0, 32);
    const empty = beginCell().endCell();
    cell.storeUint(1n << 63n, 64).storeUint(0, 200);
    const bag = fromCoreCell(cell.storeRef(empty).storeRef(empty).storeRef(empty).endCell());
    expect(readShardState(bag, bag.root).shard).toBe(-(2n ** 63n));
  });

  it('rejects malformed shard ids', () => {
    const states = [
      [1, 4, 0xa000000000000000n],
      [0, 61, 0n],
      [0, 4, 0xa400000000000000n],
      [0, 0, 1n],
    ] as const;
    for (const [tag, bits, prefix] of states) {
      const cell = beginCell().storeUint(0x9023afe2, 32).storeInt(0, 32).storeUint(tag, 2).storeUint(bits, 6);
      const bag = fromCoreCell(cell.storeInt(0, 32).storeUint(prefix, 64).storeUint(0, 200).endCell());
      expect(() => readShardState(bag, bag.root)).toThrow(/shard (id|prefix)/);
    }
  });
});

describe('accounts of a shard state', () => {
  const bag = fromCoreCell(buildShardState(parts));
  const cell = readShardState(bag, bag.root).accounts;

  it('are found by id', () => {
    ids.forEach((wanted, i) => {
      const found = lookUpShardAccount(bag, cell, wanted)!;
      expect(found).toMatchObject({ lastTransHash: hash(i), lastTransLt: BigInt(100 + i) });
      expect(readAccount(bag, found.account)).toMatchObject({ balance: { grams: BigInt(i + 1) } });
    });
    expect(lookUpShardAccount(bag, cell, hash(1))).toBeUndefined();
  });

  it('are found after the extra of their entry', () => {
    const slice = findShardAccount(bag, cell, ids[3]!)!;
    expect([slice.bitsLeft, slice.refsLeft]).toEqual([256 + 64, 1]);
  });

  it('are visited in order', () => {
    const seen: Buffer[] = [];
    walkShardAccounts(bag, cell, (account, { lastTransHash }) => {
      expect(lastTransHash).toEqual(hash(seen.length));
      seen.push(Buffer.from(account));
    });
    expect(seen).toEqual(ids);
  });

  it('have a total balance and depth', () => {
    const root = new Slice(bag, cell).maybeRef();
    const balance = { grams: 210n, extra: -1 };
    expect(readShardAccounts(bag, cell)).toEqual({ root, splitDepth: 0, balance });
  });

  it('may be empty', () => {
    const none = fromCoreCell(buildShardState({ ...parts, accounts: [] }));
    const empty = readShardState(none, none.root).accounts;
    expect(lookUpShardAccount(none, empty, ids[0]!)).toBeUndefined();
    walkShardAccounts(none, empty, () => expect.unreachable());
    expect(readShardAccounts(none, empty).root).toBe(-1);
  });

  it('are found in a proof of one account, and skipped where they are pruned', () => {
    const wanted = lookUpShardAccount(bag, cell, ids[4]!)!.account;
    // Everything but other accounts' cells.
    const isOther = (kept: number) => accounts.some((account) => bag.hash(kept).equals(account.cell.hash()));
    const keep = (kept: number) => kept === wanted || !isOther(kept);
    const part = makePart({ cells: bag, root: bag.root, shows: keep });
    const found = lookUpShardAccount(part.bag, readShardState(part.bag, part.root).accounts, ids[4]!)!;
    expect(readAccount(part.bag, found.account)).toMatchObject({ balance: { grams: 5n } });

    const top = makePart({ cells: bag, root: bag.root, shows: (kept) => kept === bag.root || kept === cell });
    const accountsCell = readShardState(top.bag, top.root).accounts;
    expect(() => walkShardAccounts(top.bag, accountsCell, () => {})).toThrow(PrunedCellError);
    walkShardAccounts(top.bag, accountsCell, () => expect.unreachable(), 'skip');
  });
});
