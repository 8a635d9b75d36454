import { type Builder, beginCell, type Cell, loadTransaction, type Message } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { readTransaction } from '../../../src/chain/tlb/transaction.ts';
import {
  ACCOUNT,
  DESCRIPTIONS,
  hashOf,
  MESSAGES,
  transactionCell,
  transactionOf,
} from '../support/transaction-samples.ts';
import {
  comparable,
  descriptionAsCore,
  plainCoreTransaction,
  plainTransaction,
} from '../support/transactions-as-core.ts';

function read(cell: Cell, workchain = 0) {
  const bag = readBoc(cell.toBoc());
  return readTransaction(bag, bag.root, workchain);
}

/** A transaction whose description @ton/core cannot write. */
function withDescription(store: (builder: Builder) => void): Cell {
  const cell = transactionCell(transactionOf(DESCRIPTIONS.storage!));
  return beginCell()
    .storeBits(cell.bits)
    .storeRef(cell.refs[0]!)
    .storeRef(cell.refs[1]!)
    .storeRef(cell.refs[2]!)
    .storeRef(beginCell().store(store))
    .endCell();
}

/** The same cell with other data. */
function withBits(cell: Cell, at: number, value: bigint, bits: number): Cell {
  const slice = cell.beginParse();
  const builder = beginCell().storeBits(slice.loadBits(at)).storeUint(value, bits);
  slice.skip(bits);
  return builder.storeSlice(slice).endCell();
}

const SPLIT = (builder: Builder) =>
  builder.storeUint(3, 6).storeUint(9, 6).storeUint(hashOf(4), 256).storeUint(hashOf(5), 256);
const storage = (builder: Builder) => builder.storeCoins(17).storeBit(0).storeBit(0);
const suspended = (builder: Builder) => builder.storeUint(0b0110, 4);

describe('readTransaction reads the same as @ton/core', () => {
  it.each(Object.keys(DESCRIPTIONS))('%s', (name) => {
    const cell = transactionCell(transactionOf(DESCRIPTIONS[name]!));
    const theirs = loadTransaction(cell.beginParse());
    const ours = read(cell);
    expect(plainTransaction(ours)).toEqual(plainCoreTransaction(theirs, cell));
    expect(descriptionAsCore(ours.cells, ours.description)).toEqual(comparable(theirs.description));
  });

  it.each(Object.keys(MESSAGES) as (keyof typeof MESSAGES)[])('with the inbound message "%s"', (name) => {
    const cell = transactionCell(transactionOf(DESCRIPTIONS.storage!, { in: MESSAGES[name] }));
    expect(plainTransaction(read(cell))).toEqual(
      plainCoreTransaction(loadTransaction(cell.beginParse()), cell),
    );
  });

  it('with out messages in the order they were sent', () => {
    const out: Message[] = Array.from({ length: 40 }, (_, i) => ({
      ...MESSAGES.log,
      info: { ...MESSAGES.log.info, createdLt: BigInt(1000 - i) },
    }));
    const cell = transactionCell(transactionOf(DESCRIPTIONS.storage!, { in: MESSAGES.internal, out }));
    const ours = read(cell);
    expect(plainTransaction(ours)).toEqual(plainCoreTransaction(loadTransaction(cell.beginParse()), cell));
    expect(ours.outMessages.map(({ info }) => 'createdLt' in info && info.createdLt)).toEqual(
      out.map((_, i) => BigInt(1000 - i)),
    );
  });
});

describe('readTransaction reads what @ton/core does not', () => {
  it('the account in the workchain of its block', () => {
    const { account } = read(transactionCell(transactionOf(DESCRIPTIONS.storage!)), -1);
    expect(account).toEqual({ workchain: -1, hash: ACCOUNT.hash });
  });

  it('a compute phase that was skipped because the account is suspended', () => {
    const cell = withDescription((builder) => {
      builder.storeUint(0b0000_0_0_0, 7).store(suspended).storeUint(0b0_1_0_0, 4);
    });
    expect(read(cell).description).toEqual({
      kind: 'ord',
      creditFirst: false,
      compute: { skipped: true, reason: 'suspended' },
      aborted: true,
      destroyed: false,
    });
  });

  it('the prepare transaction of a split', () => {
    const ours = read(transactionCell(transactionOf(DESCRIPTIONS['split install']!)));
    const { description } = ours;
    if (description.kind !== 'split_install') throw new Error(description.kind);
    const prepare = readTransaction(ours.cells, description.prepareTransaction, 0);
    expect(prepare.description.kind).toBe('storage');
  });

  it('both transactions of a merge', () => {
    const info = {
      curShardPfxLen: 3,
      accSplitDepth: 9,
      thisAddr: Buffer.alloc(32, 4),
      siblingAddr: Buffer.alloc(32, 5),
    };
    const phase = { storageFeesCollected: 17n, storageFeesDue: undefined, statusChange: 'unchanged' };
    const prepare = withDescription((builder) => {
      builder.storeUint(0b0110, 4).store(SPLIT).store(storage).storeBit(1);
    });
    expect(read(prepare).description).toEqual({
      kind: 'merge_prepare',
      splitInfo: info,
      storage: phase,
      aborted: true,
    });
    const install = withDescription((builder) => {
      builder.storeUint(0b0111, 4).store(SPLIT).storeRef(prepare).storeBit(1).store(storage);
      builder.storeBit(1).storeBit(0).storeCoins(5).storeBit(0).store(suspended).storeUint(0b0_0_1, 3);
    });
    const { cells, description } = read(install);
    expect(description).toEqual({
      kind: 'merge_install',
      splitInfo: info,
      prepareTransaction: expect.any(Number),
      storage: phase,
      credit: { dueFeesCollected: undefined, credit: { grams: 5n, extra: -1 } },
      compute: { skipped: true, reason: 'suspended' },
      action: undefined,
      aborted: false,
      destroyed: true,
    });
    if (description.kind !== 'merge_install') throw new Error(description.kind);
    expect(cells.hash(description.prepareTransaction)).toEqual(prepare.hash());
  });
});

describe('readTransaction throws a CellError for malformed data', () => {
  const cell = transactionCell(transactionOf(DESCRIPTIONS['all phases']!, { out: [MESSAGES.log] }));
  const countAt = 4 + 256 + 64 + 256 + 64 + 32;
  const cases: Record<string, [Cell, string]> = {
    'another tag': [withBits(cell, 0, 6n, 4), 'not a transaction'],
    'more out messages than it declares': [
      withBits(cell, countAt, 0n, 15),
      'more out messages than it declares',
    ],
    'fewer out messages than it declares': [
      withBits(cell, countAt, 2n, 15),
      'fewer out messages than it declares',
    ],
    'an unknown kind': [withDescription((b) => b.storeUint(0b1000, 4)), 'unknown tag'],
    'an unknown reason to skip': [
      withDescription((b) => b.storeUint(0b0000_0_0_0_0111, 11)),
      'unknown reason',
    ],
    'a description that ends early': [withDescription((b) => b.storeUint(0, 4)), 'not enough bits'],
  };
  it.each(Object.keys(cases))('%s', (name) => {
    const [broken, text] = cases[name]!;
    expect(() => read(broken)).toThrow(CellError);
    expect(() => read(broken)).toThrow(text);
  });
});
