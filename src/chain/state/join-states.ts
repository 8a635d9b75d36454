import { CellBag } from '../boc/cell-bag.ts';
import { PRUNED_BRANCH } from '../boc/cell-kind.ts';
import { EXOTIC_BIT, LEVEL_SHIFT } from '../boc/cells.ts';
import type { CellArena } from './cell-arena.ts';

const SPLIT_STATE_TAG = 0x5f327da5;
const LEVEL_1 = 1;
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
