import { type AccountAddress, toBase64 } from '../show/address-forms.ts';

export interface Cell {
  readonly bits: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly Cell[];
  /** Pruned branches, library references and proofs: their bits mean something else than those of ordinary cells. */
  readonly isExotic: boolean;
}

const MAGIC = 0xb5ee9c72;
/** More cells than any account may have. */
const MAX_CELLS = 1 << 20;

/** Reads a bag with one root; null if it is not well-formed. The checksum is the server's matter. */
export function readBoc(bytes: Uint8Array): ReturnType<typeof readBag> | null {
  try {
    return readBag(bytes);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

function readBag(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const uint = (size: number): number => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + view.getUint8(at++);
    return value;
  };
  if (uint(4) !== MAGIC) throw new RangeError('not a bag of cells');
  const flags = uint(1);
  const refSize = flags & 7;
  const offsetSize = uint(1);
  const count = uint(refSize);
  const rootCount = uint(refSize);
  if (count > MAX_CELLS || rootCount < 1) throw new RangeError('not a bag with a root');
  uint(refSize);
  uint(offsetSize);
  const rootIndex = uint(refSize);
  at += refSize * (rootCount - 1);
  if ((flags & 0x80) !== 0) at += offsetSize * count;

  const raw = Array.from({ length: count }, () => {
    const first = uint(1);
    const second = uint(1);
    if ((first & 0x10) !== 0) throw new RangeError('cells with hashes are not read');
    const length = (second + 1) >> 1;
    const bits = bytes.subarray(at, at + length);
    at += length;
    const refs = Array.from({ length: first & 7 }, () => uint(refSize));
    return { bits, bitLength: bitLengthOf(bits, second), refs, isExotic: (first & 8) !== 0 };
  });
  if (at > bytes.length) throw new RangeError('the bag is cut off');
  // References lead to later cells, so the last one is built first.
  const cells: Cell[] = new Array(count);
  for (let i = count - 1; i >= 0; i--) {
    const { bits, bitLength, refs, isExotic } = raw[i]!;
    if (refs.some((ref) => ref <= i || ref >= count)) throw new RangeError('a reference leads nowhere');
    cells[i] = { bits, bitLength, isExotic, refs: refs.map((ref) => cells[ref]!) };
  }
  const root = cells[rootIndex];
  if (root === undefined) throw new RangeError('the bag has no root');
  const bits = cells.reduce((sum, { bitLength }) => sum + bitLength, 0);
  return { root, size: { bytes: bytes.length, cells: count, bits } };
}

/** The second descriptor is odd where the last byte is filled up: the lowest 1 of it ends the bits. */
function bitLengthOf(bits: Uint8Array, descriptor: number): number {
  if (descriptor % 2 === 0) return bits.length * 8;
  const last = bits.at(-1) ?? 0;
  if (last === 0) throw new RangeError('the end of a cell is not marked');
  return bits.length * 8 - 1 - Math.log2(last & -last);
}

const ADDRESS_BITS = 2 + 1 + 8 + 256;

/** An address as a slice for a get-method: a bag of cells in base64. */
export function addressSlice({ workchain, hex }: AccountAddress): string {
  const bits = `100${(workchain & 255).toString(2).padStart(8, '0')}${BigInt(`0x${hex}`).toString(2).padStart(256, '0')}`;
  const bytes = Uint8Array.from({ length: Math.ceil(ADDRESS_BITS / 8) }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8).padEnd(8, '0'), 2),
  );
  return toBase64(writeSingleCell(bytes, ADDRESS_BITS));
}

export function writeSingleCell(bits: Uint8Array, bitLength: number): Uint8Array {
  const length = Math.ceil(bitLength / 8);
  const isFull = bitLength % 8 === 0;
  const bag = new Uint8Array(11 + 2 + length);
  // Magic, sizes of one byte, one cell, one root, none absent, its length, the root.
  bag.set([0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, 2 + length, 0]);
  bag.set([0, length * 2 - (isFull ? 0 : 1)], 11);
  bag.set(bits.subarray(0, length), 13);
  if (!isFull) {
    const mark = 0x80 >> (bitLength % 8);
    const last = bag.length - 1;
    bag[last] = (bag[last]! & ~(mark * 2 - 1)) | mark;
  }
  return bag;
}
