import { CellList } from './cell-list.ts';
import {
  CellError,
  type CellRef,
  Cells,
  EXOTIC_BIT,
  HASH_AND_DEPTH_BITS,
  LEVEL_SHIFT,
  LEVELS_IN_MASK,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
} from './cells.ts';
import { writeCells } from './writer.ts';

const HASH_BYTES = 32;

/**
 * Opens a Merkle proof and checks that it holds the cell it names; the hash is that before pruning. Hash everything
 * below at level 0 (`hash(cell, 0)`), which gives the hash before pruning too.
 */
export function openMerkleProof(cells: Cells, cell: number) {
  if (cells.kind(cell) !== MERKLE_PROOF) throw new CellError('the cell is not a Merkle proof');
  return { root: cells.ref(cell, 0), hash: checkedHash(cells, cell, 0) };
}

/** Opens a Merkle update and checks both sides; as with a proof, hash what is below at level 0. */
export function openMerkleUpdate(cells: Cells, cell: number) {
  if (cells.kind(cell) !== MERKLE_UPDATE) throw new CellError('the cell is not a Merkle update');
  return {
    old: cells.ref(cell, 0),
    oldHash: checkedHash(cells, cell, 0),
    new: cells.ref(cell, 1),
    newHash: checkedHash(cells, cell, 1),
  };
}

/** The hash that a Merkle cell stores for a child, after hash and depth of the child are checked. */
function checkedHash(cells: Cells, cell: number, index: number): Buffer {
  const { bytes } = cells;
  const child = cells.ref(cell, index);
  const at = cells.starts[cell]! + 1 + index * HASH_BYTES;
  const depthAt = cells.starts[cell]! + 1 + cells.refCount(cell) * HASH_BYTES + index * 2;
  // A copy, so that it does not keep the whole bag in memory.
  const hash = Buffer.from(bytes.subarray(at, at + HASH_BYTES));
  if (!cells.hash(child, 0).equals(hash) || cells.depth(child, 0) !== bytes.readUInt16BE(depthAt))
    throw new CellError('Merkle cell does not match the cell it holds');
  return hash;
}

/** The cells below a root that a proof shows; of all others only hash and depth stay. */
export interface ProofRequest extends CellRef {
  readonly shows: ReadonlySet<number> | ((cell: number) => boolean);
}

const MAX_LEVEL = 3;

/**
 * Writes one bag with a Merkle proof per request as its roots, as a node does: in its order, without a checksum.
 * A cell is included if it and all cells above it are kept. Cells without references are never pruned, as that would not
 * make them smaller. Linear work.
 */
export function makeMerkleProofs(requests: readonly ProofRequest[]): Buffer {
  const list = new CellList();
  return writeCells(
    list,
    requests.map((request) => addProof(list, request)),
    { order: 'tonlib', crc: false },
  );
}

function addProof(list: CellList, { cells, cell: root, shows }: ProofRequest): number {
  if (cells.levelMask(root) !== 0) throw new CellError('cannot make a proof of a cell with pruned branches');
  const isShown = typeof shows === 'function' ? shows : (cell: number) => shows.has(cell);
  // How a cell is pruned depends on the number of Merkle cells above it; below three there is no level left.
  const places = Array.from({ length: MAX_LEVEL + 1 }, () => new Map<number, number>());

  const show = (cell: number, merkleDepth: number): number => {
    const cached = places[merkleDepth]!.get(cell);
    if (cached !== undefined) return cached;
    const refs = cells.refCount(cell);
    const isCut = refs > 0 && merkleDepth < MAX_LEVEL && !isShown(cell);
    const place = isCut ? addPruned(list, cells, cell, merkleDepth) : copy(cell, refs, merkleDepth);
    places[merkleDepth]!.set(cell, place);
    return place;
  };
  const copy = (cell: number, refs: number, merkleDepth: number): number => {
    const kind = cells.kind(cell);
    const isMerkle = kind === MERKLE_PROOF || kind === MERKLE_UPDATE;
    const childDepth = isMerkle ? Math.min(merkleDepth + 1, MAX_LEVEL) : merkleDepth;
    const children: number[] = [];
    let below = 0;
    for (let i = 0; i < refs; i++) {
      const child = show(cells.ref(cell, i), childDepth);
      children.push(child);
      below |= list.heads[child]! >> LEVEL_SHIFT;
    }
    // Only the mask of cells with children depends on what is pruned below them.
    const mask = refs === 0 ? cells.levelMask(cell) : isMerkle ? below >> 1 : below;
    const head = (cells.heads[cell]! & ((1 << LEVEL_SHIFT) - 1)) | (mask << LEVEL_SHIFT);
    return list.add(head, cells.bits[cell]!, cells.bytes, cells.starts[cell]!, children);
  };

  const shown = show(root, 0);
  const data = Buffer.alloc(1 + HASH_BYTES + 2);
  data[0] = MERKLE_PROOF;
  cells.copyHash(root, 0, data, 1);
  data.writeUInt16BE(cells.depth(root, 0), 1 + HASH_BYTES);
  const mask = (list.heads[shown]! >> LEVEL_SHIFT) >> 1;
  return list.add(1 | EXOTIC_BIT | (mask << LEVEL_SHIFT), 8 + HASH_AND_DEPTH_BITS, data, 0, [shown]);
}

/** Adds the pruned branch for a cell: its hashes and depths at the levels below the one it is pruned at. */
function addPruned(list: CellList, cells: Cells, cell: number, merkleDepth: number): number {
  const below = cells.levelMask(cell);
  const mask = below | (1 << merkleDepth);
  const hashes = LEVELS_IN_MASK[mask]!;
  const data = Buffer.alloc(2 + hashes * (HASH_BYTES + 2));
  data[0] = PRUNED_BRANCH;
  data[1] = mask;
  for (let level = 0, at = 0; at < hashes; level++) {
    if (level > 0 && (below & (1 << (level - 1))) === 0) continue;
    cells.copyHash(cell, level, data, 2 + at * HASH_BYTES);
    data.writeUInt16BE(cells.depth(cell, level), 2 + hashes * HASH_BYTES + at * 2);
    at++;
  }
  return list.add(EXOTIC_BIT | (mask << LEVEL_SHIFT), 16 + hashes * HASH_AND_DEPTH_BITS, data, 0, []);
}

/**
 * Wraps a table of cells and records which ones were opened for reading: the cells that a proof of a response must
 * keep. Exotic cells are opened by other means, so callers that look into one add it themselves.
 */
export class ReadRecorder extends Cells {
  readonly read = new Set<number>();
  readonly #cells: Cells;

  constructor(cells: Cells) {
    super(cells);
    this.#cells = cells;
  }

  override hash(cell: number, level = 3): Buffer {
    return this.#cells.hash(cell, level);
  }

  override depth(cell: number, level = 3): number {
    return this.#cells.depth(cell, level);
  }

  override copyHash(cell: number, level: number, target: Buffer, at: number): void {
    this.#cells.copyHash(cell, level, target, at);
  }

  override assertReadable(cell: number): void {
    super.assertReadable(cell);
    this.read.add(cell);
  }
}
