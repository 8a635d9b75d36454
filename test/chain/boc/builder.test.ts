import { BitString, beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';

/** One thing to write: here, with @ton/core, and how it is read again. */
interface Field {
  readonly write: (builder: CellBuilder) => void;
  readonly store: (builder: ReturnType<typeof beginCell>) => void;
  readonly read: (slice: Slice) => unknown;
  readonly value: unknown;
}

/** Bits of the longest of the fields below. */
const LONGEST_FIELD = 320;

const field = (value: unknown, write: Field['write'], store: Field['store'], read: Field['read']): Field => ({
  value,
  write,
  store,
  read,
});

const uint = fc
  .integer({ min: 0, max: 32 })
  .chain((bits) => fc.tuple(fc.constant(bits), fc.integer({ min: 0, max: 2 ** bits - 1 })))
  .map(([bits, value]) =>
    field(
      value,
      (b) => b.uint(value, bits),
      (b) => b.storeUint(value, bits),
      (s) => s.uint(bits),
    ),
  );
const int = fc
  .integer({ min: 1, max: 32 })
  .chain((bits) =>
    fc.tuple(fc.constant(bits), fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 })),
  )
  .map(([bits, value]) =>
    field(
      value,
      (b) => b.int(value, bits),
      (b) => b.storeInt(value, bits),
      (s) => s.int(bits),
    ),
  );
const bigUint = fc
  .integer({ min: 0, max: 256 })
  .chain((bits) => fc.tuple(fc.constant(bits), fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })))
  .map(([bits, value]) =>
    field(
      value,
      (b) => b.bigUint(value, bits),
      (b) => b.storeUint(value, bits),
      (s) => s.bigUint(bits),
    ),
  );
const bigInt = fc
  .integer({ min: 1, max: 257 })
  .chain((bits) => {
    const limit = 2n ** BigInt(bits - 1);
    return fc.tuple(fc.constant(bits), fc.bigInt({ min: -limit, max: limit - 1n }));
  })
  .map(([bits, value]) =>
    field(
      value,
      (b) => b.bigInt(value, bits),
      (b) => b.storeInt(value, bits),
      (s) => s.bigInt(bits),
    ),
  );
const coins = fc.integer({ min: 0, max: 120 }).chain((bits) =>
  fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }).map((value) =>
    field(
      value,
      (b) => b.coins(value),
      (b) => b.storeCoins(value),
      (s) => s.coins(),
    ),
  ),
);
const bytes = fc.uint8Array({ maxLength: 40 }).map((value) =>
  field(
    Buffer.from(value),
    (b) => b.bytes(value),
    (b) => b.storeBuffer(Buffer.from(value)),
    (s) => s.bytes(value.length),
  ),
);
/** Bits from the middle of some bytes. */
const bits = fc
  .tuple(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat({ max: 80 }), fc.nat({ max: 80 }))
  .map(([source, from, count]) => {
    const part = new BitString(Buffer.from(source), from, count);
    return field(
      part.toString(),
      (b) => b.bits(source, from, count),
      (b) => b.storeBits(part),
      (s) => bitsOf(s, count),
    );
  });

function bitsOf(slice: Slice, count: number): string {
  const target = Buffer.alloc((count + 7) >> 3);
  slice.copyBits(count, target, 0);
  return new BitString(target, 0, count).toString();
}

/** The data of a builder as a cell of @ton/core. */
function asCore(builder: CellBuilder): Cell {
  const data = Buffer.from(builder.data.subarray(0, (builder.bitCount + 7) >> 3));
  return new Cell({ bits: new BitString(data, 0, builder.bitCount) });
}

