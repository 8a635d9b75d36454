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
