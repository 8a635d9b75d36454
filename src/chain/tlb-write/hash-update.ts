import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';

const HASH_UPDATE = 0x72;

/** Makes a HASH_UPDATE: the hashes of something before and after. */
export function buildHashUpdate(arena: BuildingArena, oldHash: Buffer, newHash: Buffer): number {
  return arena.build(new CellBuilder().uint(HASH_UPDATE, 8).hash(oldHash).hash(newHash));
}
