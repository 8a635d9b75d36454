import { constants, zstdCompressSync } from 'node:zlib';
import { accountKey } from '../../chain/address.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import {
  readTransaction,
  readTransactionOutline,
  type Transaction,
  type TransactionOutline,
} from '../../chain/tlb/transaction.ts';
import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';
import { unpackZstd } from '../../lib/zstd.ts';
import { pageNumber, positionOf, seqnoOfPage } from './position.ts';
import {
  type PackedSlot,
  PLACE_BYTES,
  readPlace,
  readStates,
  type ShownStates,
  type SlotList,
  type SlotPlace,
  slotsOf,
} from './slots.ts';
import { Numbers } from './varints.ts';

// A page before compression, all numbers little-endian:
//   format:uint8 slots:uint8 places:uint8 (place of a block, 18 bytes)[places] (index of the place:uint8)[slots]
//   (length of the states:uint32)[slots] (length of the bag:uint32)[slots] states[slots] bags[slots]
// What is of the same kind stands together, which compresses better. Accounts are masked in the bags.

const FORMAT = 1;
const HEAD_BYTES = 3;
/** Of a slot: the index of its place and two lengths. */
const SLOT_HEAD_BYTES = 9;

/** Joins slots to a page that is not compressed yet. */
export function joinSlots(slots: readonly PackedSlot[]): Buffer {
  const numbers = new Numbers();
  const placeOf = slots.map(({ place }) => numbers.of(place));
  const places = numbers.all;
  const head = Buffer.allocUnsafe(HEAD_BYTES + places.length * PLACE_BYTES + slots.length * SLOT_HEAD_BYTES);
  let at = head.writeUInt8(FORMAT, 0);
  at = head.writeUInt8(slots.length, at);
  at = head.writeUInt8(places.length, at);
  for (const place of places) at += place.copy(head, at);
  for (const place of placeOf) at = head.writeUInt8(place, at);
  for (const { states } of slots) at = head.writeUInt32LE(states.length, at);
  for (const { bag } of slots) at = head.writeUInt32LE(bag.length, at);
  const page = Buffer.concat([head, ...slots.map(({ states }) => states), ...slots.map(({ bag }) => bag)]);
  let bagAt = page.length - slots.reduce((sum, { bag }) => sum + bag.length, 0);
  for (const { bag } of slots) {
    maskAccount(page.subarray(bagAt, bagAt + bag.length));
    bagAt += bag.length;
  }
  return page;
}

export interface PageLimits {
  /** Seqnos per partition of the index: a page never lies in two of them. */
  readonly width: number;
  readonly slots?: number;
  /** Bytes before compression; a larger transaction has a page of its own. */
  readonly bytes?: number;
}

const SLOTS_PER_PAGE = 32;
const BYTES_PER_PAGE = 64 * 1024;

/** A page that is not compressed yet. */
export interface PlannedPage {
  readonly page: number;
  readonly lastSeqno: number;
  readonly count: number;
  readonly raw: Buffer;
}

/** The pages of a batch, and the positions of its slots, by seqno. */
export interface PagePlan {
  readonly pages: readonly PlannedPage[];
  readonly positions: readonly Float64Array[];
}

/** Cuts the slots of whole seqnos, in ascending order, into pages. No other batch may have the same seqnos. */
export function planPages(
  seqnos: readonly { readonly mcSeqno: number; readonly slots: SlotList }[],
  { width, slots: maxSlots = SLOTS_PER_PAGE, bytes: maxBytes = BYTES_PER_PAGE }: PageLimits,
): PagePlan {
  const pages: PlannedPage[] = [];
  let page = -1;
  let lastSeqno = -1;
  let open: PackedSlot[] = [];
  let openBytes = 0;
  const close = (): void => {
    if (open.length > 0) pages.push({ page, lastSeqno, count: open.length, raw: joinSlots(open) });
    open = [];
    openBytes = 0;
  };
  const begin = (mcSeqno: number): void => {
    const first = pageNumber(mcSeqno, 0);
    page = pageNumber(mcSeqno, page < first ? 0 : page - first + 1);
  };
  const isInside = (mcSeqno: number): boolean =>
    Math.floor(mcSeqno / width) === Math.floor(seqnoOfPage(page) / width);
  const positions = seqnos.map(({ mcSeqno, slots }) => {
    if (open.length > 0 && !isInside(mcSeqno)) close();
    const found = new Float64Array(slots.count);
    let i = 0;
    for (const slot of slotsOf(slots)) {
      const bytes = slot.states.length + slot.bag.length;
      if (open.length === maxSlots || openBytes + bytes > maxBytes) close();
      if (open.length === 0) begin(mcSeqno);
      found[i++] = positionOf(page, open.length);
      open.push(slot);
      openBytes += bytes;
      lastSeqno = mcSeqno;
    }
    return found;
  });
  close();
  return { pages, positions };
}

