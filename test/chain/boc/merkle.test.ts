import { beginCell, Cell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError, type Cells, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import {
  makeMerkleProofs,
  openMerkleProof,
  openMerkleUpdate,
  ReadRecorder,
} from '../../../src/chain/boc/merkle.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { lookUp } from '../../../src/chain/tlb/dictionary.ts';
import { sampled } from '../../support/long-run.ts';
import { arbitraryCell, arbitraryOrdinaryCell } from '../support/arbitrary-cells.ts';
import { makeMerkleProof } from '../support/proofs.ts';
import { rawBoc } from '../support/raw-boc.ts';
import { filesOf, recordedMissing } from './recorded-bocs.ts';

/**
 * Walks a proof beside the whole tree: what is shown is the same, what is cut has the same hash and depth. Gives the
 * cells of the tree that the proof shows.
 */
function shownCells(whole: Cells, root: number, proof: Cells, shown: number): Set<number> {
  const kept = new Set<number>();
  const seen = new Set<string>();
  const stack = [[root, shown]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [cell, inProof] = next as [number, number];
    if (seen.has(`${cell} ${inProof}`)) continue;
    seen.add(`${cell} ${inProof}`);
    expect(proof.hash(inProof, 0)).toEqual(whole.hash(cell, 0));
    expect(proof.depth(inProof, 0)).toBe(whole.depth(cell, 0));
    if (proof.isPruned(inProof) && !whole.isPruned(cell)) continue;
    kept.add(cell);
    expect(proof.bits[inProof]).toBe(whole.bits[cell]);
    expect(proof.refCount(inProof)).toBe(whole.refCount(cell));
    for (let i = 0; i < whole.refCount(cell); i++) stack.push([whole.ref(cell, i), proof.ref(inProof, i)]);
  }
  return kept;
}

describe('makeMerkleProofs', () => {
  it('includes the kept cells of any tree and the hashes of the rest', () => {
    const ofLevelZero = arbitraryCell.filter((cell) => cell.level() === 0);
    fc.assert(
      fc.property(
        fc.oneof(arbitraryOrdinaryCell, ofLevelZero),
        fc.infiniteStream(fc.boolean()),
        (cell, chance) => {
          const bag = fromCoreCell(cell);
          const kept = new Set(Array.from(bag.bits, (_, number) => number).filter(() => chance.next().value));
          const proof = readBoc(makeMerkleProof(bag, bag.root, kept));
          const { root, hash } = openMerkleProof(proof, proof.root);
          expect(hash).toEqual(cell.hash());
          const shown = shownCells(bag, bag.root, proof, root);
          // Far below Merkle cells nothing can be cut.
          if (bag.heads.some((_, number) => bag.isExotic(number))) return;
          for (const number of shown) expect(kept.has(number) || bag.refCount(number) === 0).toBe(true);
        },
      ),
      { numRuns: sampled(125, 500) },
    );
  });

  it('makes proofs that @ton/core accepts', () => {
    fc.assert(
      fc.property(arbitraryOrdinaryCell, fc.nat({ max: 20 }), (cell, limit) => {
        const bag = fromCoreCell(cell);
        const [proof] = Cell.fromBoc(makeMerkleProof(bag, bag.root, (number) => number < limit));
        expect(proof!.refs[0]!.hash(0)).toEqual(cell.hash());
        expect(proof!.level()).toBe(0);
      }),
      { numRuns: sampled(50, 200) },
    );
  });

  it('keeps the cells that a ReadRecorder recorded', () => {
    const dictionary = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Cell());
    for (let i = 0; i < 200; i++) {
      const inner = beginCell().storeUint(i, 16).storeRef(beginCell().storeRef(Cell.EMPTY).endCell());
      dictionary.set(i * 300, inner.endCell());
    }
    const bag = fromCoreCell(beginCell().storeDictDirect(dictionary).endCell());
    const recorder = new ReadRecorder(bag);
    const key = (number: number) => Buffer.of(number >> 8, number & 255);
    expect(
      lookUp(recorder, 0, 16, key(42 * 300))!
        .refSlice()
        .uint(16),
    ).toBe(42);
    const proof = readBoc(makeMerkleProof(bag, 0, recorder.read));
    expect(proof.count).toBeLessThan(40);
    const { root, hash } = openMerkleProof(proof, proof.root);
    expect(hash).toEqual(recorder.hash(0));
    const value = lookUp(proof, root, 16, key(42 * 300))!.refSlice();
    expect(value.uint(16)).toBe(42);
    expect(() => value.refSlice()).toThrow(PrunedCellError);
    expect(() => lookUp(proof, root, 16, key(199 * 300))).toThrow(PrunedCellError);
    expect(() => new Slice(proof, proof.root)).toThrow(new CellError('the cell is exotic'));
  });

  it('prunes inside a Merkle update at the right levels', () => {
    const deep = (number: number) =>
      beginCell().storeUint(number, 8).storeRef(beginCell().storeUint(number, 9).endCell());
    const state = (number: number) => beginCell().storeRef(deep(number).endCell()).endCell();
    const [before, after] = [state(1), state(2)];
    const update = beginCell().storeUint(4, 8).storeBuffer(before.hash()).storeBuffer(after.hash());
    update.storeUint(2, 16).storeUint(2, 16).storeRef(before).storeRef(after);
    const bag = fromCoreCell(
      beginCell()
        .storeRef(update.endCell({ exotic: true }))
        .endCell(),
    );
    const updateCell = bag.ref(0, 0);
    const proof = readBoc(makeMerkleProof(bag, 0, new Set([0, updateCell, bag.ref(updateCell, 1)])));
    const { root } = openMerkleProof(proof, proof.root);
    const inProof = openMerkleUpdate(proof, proof.ref(root, 0));
    expect(proof.levelMask(inProof.old)).toBe(2);
    expect(proof.isPruned(inProof.old)).toBe(true);
    expect(proof.isPruned(proof.ref(inProof.new, 0))).toBe(true);
    expect(proof.levelMask(root)).toBe(1);
    expect([inProof.oldHash, inProof.newHash]).toEqual([before.hash(), after.hash()]);
  });

  it('rejects a cell with pruned branches', () => {
    const pruned = { head: 0x28, data: `0101${'11'.repeat(32)}0001` };
    const bag = readBoc(rawBoc({ cells: [{ head: 0x21, refs: [1] }, pruned] }));
    expect(() => makeMerkleProof(bag, 0, () => true)).toThrow(
      new CellError('cannot make a proof of a cell with pruned branches'),
    );
  });
});

