import { createHash } from 'node:crypto';
import { type RawCell, rawBoc } from './raw-boc.ts';

/** A cell as the plainest possible object, to hash by the book: slow, and with every level mask. */
export interface ReferenceCell {
  readonly kind: 'ordinary' | 'pruned' | 'proof' | 'update';
  readonly mask: number;
  /** Whole bytes only. */
  readonly data: Buffer;
  readonly refs: readonly ReferenceCell[];
}

const levelsBelow = (mask: number, level: number): number[] =>
  [1, 2, 3].filter((l) => l <= level && (mask >> (l - 1)) & 1);

export function ordinaryCell(data: Buffer, refs: readonly ReferenceCell[]): ReferenceCell {
  return { kind: 'ordinary', mask: refs.reduce((mask, ref) => mask | ref.mask, 0), data, refs };
}

export function prunedCell(mask: number, hashes: readonly Buffer[], depth: number): ReferenceCell {
  const count = levelsBelow(mask, 3).length;
  const depths = Buffer.alloc(2 * count, Buffer.of(depth >> 8, depth & 255));
  const data = Buffer.concat([Buffer.of(1, mask), ...hashes.slice(0, count), depths]);
  return { kind: 'pruned', mask, data, refs: [] };
}

/** A Merkle proof of one cell, or a Merkle update of two. */
export function merkleCell(refs: readonly ReferenceCell[]): ReferenceCell {
  const depths = Buffer.from(refs.flatMap((ref) => [depthAt(ref, 0) >> 8, depthAt(ref, 0) & 255]));
  const kind = refs.length === 1 ? 'proof' : 'update';
  return {
    kind,
    mask: refs.reduce((mask, ref) => mask | ref.mask, 0) >> 1,
    data: Buffer.concat([Buffer.of(kind === 'proof' ? 3 : 4), ...refs.map((ref) => hashAt(ref, 0)), depths]),
    refs,
  };
}

export const hashAt = remembered((cell, level): Buffer => {
  const below = levelsBelow(cell.mask, level);
  if (cell.kind === 'pruned' && below.length < levelsBelow(cell.mask, 3).length)
    return cell.data.subarray(2 + 32 * below.length, 34 + 32 * below.length);
  const significant = below.at(-1) ?? 0;
  const isFirst = significant === 0 || cell.kind === 'pruned';
  const childLevel = significant + (cell.kind === 'proof' || cell.kind === 'update' ? 1 : 0);
  const head =
    cell.refs.length + (cell.kind === 'ordinary' ? 0 : 8) + 32 * (cell.mask & ((1 << significant) - 1));
  const hash = createHash('sha256')
    .update(Buffer.of(head, 2 * cell.data.length))
    .update(isFirst ? cell.data : hashAt(cell, significant - 1));
  for (const ref of cell.refs)
    hash.update(Buffer.of(depthAt(ref, childLevel) >> 8, depthAt(ref, childLevel) & 255));
  for (const ref of cell.refs) hash.update(hashAt(ref, childLevel));
  return hash.digest();
});

export const depthAt = remembered((cell, level): number => {
  const below = levelsBelow(cell.mask, level);
  const all = levelsBelow(cell.mask, 3).length;
  if (cell.kind === 'pruned')
    return below.length < all ? cell.data.readUInt16BE(2 + 32 * all + 2 * below.length) : 0;
  const childLevel = (below.at(-1) ?? 0) + (cell.kind === 'proof' || cell.kind === 'update' ? 1 : 0);
  return cell.refs.length === 0 ? 0 : 1 + Math.max(...cell.refs.map((ref) => depthAt(ref, childLevel)));
});

/** Many ways lead to a cell, which is worked on once. */
function remembered<T>(work: (cell: ReferenceCell, level: number) => T) {
  const known = new WeakMap<ReferenceCell, Map<number, T>>();
  return (cell: ReferenceCell, level: number): T => {
    const levels = known.get(cell) ?? new Map<number, T>();
    known.set(cell, levels);
    if (!levels.has(level)) levels.set(level, work(cell, level));
    return levels.get(level)!;
  };
}

/** A bag of cells given children first; the last is the root. */
export function bocOf(cells: readonly ReferenceCell[]): Buffer {
  const last = cells.length - 1;
  const raw = cells.map(
    (cell): RawCell => ({
      head: cell.refs.length | (cell.kind === 'ordinary' ? 0 : 8) | (cell.mask << 5),
      data: cell.data.toString('hex'),
      refs: cell.refs.map((ref) => last - cells.indexOf(ref)),
    }),
  );
  return rawBoc({ cells: raw.reverse() });
}
