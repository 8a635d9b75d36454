import { type AccountAddress, toBase64 } from '../show/address-forms.ts';

const ADDRESS_BITS = 2 + 1 + 8 + 256;

/** An address as a slice for a get-method: a bag of cells in base64. */
export function addressSlice({ workchain, hex }: AccountAddress): string {
  const bits = `100${(workchain & 255).toString(2).padStart(8, '0')}${BigInt(`0x${hex}`).toString(2).padStart(256, '0')}`;
  const bytes = Uint8Array.from({ length: Math.ceil(ADDRESS_BITS / 8) }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8).padEnd(8, '0'), 2),
  );
  return toBase64(writeSingleCell(bytes, ADDRESS_BITS));
}

/** Writes a bag of a single cell without references. */
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
