import { Address, beginCell, Cell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressSlice, readBoc, writeSingleCell } from '../../web/cells/boc.ts';
import { CellReader, dictionaryEntries, signedKey } from '../../web/cells/cell-reader.ts';
import { parseAddress } from '../../web/show/address-forms.ts';

describe('cells of pages', () => {
  const tree = beginCell()
    .storeUint(5, 3)
    .storeRef(beginCell().storeStringTail('text').storeRef(beginCell().storeUint(1, 1)).endCell())
    .storeRef(beginCell().endCell())
    .endCell();

  it.each([
    { idx: false, crc32: true },
    { idx: true, crc32: false },
    { idx: false, crc32: false },
  ])('reads bags of cells written with %j', (options) => {
    const boc = tree.toBoc(options);
    const bag = readBoc(boc)!;
    expect(bag.size).toEqual({ bytes: boc.length, cells: 4, bits: 3 + 32 + 1 });
    const reader = new CellReader(bag.root);
    expect([reader.uint(3), reader.bitsLeft, reader.refsLeft]).toEqual([5, 0, 2]);
    const inner = new CellReader(reader.ref());
    expect(new TextDecoder().decode(inner.bytes(4))).toBe('text');
    expect(new CellReader(inner.ref()).bit()).toBe(true);
    expect(reader.ref().bitLength).toBe(0);
    expect(() => reader.ref()).toThrow(RangeError);
    expect(() => reader.bit()).toThrow(RangeError);
  });

  it('reads numbers, amounts and addresses', () => {
    const address = new Address(-1, Buffer.alloc(32, 0xab));
    const cell = beginCell()
      .storeInt(-7, 32)
      .storeUint(2n ** 255n + 9n, 256)
      .storeCoins(123_456_789_012n)
      .storeAddress(address)
      .storeAddress(null)
      .endCell();
    const reader = new CellReader(readBoc(cell.toBoc())!.root);
    expect(reader.int(32)).toBe(-7);
    expect(reader.big(256)).toBe(2n ** 255n + 9n);
    expect(reader.coins()).toBe(123_456_789_012n);
    expect(reader.address()).toEqual({ workchain: -1, hex: 'AB'.repeat(32) });
    expect(reader.address()).toBeNull();
  });

  it('reads dictionaries as @ton/core writes them', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 40 }),
        (keys) => {
          const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Int(32));
          for (const key of keys) dictionary.set(key, key);
          const cell = beginCell().storeDictDirect(dictionary).endCell();
          const { root } = readBoc(cell.toBoc())!;
          const found = [...dictionaryEntries(root, 32)].map(([key, value]) => [
            signedKey(key),
            value.int(32),
          ]);
          const sorted = keys.toSorted((a, b) => (a >>> 0) - (b >>> 0));
          expect(found).toEqual(sorted.map((key) => [key, key]));
        },
      ),
    );
  });

  it('writes addresses as slices', () => {
    const text = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
    const slice = Cell.fromBase64(addressSlice(parseAddress(text)!)).beginParse();
    expect(slice.loadAddress().toString()).toBe(text);
    expect(slice.remainingBits).toBe(0);
    expect(Cell.fromBoc(Buffer.from(writeSingleCell(Uint8Array.of(1, 2), 16)))[0]!.bits.toString()).toBe(
      '0102',
    );
  });

  it('returns null for bytes that are no bag, and throws for none', () => {
    const boc = tree.toBoc();
    for (let length = 0; length < boc.length - 4; length++)
      expect(readBoc(boc.subarray(0, length))).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(), (bytes, at) => {
        readBoc(bytes);
        const changed = Uint8Array.from(boc);
        changed.set(bytes.subarray(0, 3), at % (boc.length - 3));
        readBoc(changed);
      }),
    );
  });
});
