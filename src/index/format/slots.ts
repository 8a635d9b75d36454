import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import { Numbers, PackedReader, PackedWriter } from './varints.ts';

export interface SlotPlace {
  /** Of the masterchain block that committed the block first. */
  readonly mcSeqno: number;
  readonly workchain: number;
  readonly shard: bigint;
  readonly blockSeqno: number;
  /** Whether messages carry extra flags there; before, the same field was the IHR fee. */
  readonly hasExtraFlags: boolean;
}

export const PLACE_BYTES = 18;

export function packPlace({ mcSeqno, workchain, shard, blockSeqno, hasExtraFlags }: SlotPlace): Buffer {
  const bytes = Buffer.allocUnsafe(PLACE_BYTES);
  bytes.writeUInt32LE(mcSeqno, 0);
  bytes.writeInt8(workchain, 4);
  bytes.writeUInt8(hasExtraFlags ? 1 : 0, 5);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, shard), 6);
  bytes.writeUInt32LE(blockSeqno, 14);
  return bytes;
}

export function readPlace(bytes: Buffer): SlotPlace {
  return {
    mcSeqno: bytes.readUInt32LE(0),
    workchain: bytes.readInt8(4),
    shard: bytes.readBigInt64BE(6),
    blockSeqno: bytes.readUInt32LE(14),
    hasExtraFlags: bytes[5] === 1,
  };
}

export interface PackedSlot {
  readonly place: Buffer;
  readonly states: Buffer;
  /** The cells of the transaction as a bag. */
  readonly bag: Buffer;
}

/** The slots of one masterchain seqno, in the order of their pages, concatenated. */
export interface SlotList {
  readonly count: number;
  readonly places: Buffer;
  readonly placeOf: Uint16Array;
  readonly states: Buffer;
  readonly stateLengths: Uint32Array;
  readonly bags: Buffer;
  readonly bagLengths: Uint32Array;
}

/** Collects the slots of a seqno. */
export class SlotCollector {
  readonly #places = new Numbers();
  readonly #placeOf: number[] = [];
  readonly #states: Buffer[] = [];
  readonly #bags: Buffer[] = [];

  /** Adds the slot of a transaction, whose cells are a bag. */
  add(place: SlotPlace, states: ShownStates, bag: Buffer): void {
    this.#placeOf.push(this.#places.of(packPlace(place)));
    this.#states.push(packStates(states));
    this.#bags.push(bag);
  }

  finish(): SlotList {
    return {
      count: this.#bags.length,
      places: Buffer.concat(this.#places.all),
      placeOf: Uint16Array.from(this.#placeOf),
      states: Buffer.concat(this.#states),
      stateLengths: lengthsOf(this.#states),
      bags: Buffer.concat(this.#bags),
      bagLengths: lengthsOf(this.#bags),
    };
  }
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

/** Positions of these bits in the byte that a state begins with; the lowest two are the status. That of the extra currencies follows. */
const CODE_SHIFT = 2;
const DATA_SHIFT = 4;
const FROZEN_SHIFT = 6;
const LENGTH_BYTES = 4;

const HASH_BYTES = 32;

function packStates({ after, before }: ShownStates): Buffer {
  const writer = new PackedWriter();
  writer.uint8((after === undefined ? 0 : HAS_AFTER) | (before === undefined ? 0 : HAS_BEFORE));
  if (after !== undefined) packState(writer, after, undefined);
  if (before !== undefined) packState(writer, before, after);
  return writer.bytes();
}

function packState(writer: PackedWriter, state: ShownState, after: ShownState | undefined): void {
  const { codeHash, dataHash, frozenHash, balanceExtra } = state;
  const code = formOf(codeHash, after?.codeHash);
  const data = formOf(dataHash, after?.dataHash);
  const frozen = formOf(frozenHash, after?.frozenHash);
  const extra = extraForm(state, after);
  writer.uint8(
    STATUSES.indexOf(state.status) | (code << CODE_SHIFT) | (data << DATA_SHIFT) | (frozen << FROZEN_SHIFT),
  );
  writer.uint8(extra);
  writer.bigUint(state.balance);
  if (code === STORED) writer.raw(codeHash!);
  if (data === STORED) writer.raw(dataHash!);
  if (frozen === STORED) writer.raw(frozenHash!);
  if (extra !== STORED) return;
  const text = Buffer.from(balanceExtra!);
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  writer.raw(length);
  writer.raw(text);
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

/** Unpacks states; hashes are views. */
export function readStates(bytes: Buffer): ShownStates {
  const reader = new PackedReader(bytes);
  const has = reader.uint8();
  const after = has & HAS_AFTER ? readState(reader, undefined) : undefined;
  const before = has & HAS_BEFORE ? readState(reader, after) : undefined;
  return { after, before };
}

function readState(reader: PackedReader, after: ShownState | undefined): ShownState {
  const flags = reader.uint8();
  const extra = reader.uint8();
  const hash = (shift: number, same: Buffer | undefined): Buffer | undefined => {
    const form = (flags >> shift) & 3;
    return form === STORED ? reader.raw(HASH_BYTES) : form === SAME_AS_AFTER ? same : undefined;
  };
  // Fields are in stored order: an object literal evaluates them from top to bottom.
  return {
    status: STATUSES[flags & 3]!,
    balance: reader.bigUint(),
    codeHash: hash(CODE_SHIFT, after?.codeHash),
    dataHash: hash(DATA_SHIFT, after?.dataHash),
    frozenHash: hash(FROZEN_SHIFT, after?.frozenHash),
    balanceExtra: readExtra(reader, extra, after?.balanceExtra),
    extraIsHidden: extra === HIDDEN,
  };
}

function readExtra(reader: PackedReader, form: number, after: string | undefined): string | undefined {
  if (form !== STORED) return form === SAME_AS_AFTER ? after : undefined;
  return reader.raw(reader.raw(LENGTH_BYTES).readUInt32LE(0)).toString();
}
