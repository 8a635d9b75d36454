import { beginCell, Cell, convertToMerkleProof, Dictionary } from '@ton/core';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { crc32c } from '../../../src/chain/boc/checksums.ts';
import { hashOfRest } from '../../../src/chain/boc/hashes.ts';
import { openMerkleProof } from '../../../src/chain/boc/merkle.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { makeMerkleProof } from '../../chain/support/proofs.ts';
import { MAGIC_INDEXED, MAGIC_INDEXED_CRC, rawBoc } from '../../chain/support/raw-boc.ts';

/** Limit of table bytes per input byte: a cell is at least two bytes, and has at most four hashes with their depths. */
const TABLE_BYTES_PER_BYTE = 100;
const DICTIONARY_KEY_BITS = [16, 32] as const;

/** Rejected by the reader, readable but with cells that cannot be hashed, or valid. */
export type BocOutcome = 'rejected' | 'unhashable' | 'valid';

/**
 * Reads bytes as a bag of cells and uses it in all ways of the program. Throws on any error other than a CellError, on too
 * much memory, and if writing and reading again changes it.
 */
export function tryBoc(bytes: Buffer): BocOutcome {
  const bag = catchCellError(() => readBoc(bytes));
  if (bag === undefined) return 'rejected';
  const hashed = catchCellError(() => bag.hashAll() ?? true) ?? false;
  if (bag.tableBytes > TABLE_BYTES_PER_BYTE * bytes.length) throw new Error('Tables are too large');
  readEverything(bag);
  for (const root of bag.roots)
    for (const keyBits of DICTIONARY_KEY_BITS)
      catchCellError(() => walkDictionary(bag, root, keyBits, (_key, value) => value.bitsLeft, 'skip'));
  writeAgain(bag, 'core', hashed);
  writeAgain(bag, 'tonlib', hashed);
  return hashed ? 'valid' : 'unhashable';
}

/** The slower parts: conversion to @ton/core and back, and a proof of each root. */
export function tryConversions(bytes: Buffer): void {
  const bag = catchCellError(() => readBoc(bytes));
  if (bag === undefined) return;
  for (const root of bag.roots) {
    const core = catchCellError(() => toCoreCell(bag, root));
    const hash = catchCellError(() => bag.hash(root));
    // @ton/core accepts cells that are too deep.
    if (hash === undefined) continue;
    if (core !== undefined && !core.hash().equals(hash)) throw new Error('@ton/core computes another hash');
    if (bag.levelMask(root) !== 0) continue;
    const proof = readBoc(makeMerkleProof(bag, root, (cell) => cell % 3 !== 2));
    if (!openMerkleProof(proof, proof.root).hash.equals(hash)) throw new Error('Proof has another hash');
  }
}

/** Reads all bits and references of all cells, and computes some hashes of partly read slices. */
function readEverything(bag: CellBag): void {
  for (let cell = 0; cell < bag.count; cell++) {
    if (bag.isExotic(cell)) continue;
    const slice = new Slice(bag, cell);
    if (slice.bitsLeft > 40) slice.skip(3);
    if (cell < 4) catchCellError(() => hashOfRest(slice));
    while (slice.bitsLeft >= 32) slice.uint(32);
    slice.uint(slice.bitsLeft);
    while (slice.refsLeft > 0) slice.ref();
    slice.end();
  }
}

function writeAgain(bag: CellBag, order: 'core' | 'tonlib', hashed: boolean): void {
  const again = readBoc(writeBoc({ cells: bag, roots: bag.roots }, { order }));
  if (again.roots.length !== bag.roots.length) throw new Error(`Roots changed with order ${order}`);
  if (!hashed) return;
  bag.roots.forEach((root, i) => {
    if (!again.hash(again.roots[i]!).equals(bag.hash(root)))
      throw new Error(`Hash changed with order ${order}`);
  });
}

/** The result of `work`, or undefined on a CellError; rethrows other errors. */
function catchCellError<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

