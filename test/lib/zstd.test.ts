import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unpackZstd } from '../../src/lib/zstd.ts';
import { sampled } from '../support/long-run.ts';

const text = (bytes: number): Buffer =>
  Buffer.from('{"account":"0:12ab","lt":"345"} '.repeat(bytes / 32 + 1)).subarray(0, bytes);
const frame = zstdCompressSync(Buffer.concat([text(3000), randomBytes(300)]));

/** What a way of unpacking does with bytes. */
function outcomeOf(unpack: (bytes: Buffer) => Buffer, bytes: Buffer): unknown {
  try {
    return unpack(bytes).toString('base64');
  } catch (error) {
    const { message, code, errno } = error as NodeJS.ErrnoException;
    return { message, code, errno };
  }
}

function expectSame(bytes: Buffer): void {
  expect(outcomeOf(unpackZstd, bytes)).toEqual(outcomeOf(zstdDecompressSync, bytes));
  expect(unpackZstd(frame).equals(zstdDecompressSync(frame))).toBe(true);
}

it('frames of all sizes and levels are unpacked', () => {
  for (const bytes of [0, 1, 31, 255, 256, 257, 4000, 65_535, 65_536, 70_000, 5_000_000])
    for (const level of [1, 3, 9]) {
      const plain = Buffer.concat([text(bytes), randomBytes(bytes % 100)]);
      const packed = zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: level } });
      expect(unpackZstd(packed).equals(plain)).toBe(true);
    }
});

it('a frame with a checksum is unpacked, and refused with a wrong one', () => {
  const packed = zstdCompressSync(text(900), { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  expectSame(packed);
  packed[packed.length - 1]! ^= 1;
  expectSame(packed);
});

it('a frame without its end, with bytes behind it, or after another is what it is to zstdDecompressSync', () => {
  for (let end = 0; end < frame.length; end++) expectSame(frame.subarray(0, end));
  expectSame(Buffer.concat([frame, Buffer.from('behind')]));
  expectSame(Buffer.concat([frame, zstdCompressSync(text(500))]));
});

it('a damaged frame gives the error of zstdDecompressSync, and the next one is unpacked', () => {
  // The first bytes say how large it is, and how much memory it wants.
  fc.assert(
    fc.property(fc.nat(frame.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(frame);
      damaged[at]! ^= change;
      expectSame(damaged);
    }),
    { numRuns: sampled(125, 500) },
  );
});

it('no object is made for each frame', () => {
  unpackZstd(frame);
  let made = 0;
  const hook = createHook({
    init(_id, type) {
      if (/zstd|zlib/i.test(type)) made += 1;
    },
  }).enable();
  for (let i = 0; i < 20; i++) unpackZstd(frame);
  const own = made;
  zstdDecompressSync(frame);
  hook.disable();
  expect({ own, others: made - own }).toEqual({ own: 0, others: 1 });
});
