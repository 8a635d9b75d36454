import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TlError, TlReader } from '../../../src/chain/tl/tl.ts';
import { int, long, uint, written } from './arbitrary-values.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('TL numbers', () => {
  test('survive writing and reading', () => {
    fc.assert(
      fc.property(int, uint, long, fc.boolean(), (i, u, l, b) => {
        const bytes = written((w) => {
          w.int(i);
          w.uint(u);
          w.long(l);
          w.bool(b);
        });
        const reader = new TlReader(bytes);
        expect([reader.int(), reader.uint(), reader.long(), reader.bool()]).toEqual([i, u, l, b]);
        reader.end();
      }),
    );
  });

  test('are little-endian, and signed as in TL', () => {
    expect(written((w) => w.int(-2))).toEqual(hex('feffffff'));
    expect(written((w) => w.uint(0xfffffffe))).toEqual(hex('feffffff'));
    expect(written((w) => w.long(-(2n ** 63n)))).toEqual(hex('0000000000000080'));
    expect(new TlReader(hex('0000000000000080')).long()).toBe(-(2n ** 63n));
  });

  test.each([2 ** 31, -(2 ** 31) - 1, 1.5, Number.NaN])('%d is refused as an int', (value) => {
    expect(() => written((w) => w.int(value))).toThrow(TlError);
  });

  test.each([-1, 2 ** 32, 0.5, Number.NaN])('%d is refused as an unsigned int', (value) => {
    expect(() => written((w) => w.uint(value))).toThrow(TlError);
  });

  test.each([2n ** 63n, -(2n ** 63n) - 1n])('%d is refused as a long', (value) => {
    expect(() => written((w) => w.long(value))).toThrow(TlError);
  });

  test('other constructors than those of Bool are refused', () => {
    expect(written((w) => w.bool(true))).toEqual(hex('b5757299'));
    expect(written((w) => w.bool(false))).toEqual(hex('379779bc'));
    expect(() => new TlReader(hex('01000000')).bool()).toThrow('expected a Bool, got 0x00000001');
  });
});

describe('TL bytes', () => {
  test.each([
    [0, '00000000'],
    [1, '01aa0000'],
    [3, '03aaaaaa'],
    [4, '04aaaaaaaa000000'],
  ])('%i bytes are padded to words', (length, wire) => {
    expect(written((w) => w.bytes(Buffer.alloc(length, 0xaa)))).toEqual(hex(wire));
  });

  test.each([
    [253, 'fd', 256],
    [254, 'fefe0000', 260],
    [2 ** 24 - 1, 'feffffff', 2 ** 24 + 4],
    [2 ** 24, 'ff00000001000000', 2 ** 24 + 8],
  ])('a length of %i has the header %s', (length, head, size) => {
    const value = Buffer.alloc(length, 0xaa);
    const bytes = written((w) => w.bytes(value));
    expect(bytes.length).toBe(size);
    expect(bytes.toString('hex', 0, head.length / 2)).toBe(head);
    const reader = new TlReader(bytes);
    expect(reader.bytes().equals(value)).toBe(true);
    reader.end();
  });

  test('longer headers than needed are accepted, as by nodes', () => {
    expect(new TlReader(hex('fe020000 aabb0000')).bytes()).toEqual(hex('aabb'));
    expect(new TlReader(hex('ff02000000000000 aabb0000')).bytes()).toEqual(hex('aabb'));
  });

  test.each([
    ['an empty message', ''],
    ['a head cut short', 'fe0000'],
    ['a long head cut short', 'ff000000'],
    ['less than the length says', '05aaaaaa'],
    ['no padding', '04aaaaaaaa'],
    ['less than the long length says', 'feffffff aaaaaaaa'],
    ['a length beyond all memory', 'ffffffffffffffff'],
  ])('%s is refused', (_what, wire) => {
    expect(() => new TlReader(hex(wire)).bytes()).toThrow(TlError);
  });

  test('are read as a view, not as a copy', () => {
    const message = hex('02aabb00');
    const view = new TlReader(message).bytes();
    message[1] = 0xcc;
    expect(view).toEqual(hex('ccbb'));
  });

  test('are read from a view of a larger array', () => {
    const array = new Uint8Array([9, 9, 2, 0xaa, 0xbb, 0, 9]).subarray(2, 6);
    expect(new TlReader(array).bytes()).toEqual(hex('aabb'));
  });

  test('strings are UTF-8, with replacement characters for malformed bytes', () => {
    expect(new TlReader(written((w) => w.string('Ωa'))).string()).toBe('Ωa');
    expect(new TlReader(hex('02ff6100')).string()).toBe('\ufffda');
  });
});

describe('TL fields of a fixed size', () => {
  test.each([
    [16, 'int128'],
    [32, 'int256'],
  ] as const)('%i bytes are an %s, and other lengths are refused', (size, kind) => {
    const value = Buffer.alloc(size, 7);
    expect(new TlReader(written((w) => w[kind](value)))[kind]()).toEqual(value);
    expect(() => written((w) => w[kind](Buffer.alloc(size - 1)))).toThrow(TlError);
    expect(() => new TlReader(Buffer.alloc(size - 1))[kind]()).toThrow(TlError);
  });
});

describe('TL vectors', () => {
  test('survive writing and reading', () => {
    fc.assert(
      fc.property(fc.array(int), (items) => {
        const bytes = written((w) => w.vector(items, (writer, item) => writer.int(item)));
        expect(new TlReader(bytes).vector(4, (reader) => reader.int())).toEqual(items);
      }),
    );
  });

  test.each(['02000000 00000000', 'ffffffff 00000000', '00000080'])(
    'a false count (%s) is refused before an item is read',
    (wire) => {
      let read = 0;
      const readItem = () => read++;
      expect(() => new TlReader(hex(wire)).vector(4, readItem)).toThrow(TlError);
      expect(read).toBe(0);
    },
  );

  test('a list longer than any in the protocol is refused in both directions', () => {
    const items = new Array<number>(65_537).fill(1);
    expect(() => written((w) => w.vector(items, (writer, item) => writer.int(item)))).toThrow(TlError);
    const bytes = Buffer.alloc(4 + 4 * items.length);
    bytes.writeUInt32LE(items.length);
    expect(() => new TlReader(bytes).vector(4, (reader) => reader.int())).toThrow(TlError);
  });
});