/** Small bags as input for mutations: all header variants, all kinds of cells, dictionaries, shared subtrees. */
export function bocSeeds(): Buffer[] {
  const cells = {
    leaf: leaf(),
    tree: tree(),
    dictionary: dictionary(),
    proof: proof(),
    update: update(),
    nested: nested(),
  };
  const { tree: branching, dictionary: large } = cells;
  const hand = [{ refs: [1, 2] }, { size: 1, data: 'b4', refs: [2] }, { data: 'abcd' }];
  const stored = '55'.repeat(34);
  return [
    ...Object.values(cells).map((cell) => cell.toBoc({ idx: false, crc32: false })),
    branching.toBoc({ idx: true, crc32: false }),
    branching.toBoc({ idx: true, crc32: true }),
    large.toBoc({ idx: false, crc32: true }),
    rawBoc({ cells: hand, magic: MAGIC_INDEXED }),
    rawBoc({ cells: hand, magic: MAGIC_INDEXED_CRC }),
    rawBoc({ cells: hand, flags: 0xe0, refSize: 2 }),
    rawBoc({ cells: hand, roots: [2, 0, 1], refSize: 4, offsetSize: 8 }),
    rawBoc({ cells: [{ ...hand[0], head: 0x12, stored }, hand[1]!, { ...hand[2], head: 0x10, stored }] }),
    rawBoc({ cells: Array.from({ length: 40 }, (_, i) => ({ refs: i < 39 ? [i + 1, i + 1] : [] })) }),
    rawBoc({ cells: [{ head: 8, data: `02${'11'.repeat(32)}` }] }),
  ];
}

function leaf(): Cell {
  return beginCell().storeUint(5, 32).endCell();
}

function tree(): Cell {
  const shared = beginCell().storeUint(0x1234567, 25).storeRef(leaf()).endCell();
  const middle = beginCell().storeBuffer(Buffer.alloc(20, 7)).storeRef(shared).storeRef(leaf()).endCell();
  return beginCell()
    .storeBit(true)
    .storeRef(middle)
    .storeRef(shared)
    .storeRef(Cell.EMPTY)
    .storeRef(middle)
    .endCell();
}

function dictionary(): Cell {
  const entries = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(8));
  for (let i = 0; i < 9; i++) entries.set((i * 7919) & 0xffff, i);
  return beginCell().storeDictDirect(entries).endCell();
}

/** A pruned branch of level 1 to 3 (mask 1, 3 or 7). */
function pruned(level: number): Cell {
  const builder = beginCell()
    .storeUint(1, 8)
    .storeUint((1 << level) - 1, 8);
  for (let i = 0; i < level; i++) builder.storeBuffer(Buffer.alloc(32, 0x30 + i));
  for (let i = 0; i < level; i++) builder.storeUint(3 + i, 16);
  return builder.endCell({ exotic: true });
}

function proof(): Cell {
  return convertToMerkleProof(beginCell().storeUint(1, 7).storeRef(pruned(1)).storeRef(leaf()).endCell());
}

function update(): Cell {
  const before = beginCell().storeRef(pruned(1)).endCell();
  const after = beginCell().storeRef(leaf()).storeRef(pruned(1)).endCell();
  return beginCell()
    .storeUint(4, 8)
    .storeBuffer(before.hash(0))
    .storeBuffer(after.hash(0))
    .storeUint(before.depth(0), 16)
    .storeUint(after.depth(0), 16)
    .storeRef(before)
    .storeRef(after)
    .endCell({ exotic: true });
}

/** Nested Merkle proofs, down to a branch that is pruned in all of them. */
function nested(): Cell {
  const inner = convertToMerkleProof(beginCell().storeRef(pruned(3)).storeRef(pruned(2)).endCell());
  return convertToMerkleProof(beginCell().storeRef(inner).storeRef(pruned(2)).endCell());
}

const HEADER_BYTES = 6;

/**
 * Corrects size and checksum of a mutated bag of cells in place, so that the reader gets as far as the cells. Bytes that
 * do not look like a bag stay unchanged.
 */
export function repairBoc(bytes: Buffer): Buffer {
  if (bytes.length < HEADER_BYTES) return bytes;
  const isPlain = bytes[0] === 0xb5;
  const flags = bytes[4]!;
  const refSize = flags & 7;
  const offsetSize = bytes[5]!;
  const sizeAt = HEADER_BYTES + 3 * refSize;
  if (refSize < 1 || refSize > 4 || offsetSize < 1 || offsetSize > 6) return bytes;
  if (sizeAt + offsetSize > bytes.length) return bytes;
  const count = bytes.readUIntBE(HEADER_BYTES, refSize);
  const roots = isPlain ? bytes.readUIntBE(HEADER_BYTES + refSize, refSize) : 0;
  const hasIndex = !isPlain || (flags & 0x80) !== 0;
  const hasCrc = isPlain ? (flags & 0x40) !== 0 : bytes[0] === 0xac;
  const cellsAt = sizeAt + offsetSize + roots * refSize + (hasIndex ? count * offsetSize : 0);
  const cellBytes = bytes.length - cellsAt - (hasCrc ? 4 : 0);
  if (cellBytes < 0 || cellBytes >= 256 ** offsetSize) return bytes;
  bytes.writeUIntBE(cellBytes, sizeAt, offsetSize);
  if (hasCrc) bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - 4), bytes.length - 4);
  return bytes;
}
