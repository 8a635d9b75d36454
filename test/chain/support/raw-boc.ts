import { createHash } from 'node:crypto';
import { crc32c } from '../../../src/chain/boc/checksums.ts';

/** One cell as it stands in a bag, right or wrong. */
export interface RawCell {
  /** Descriptor bytes; by default those of an ordinary cell of whole bytes. */
  readonly head?: number;
  readonly size?: number;
  /** Hex. */
  readonly data?: string;
  /** Hex of hashes and depths between the descriptors and the data. */
  readonly stored?: string;
  readonly refs?: readonly number[];
}

/** A bag of cells put together by hand; what is not given is made right. */
export interface RawBoc {
  readonly cells: readonly RawCell[];
  readonly roots?: readonly number[];
  readonly magic?: number;
  /** The flags without the size of references. */
  readonly flags?: number;
  readonly refSize?: number;
  readonly offsetSize?: number;
  readonly cellCount?: number;
  readonly rootCount?: number;
  readonly absentCount?: number;
  readonly cellBytes?: number;
  readonly index?: readonly number[];
  /** Hex after the end. */
  readonly tail?: string;
}

const MAGIC = 0xb5ee9c72;
export const MAGIC_INDEXED = 0x68ff65f3;
export const MAGIC_INDEXED_CRC = 0xacc3a728;

/** The bytes of a bag put together by hand. */
export function rawBoc(boc: RawBoc): Buffer {
  const { magic = MAGIC, flags = 0, refSize = 1, offsetSize = 2, roots = [0] } = boc;
  const cells = boc.cells.map((cell) => rawCell(cell, refSize));
  const hasIndex = magic !== MAGIC || (flags & 0x80) !== 0;
  const hasCrc = magic === MAGIC_INDEXED_CRC || (magic === MAGIC && (flags & 0x40) !== 0);
  let end = 0;
  const ends = cells.map((cell) => {
    end += cell.length;
    return flags & 0x20 ? end * 2 : end;
  });
  const body = Buffer.concat([
    number(magic, 4),
    number(flags | refSize, 1),
    number(offsetSize, 1),
    number(boc.cellCount ?? cells.length, refSize),
    number(boc.rootCount ?? roots.length, refSize),
    number(boc.absentCount ?? 0, refSize),
    number(boc.cellBytes ?? Buffer.concat(cells).length, offsetSize),
    ...(magic === MAGIC ? roots.map((root) => number(root, refSize)) : []),
    ...(hasIndex ? (boc.index ?? ends).map((entry) => number(entry, offsetSize)) : []),
    ...cells,
  ]);
  const crc = Buffer.alloc(hasCrc ? 4 : 0);
  if (hasCrc) crc.writeUInt32LE(crc32c(body));
  return Buffer.concat([body, crc, Buffer.from(boc.tail ?? '', 'hex')]);
}

function rawCell({ head, size, data = '', stored = '', refs = [] }: RawCell, refSize: number): Buffer {
  const descriptors = Buffer.of(head ?? refs.length, size ?? data.length);
  return Buffer.concat([
    descriptors,
    Buffer.from(stored + data, 'hex'),
    ...refs.map((ref) => number(ref, refSize)),
  ]);
}

function number(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes.subarray(8 - size);
}

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
