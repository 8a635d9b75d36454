import { randomBytes } from 'node:crypto';
import { BitBuilder, BitReader, BitString } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitByBit } from './quick-bits.ts';

const BYTES = 40;
const place = fc.record({ offset: fc.nat(60), length: fc.nat(250), before: fc.nat(20) });

describe('reading and copying bits by bytes', () => {
  it('gives what @ton/core gives', () => {
    fc.assert(
      fc.property(place, ({ offset, length, before }) => {
        const bits = new BitString(randomBytes(BYTES), offset, length);
        const [quick, slow] = [0, 1].map(() => {
          const builder = new BitBuilder();
          for (let at = 0; at < before; at++) builder.writeBit(at % 3 === 0);
          return builder;
        });
        quick!.writeBits(bits);
        bitByBit.writeBits(slow!, bits);
        quick!.writeBit(true);
        slow!.writeBit(true);
        expect(quick!.build().toString()).toBe(slow!.build().toString());
        const reader = new BitReader(bits);
        for (const count of [0, 1, 7, 8, 32, 40, 41, 64, 256].filter((one) => one <= length))
          expect(reader.preloadUintBig(count)).toBe(bitByBit.preloadUint(new BitReader(bits), count, 0));
        reader.skip(Math.min(before, length));
        const left = reader.remaining;
        expect(reader.preloadUintBig(left)).toBe(
          bitByBit.preloadUint(new BitReader(bits), left, length - left),
        );
      }),
    );
  });

  it('fails as @ton/core does', () => {
    const long = new BitString(randomBytes(BYTES), 0, 20);
    expect(() => new BitBuilder(8).writeBits(long)).toThrow('overflow');
    expect(() => new BitReader(long).preloadUintBig(21)).toThrow('out of bounds');
  });
});
