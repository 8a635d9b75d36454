import { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import { MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from '../boc/cell-kind.ts';
import type { BuildingArena } from './building-arena.ts';
import { compareTrees } from './compare-trees.ts';

const LEVEL_1 = 1;

/**
 * Makes the Merkle update from one state in the arena to another; gives its cell. The new side shows what is new, the
 * old side the way to what the new side takes over from it; all else is pruned. Cells without references are not, as
 * that would not make them smaller, and neither is what a new Merkle cell of the state itself holds. Work is in
 * proportion to what changed.
 */
export function makeMerkleUpdate(arena: BuildingArena, oldRoot: number, newRoot: number): number {
  if (arena.levelMask(oldRoot) !== 0 || arena.levelMask(newRoot) !== 0)
    throw new CellFault('an update of a cell that has pruned branches itself');
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
