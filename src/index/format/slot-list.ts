import { bytesKey } from '../../lib/bytes-key.ts';
import { maxStatesBytes, putStates, type ShownStates } from './states.ts';

/** The block of a transaction. */
export interface SlotPlace {
  /** Of the masterchain block that committed the block first. */
  readonly mcSeqno: number;
  readonly workchain: number;
  readonly shard: bigint;
  readonly blockSeqno: number;
  /** Whether messages carry extra flags there; before, the same field was the IHR fee. */
  readonly hasExtraFlags: boolean;
}

/** Bytes of a packed place. */
export const PLACE_BYTES = 18;

/** Packs a place. */
export function packPlace({ mcSeqno, workchain, shard, blockSeqno, hasExtraFlags }: SlotPlace): Buffer {
  const bytes = Buffer.allocUnsafe(PLACE_BYTES);
  bytes.writeUInt32LE(mcSeqno, 0);
  bytes.writeInt8(workchain, 4);
  bytes.writeUInt8(hasExtraFlags ? 1 : 0, 5);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, shard), 6);
  bytes.writeUInt32LE(blockSeqno, 14);
  return bytes;
}

/** Reads a packed place. */
export function readPlace(bytes: Buffer): SlotPlace {
  return {
    mcSeqno: bytes.readUInt32LE(0),
    workchain: bytes.readInt8(4),
    shard: bytes.readBigInt64BE(6),
    blockSeqno: bytes.readUInt32LE(14),
    hasExtraFlags: bytes[5] === 1,
  };
}

/** The packed parts of a slot. */
export interface PackedSlot {
  readonly place: Buffer;
  readonly states: Buffer;
  /** The cells of the transaction as a bag. */
  readonly bag: Buffer;
}

/** The slots of one masterchain seqno, in the order of their pages, concatenated. */
export interface SlotList {
  readonly count: number;
  /** Packed places of the blocks. */
  readonly places: Buffer;
  /** The block of each slot. */
  readonly placeOf: Uint16Array;
  readonly states: Buffer;
  readonly stateLengths: Uint32Array;
  readonly bags: Buffer;
  readonly bagLengths: Uint32Array;
}

/** Collects the slots of a seqno. */
export class SlotCollector {
  readonly #places: Buffer[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #placeOf: number[] = [];
  readonly #states: Buffer[] = [];
  readonly #bags: Buffer[] = [];

  /** Adds the slot of a transaction, whose cells are a bag. */
  add(place: SlotPlace, states: ShownStates, bag: Buffer): void {
    this.#placeOf.push(this.#numberOf(packPlace(place)));
    this.#states.push(packStates(states));
    this.#bags.push(bag);
  }

  #numberOf(place: Buffer): number {
    const key = bytesKey(place);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#places.length);
    return this.#places.push(place) - 1;
  }

  finish(): SlotList {
    return {
      count: this.#bags.length,
      places: Buffer.concat(this.#places),
      placeOf: Uint16Array.from(this.#placeOf),
      states: Buffer.concat(this.#states),
      stateLengths: lengthsOf(this.#states),
      bags: Buffer.concat(this.#bags),
      bagLengths: lengthsOf(this.#bags),
    };
  }
}

function packStates(states: ShownStates): Buffer {
  const bytes = Buffer.allocUnsafe(maxStatesBytes(states));
  return bytes.subarray(0, putStates(bytes, 0, states));
}

function lengthsOf(parts: readonly Buffer[]): Uint32Array {
  return Uint32Array.from(parts, ({ length }) => length);
}

/** The slots of a list, as views. */
export function* slotsOf(list: SlotList): Generator<PackedSlot> {
  let statesAt = 0;
  let bagAt = 0;
  for (let i = 0; i < list.count; i++) {
    const placeAt = list.placeOf[i]! * PLACE_BYTES;
    const statesEnd = statesAt + list.stateLengths[i]!;
    const bagEnd = bagAt + list.bagLengths[i]!;
    yield {
      place: list.places.subarray(placeAt, placeAt + PLACE_BYTES),
      states: list.states.subarray(statesAt, statesEnd),
      bag: list.bags.subarray(bagAt, bagEnd),
    };
    statesAt = statesEnd;
    bagAt = bagEnd;
  }
}
