import { type AccountAddress, toHex } from '../show/address-forms.ts';
import type { Cell } from './boc.ts';

/** Reads the bits and references of a cell one after another; throws a RangeError behind their end. */
export class CellReader {
  readonly cell: Cell;
  #bit = 0;
  #ref = 0;

  constructor(cell: Cell) {
    if (cell.isExotic) throw new RangeError('the cell is not an ordinary one');
    this.cell = cell;
  }

  get bitsLeft(): number {
    return this.cell.bitLength - this.#bit;
  }

  get refsLeft(): number {
    return this.cell.refs.length - this.#ref;
  }

  bit(): boolean {
    if (this.#bit >= this.cell.bitLength) throw new RangeError('the cell has no more bits');
    const at = this.#bit++;
    return (this.cell.bits[at >> 3]! & (0x80 >> (at & 7))) !== 0;
  }

  /** An unsigned number of any length. */
  big(bits: number): bigint {
    let value = 0n;
    for (let i = 0; i < bits; i++) value = value * 2n + (this.bit() ? 1n : 0n);
    return value;
  }

  /** An unsigned number of up to 53 bits. */
  uint(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) value = value * 2 + (this.bit() ? 1 : 0);
    return value;
  }

  int(bits: number): number {
    const value = this.uint(bits);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.uint(8));
  }

  hex(bits: number): string {
    return toHex(this.bytes(bits / 8));
  }

  /** VarUInteger 16, as amounts are written. */
  coins(): bigint {
    return this.big(this.uint(4) * 8);
  }

  ref(): Cell {
    const cell = this.cell.refs[this.#ref];
    if (cell === undefined) throw new RangeError('the cell has no more references');
    this.#ref += 1;
    return cell;
  }

  maybeRef(): Cell | null {
    return this.bit() ? this.ref() : null;
  }

  skip(bits: number): void {
    if (bits > this.bitsLeft) throw new RangeError('the cell has no more bits');
    this.#bit += bits;
  }

  /** The next byte, which must be one of these tags. */
  tag(...tags: readonly number[]): number {
    const tag = this.uint(8);
    if (!tags.includes(tag)) throw new RangeError('the cell has another tag');
    return tag;
  }

  /** A standard address; null for the address of nobody. */
  address(): AccountAddress | null {
    const kind = this.uint(2);
    if (kind === 0) return null;
    if (kind !== 2 || this.bit()) throw new RangeError('not a standard address');
    const workchain = this.int(8);
    return { workchain, hex: this.hex(256) };
  }
}

/** The entries of a dictionary (Hashmap) in the order of their keys, which are texts of bits. */
export function* dictionaryEntries(root: Cell, keyBits: number): Generator<[key: string, value: CellReader]> {
  // Deeper than any key: a malformed dictionary ends there.
  const waiting: { readonly cell: Cell; readonly prefix: string }[] = [{ cell: root, prefix: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const reader = new CellReader(next.cell);
    const key = next.prefix + readLabel(reader, keyBits - next.prefix.length);
    if (key.length > keyBits) throw new RangeError('a key is too long');
    if (key.length === keyBits) yield [key, reader];
    else {
      const [left, right] = [reader.ref(), reader.ref()];
      waiting.push({ cell: right, prefix: `${key}1` }, { cell: left, prefix: `${key}0` });
    }
  }
}

/** hml_short, hml_long and hml_same; `max` is the number of bits that are left of the key. */
function readLabel(reader: CellReader, max: number): string {
  if (!reader.bit()) {
    let length = 0;
    while (reader.bit()) length += 1;
    return readBits(reader, length);
  }
  const lengthBits = 32 - Math.clz32(max);
  if (!reader.bit()) return readBits(reader, reader.uint(lengthBits));
  const one = reader.bit() ? '1' : '0';
  return one.repeat(reader.uint(lengthBits));
}

function readBits(reader: CellReader, length: number): string {
  let bits = '';
  for (let i = 0; i < length; i++) bits += reader.bit() ? '1' : '0';
  return bits;
}

/** A key of a dictionary as a signed number of 32 bits. */
export function signedKey(key: string): number {
  return Number.parseInt(key, 2) | 0;
}
