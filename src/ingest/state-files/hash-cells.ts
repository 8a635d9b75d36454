import { hash as hashOnce } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { exoticMask } from '../../chain/boc/bag.ts';
import {
  CellError,
  EXOTIC_BIT,
  LEVEL_SHIFT,
  LEVELS_IN_MASK,
  MAX_DEPTH,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
} from '../../chain/boc/cells.ts';
import type { BagFile } from './bag-file.ts';
import type { HashFile } from './hash-file.ts';

const HASH_BYTES = 32;
const MAX_LEVEL = 3;
const LEVEL_BYTES = HASH_BYTES + 2;
const DATA_AT = 2;
const PRUNED_HASHES_AT = 2;
const CELLS_PER_TURN = 20_000;

interface HashCellsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the number of cells that were hashed. */
  readonly onProgress?: ((cells: number) => void) | undefined;
}

/**
 * Computes the hashes of all cells of a bag in one pass from its end, since references point forward. Stored hashes are
 * not trusted; one that is wrong tells where the file is damaged.
 */
export async function hashCells(
  bag: BagFile,
  hashes: HashFile,
  { signal, onProgress }: HashCellsOptions,
): Promise<void> {
  const hashCell = createCellHasher(bag, hashes);
  for (let cell = bag.count - 1; cell >= 0; cell--) {
    hashCell(cell);
    if (cell % CELLS_PER_TURN !== 0) continue;
    onProgress?.(bag.count - cell);
    await setImmediate();
    signal?.throwIfAborted();
  }
}

