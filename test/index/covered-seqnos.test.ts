import { describe, expect, it } from 'vitest';
import { coverageOf, shownRanges } from '../../src/index/snapshot.ts';

describe('shownRanges', () => {
  const shown = (
    written: readonly (readonly [number, number])[],
    announced: readonly (readonly [number, number])[],
  ) => shownRanges({ first: 1, written, announced }).map(({ first, last }) => [first, last]);

  it('joins adjacent ranges', () => {
    expect(shown([], [])).toEqual([]);
    expect(
      shown(
        [
          [1, 5],
          [6, 9],
          [11, 12],
        ],
        [],
      ),
    ).toEqual([
      [1, 9],
      [11, 12],
    ]);
  });

  it('leaves announced seqnos out', () => {
    expect(shown([[1, 9]], [[8, 12]])).toEqual([[1, 7]]);
    expect(shown([[1, 9]], [[10, 12]])).toEqual([[1, 9]]);
    expect(shown([[1, 9]], [[1, 9]])).toEqual([]);
    expect(
      shown(
        [
          [1, 9],
          [20, 30],
        ],
        [
          [4, 5],
          [20, 21],
        ],
      ),
    ).toEqual([
      [1, 3],
      [6, 9],
      [22, 30],
    ]);
  });

  it('tells the coverage', () => {
    const coverage = {
      first: 1,
      written: [
        [1, 3],
        [6, 9],
      ],
      announced: [[9, 9]],
    } as const;
    expect(coverageOf(coverage, shownRanges(coverage))).toEqual({ first: 1, newest: 8, indexed: 6 });
    expect(coverageOf({ first: null, written: null, announced: null }, [])).toBeUndefined();
  });
});
