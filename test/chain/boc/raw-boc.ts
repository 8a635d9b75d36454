import { crc32c } from '../../../src/chain/boc/crc32c.ts';

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
