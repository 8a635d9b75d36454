import { ARCHIVAL_SEQNO } from './pooled-server.ts';

/** Most servers keep more than that. */
const FIRST_DEPTH = 1024;
/** How exactly the end of an archive is found, as a part of its depth. */
const PRECISION = 64;

/**
 * Finds the oldest block that a server has, given its newest one: the first of the chain when it has that, else the
 * end of its archive to within a 64th of its depth. `known` is what was found before; archives grow shorter at
 * the old end, so mostly two questions are enough.
 */
export async function findOldest(
  newest: number,
  has: (seqno: number) => Promise<boolean>,
  known?: number,
): Promise<number> {
  let absent = Math.min(ARCHIVAL_SEQNO, newest);
  if (absent === newest || (await has(absent))) return absent;
  if (known !== undefined && known > absent && known < newest) {
    if (await has(known)) return known;
    absent = known;
  }
  let present = newest;
  for (let depth = FIRST_DEPTH; newest - depth > absent; depth *= 2) {
    if (await has(newest - depth)) present = newest - depth;
    else absent = newest - depth;
  }
  while (present - absent > 1 + (newest - present) / PRECISION) {
    const middle = Math.floor((absent + present) / 2);
    if (await has(middle)) present = middle;
    else absent = middle;
  }
  return present;
}
