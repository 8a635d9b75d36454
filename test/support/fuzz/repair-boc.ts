import { crc32c } from '../../../src/chain/boc/crc32c.ts';

const HEADER_BYTES = 6;

/**
 * Makes the size and the checksum of a damaged bag of cells right again, in place, so that the damage is not found
 * before the cells are looked at. Bytes that are too odd stay as they are.
 */
export function repairBoc(bytes: Buffer): Buffer {
  if (bytes.length < HEADER_BYTES) return bytes;
  const isPlain = bytes[0] === 0xb5;
  const flags = bytes[4]!;
  const refSize = flags & 7;
  const offsetSize = bytes[5]!;
  const sizeAt = HEADER_BYTES + 3 * refSize;
  if (refSize < 1 || refSize > 4 || offsetSize < 1 || offsetSize > 6) return bytes;
  if (sizeAt + offsetSize > bytes.length) return bytes;
  const count = bytes.readUIntBE(HEADER_BYTES, refSize);
  const roots = isPlain ? bytes.readUIntBE(HEADER_BYTES + refSize, refSize) : 0;
  const hasIndex = !isPlain || (flags & 0x80) !== 0;
  const hasCrc = isPlain ? (flags & 0x40) !== 0 : bytes[0] === 0xac;
  const cellsAt = sizeAt + offsetSize + roots * refSize + (hasIndex ? count * offsetSize : 0);
  const cellBytes = bytes.length - cellsAt - (hasCrc ? 4 : 0);
  if (cellBytes < 0 || cellBytes >= 256 ** offsetSize) return bytes;
  bytes.writeUIntBE(cellBytes, sizeAt, offsetSize);
  if (hasCrc) bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - 4), bytes.length - 4);
  return bytes;
}
