import { randomInt } from 'node:crypto';

const HASH_BYTES = 32;
const MIN_SLOTS = 64;
const MAX_FACTOR = 2 ** 31;

/**
 * Finds the number of a cell by its hash: a table with open addressing, four bytes a slot. The hashes themselves lie
 * in a store that the caller keeps, the hash of cell n from byte 32 n on.
 */
export class HashIndex {
  #slots: Uint32Array;
  #shift: number;
  // Secret factors: whoever makes cells could else choose many whose hashes start alike.
  readonly #first = randomInt(MAX_FACTOR) * 2 + 1;
  readonly #second = randomInt(MAX_FACTOR) * 2 + 1;

  /** Makes room for `cells` cells. */
  constructor(cells: number) {
    const bits = Math.ceil(Math.log2(Math.max(MIN_SLOTS, cells * 2)));
    this.#slots = new Uint32Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  /** The cell with a hash, or -1. */
  find(store: Buffer, hash: Buffer): number {
    const slots = this.#slots;
    for (let slot = this.#slotOf(hash, 0); ; slot = (slot + 1) & (slots.length - 1)) {
      const cell = slots[slot]! - 1;
      if (cell < 0 || sameHash(store, cell * HASH_BYTES, hash)) return cell;
    }
  }

  /** Adds a cell whose hash is in the store and was not found; `cells` is how many there are with it. */
  insert(store: Buffer, cell: number, cells: number): void {
    if (cells * 2 > this.#slots.length) this.#grow(store);
    this.#put(store, cell);
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  #grow(store: Buffer): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#shift--;
    for (const entry of old) if (entry !== 0) this.#put(store, entry - 1);
  }

  #put(store: Buffer, cell: number): void {
    const slots = this.#slots;
    let slot = this.#slotOf(store, cell * HASH_BYTES);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = cell + 1;
  }

  #slotOf(hashes: Buffer, at: number): number {
    const first = Math.imul(hashes.readInt32LE(at), this.#first);
    return (first + Math.imul(hashes.readInt32LE(at + 4), this.#second)) >>> this.#shift;
  }
}

function sameHash(store: Buffer, at: number, hash: Buffer): boolean {
  for (let i = 0; i < HASH_BYTES; i++) if (store[at + i] !== hash[i]) return false;
  return true;
}
