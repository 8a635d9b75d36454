import { type CellBag, readBoc } from './bag.ts';
import { CellError } from './cells.ts';
import { crc32c } from './checksums.ts';

/** Reads a bag with one root, as clients send it. Errors have the wording of a node. */
export function readRootBoc(bytes: Buffer): CellBag {
  const bag = readBag(bytes);
  if (bag.roots.length > 1) throw new CellError('Bag-of-cells has more root cells than expected');
  if (bag.levelMask(bag.root) !== 0) throw new CellError('bag of cells has a root with non-zero level');
  return bag;
}

function readBag(bytes: Buffer): CellBag {
  try {
    return readBoc(bytes);
  } catch (error) {
    throw error instanceof CellError ? new CellError(bocErrorText(bytes, error)) : error;
  }
}

const CANNOT = 'cannot deserialize bag-of-cells: ';
const MAGIC = 0xb5ee9c72;
const MAGIC_INDEXED = 0x68ff65f3;
const MAGIC_INDEXED_CRC = 0xacc3a728;
const CRC_BYTES = 4;
/** The size that a node requires when it cannot read the header. */
const MIN_HEADER_BYTES = 10;
const MAX_COUNT = 2 ** 31 - 1;

/** The error of a node for bytes that are not a bag of cells; our own text where a node would find the error later. */
export function bocErrorText(bytes: Buffer, fault: CellError): string {
  const sizes = readSizes(bytes);
  if (sizes === 'invalid') return `${CANNOT}invalid header, error 0`;
  const needed = typeof sizes === 'number' ? sizes : sizes.total;
  if (needed > bytes.length || typeof sizes === 'number')
    return `${CANNOT}not enough bytes (${bytes.length} present, ${needed} required)`;
  if (sizes.roots > 1) return 'Bag-of-cells has more root cells than expected';
  return checksumText(bytes, sizes) ?? cellsText(bytes, sizes) ?? `${CANNOT}${fault.message}`;
}

type Sizes = Exclude<ReturnType<typeof readSizes>, number | string>;

/** The sizes in the header, or how many bytes are needed to read them. */
function readSizes(bytes: Buffer) {
  if (bytes.length < 4) return MIN_HEADER_BYTES;
  const magic = bytes.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC_INDEXED && magic !== MAGIC_INDEXED_CRC) return 'invalid';
  if (bytes.length < 5) return MIN_HEADER_BYTES;
  const flags = bytes[4]!;
  const plain = magic === MAGIC;
  const hasIndex = !plain || (flags & 0x80) !== 0;
  const hasCrc = plain ? (flags & 0x40) !== 0 : magic === MAGIC_INDEXED_CRC;
  const refSize = flags & 7;
  if ((plain && (flags & 0xa0) === 0x20) || refSize < 1 || refSize > 4) return 'invalid';
  if (bytes.length < 6) return 7 + 3 * refSize;
  const offsetSize = bytes[5]!;
  if (offsetSize < 1 || offsetSize > 8) return 'invalid';
  const rootsAt = 6 + 3 * refSize + offsetSize;
  const [cells, roots, absent] = [0, 1, 2].map((i) => readSize(bytes, 6 + i * refSize, refSize));
  if (cells === undefined) return rootsAt;
  if (cells === 0 || cells > MAX_COUNT) return 'invalid';
  if (roots === undefined) return rootsAt;
  if (roots === 0 || roots > MAX_COUNT || (!plain && roots !== 1)) return 'invalid';
  if (absent === undefined) return rootsAt;
  if (absent > cells) return 'invalid';
  const cellBytes = readSize(bytes, 6 + 3 * refSize, offsetSize);
  if (cellBytes === undefined) return rootsAt;
  if (cellBytes > Math.min(cells * 1024, 2 ** 40) || cellBytes < cells * (2 + refSize) - refSize)
    return 'invalid';
  const cellsAt = rootsAt + (plain ? roots * refSize : 0) + (hasIndex ? cells * offsetSize : 0);
  const total = cellsAt + cellBytes + (hasCrc ? CRC_BYTES : 0);
  return { refSize, cells, roots, hasIndex, hasCrc, cellsAt, cellBytes, total };
}

function checksumText(bytes: Buffer, { hasCrc }: Sizes): string | undefined {
  const at = bytes.length - CRC_BYTES;
  if (!hasCrc || crc32c(bytes, 0, at) === bytes.readUInt32LE(at)) return undefined;
  const computed = hex(crc32c(bytes, 0, at));
  return `bag-of-cells CRC32C mismatch: expected ${computed}, found ${hex(bytes.readUInt32LE(at))}`;
}

/** The error for the first malformed cell, in the order of a node; with an index a node goes backwards. */
function cellsText(
  bytes: Buffer,
  { refSize, cells, hasIndex, cellsAt, cellBytes }: Sizes,
): string | undefined {
  if (hasIndex) return undefined;
  let at = 0;
  for (let cell = 0; cell < cells; cell++) {
    const left = cellBytes - at;
    const fault = (text: string) =>
      `invalid bag-of-cells failed to deserialize cell #${cell} [Error : 0 : ${text}]`;
    if (left < 2) return fault(`Not enough bytes [got:${left}][expected:at least 2]`);
    const head = bytes[cellsAt + at]!;
    const refs = head & 7;
    if (refs > 4) return fault(refs === 7 && head & 16 ? 'TODO: absent cells' : 'Invalid first byte');
    const hashes = head & 16 ? 1 + ((head >> 5) & 1) + ((head >> 6) & 1) + (head >> 7) : 0;
    const size = 2 + hashes * 34 + ((bytes[cellsAt + at + 1]! + 1) >> 1) + refs * refSize;
    if (left < size) return fault(`Not enough bytes [got:${left}][expected:${size}]`);
    at += size;
  }
  if (at === cellBytes) return undefined;
  return `invalid bag-of-cells last cell #${cells - 1}: end offset ${at} is different from total data size ${cellBytes}`;
}

/** A big-endian number, or undefined if the bytes end before it does. */
function readSize(bytes: Buffer, at: number, size: number): number | undefined {
  if (at + size > bytes.length) return undefined;
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[at + i]!;
  return value;
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
