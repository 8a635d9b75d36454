import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import { bytesKey } from '../../lib/bytes-key.ts';

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

/** An account state next to a transaction, without its hash, which the transaction holds. */
export interface ShownState {
  readonly status: AccountStatus;
  readonly balance: bigint;
  /** Extra currencies as JSON, `{"<id>":"<amount>"}`; undefined when there are none. */
  readonly balanceExtra: string | undefined;
  /** Whether there are extra currencies that the block does not show; they are those of the previous state. */
  readonly extraIsHidden: boolean;
  readonly codeHash: Buffer | undefined;
  readonly dataHash: Buffer | undefined;
  readonly frozenHash: Buffer | undefined;
}

/** The states around a transaction, as far as its block shows them. */
export interface ShownStates {
  /** Shown after the last transaction of an account in a block. */
  readonly after: ShownState | undefined;
  /** Shown before the first one. */
  readonly before: ShownState | undefined;
}

const STATUSES: readonly AccountStatus[] = ['uninit', 'frozen', 'active', 'nonexist'];

// The first byte of the states: which of them follow.
const HAS_AFTER = 1;
const HAS_BEFORE = 2;

// How a state holds a value that it may lack: two bits each. A state before refers to the state after it.
const ABSENT = 0;
const STORED = 1;
const SAME_AS_AFTER = 2;
const HIDDEN = 3;

/** Positions of these bits in the 16 bits that a state begins with; the lowest two are the status. */
const CODE_SHIFT = 2;
const DATA_SHIFT = 4;
const FROZEN_SHIFT = 6;
const EXTRA_SHIFT = 8;

const HASH_BYTES = 32;
/** Bits of the largest balance: a VarUInteger of 15 bytes. */
const MAX_BALANCE_BYTES = Math.ceil(120 / 7);
/** Bytes of a state without the text of its extra currencies: flags, balance, length of the text, hashes. */
const MAX_STATE_BYTES = 2 + MAX_BALANCE_BYTES + 4 + 3 * HASH_BYTES;

/** An upper bound of the bytes of states. */
export function maxStatesBytes({ after, before }: ShownStates): number {
  return 1 + maxBytes(after) + maxBytes(before);
}

function maxBytes(state: ShownState | undefined): number {
  if (state === undefined) return 0;
  return MAX_STATE_BYTES + (state.balanceExtra === undefined ? 0 : Buffer.byteLength(state.balanceExtra));
}

/** Writes states; returns the offset after them. */
export function putStates(target: Buffer, start: number, { after, before }: ShownStates): number {
  let at = start;
  target[at++] = (after === undefined ? 0 : HAS_AFTER) | (before === undefined ? 0 : HAS_BEFORE);
  if (after !== undefined) at = putState(target, at, after, undefined);
  if (before !== undefined) at = putState(target, at, before, after);
  return at;
}

function putState(target: Buffer, start: number, state: ShownState, after: ShownState | undefined): number {
  const { codeHash, dataHash, frozenHash, balanceExtra } = state;
  const code = formOf(codeHash, after?.codeHash);
  const data = formOf(dataHash, after?.dataHash);
  const frozen = formOf(frozenHash, after?.frozenHash);
  const extra = extraForm(state, after);
  let at = target.writeUInt16LE(
    STATUSES.indexOf(state.status) |
      (code << CODE_SHIFT) |
      (data << DATA_SHIFT) |
      (frozen << FROZEN_SHIFT) |
      (extra << EXTRA_SHIFT),
    start,
  );
  at = putVarint(target, at, state.balance);
  if (code === STORED) at += codeHash!.copy(target, at);
  if (data === STORED) at += dataHash!.copy(target, at);
  if (frozen === STORED) at += frozenHash!.copy(target, at);
  if (extra !== STORED) return at;
  const length = target.write(balanceExtra!, at + 4);
  target.writeUInt32LE(length, at);
  return at + 4 + length;
}

function formOf(hash: Buffer | undefined, after: Buffer | undefined): number {
  if (hash === undefined) return ABSENT;
  return after !== undefined && hash.equals(after) ? SAME_AS_AFTER : STORED;
}

function extraForm({ balanceExtra, extraIsHidden }: ShownState, after: ShownState | undefined): number {
  if (extraIsHidden) return HIDDEN;
  if (balanceExtra === undefined) return ABSENT;
  return balanceExtra === after?.balanceExtra ? SAME_AS_AFTER : STORED;
}

/** Seven bits per byte, lowest first; the top bit of a byte says that more follow. */
function putVarint(target: Buffer, start: number, value: bigint): number {
  let at = start;
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) target[at++] = Number(rest & 0x7fn) | 0x80;
  target[at++] = Number(rest);
  return at;
}

/** Reads what `putStates` wrote; hashes are views. */
export function readStates(bytes: Buffer): ShownStates {
  const reader = new StateReader(bytes);
  const has = reader.byte();
  const after = has & HAS_AFTER ? reader.state(undefined) : undefined;
  const before = has & HAS_BEFORE ? reader.state(after) : undefined;
  return { after, before };
}

class StateReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  state(after: ShownState | undefined): ShownState {
    const flags = this.byte() | (this.byte() << 8);
    const extra = (flags >> EXTRA_SHIFT) & 3;
    // Fields are in stored order: an object literal evaluates them from top to bottom.
    return {
      status: STATUSES[flags & 3]!,
      balance: this.#varint(),
      codeHash: this.#hash((flags >> CODE_SHIFT) & 3, after?.codeHash),
      dataHash: this.#hash((flags >> DATA_SHIFT) & 3, after?.dataHash),
      frozenHash: this.#hash((flags >> FROZEN_SHIFT) & 3, after?.frozenHash),
      balanceExtra: this.#extra(extra, after?.balanceExtra),
      extraIsHidden: extra === HIDDEN,
    };
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  #hash(form: number, after: Buffer | undefined): Buffer | undefined {
    return form === STORED ? this.#take(HASH_BYTES) : form === SAME_AS_AFTER ? after : undefined;
  }

  #extra(form: number, after: string | undefined): string | undefined {
    if (form !== STORED) return form === SAME_AS_AFTER ? after : undefined;
    return this.#take(this.#take(4).readUInt32LE(0)).toString();
  }

  #take(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
