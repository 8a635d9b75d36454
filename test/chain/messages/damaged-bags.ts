import { CellBag } from '../../../src/chain/boc/bag.ts';
import type { Below } from './made-body.ts';

/** A bag that is damaged again and again, where it lies: what it has of bits, references and lengths. */
export class DamagedBag {
  readonly bag: CellBag;
  readonly #below: Below;
  readonly #bytes: Buffer;
  readonly #heads: Uint8Array;
  readonly #bits: Uint16Array;

  constructor(bag: CellBag, below: Below) {
    this.bag = bag;
    this.#below = below;
    this.#bytes = Buffer.from(this.bag.bytes);
    this.#heads = this.bag.heads.slice();
    this.#bits = this.bag.bits.slice();
  }

  /** The bag with another damage than before. Its references still lead to later cells, as in every bag. */
  damage(): CellBag {
    const { bag } = this;
    bag.bytes.set(this.#bytes);
    bag.heads.set(this.#heads);
    bag.bits.set(this.#bits);
    for (let left = 1 + this.#below(3); left > 0; left--) this.#damageOnce(this.#below(bag.count));
    return bag;
  }

  #damageOnce(cell: number): void {
    const { bag } = this;
    const below = this.#below;
    const { bytes, heads, bits, starts, refSize } = bag;
    const [start, length, refs] = [starts[cell]!, bits[cell]!, heads[cell]! & 7];
    const way = below(6);
    if (way < 3 && length > 0) bytes[start + below((length + 7) >> 3)]! ^= 1 << below(8);
    else if (way === 3 && length > 0) bytes[start + below((length + 7) >> 3)] = below(256);
    // As many bytes as before: references are found behind them.
    else if (way === 4 && length % 8 !== 1 && length > 0) bits[cell] = length - 1;
    else if (refs > 0) {
      const child = cell + 1 + below(bag.count - cell - 1);
      const at = start + ((length + 7) >> 3) + below(refs) * refSize;
      if (below(2) === 0) heads[cell] = heads[cell]! - 1;
      else bytes.writeUIntBE(child, at, refSize);
    }
  }
}

/** A small bag of anything, which begins with an opcode that is known more often than not. */
export function randomBag(below: Below, opcodes: readonly number[]): CellBag {
  const count = 1 + below(5);
  const [heads, starts, bits] = [new Uint8Array(count), new Uint32Array(count), new Uint16Array(count)];
  const bytes = Buffer.alloc(count * 64);
  for (let cell = 0; cell < count; cell++) {
    const refs = cell === count - 1 ? 0 : below(5);
    [heads[cell], starts[cell], bits[cell]] = [refs, cell * 64, below(below(3) === 0 ? 32 : 400)];
    for (let i = 0; i < 52; i += 4) bytes.writeUInt32LE(below(2 ** 32), cell * 64 + i);
    const refsAt = cell * 64 + ((bits[cell]! + 7) >> 3);
    for (let ref = 0; ref < refs; ref++) bytes[refsAt + ref] = cell + 1 + below(count - cell - 1);
  }
  if (bits[0]! >= 32 && below(4) > 0) bytes.writeUInt32BE(opcodes[below(opcodes.length)]!, 0);
  return new CellBag({ bytes, refSize: 1, count, heads, starts, bits }, [0]);
}
