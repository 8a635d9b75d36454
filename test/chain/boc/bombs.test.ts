import { describe, expect, it } from 'vitest';
import { CellFault } from '../../../src/chain/boc/cell-fault.ts';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { makeMerkleProof } from '../../../src/chain/boc/make-merkle-proof.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';
import { walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { type RawCell, rawBoc } from './raw-boc.ts';

/** A chain of cells, each leading to the next by all its references: refs^depth ways from the first to the last. */
function ladder(depth: number, refs: number): Buffer {
  const cells = Array.from({ length: depth + 1 }, (_, i): RawCell => {
    return { refs: i < depth ? Array.from({ length: refs }, () => i + 1) : [] };
  });
  return rawBoc({ cells, refSize: 2, offsetSize: 4 });
}

describe('cells that stand for more than there could ever be', () => {
  it.each([2, 4])(
    'hash, are written, converted and proven in linear work: %i references, 1000 deep',
    (refs) => {
      const bag = readBoc(ladder(1000, refs));
      bag.hashAll();
      expect(bag.depth(0)).toBe(1000);
      const hash = bag.hash(0);
      for (const order of ['core', 'tonlib'] as const) {
        const again = readBoc(writeBoc({ cells: bag, roots: bag.roots }, { order }));
        expect(again.count).toBe(1001);
        expect(again.hash(0)).toEqual(hash);
      }
      const core = toCoreCell(bag, 0);
      expect(core.hash()).toEqual(hash);
      expect(fromCoreCell(core).hash(0)).toEqual(hash);
      const proof = readBoc(makeMerkleProof(bag, 0, (cell) => cell < 990));
      expect(proof.count).toBe(1 + 990 + 1);
      expect(proof.hash(proof.ref(proof.root, 0), 0)).toEqual(hash);
    },
  );

  it('hash on demand from the root, 1024 deep', () => {
    expect(readBoc(ladder(1024, 4)).depth(0)).toBe(1024);
  });

  it('are refused when they are 1025 deep', () => {
    expect(() => readBoc(ladder(1025, 1))).toThrow(new CellFault('the cells are deeper than 1024'));
    expect(() => readBoc(ladder(5000, 1))).toThrow(CellFault);
  });
});

describe('a dictionary of shared parts', () => {
  /** A dictionary whose left and right halves are always the same cell: 2^keyBits entries in few cells. */
  function sharedDictionary(keyBits: number): Buffer {
    const cells = Array.from({ length: keyBits + 1 }, (_, i): RawCell => {
      // hml_short$0 with a length of zero is 00; five bits of padding follow the one that completes it.
      return { size: 1, data: '20', refs: i < keyBits ? [i + 1, i + 1] : [] };
    });
    return rawBoc({ cells, refSize: 2, offsetSize: 4 });
  }

  it('is walked while it is small', () => {
    const bag = readBoc(sharedDictionary(10));
    const keys: number[] = [];
    walkDictionary(bag, 0, 10, (key) => keys.push(key.readUInt16BE() >> 6));
    expect(keys).toEqual(Array.from({ length: 1024 }, (_, i) => i));
  });

  it('is given up when it stands for too many entries', () => {
    const bag = readBoc(sharedDictionary(256));
    let entries = 0;
    expect(() => walkDictionary(bag, 0, 256, () => entries++)).toThrow(
      new CellFault('a dictionary with too many shared parts'),
    );
    expect(entries).toBeLessThan(10_000);
  });
});
