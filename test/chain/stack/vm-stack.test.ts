import { beginCell, Cell, parseTuple, serializeTuple, type TupleItem } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { hashOfRest } from '../../../src/chain/boc/hashes.ts';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { intEntry, listEntry, openEntry, type StackEntry } from '../../../src/chain/stack/entries.ts';
import { formatTypedStack } from '../../../src/chain/stack/typed.ts';
import { readStack, readStackBoc, writeStackBoc } from '../../../src/chain/stack/vm-stack.ts';
import { Failure } from '../../../src/lib/errors.ts';
import { createMutator } from '../../support/fuzz/fuzz-decoder.ts';
import { sampled } from '../../support/long-run.ts';
import { randomStack } from './random-entries.ts';

/** A stack as a cell of @ton/core. */
function writeStack(entries: readonly StackEntry[]): Cell {
  return Cell.fromBoc(writeStackBoc(entries))[0]!;
}

/** Entries with hashes in place of cells, so that they can be compared. */
function comparable(entries: readonly StackEntry[]): unknown[] {
  return entries.map((entry) => {
    if (entry.type === 'tuple') return { type: 'tuple', items: comparable(entry.items) };
    if (entry.type === 'slice') return { type: 'slice', hash: hashOfRest(openEntry(entry)).toString('hex') };
    if (entry.type === 'cell' || entry.type === 'builder')
      return { type: entry.type, hash: entry.cells.hash(entry.cell).toString('hex') };
    return entry;
  });
}

/** The same entry for @ton/core, which knows no parts of cells. */
function toTupleItem(entry: StackEntry): TupleItem {
  switch (entry.type) {
    case 'int':
      return { type: 'int', value: entry.value };
    case 'tuple':
      return { type: 'tuple', items: entry.items.map(toTupleItem) };
    case 'cell':
    case 'builder':
      return { type: entry.type, cell: toCoreCell(entry.cells, entry.cell) };
    case 'slice': {
      const whole = toCoreCell(entry.cells, entry.cell);
      const builder = beginCell().storeBits(whole.bits.substring(entry.bit, entry.bitEnd - entry.bit));
      for (const ref of whole.refs.slice(entry.refAt, entry.refEnd)) builder.storeRef(ref);
      return { type: 'slice', cell: builder.endCell() };
    }
    case 'null':
    case 'nan':
      return { type: entry.type };
    default:
      throw new Error('cannot be written');
  }
}

function fromTupleItem(item: TupleItem): StackEntry {
  if (item.type === 'tuple') return { type: 'tuple', items: item.items.map(fromTupleItem) };
  if (item.type === 'int' || item.type === 'null' || item.type === 'nan') return item;
  const bag = fromCoreCell(item.cell);
  if (item.type !== 'slice') return { type: item.type, cells: bag, cell: bag.root };
  const [bitEnd, refEnd] = [item.cell.bits.length, item.cell.refs.length];
  return { type: 'slice', cells: bag, cell: bag.root, bit: 0, bitEnd, refAt: 0, refEnd };
}

describe('readStackBoc and writeStackBoc', () => {
  it('read what they write', () => {
    fc.assert(
      fc.property(randomStack, (stack) => {
        expect(comparable(readStackBoc(writeStackBoc(stack)))).toEqual(comparable(stack));
      }),
      { numRuns: sampled(75, 300) },
    );
  });

  it('agree with @ton/core', () => {
    fc.assert(
      fc.property(randomStack, (stack) => {
        const items = stack.map(toTupleItem);
        const bag = fromCoreCell(serializeTuple(items));
        expect(comparable(readStack(bag, bag.root))).toEqual(comparable(stack));
        expect(comparable(parseTuple(writeStack(stack)).map(fromTupleItem))).toEqual(comparable(stack));
        if (!hasSlice(stack)) expect(writeStack(stack).hash()).toEqual(serializeTuple(items).hash());
      }),
      { numRuns: sampled(50, 200) },
    );
  });

  it('write an empty stack as 24 zero bits', () => {
    expect(writeStack([]).toString()).toBe('x{000000}');
    expect(readStackBoc(writeStackBoc([]))).toEqual([]);
  });

  it('read a continuation as an unsupported entry at any position', () => {
    const continuation = beginCell().storeUint(6, 8).storeUint(0b0101, 4).storeRef(Cell.EMPTY).endCell();
    const list = beginCell().storeRef(Cell.EMPTY).storeSlice(continuation.beginParse());
    const tuple = beginCell()
      .storeUint(2, 24)
      .storeRef(list)
      .storeUint(7, 8)
      .storeUint(1, 16)
      .storeRef(continuation);
    const bag = fromCoreCell(tuple.endCell());
    expect(readStack(bag, bag.root)).toEqual([
      { type: 'unsupported' },
      { type: 'tuple', items: [{ type: 'unsupported' }] },
    ]);
  });

  it('read a slice of an exotic cell as an unsupported entry', () => {
    const library = beginCell().storeUint(2, 8).storeUint(7, 256).endCell({ exotic: true });
    const value = beginCell().storeUint(1, 24).storeRef(Cell.EMPTY).storeUint(4, 8).storeRef(library);
    const bag = fromCoreCell(value.storeUint(0, 10).storeUint(264, 10).storeUint(0, 6).endCell());
    expect(readStack(bag, bag.root)).toEqual([{ type: 'unsupported' }]);
  });
});