describe('openMerkleProof and openMerkleUpdate', () => {
  const leaf = fromCoreCell(Cell.EMPTY).hash(0).toString('hex');
  const open = (data: string, refs: number[], kind: typeof openMerkleProof | typeof openMerkleUpdate) => {
    const bag = readBoc(rawBoc({ cells: [{ head: 8 | refs.length, data, refs }, { refs: [2] }, {}] }));
    return kind(bag, 0);
  };

  it('return the cells and their hashes', () => {
    expect(open(`03${leaf}0000`, [2], openMerkleProof)).toEqual({ root: 2, hash: Buffer.from(leaf, 'hex') });
    expect(open(`04${leaf}${leaf}00000000`, [2, 2], openMerkleUpdate)).toMatchObject({ old: 2, new: 2 });
  });

  it('reject cells of another type', () => {
    expect(() => open(`03${leaf}0000`, [2], openMerkleUpdate)).toThrow('the cell is not a Merkle update');
    expect(() => open(`04${leaf}${leaf}00000000`, [2, 2], openMerkleProof)).toThrow(
      'the cell is not a Merkle proof',
    );
    const bag = fromCoreCell(Cell.EMPTY);
    expect(() => openMerkleProof(bag, 0)).toThrow(new CellError('the cell is not a Merkle proof'));
  });

  it.each([
    ['another hash', `03${leaf}0000`, [1], openMerkleProof],
    ['another depth', `03${leaf}0001`, [2], openMerkleProof],
    ['another old hash', `04${leaf}${leaf}00000000`, [1, 2], openMerkleUpdate],
    ['another new hash', `04${leaf}${leaf}00000000`, [2, 1], openMerkleUpdate],
    ['another old depth', `04${leaf}${leaf}00010000`, [2, 2], openMerkleUpdate],
    ['another new depth', `04${leaf}${leaf}00000001`, [2, 2], openMerkleUpdate],
  ])('reject %s', (_name, data, refs, kind) => {
    expect(() => open(data, refs, kind)).toThrow(
      new CellError('Merkle cell does not match the cell it holds'),
    );
  });
});

describe.skipIf(recordedMissing !== '')(`proofs of a node${recordedMissing}`, () => {
  it('are reproduced from whole blocks and states byte for byte', () => {
    const wholes = new Map<string, CellBag>();
    for (const folder of ['realnet/states', 'realnet/blocks'])
      for (const bytes of filesOf(folder).values()) {
        const bag = readBoc(bytes);
        wholes.set(bag.hash(bag.root).toString('hex'), bag);
      }
    let made = 0;
    for (const bytes of filesOf('realnet/accounts').values()) {
      const { shard_proof, proof } = JSON.parse(bytes.toString());
      for (const text of [shard_proof, proof]) {
        const recorded = Buffer.from(text, 'base64');
        if (recorded.length === 0) continue;
        const bag = readBoc(recorded);
        const proofs = bag.roots.map((cell) => openMerkleProof(bag, cell));
        const requests = proofs.map(({ root, hash }) => {
          const cells = wholes.get(hash.toString('hex'));
          return cells && { cells, cell: 0, shows: shownCells(cells, 0, bag, root) };
        });
        // Of older states there are no whole ones.
        if (!requests.every((request) => request !== undefined)) continue;
        expect(makeMerkleProofs(requests).toString('base64')).toBe(text);
        made++;
      }
    }
    expect(made).toBeGreaterThan(50);
  });
});
