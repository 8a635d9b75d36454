import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { sampled } from '../../support/long-run.ts';
import {
  bocOf,
  depthAt,
  hashAt,
  merkleCell,
  ordinaryCell,
  prunedCell,
  type ReferenceCell,
} from '../support/raw-boc.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const recipe = fc.record({
  kind: fc.constantFrom('ordinary', 'pruned', 'merkle'),
  mask: fc.integer({ min: 1, max: 7 }),
  hashes: fc.array(hash, { minLength: 3, maxLength: 3 }),
  depth: fc.nat({ max: 900 }),
  refs: fc.array(fc.nat({ max: 15 }), { minLength: 1, maxLength: 2 }),
});

/** Cells with pruned branches of every mask below them, under any number of Merkle cells; children first. */
const arbitraryCells = fc.array(recipe, { minLength: 1, maxLength: 10 }).map((recipes) => {
  const made: ReferenceCell[] = [prunedCell(2, [Buffer.alloc(32, 7)], 3)];
  for (const { kind, mask, hashes, depth, refs } of recipes) {
    const children = refs.map((back) => made.at(-1 - (back % made.length))!);
    if (kind === 'pruned') made.push(prunedCell(mask, hashes, depth));
    else if (kind === 'merkle') made.push(merkleCell(children));
    else made.push(ordinaryCell(Buffer.from([depth & 255]), children));
  }
  return made;
});

describe('cells of every level mask', () => {
  it('have the same hashes in whatever order they are asked for', () => {
    fc.assert(
      fc.property(
        arbitraryCells,
        fc.array(fc.nat({ max: 10 }), { maxLength: 4 }),
        fc.boolean(),
        (cells, ahead, all) => {
          const bag = readBoc(bocOf(cells));
          for (const place of ahead) bag.hashAhead(place % cells.length);
          if (all) bag.hashAll();
          cells.toReversed().forEach((cell, number) => {
            for (let level = 0; level <= 3; level++) {
              expect(bag.hash(number, level)).toEqual(hashAt(cell, level));
              expect(bag.depth(number, level)).toBe(depthAt(cell, level));
            }
          });
        },
      ),
      { numRuns: sampled(150, 1000) },
    );
  });

  it('have the hashes and depths of the specification at all levels', () => {
    fc.assert(
      fc.property(arbitraryCells, (cells) => {
        const bag = readBoc(bocOf(cells));
        cells.forEach((cell, i) => {
          const number = cells.length - 1 - i;
          expect(bag.levelMask(number)).toBe(cell.mask);
          for (let level = 0; level <= 3; level++) {
            expect(bag.hash(number, level), `hash of level ${level}`).toEqual(hashAt(cell, level));
            expect(bag.depth(number, level), `depth of level ${level}`).toBe(depthAt(cell, level));
          }
        });
      }),
      { numRuns: sampled(75, 300) },
    );
  });

  it('are the same after writing and reading', () => {
    fc.assert(
      fc.property(arbitraryCells, fc.constantFrom('core', 'tonlib'), (cells, order) => {
        const bag = readBoc(bocOf(cells));
        const again = readBoc(writeBoc({ cells: bag, roots: bag.roots }, { order }));
        for (let level = 0; level <= 3; level++)
          expect(again.hash(again.root, level)).toEqual(bag.hash(bag.root, level));
      }),
      { numRuns: sampled(75, 300) },
    );
  });
});

describe('pruned branches and @ton/core', () => {
  it.each([1, 3, 7])('mask %i converts to a cell of @ton/core', (mask) => {
    const cell = prunedCell(mask, [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)], 5);
    const bag = readBoc(bocOf([cell]));
    expect(toCoreCell(bag, 0).hash(0)).toEqual(Buffer.alloc(32, 1));
    expect(toCoreCell(bag, 0).hash()).toEqual(bag.hash(0));
  });

  it.each([2, 4, 5, 6])('mask %i is rejected, as @ton/core cannot represent it', (mask) => {
    const cell = prunedCell(mask, [Buffer.alloc(32, 1), Buffer.alloc(32, 2)], 5);
    const bag = readBoc(bocOf([cell, ordinaryCell(Buffer.alloc(0), [cell])]));
    expect(() => toCoreCell(bag, 0)).toThrow(CellError);
    expect(() => toCoreCell(bag, 0)).toThrow('@ton/core cannot hold a cell');
  });
});
