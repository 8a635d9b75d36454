import { STORED_HASHES_BIT, storedHashBytes } from './bag.ts';
import { REFS_PER_CELL } from './cell-list.ts';
import { type CellRef, type Cells, LEVEL_SHIFT } from './cells.ts';
import { crc32c } from './checksums.ts';
import { tonlibNumbers } from './tonlib-order.ts';
import { bytesOf, CRC_FLAG, INDEX_FLAG, put, putHeader } from './writer.ts';

const CACHE_FLAG = 0x20;
const HASH_BYTES = 32;
const PIECE_BYTES = 1 << 20;
const MAX_CELL_BYTES = 512;

/**
 * Writes a cell and everything below it as nodes write files of states: with an index, a checksum, hashes of heavy cells
 * and a mark at cells with several parents (mode 31). It comes in pieces, so that a bag may be larger than a buffer; each
 * piece is reused for the next one. No two of the cells may be equal.
 */
export function* writeStateBag({ cells, cell: root }: CellRef): Generator<Buffer, void> {
  const graph = collect(cells, root);
  const { count, heads, refs, order, shared } = graph;
  const { numbers, marked } = tonlibNumbers(graph, [count - 1]);
  const placeAt = new Uint32Array(count);
  for (let place = 0; place < count; place++) placeAt[count - 1 - numbers[place]!] = place;

  const refSize = bytesOf(count);
  const sizeOf = (place: number): number => {
    const cell = order[place]!;
    const stored = marked[place] === 1 ? storedHashBytes(heads[place]!) : 0;
    return 2 + stored + ((cells.bits[cell]! + 7) >> 3) + (heads[place]! & 7) * refSize;
  };
  let cellBytes = 0;
  for (let place = 0; place < count; place++) cellBytes += sizeOf(place);
  const offsetSize = bytesOf(2 * cellBytes);

  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES + MAX_CELL_BYTES);
  const flags = INDEX_FLAG | CRC_FLAG | CACHE_FLAG;
  let at = putHeader(piece, { flags, refSize, offsetSize, count, cellBytes, roots: [0] });
  let crc = 0;
  const finished = (): Buffer => {
    crc = crc32c(piece, 0, at, crc);
    const bytes = piece.subarray(0, at);
    at = 0;
    return bytes;
  };
  let end = 0;
  for (let position = 0; position < count; position++) {
    const place = placeAt[position]!;
    end += sizeOf(place);
    at = put(piece, at, offsetSize, 2 * end + shared[place]!);
    if (at >= PIECE_BYTES) yield finished();
  }
  for (let position = 0; position < count; position++) {
    const place = placeAt[position]!;
    at = putCell(piece, at, cells, order[place]!, marked[place] === 1);
    const first = place * REFS_PER_CELL;
    for (let ref = first; ref < first + (heads[place]! & 7); ref++)
      at = put(piece, at, refSize, count - 1 - numbers[refs[ref]!]!);
    if (at >= PIECE_BYTES) yield finished();
  }
  yield finished();
  piece.writeUInt32LE(crc, 0);
  yield piece.subarray(0, 4);
}

/** The cells below a root, children before parents, as numbers in typed arrays. */
function collect(cells: Cells, root: number) {
  const places = new Int32Array(cells.count).fill(-1);
  const order = new Uint32Array(cells.count);
  const refs = new Int32Array(cells.count * REFS_PER_CELL);
  const heads = new Uint8Array(cells.count);
  const shared = new Uint8Array(cells.count);
  let count = 0;
  // Cells are at most 1024 deep, which bounds the recursion.
  const gather = (cell: number): number => {
    const known = places[cell]!;
    if (known >= 0) {
      shared[known] = 1;
      return known;
    }
    const refCount = cells.refCount(cell);
    const children = [0, 0, 0, 0];
    for (let i = 0; i < refCount; i++) children[i] = gather(cells.ref(cell, i));
    const place = count++;
    for (let i = 0; i < refCount; i++) refs[place * REFS_PER_CELL + i] = children[i]!;
    heads[place] = cells.heads[cell]!;
    order[place] = cell;
    places[cell] = place;
    return place;
  };
  gather(root);
  return { count, heads, refs, order, shared };
}

/** Writes the descriptors, hashes and data of a cell; returns the offset after them. */
function putCell(out: Buffer, start: number, cells: Cells, cell: number, withHashes: boolean): number {
  const dataBytes = (cells.bits[cell]! + 7) >> 3;
  const head = cells.heads[cell]!;
  let at = start;
  out[at++] = withHashes ? head | STORED_HASHES_BIT : head;
  out[at++] = dataBytes + (cells.bits[cell]! >> 3);
  if (withHashes) at = putHashes(out, at, cells, cell, head >> LEVEL_SHIFT);
  const from = cells.starts[cell]!;
  for (let i = 0; i < dataBytes; i++) out[at++] = cells.bytes[from + i]!;
  return at;
}

/** Writes the hashes of a cell, lowest level first, then its depths. */
function putHashes(out: Buffer, start: number, cells: Cells, cell: number, mask: number): number {
  const levels = [0, 1, 2, 3].filter((level) => level === 0 || (mask & (1 << (level - 1))) !== 0);
  let at = start;
  for (const level of levels) {
    cells.copyHash(cell, level, out, at);
    at += HASH_BYTES;
  }
  for (const level of levels) at = out.writeUInt16BE(cells.depth(cell, level), at);
  return at;
}
