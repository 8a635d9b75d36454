import { CellBag } from './cell-bag.ts';
import { CellFault } from './cell-fault.ts';
import { checkLevels } from './check-levels.ts';
import { readBocHeader } from './read-boc-header.ts';

const STORED_HASHES_BIT = 16;
const STORED_HASH_BYTES = 32 + 2;

/**
 * Reads a bag of cells in any of its forms. Work and memory are in proportion to the bytes given; anything malformed
 * throws a CellFault. Stored hashes and indexes are not believed: hashes are computed, positions are checked. What
 * only hashes can show (a Merkle cell that holds another cell than it says) is found when they are computed.
 */
export function readBoc(input: Uint8Array): CellBag {
  const bytes = Buffer.isBuffer(input)
    ? input
    : Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const header = readBocHeader(bytes);
  const { cellCount: count, refSize, cellsAt, cellsEnd } = header;
  const heads = new Uint8Array(count);
  const starts = new Uint32Array(count);
  const bits = new Uint16Array(count);
  let at = cellsAt;
  for (let cell = 0; cell < count; cell++) {
    if (at + 2 > cellsEnd) throw new CellFault('the bag of cells ends inside a cell');
    const head = bytes[at]!;
    const size = bytes[at + 1]!;
    at += 2;
    const refs = head & 7;
    if (refs > 4) throw new CellFault(`a cell with ${refs} references, more than 4`);
    if (head & STORED_HASHES_BIT) at += STORED_HASH_BYTES * storedHashes(head >> 5);
    heads[cell] = head & ~STORED_HASHES_BIT;
    starts[cell] = at;
    at += (size + 1) >> 1;
    if (at + refs * refSize > cellsEnd) throw new CellFault('the bag of cells ends inside a cell');
    bits[cell] = size & 1 ? partialBits(size, bytes[at - 1]!) : size << 2;
    for (let ref = 0; ref < refs; ref++) {
      let child = 0;
      for (const end = at + refSize; at < end; at++) child = child * 256 + bytes[at]!;
      if (child <= cell) throw new CellFault('a reference leads to the cell itself or one before it');
      if (child >= count) throw new CellFault('a reference leads to a cell that is not there');
    }
    if (header.indexAt !== undefined && header.endInIndex(cell) !== at - cellsAt)
      throw new CellFault('the index of the bag of cells is wrong');
  }
  if (at !== cellsEnd) throw new CellFault('the bag of cells has bytes after its last cell');
  const bag = new CellBag({ bytes, refSize, count, heads, starts, bits }, header.roots);
  checkLevels(bag);
  return bag;
}

function storedHashes(mask: number): number {
  return 1 + (mask & 1) + ((mask >> 1) & 1) + (mask >> 2);
}

/** The bits of data whose last byte ends in a one and zeros that do not count. */
function partialBits(size: number, last: number): number {
  if ((last & 0x7f) === 0) throw new CellFault('a cell whose last byte holds no bit');
  const unused = 31 - Math.clz32(last & -last);
  return (((size + 1) >> 1) << 3) - 1 - unused;
}
