import type { CellBag } from '../../../src/chain/boc/cell-bag.ts';
import { CellFault } from '../../../src/chain/boc/cell-fault.ts';
import { toCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { makeMerkleProof } from '../../../src/chain/boc/make-merkle-proof.ts';
import { openMerkleProof } from '../../../src/chain/boc/merkle.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { hashOfRest } from '../../../src/chain/boc/slice-hash.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';
import { walkDictionary } from '../../../src/chain/tlb/dictionary.ts';

/** Bytes of tables for each byte read: a cell takes at least two bytes and at most four hashes with their depths. */
const TABLE_BYTES_PER_BYTE = 100;
const DICTIONARY_KEY_BITS = [16, 32] as const;

/** What came of some bytes: refused as a bag, read but with cells that cannot be hashed, or all well. */
export type BocOutcome = 'refused' | 'unhashable' | 'sound';

/**
 * Reads bytes as a bag of cells and does everything with it that the program does. Throws if anything but a CellFault
 * comes out, if it takes more memory than it may, or if writing and reading again gives something else.
 */
export function tryBoc(bytes: Buffer): BocOutcome {
  const bag = orFault(() => readBoc(bytes));
  if (bag === undefined) return 'refused';
  const hashed = orFault(() => bag.hashAll() ?? true) ?? false;
  if (bag.tableBytes > TABLE_BYTES_PER_BYTE * bytes.length) throw new Error('the tables are too large');
  readEverything(bag);
  for (const root of bag.roots)
    for (const keyBits of DICTIONARY_KEY_BITS)
      orFault(() => walkDictionary(bag, root, keyBits, (_key, value) => value.bitsLeft, 'skip'));
  writeAgain(bag, 'core', hashed);
  writeAgain(bag, 'tonlib', hashed);
  return hashed ? 'sound' : 'unhashable';
}

/** The slower parts: conversion to @ton/core and back, and a proof of each root. */
export function tryConversions(bytes: Buffer): void {
  const bag = orFault(() => readBoc(bytes));
  if (bag === undefined) return;
  for (const root of bag.roots) {
    const core = orFault(() => toCoreCell(bag, root));
    const hash = orFault(() => bag.hash(root));
    // @ton/core does not mind cells that are too deep.
    if (hash === undefined) continue;
    if (core !== undefined && !core.hash().equals(hash)) throw new Error('@ton/core has another hash');
    if (bag.levelMask(root) !== 0) continue;
    const proof = readBoc(makeMerkleProof(bag, root, (cell) => cell % 3 !== 2));
    if (!openMerkleProof(proof, proof.root).hash.equals(hash)) throw new Error('a proof of something else');
  }
}

/** Every bit and reference of every cell, and the hash of what is left after some. */
function readEverything(bag: CellBag): void {
  for (let cell = 0; cell < bag.count; cell++) {
    if (bag.isExotic(cell)) continue;
    const slice = new Slice(bag, cell);
    if (slice.bitsLeft > 40) slice.skip(3);
    if (cell < 4) orFault(() => hashOfRest(slice));
    while (slice.bitsLeft >= 32) slice.uint(32);
    slice.uint(slice.bitsLeft);
    while (slice.refsLeft > 0) slice.ref();
    slice.end();
  }
}

function writeAgain(bag: CellBag, order: 'core' | 'tonlib', hashed: boolean): void {
  const again = readBoc(writeBoc({ cells: bag, roots: bag.roots }, { order }));
  if (again.roots.length !== bag.roots.length) throw new Error(`other roots in the order of ${order}`);
  if (!hashed) return;
  bag.roots.forEach((root, i) => {
    if (!again.hash(again.roots[i]!).equals(bag.hash(root)))
      throw new Error(`another hash in the order of ${order}`);
  });
}

/** What the work gives, or undefined when it ends in a CellFault; anything else goes on up. */
function orFault<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof CellFault) return undefined;
    throw error;
  }
}
