import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOldestSeqno } from '../../src/lite/follow-head.ts';
import { sampled } from '../support/long-run.ts';

/** A server that has the blocks from `oldest` on, and counts what it is asked. */
function archive(oldest: number) {
  const asked: number[] = [];
  return {
    asked,
    has: async (seqno: number) => {
      asked.push(seqno);
      return seqno >= oldest;
    },
  };
}

describe('findOldestSeqno', () => {
  it('returns the first block for an archive server', async () => {
    const { has, asked } = archive(0);
    expect(await findOldestSeqno(50_000_000, has)).toBe(1);
    expect(asked).toEqual([3, 1]);
    expect(await findOldestSeqno(50_000_000, archive(2).has)).toBe(3);
  });

  it('returns the first block of a chain with hardly any blocks', async () => {
    for (const newest of [0, 1, 2, 3]) {
      const { has } = archive(0);
      expect(await findOldestSeqno(newest, has)).toBe(Math.min(newest, 1));
    }
  });

  it('checks the previous result with one query, and searches again when it changed', async () => {
    const known = 49_000_000;
    const same = archive(known);
    expect(await findOldestSeqno(50_000_000, same.has, known)).toBe(known);
    expect(same.asked).toEqual([3, known]);
    const moved = archive(known + 5000);
    const found = await findOldestSeqno(50_000_000, moved.has, known);
    expect(found).toBeGreaterThanOrEqual(known + 5000);
    const grown = archive(0);
    expect(await findOldestSeqno(50_000_000, grown.has, known)).toBe(1);
  });

  it('finds the oldest block to within a 64th of the depth with few queries, and never one that is missing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 4, max: 2 ** 31 - 1 })
          .chain((newest) => fc.tuple(fc.constant(newest), fc.integer({ min: 4, max: newest }))),
        async ([newest, oldest]) => {
          const { has, asked } = archive(oldest);
          const found = await findOldestSeqno(newest, has);
          expect(found).toBeGreaterThanOrEqual(oldest);
          expect(found - oldest).toBeLessThanOrEqual(1 + (newest - found) / 64);
          expect(asked.length).toBeLessThan(45);
        },
      ),
      { numRuns: sampled(75, 300) },
    );
  });

  it('throws when the server fails', async () => {
    const broken = () => Promise.reject(new Error('gone'));
    await expect(findOldestSeqno(1000, broken)).rejects.toThrow('gone');
  });
});
