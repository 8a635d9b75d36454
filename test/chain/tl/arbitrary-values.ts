import fc from 'fast-check';
import { TlWriter } from '../../../src/chain/tl/tl.ts';

/** Any signed 32-bit number. */
export const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
/** Any unsigned 32-bit number. */
export const uint = fc.integer({ min: 0, max: 2 ** 32 - 1 });
/** Any signed 64-bit number. */
export const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
export const hash = bytesOf(32, 32);
/** Lengths around the change from one form of head to the next, and ordinary ones. */
export const bytes = fc.oneof(
  { weight: 6, arbitrary: bytesOf(0, 40) },
  { weight: 1, arbitrary: bytesOf(250, 260) },
);

function bytesOf(minLength: number, maxLength: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength, maxLength }).map((values) => Buffer.from(values));
}

export const blockPlace = fc.record({ workchain: int, shard: long, seqno: int });
export const blockId = fc.record({ workchain: int, shard: long, seqno: int, rootHash: hash, fileHash: hash });
export const accountId = fc.record({ workchain: int, hash });
export const zeroStateId = fc.record({ workchain: int, rootHash: hash, fileHash: hash });

export const list = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 5 });

/** Values whose optional fields are there exactly if their bits of the mode are set. */
export function byMode<T extends { readonly mode: number }, F extends keyof T>(
  whole: fc.Arbitrary<T>,
  bits: Record<F, number>,
): fc.Arbitrary<Omit<T, F> & { [K in F]?: T[K] | undefined }> {
  return whole.map((value) => {
    const kept = { ...value } as Omit<T, F> & { [K in F]?: T[K] | undefined };
    for (const field of Object.keys(bits) as F[]) {
      if (((value.mode >>> bits[field]) & 1) === 0) delete kept[field];
    }
    return kept;
  });
}

/** What a function wrote, without a constructor id. */
export function written(write: (writer: TlWriter) => void): Buffer {
  const writer = new TlWriter();
  write(writer);
  return writer.finish();
}