function createCellHasher(bag: BagFile, hashes: HashFile) {
  const bytes = bag.cell;
  /** The representation of one cell, and views of its first bytes: each is created once. */
  const scratch = Buffer.alloc(DATA_AT + 128 + 4 * LEVEL_BYTES);
  const beginnings: Buffer[] = [];
  const levels = Buffer.alloc((MAX_LEVEL + 1) * LEVEL_BYTES);
  const children = [0, 0, 0, 0];
  let depth = 0;

  /** The hash of the loaded cell at a level as a string of bytes; sets `depth`. */
  function digest(dataBytes: number, mask: number, childLevel: number): string {
    const { refs } = bag;
    scratch[0] = (bag.head & (EXOTIC_BIT | 7)) | (mask << LEVEL_SHIFT);
    scratch[1] = ((bag.bits + 7) >> 3) + (bag.bits >> 3);
    let end = DATA_AT + dataBytes;
    depth = 0;
    for (let i = 0; i < refs; i++) {
      const below = hashes.depth(children[i]!, childLevel);
      if (below >= depth) depth = below + 1;
      scratch[end++] = below >> 8;
      scratch[end++] = below;
    }
    if (depth > MAX_DEPTH) throw bag.fault(`cells are deeper than ${MAX_DEPTH}`, bag.at);
    for (let i = 0; i < refs; i++) {
      hashes.copyHash(children[i]!, childLevel, scratch, end);
      end += HASH_BYTES;
    }
    const view = beginnings[end] ?? scratch.subarray(0, end);
    beginnings[end] = view;
    // Getting a one-byte string out of OpenSSL costs a third of getting a Buffer.
    return hashOnce('sha256', view, 'binary');
  }

  function copyData(): number {
    const dataBytes = (bag.bits + 7) >> 3;
    for (let i = 0; i < dataBytes; i++) scratch[DATA_AT + i] = bytes[bag.dataAt + i]!;
    return dataBytes;
  }

  /** A cell with several hashes: each level above the first has the hash before it in the place of the data. */
  function hashLevels(cell: number, mask: number, isMerkle: boolean): void {
    let last = 0;
    for (let level = 0; level <= MAX_LEVEL; level++) {
      const at = level * LEVEL_BYTES;
      if (level > 0 && (mask & (1 << (level - 1))) === 0) {
        levels.copyWithin(at, last, last + LEVEL_BYTES);
        continue;
      }
      const dataBytes = level === 0 ? copyData() : levels.copy(scratch, DATA_AT, last, last + HASH_BYTES);
      const text = digest(dataBytes, mask & ((1 << level) - 1), isMerkle ? level + 1 : level);
      levels.write(text, at, HASH_BYTES, 'latin1');
      levels.writeUInt16BE(depth, at + HASH_BYTES);
      last = at;
    }
    hashes.putLevels(cell, mask, levels);
  }

  /** A pruned branch holds its hashes of lower levels itself. */
  function hashPruned(cell: number, mask: number): void {
    const own = digest(copyData(), mask, MAX_LEVEL);
    const count = LEVELS_IN_MASK[mask]!;
    for (let level = 0; level <= MAX_LEVEL; level++) {
      const at = level * LEVEL_BYTES;
      const index = LEVELS_IN_MASK[mask & ((1 << level) - 1)]!;
      if (index === count) {
        levels.write(own, at, HASH_BYTES, 'latin1');
        levels.writeUInt16BE(0, at + HASH_BYTES);
      } else {
        const first = bag.dataAt + PRUNED_HASHES_AT;
        bytes.copy(levels, at, first + index * HASH_BYTES, first + (index + 1) * HASH_BYTES);
        const depthAt = first + count * HASH_BYTES + 2 * index;
        bytes.copy(levels, at + HASH_BYTES, depthAt, depthAt + 2);
      }
    }
    hashes.putLevels(cell, mask, levels);
  }

  /** A Merkle cell names the hash and depth of its children. */
  function checkMerkle(): void {
    const { refs, dataAt } = bag;
    for (let i = 0; i < refs; i++) {
      const at = dataAt + 1 + i * HASH_BYTES;
      hashes.copyHash(children[i]!, 0, scratch, 0);
      const isSame = scratch.compare(bytes, at, at + HASH_BYTES, 0, HASH_BYTES) === 0;
      const namedDepth = bytes.readUInt16BE(dataAt + 1 + refs * HASH_BYTES + 2 * i);
      if (!isSame || namedDepth !== hashes.depth(children[i]!, 0))
        throw bag.fault('Merkle cell does not match the cell it holds', bag.at);
    }
  }

  function maskOf(below: number): number {
    if ((bag.head & EXOTIC_BIT) === 0) return below;
    try {
      return exoticMask(bytes, bag.dataAt, bag.bits, bag.refs, below);
    } catch (error) {
      throw error instanceof CellError ? bag.fault(error.message, bag.at) : error;
    }
  }

  function checkStored(cell: number, mask: number): void {
    const at = bag.storedAt + LEVELS_IN_MASK[mask]! * HASH_BYTES;
    hashes.copyHash(cell, MAX_LEVEL, scratch, 0);
    if (scratch.compare(bytes, at, at + HASH_BYTES, 0, HASH_BYTES) !== 0)
      throw bag.fault(`cell ${cell}, or one below it, is damaged: it has another hash than stored`, bag.at);
  }

  return (cell: number): void => {
    bag.load(cell);
    const { refs, head } = bag;
    let below = 0;
    for (let i = 0; i < refs; i++) {
      const child = bag.ref(i);
      children[i] = child;
      below |= hashes.levelMask(child);
    }
    const mask = maskOf(below);
    if (mask !== head >> LEVEL_SHIFT) throw bag.fault('cell has a wrong level mask', bag.at);
    const kind = head & EXOTIC_BIT ? bytes[bag.dataAt]! : 0;
    const isMerkle = kind === MERKLE_PROOF || kind === MERKLE_UPDATE;
    if (isMerkle) checkMerkle();
    if (kind === PRUNED_BRANCH) hashPruned(cell, mask);
    else if (mask > 0) hashLevels(cell, mask, isMerkle);
    else {
      const text = digest(copyData(), 0, isMerkle ? 1 : 0);
      hashes.put(cell, depth, text);
    }
    if (bag.dataAt !== bag.storedAt) checkStored(cell, mask);
  };
}
