import { CellBag } from '../boc/bag.ts';
import { CellBuilder } from '../boc/builder.ts';
import {
  CellError,
  type Cells,
  EXOTIC_BIT,
  LEVEL_SHIFT,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
} from '../boc/cells.ts';
import { openMerkleUpdate } from '../boc/merkle.ts';
import type { CellArena } from './arena.ts';
import type { BuildingArena } from './building-arena.ts';

/**
 * Applies a Merkle update, found at `update` among `cells`, to a state in the arena: gives the root of the new state.
 * `old` is the root of the state to start from, or its hash when none of its cells is known. Parts that the update
 * takes over from the old state are there if they were known, and placeholders if not.
 */
export function applyMerkleUpdate(
  arena: CellArena,
  old: number | Buffer,
  cells: Cells,
  update: number,
): number {
  const { oldHash, new: root } = openMerkleUpdate(cells, update);
  if (!oldHash.equals(typeof old === 'number' ? arena.hash(old) : old))
    throw new CellError('the update starts from another state');
  return arena.add(cells, root);
}

const LEVEL_1 = 1;

/**
 * Makes the Merkle update from one state in the arena to another; gives its cell. The new side shows what is new, the
 * old side the way to what the new side takes over from it; all else is pruned. Cells without references are not, as
 * that would not make them smaller, and neither is what a new Merkle cell of the state itself holds. Work is in
 * proportion to what changed.
 */
export function makeMerkleUpdate(arena: BuildingArena, oldRoot: number, newRoot: number): number {
  if (arena.levelMask(oldRoot) !== 0 || arena.levelMask(newRoot) !== 0)
    throw new CellError('an update of a cell that has pruned branches itself');
  const { shared, oldPaths } = compareTrees(arena, oldRoot, newRoot);
  const oldSide = buildSide(arena, oldRoot, (cell) => !oldPaths.has(cell));
  const newSide = buildSide(arena, newRoot, (cell) => shared.has(cell));
  const builder = new CellBuilder().uint(MERKLE_UPDATE, 8);
  builder.hash(arena.hash(oldRoot)).hash(arena.hash(newRoot));
  builder.uint(arena.depth(oldRoot), 16).uint(arena.depth(newRoot), 16);
  return arena.buildExotic(builder.ref(oldSide).ref(newSide));
}

/** The tree below a root, with pruned branches in the place of some cells. */
function buildSide(arena: BuildingArena, root: number, isCut: (cell: number) => boolean): number {
  const built = new Map<number, number>();
  const builder = new CellBuilder();

  // Cells are at most 1024 deep, and so is the recursion.
  const show = (cell: number): number => {
    const known = built.get(cell);
    if (known !== undefined) return known;
    const place = make(cell);
    built.set(cell, place);
    return place;
  };
  const make = (cell: number): number => {
    // Who knows what is behind a placeholder: it may be cut, or reading it throws.
    if (isCut(cell) && (arena.isPlaceholder(cell) || arena.refCount(cell) > 0)) return prune(cell);
    const count = arena.refCount(cell);
    const kind = arena.kind(cell);
    if (kind === MERKLE_PROOF || kind === MERKLE_UPDATE) return cell;
    const refs: number[] = [];
    for (let i = 0; i < count; i++) refs.push(show(arena.ref(cell, i)));
    if (refs.every((ref, i) => ref === arena.ref(cell, i))) return cell;
    const start = arena.starts[cell]!;
    const bits = arena.bits[cell]!;
    builder.reset().bits(arena.bytes.subarray(start, start + ((bits + 7) >> 3)), 0, bits);
    for (const ref of refs) builder.ref(ref);
    return arena.build(builder);
  };
  const prune = (cell: number): number => {
    builder.reset().uint(PRUNED_BRANCH, 8).uint(LEVEL_1, 8).hash(arena.hash(cell));
    return arena.buildExotic(builder.uint(arena.depth(cell), 16));
  };
  return show(root);
}

const OLD = 1;
const NEW = 2;
const BOTH = OLD | NEW;

