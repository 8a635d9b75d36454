import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from '../boc/cells.ts';
import { openMerkleUpdate } from '../boc/merkle.ts';
import type { CellArena } from './arena.ts';
import type { BuildingArena } from './building-arena.ts';

/**
 * Applies the Merkle update at `update` in `cells` to a state in the arena; returns the root of the new state.
 * `old` is the root of the state before, or its hash when none of its cells are known. Parts that the update
 * takes over from the old state become placeholders where they are unknown.
 */
export function applyMerkleUpdate(
  arena: CellArena,
  old: number | Buffer,
  cells: Cells,
  update: number,
): number {
  const { oldHash, new: root } = openMerkleUpdate(cells, update);
  if (!oldHash.equals(typeof old === 'number' ? arena.hash(old) : old))
    throw new CellError('update starts from another state');
  return arena.add(cells, root);
}

const LEVEL_1 = 1;

/**
 * Builds the Merkle update from one state in the arena to another; returns its cell. The new side contains what is new, the
 * old side the paths to what the new side takes over; everything else is pruned. Cells without references are not, as
 * that would not make them smaller, and neither are the contents of a new Merkle cell of the state itself. Work is
 * proportional to the change.
 */
export function makeMerkleUpdate(arena: BuildingArena, oldRoot: number, newRoot: number): number {
  if (arena.levelMask(oldRoot) !== 0 || arena.levelMask(newRoot) !== 0)
    throw new CellError('cannot make an update of a cell with pruned branches');
  const { shared, oldPaths } = compareTrees(arena, oldRoot, newRoot);
  const oldSide = buildSide(arena, oldRoot, (cell) => !oldPaths.has(cell));
  const newSide = buildSide(arena, newRoot, (cell) => shared.has(cell));
  const builder = new CellBuilder().uint(MERKLE_UPDATE, 8);
  builder.hash(arena.hash(oldRoot)).hash(arena.hash(newRoot));
  builder.uint(arena.depth(oldRoot), 16).uint(arena.depth(newRoot), 16);
  return arena.buildExotic(builder.ref(oldSide).ref(newSide));
}

/** The tree below a root, with pruned branches instead of some cells. */
function buildSide(arena: BuildingArena, root: number, isCut: (cell: number) => boolean): number {
  const built = new Map<number, number>();
  const builder = new CellBuilder();

  // Cells are at most 1024 deep, which bounds the recursion.
  const show = (cell: number): number => {
    const cached = built.get(cell);
    if (cached !== undefined) return cached;
    const place = make(cell);
    built.set(cell, place);
    return place;
  };
  const make = (cell: number): number => {
    // The cells behind a placeholder are unknown: it is pruned, or reading it throws.
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

/**
 * Finds the topmost cells with references that two trees share, without walking what is below them, and the cells of
 * the old tree alone that lead to them. Cells are visited in order of decreasing depth, so that all parents of a
 * cell are done before it: the search ends at cells of both sides. A cell that the new tree
 * has elsewhere and the old one only below a shared cell counts as new, as in a node. The contents of Merkle
 * cells are not compared.
 */
function compareTrees(arena: CellArena, oldRoot: number, newRoot: number) {
  const sides = new Map<number, number>();
  const byDepth: number[][] = [];
  const meet = (cell: number, side: number): void => {
    const cached = sides.get(cell);
    if (cached === undefined) {
      const depth = arena.depth(cell);
      while (byDepth.length <= depth) byDepth.push([]);
      byDepth[depth]!.push(cell);
    }
    sides.set(cell, (cached ?? 0) | side);
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

/** The cells above a shared one; `cells` lists parents before children. */
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