describe('readStackBoc of malformed stacks', () => {
  const one = (value: Cell) => {
    const builder = beginCell().storeUint(1, 24).storeRef(Cell.EMPTY).storeSlice(value.beginParse(true));
    const bag = fromCoreCell(builder.endCell());
    return () => readStack(bag, bag.root);
  };

  it.each([
    ['an unknown kind', beginCell().storeUint(8, 8).endCell()],
    ['an integer of an unknown kind', beginCell().storeUint(0x0202, 16).storeUint(0, 257).endCell()],
    ['almost a number that is none', beginCell().storeUint(0x02fe, 16).endCell()],
    ['a short integer', beginCell().storeUint(1, 8).storeUint(0, 63).endCell()],
    ['bits after the end', beginCell().storeUint(0, 9).endCell()],
    ['a reference after the end', beginCell().storeUint(0, 8).storeRef(Cell.EMPTY).endCell()],
    ['a cell that is missing', beginCell().storeUint(3, 8).endCell()],
    ['a slice beyond its cell', slice(0, 1, 0, 0)],
    ['a slice that ends before it starts', slice(1, 0, 0, 0)],
    ['a slice with references beyond its cell', slice(0, 0, 0, 1)],
    ['a tuple with an item too few', tuple(3, [Cell.EMPTY])],
    ['a tuple with an item too many', tuple(1, [nullCell(), nullCell()])],
  ])('rejects %s', (_name, value) => {
    expect(one(value)).toThrow(CellError);
  });

  it('rejects a stack that is shorter than declared', () => {
    const bag = fromCoreCell(beginCell().storeUint(2, 24).storeRef(Cell.EMPTY).storeUint(0, 8).endCell());
    expect(() => readStack(bag, bag.root)).toThrow(CellError);
  });

  it('rejects a tuple of shared tuples, and one with a wrong size', () => {
    let shared = nullCell();
    for (let i = 0; i < 30; i++) shared = tuple(2, [shared, shared]);
    expect(one(shared)).toThrow('TVM stack size exceeds limit');
    expect(one(tuple(65535, [nullCell(), nullCell()]))).toThrow('TVM stack size exceeds limit');
  });

  it('throws only CellError and Failure for damaged stacks', () => {
    const { mutate } = createMutator(20);
    const seeds = fc.sample(randomStack, { seed: 7, numRuns: 40 }).map((stack) => writeStackBoc(stack));
    let read = 0;
    for (let i = 0; i < 4000; i++) {
      try {
        formatTypedStack(readStackBoc(mutate(seeds[i % seeds.length]!)));
        read++;
      } catch (error) {
        if (!(error instanceof CellError) && !(error instanceof Failure)) throw error;
      }
    }
    expect(read).toBeGreaterThan(0);
  });

  function nullCell(): Cell {
    return beginCell().storeUint(0, 8).endCell();
  }
  function slice(bit: number, bitEnd: number, refAt: number, refEnd: number): Cell {
    const builder = beginCell().storeUint(4, 8).storeRef(Cell.EMPTY).storeUint(bit, 10).storeUint(bitEnd, 10);
    return builder.storeUint(refAt, 3).storeUint(refEnd, 3).endCell();
  }
  function tuple(size: number, refs: Cell[]): Cell {
    const builder = beginCell().storeUint(7, 8).storeUint(size, 16);
    for (const ref of refs) builder.storeRef(ref);
    return builder.endCell();
  }
});

describe('the depth of a written stack', () => {
  it('is limited to the maximum depth of cells', () => {
    const list = (length: number) => [listEntry(Array.from({ length }, (_, i) => intEntry(i)))];
    expect(formatTypedStack(readStackBoc(writeStackBoc(list(1000))))).toMatchObject([
      { '@type': 'tvm.stackEntryList', list: { elements: { length: 1000 } } },
    ]);
    expect(() => writeStack(list(1100))).toThrow('TVM stack input exceeds depth limit');
    expect(() => writeStack(list(8000))).toThrow('TVM stack input exceeds depth limit');
    const flat = (length: number) => Array.from({ length }, (_, i) => intEntry(i));
    expect(readStackBoc(writeStackBoc(flat(1000)))).toHaveLength(1000);
    expect(() => writeStack(flat(1100))).toThrow('TVM stack input exceeds depth limit');
  });
});

function hasSlice(entries: readonly StackEntry[]): boolean {
  return entries.some((entry) => entry.type === 'slice' || (entry.type === 'tuple' && hasSlice(entry.items)));
}