/** How two trees of one arena differ. */
interface TreeComparison {
  /** Cells with references that both trees have; what is below them is not listed. */
  readonly shared: ReadonlySet<number>;
  /** Cells that only the old tree has and that lead to shared ones. */
  readonly oldPaths: ReadonlySet<number>;
}

/**
 * Finds what two trees share without walking through it. Cells are met in the order of falling depth, so that when it
 * is a cell's turn all its parents are done: known to both sides, it ends the search there. A cell that the new tree
 * has in a place of its own and the old one only below a shared cell is taken for new, as a node does. What Merkle
 * cells hold is not looked at.
 */
function compareTrees(arena: CellArena, oldRoot: number, newRoot: number): TreeComparison {
  const sides = new Map<number, number>();
  const byDepth: number[][] = [];
  const meet = (cell: number, side: number): void => {
    const known = sides.get(cell);
    if (known === undefined) {
      const depth = arena.depth(cell);
      while (byDepth.length <= depth) byDepth.push([]);
      byDepth[depth]!.push(cell);
    }
    sides.set(cell, (known ?? 0) | side);
  };
  meet(oldRoot, OLD);
  meet(newRoot, NEW);

  const shared = new Set<number>();
  const oldOnly: number[] = [];
  for (let depth = byDepth.length - 1; depth > 0; depth--)
    for (const cell of byDepth[depth]!) {
      const side = sides.get(cell)!;
      if (side === BOTH) shared.add(cell);
      else if (isOpen(arena, cell)) {
        if (side === OLD) oldOnly.push(cell);
        for (let i = 0; i < arena.refCount(cell); i++) meet(arena.ref(cell, i), side);
      }
    }
  return { shared, oldPaths: pathsTo(arena, shared, oldOnly) };
}

/** Those of some cells, given parents before children, that are above a shared one. */
function pathsTo(arena: CellArena, shared: ReadonlySet<number>, cells: readonly number[]): Set<number> {
  const paths = new Set<number>();
  for (const cell of cells.toReversed())
    for (let i = 0; i < arena.refCount(cell); i++) {
      const child = arena.ref(cell, i);
      if (shared.has(child) || paths.has(child)) paths.add(cell);
    }
  return paths;
}

function isOpen(arena: CellArena, cell: number): boolean {
  const kind = arena.kind(cell);
  return kind !== MERKLE_PROOF && kind !== MERKLE_UPDATE && !arena.isPlaceholder(cell);
}

const SPLIT_STATE_TAG = 0x5f327da5;
const ROOT_BYTES = 4 + 2;
const PRUNED_BYTES = 2 + 32 + 2;

/**
 * Puts the states of two halves of a shard together as one cell (split_state): the update of the first block after a
 * merge starts from it. After a split nothing like it is needed: both updates start from the state before.
 */
export function joinStates(arena: CellArena, left: number, right: number): number {
  const bytes = Buffer.allocUnsafe(ROOT_BYTES + 2 * PRUNED_BYTES);
  bytes.writeUInt32BE(SPLIT_STATE_TAG, 0);
  let at = 4;
  bytes[at++] = 1;
  bytes[at++] = 2;
  for (const state of [left, right]) {
    bytes[at] = PRUNED_BRANCH;
    bytes[at + 1] = LEVEL_1;
    arena.copyHash(state, 0, bytes, at + 2);
    bytes.writeUInt16BE(arena.depth(state, 0), at + 34);
    at += PRUNED_BYTES;
  }
  const pruned = EXOTIC_BIT | (LEVEL_1 << LEVEL_SHIFT);
  const columns = {
    bytes,
    refSize: 1,
    count: 3,
    heads: Uint8Array.of(2 | (LEVEL_1 << LEVEL_SHIFT), pruned, pruned),
    starts: Uint32Array.of(0, ROOT_BYTES, ROOT_BYTES + PRUNED_BYTES),
    bits: Uint16Array.of(32, PRUNED_BYTES * 8, PRUNED_BYTES * 8),
  };
  return arena.add(new CellBag(columns, [0]), 0);
}
