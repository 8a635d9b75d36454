import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { accountKey } from '../../chain/address.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import {
  readTransaction,
  readTransactionOutline,
  type Transaction,
  type TransactionOutline,
} from '../../chain/tlb/transaction.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { ACCOUNT_AT, headBytes, LT_AT, maskAccount, NOW_AT, PREVIOUS_LT_AT } from './bag-fields.ts';
import { pageNumber, positionOf, seqnoOfPage } from './position.ts';
import {
  type PackedSlot,
  PLACE_BYTES,
  readPlace,
  type SlotList,
  type SlotPlace,
  slotsOf,
} from './slot-list.ts';
import { readStates, type ShownStates } from './states.ts';

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
  const numbers = new Map<HashKey, number>();
  const places: Buffer[] = [];
  const placeOf = slots.map(({ place }) => {
    const key = bytesKey(place);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, places.length);
    return places.push(place) - 1;
  });
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

/** Limits of a page. */
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
  /** The masterchain seqno of its last transaction. */
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

/** Opens the body of a page. */
export function openPage(page: number, body: Buffer): OpenPage {
  // Without a size Node takes 128 kB for each page, which costs more than the decompression.
  return new OpenPage(page, zstdDecompressSync(body, { chunkSize: rawBytes(body) + 1 }));
}

/** Bytes that the size field of a zstd frame may have, by its flag, and what is added to its value. */
const SIZE_FIELDS = [
  [0, 0],
  [2, 256],
  [4, 0],
  [6, 0],
] as const;
const SINGLE_SEGMENT = 0x20;

/** The size that a zstd frame without a dictionary says it has. */
function rawBytes(body: Buffer): number {
  const flags = body.readUInt8(4);
  const isSingle = (flags & SINGLE_SEGMENT) !== 0;
  const at = isSingle ? 5 : 6;
  const [length, base] = SIZE_FIELDS[flags >> 6]!;
  if (length === 0) return isSingle ? body.readUInt8(at) : BYTES_PER_PAGE;
  return body.readUIntLE(at, length) + base;
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

  /** A slot as it was packed. */
  packed(slot: number): PackedSlot {
    return { place: this.#packedPlace(slot), states: this.#packedStates(slot), bag: this.#bag(slot) };
  }

  /** The block of a transaction. */
  place(slot: number): SlotPlace {
    return readPlace(this.#packedPlace(slot));
  }

  /** The states around a transaction. */
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

  /** The hash of a transaction. */
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