const LEVEL = 3;

/** The body of a page. It takes 0.2 ms: in the thread pool it would take 0.5 ms of CPU, 0.15 of them in this thread. */
export function compressPage(raw: Buffer): Buffer {
  return zstdCompressSync(raw, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
    pledgedSrcSize: raw.length,
  });
}

export function openPage(page: number, body: Buffer): OpenPage {
  return new OpenPage(page, unpackZstd(body));
}

/** An open page. Everything but transactions is read without parsing cells; bytes are views. */
export class OpenPage {
  readonly page: number;
  readonly count: number;
  readonly #raw: Buffer;
  readonly #placesAt = HEAD_BYTES;
  readonly #placeOfAt: number;
  /** Where the states and the bag of each slot begin, and after the last one where they end. */
  readonly #statesAt: number[];
  readonly #bagsAt: number[];
  /** Slots whose account was not read yet. Most readers want one slot of a page. */
  readonly #isMasked: boolean[];

  /** Takes over the bytes of the page, which are changed. */
  constructor(page: number, raw: Buffer) {
    if (raw[0] !== FORMAT) throw new Error(`Page ${page} has the unknown format ${raw[0]}`);
    this.page = page;
    this.count = raw.readUInt8(1);
    this.#raw = raw;
    this.#placeOfAt = this.#placesAt + raw.readUInt8(2) * PLACE_BYTES;
    const lengthsAt = this.#placeOfAt + this.count;
    this.#statesAt = this.#offsets(lengthsAt, lengthsAt + 8 * this.count);
    this.#bagsAt = this.#offsets(lengthsAt + 4 * this.count, this.#statesAt.at(-1)!);
    if (this.#bagsAt.at(-1) !== raw.length) throw new Error(`Page ${page} has a wrong length`);
    this.#isMasked = new Array<boolean>(this.count).fill(true);
  }

  #offsets(lengthsAt: number, start: number): number[] {
    const offsets = [start];
    for (let i = 0; i < this.count; i++)
      offsets.push(offsets[i]! + this.#raw.readUInt32LE(lengthsAt + 4 * i));
    return offsets;
  }

  packed(slot: number): PackedSlot {
    return { place: this.#packedPlace(slot), states: this.#packedStates(slot), bag: this.#bag(slot) };
  }

  /** The size of a transaction's cells. */
  bagBytes(slot: number): number {
    this.#check(slot);
    return this.#bagsAt[slot + 1]! - this.#bagsAt[slot]!;
  }

  place(slot: number): SlotPlace {
    return readPlace(this.#packedPlace(slot));
  }

  states(slot: number): ShownStates {
    return readStates(this.#packedStates(slot));
  }

  /** The account of a transaction, 33 bytes. */
  account(slot: number): Buffer {
    return accountKey(this.place(slot).workchain, headBytes(this.#bag(slot), ACCOUNT_AT, 32));
  }

  /** The logical time of a transaction. */
  lt(slot: number): bigint {
    return headBytes(this.#maskedBag(slot), LT_AT, 8).readBigUInt64BE(0);
  }

  /** The logical time of the previous transaction of the account; 0 without one. */
  previousLt(slot: number): bigint {
    return headBytes(this.#maskedBag(slot), PREVIOUS_LT_AT, 8).readBigUInt64BE(0);
  }

  /** The Unix time of a transaction. */
  now(slot: number): number {
    return headBytes(this.#maskedBag(slot), NOW_AT, 4).readUInt32BE(0);
  }

  /** The transaction with its messages; its cells are views. */
  transaction(slot: number): Transaction {
    const cells = readBoc(this.#bag(slot));
    return readTransaction(cells, cells.root, this.place(slot).workchain);
  }

  /** The transaction without its messages. */
  outline(slot: number): TransactionOutline {
    const cells = readBoc(this.#bag(slot));
    return readTransactionOutline(cells, cells.root, this.place(slot).workchain);
  }

  hash(slot: number): Buffer {
    const cells = readBoc(this.#bag(slot));
    return cells.hash(cells.root, 0);
  }

  #packedPlace(slot: number): Buffer {
    this.#check(slot);
    const at = this.#placesAt + this.#raw[this.#placeOfAt + slot]! * PLACE_BYTES;
    return this.#raw.subarray(at, at + PLACE_BYTES);
  }

  #packedStates(slot: number): Buffer {
    this.#check(slot);
    return this.#raw.subarray(this.#statesAt[slot], this.#statesAt[slot + 1]);
  }

  #bag(slot: number): Buffer {
    const bag = this.#maskedBag(slot);
    if (this.#isMasked[slot]) maskAccount(bag);
    this.#isMasked[slot] = false;
    return bag;
  }

  /** The bag of a slot, whose account may not be restored yet. */
  #maskedBag(slot: number): Buffer {
    this.#check(slot);
    return this.#raw.subarray(this.#bagsAt[slot], this.#bagsAt[slot + 1]);
  }

  #check(slot: number): void {
    if (slot < 0 || slot >= this.count) throw new RangeError(`Page ${this.page} has no slot ${slot}`);
  }
}

// Fields of a transaction, read from its bag of cells without parsing it. A bag is
//   serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) size:(## 3) off_bytes:(## 8)
//     cells:(##(size * 8)) roots:(##(size * 8)) absent:(##(size * 8)) tot_cells_size:(##(off_bytes * 8))
//     root_list:(roots * ##(size * 8)) …
// with one root here, and then the cells: two descriptor bytes, the data, the numbers of the referenced cells. References
// point forward, so the root is the first cell:
//   transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32 …
//     ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ] …

const MAGIC = 0xb5ee9c72;
const HASH_BYTES = 32;

/** Bytes of a transaction's cell after its tag of four bits. */
export const ACCOUNT_AT = 0;
export const LT_AT = HASH_BYTES;
export const PREVIOUS_LT_AT = LT_AT + 8 + HASH_BYTES;
export const NOW_AT = PREVIOUS_LT_AT + 8;

/** Bytes of the root cell of a transaction, which are shifted by the four bits of the tag. */
export function headBytes(bag: Buffer, offset: number, length: number): Buffer {
  const start = rootAt(bag) + 2 + offset;
  const bytes = Buffer.allocUnsafe(length);
  for (let i = 0; i < length; i++) bytes[i] = byteAtBit(bag, 8 * (start + i) + 4);
  return bytes;
}

/**
 * Replaces the account in a transaction's cell by its difference from the receiver of the in message, which is the same
 * account: zeros, which take no room in a page. A second call restores it. Without such a message nothing changes.
 */
export function maskAccount(bag: Buffer): void {
  const receiver = receiverAt(bag);
  if (receiver < 0) return;
  const start = rootAt(bag) + 2;
  for (let i = 0; i < HASH_BYTES; i++) {
    const byte = byteAtBit(bag, receiver + 8 * i);
    bag[start + i]! ^= byte >> 4;
    bag[start + i + 1]! ^= byte << 4;
  }
}

function rootAt(bag: Buffer): number {
  const refSize = bag[4]! & 7;
  const offsetSize = bag[5]!;
  return 6 + 4 * refSize + offsetSize;
}

function byteAtBit(bytes: Buffer, bit: number): number {
  const at = bit >> 3;
  return (((bytes[at]! << 8) | bytes[at + 1]!) >> (8 - (bit & 7))) & 0xff;
}

/** The bit where the hash of the receiver of the in message begins, -1 if there is none or it is not an ordinary address. */
function receiverAt(bag: Buffer): number {
  if (bag.length < 6 || bag.readUInt32BE(0) !== MAGIC) return -1;
  const cells = new CellWalk(bag, rootAt(bag));
  const messages = cells.firstRef(0);
  if (messages < 0 || (bag[cells.find(messages) + 2]! & 0x80) === 0) return -1;
  const message = cells.firstRef(messages);
  return message < 0 ? -1 : receiverIn(bag, 8 * (cells.find(message) + 2));
}

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt …
// ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt …
// addr_none$00, addr_extern$01 len:(## 9) …, addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256
const ADDR_STD = 0b100;

function receiverIn(bag: Buffer, start: number): number {
  const isInternal = (byteAtBit(bag, start) & 0x80) === 0;
  const receiver = isInternal ? skipSender(bag, start + 4) : skipExternal(bag, start + 2);
  if (receiver < 0 || byteAtBit(bag, receiver) >> 5 !== ADDR_STD) return -1;
  return receiver + 3 + 8;
}

function skipSender(bag: Buffer, bit: number): number {
  const kind = byteAtBit(bag, bit) >> 5;
  if (kind === ADDR_STD) return bit + 3 + 8 + 256;
  return kind >> 1 === 0 ? bit + 2 : -1;
}

function skipExternal(bag: Buffer, bit: number): number {
  const kind = byteAtBit(bag, bit) >> 6;
  if (kind === 0) return bit + 2;
  if (kind !== 1) return -1;
  return bit + 2 + 9 + ((byteAtBit(bag, bit + 2) << 1) | (byteAtBit(bag, bit + 10) >> 7));
}

/** Finds cells of a bag by their numbers, in ascending order. */
class CellWalk {
  readonly #bag: Buffer;
  readonly #refSize: number;
  #number = 0;
  #at: number;

  constructor(bag: Buffer, rootAt: number) {
    this.#bag = bag;
    this.#refSize = bag[4]! & 7;
    this.#at = rootAt;
  }

  /** Where a cell begins. */
  find(number: number): number {
    for (; this.#number < number; this.#number++) this.#at = this.#refsAt + this.#refs * this.#refSize;
    return this.#at;
  }

  /** The number of the first cell that a cell refers to; -1 if there is none. */
  firstRef(number: number): number {
    this.find(number);
    if (this.#refs === 0) return -1;
    return this.#bag.readUIntBE(this.#refsAt, this.#refSize);
  }

  get #refs(): number {
    return this.#bag[this.#at]! & 7;
  }

  get #refsAt(): number {
    return this.#at + 2 + ((this.#bag[this.#at + 1]! + 1) >> 1);
  }
}

// The trace ids of a page are stored next to it, because they change when traces are joined: one byte per slot, then a list
// of ids. A byte below 64 is the slot of the trace's first transaction, whose hash is the id; otherwise the low bits are
// the position of the id in the list.

const IN_LIST = 0x80;

/** Packs the trace ids of a page; `hashes` are those of its transactions. */
export function packTraceIds(ids: readonly HashKey[], hashes: readonly HashKey[]): Buffer {
  const slots = new Map(hashes.map((hash, slot) => [hash, slot]));
  return pack(ids.map((id) => slots.get(id) ?? id));
}

/** Packs the slot of a first transaction or the id for each slot. */
function pack(roots: readonly (number | HashKey)[]): Buffer {
  const list = new Map<HashKey, number>();
  const slots = roots.map((root) => {
    if (typeof root === 'number') return root;
    const number = list.get(root) ?? list.size;
    list.set(root, number);
    return IN_LIST | number;
  });
  return Buffer.concat([Buffer.from(slots), ...[...list.keys()].map(bytesOf)]);
}

/** Unpacks trace ids: the slot of a first transaction or the id, for each of `count` slots. */
function unpack(traces: Buffer, count: number): (number | HashKey)[] {
  return Array.from(traces.subarray(0, count), (byte) => {
    if (byte < IN_LIST) return byte;
    const at = count + (byte - IN_LIST) * HASH_BYTES;
    return bytesKey(traces.subarray(at, at + HASH_BYTES));
  });
}

/** The trace id of a slot of a page with `count` slots; `hashOf` returns the hash of a transaction of the page. */
export function traceIdAt(traces: Buffer, count: number, slot: number, hashOf: (slot: number) => Buffer) {
  const root = traces.readUInt8(slot);
  if (root < IN_LIST) return hashOf(root);
  const at = count + (root - IN_LIST) * HASH_BYTES;
  return traces.subarray(at, at + HASH_BYTES);
}

/** Trace ids of a page after some slots were moved to other traces, which do not begin in this page. */
export function moveTraceIds(traces: Buffer, count: number, moved: ReadonlyMap<number, HashKey>): Buffer {
  return pack(unpack(traces, count).map((root, slot) => moved.get(slot) ?? root));
}

/** Trace ids of a page without the slots from `kept` on; a trace begins before its other transactions. */
export function truncateTraceIds(traces: Buffer, count: number, kept: number): Buffer {
  return pack(unpack(traces, count).slice(0, kept));
}