describe('CellBuilder', () => {
  it('writes what @ton/core writes and a slice reads, in any order and at any bit', () => {
    const any = fc.oneof(uint, int, bigUint, bigInt, coins, bytes, bits);
    const builder = new CellBuilder();
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (fields) => {
        const core = beginCell();
        builder.reset();
        const written = fields.filter(({ write, store }) => {
          if (core.bits + LONGEST_FIELD > 1023) return false;
          store(core);
          write(builder);
          return true;
        });
        const made = asCore(builder);
        expect(made.hash()).toEqual(core.endCell().hash());
        const bag = fromCoreCell(made);
        const slice = new Slice(bag, bag.root);
        for (const { read, value } of written) expect(read(slice)).toEqual(value);
        slice.end();
      }),
    );
  });

  it('copies bits and references of slices', () => {
    const cell = fromCoreCell(
      beginCell().storeUint(0b1011001, 7).storeUint(0xabcdef0123n, 40).storeRef(Cell.EMPTY).endCell(),
    );
    const slice = new Slice(cell, cell.root);
    const builder = new CellBuilder().uint(1, 1).sliceBits(slice, 7);
    expect(slice.bit).toBe(7);
    builder.slice(slice);
    expect([slice.bitsLeft, slice.refsLeft]).toEqual([0, 0]);
    const expected = beginCell().storeUint(0b11011001, 8).storeUint(0xabcdef0123n, 40).endCell();
    expect(asCore(builder).bits.toString()).toBe(expected.bits.toString());
    expect(builder.refs).toEqual([1]);
    expect(() => new CellBuilder().sliceBits(slice, 1)).toThrow('not enough bits in the cell');
  });

  it('writes small numbers in fields of any width', () => {
    const builder = new CellBuilder()
      .uint(5, 64)
      .int(-5, 257)
      .uint(2 ** 40, 48);
    const core = beginCell()
      .storeUint(5, 64)
      .storeInt(-5, 257)
      .storeUint(2 ** 40, 48);
    expect(asCore(builder).hash()).toEqual(core.endCell().hash());
  });

  it('writes absent and present references', () => {
    const builder = new CellBuilder().maybeRef(-1).maybeRef(5).ref(6);
    expect([builder.bitCount, builder.refs]).toEqual([2, [5, 6]]);
    expect(builder.data[0]! & 0xc0).toBe(0x40);
    expect(builder.reset().refs).toEqual([]);
    expect(builder.bitCount).toBe(0);
  });

  it('rejects more bits and references than fit', () => {
    const full = () => new CellBuilder().bytes(Buffer.alloc(127)).uint(0, 7);
    expect(full().bitCount).toBe(1023);
    expect(() => full().uint(0, 1)).toThrow(new CellError('too many bits for a cell'));
    expect(() => full().coins(0n)).toThrow('too many bits for a cell');
    expect(() => full().bits(Buffer.alloc(1), 0, 1)).toThrow('too many bits for a cell');
    const refs = new CellBuilder().ref(0).ref(1).ref(2).ref(3);
    expect(() => refs.ref(4)).toThrow(new CellError('too many references for a cell'));
    expect(() => new CellBuilder().ref(-1)).toThrow('the cell is missing');
    expect(() => new CellBuilder().bits(Buffer.alloc(1), 1, 8)).toThrow('not enough bits to copy');
    expect(() => new CellBuilder().hash(Buffer.alloc(31))).toThrow('hash of 31 bytes');
  });

  it.each([
    ['16 in 4 bits', (b: CellBuilder) => b.uint(16, 4)],
    ['-1 without a sign', (b: CellBuilder) => b.uint(-1, 32)],
    ['not a number', (b: CellBuilder) => b.uint(Number.NaN, 32)],
    ['8 in 4 bits with a sign', (b: CellBuilder) => b.int(8, 4)],
    ['-9 in 4 bits with a sign', (b: CellBuilder) => b.int(-9, 4)],
    ['2^64 in 64 bits', (b: CellBuilder) => b.uint64(2n ** 64n)],
    ['-1 in 64 bits', (b: CellBuilder) => b.uint64(-1n)],
    ['-1 in 256 bits', (b: CellBuilder) => b.bigUint(-1n, 256)],
    ['2^63 in 64 bits with a sign', (b: CellBuilder) => b.int64(2n ** 63n)],
    ['2^256 in 256 bits', (b: CellBuilder) => b.bigUint(2n ** 256n, 256)],
    ['2^40 in 33 bits', (b: CellBuilder) => b.bigUint(2n ** 40n, 33)],
    ['2^33 in 32 bits', (b: CellBuilder) => b.bigUint(2n ** 33n, 32)],
    ['2^120 nanotons', (b: CellBuilder) => b.coins(2n ** 120n)],
    ['less than no nanotons', (b: CellBuilder) => b.coins(-1n)],
  ])('rejects a number that does not fit: %s', (_, write) => {
    expect(() => write(new CellBuilder())).toThrow(CellError);
  });
});
