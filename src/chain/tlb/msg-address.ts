import { accountKey } from '../address.ts';
import type { CellBuilder } from '../boc/builder.ts';
import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';

// addr_none$00 = MsgAddressExt;
// addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
// addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt;

/** The address of the source or destination of a message. */
export type MsgAddress = AddrNone | AddrExtern | AddrStd | AddrVar;

interface AddrNone {
  readonly kind: 'none';
}

/** An address outside the chain: arbitrary bits. */
interface AddrExtern {
  readonly kind: 'extern';
  readonly bits: number;
  /** The bits, padded with zeros to whole bytes. */
  readonly value: Buffer;
}

/** An account: the usual kind of address. */
export interface AddrStd {
  readonly kind: 'std';
  readonly workchain: number;
  /** The account id as written, without the anycast prefix. */
  readonly hash: Buffer;
  readonly anycast: Anycast | undefined;
}

/** An account with an id of any length. */
export interface AddrVar {
  readonly kind: 'var';
  readonly workchain: number;
  readonly bits: number;
  /** The account's id, padded with zeros to whole bytes. */
  readonly value: Buffer;
  readonly anycast: Anycast | undefined;
}

const NONE: AddrNone = Object.freeze({ kind: 'none' });
const LENGTH_BITS = 9;

export function readMsgAddress(slice: Slice): MsgAddress {
  switch (slice.uint(2)) {
    case 0:
      return NONE;
    case 1: {
      const bits = slice.uint(LENGTH_BITS);
      return { kind: 'extern', bits, value: readBits(slice, bits) };
    }
    case 2: {
      const anycast = readAnycast(slice);
      return { kind: 'std', workchain: slice.int(8), hash: slice.hash(), anycast };
    }
    default: {
      const anycast = readAnycast(slice);
      const bits = readVarLength(slice, anycast);
      return { kind: 'var', workchain: slice.int(32), bits, value: readBits(slice, bits), anycast };
    }
  }
}

export function skipMsgAddress(slice: Slice): void {
  const tag = slice.uint(2);
  if (tag === 0) return;
  if (tag === 1) {
    slice.skip(slice.uint(LENGTH_BITS));
    return;
  }
  const anycast = readAnycast(slice);
  slice.skip(tag === 2 ? 8 + 256 : readVarLength(slice, anycast) + 32);
}

function readVarLength(slice: Slice, anycast: Anycast | undefined): number {
  const bits = slice.uint(LENGTH_BITS);
  if (anycast !== undefined && anycast.depth > bits)
    throw new CellError('anycast prefix is longer than the address');
  return bits;
}

function readBits(slice: Slice, bits: number): Buffer {
  const value = Buffer.alloc((bits + 7) >> 3);
  slice.copyBits(bits, value, 0);
  return value;
}

export function writeMsgAddress(builder: CellBuilder, address: MsgAddress): void {
  switch (address.kind) {
    case 'none':
      builder.uint(0b00, 2);
      return;
    case 'extern':
      builder.uint(0b01, 2).uint(address.bits, LENGTH_BITS).bits(address.value, 0, address.bits);
      return;
    case 'std':
      builder.uint(0b10, 2);
      writeAnycast(builder, address.anycast);
      builder.int(address.workchain, 8).hash(address.hash);
      return;
    case 'var':
      builder.uint(0b11, 2);
      writeAnycast(builder, address.anycast);
      builder.uint(address.bits, LENGTH_BITS).int(address.workchain, 32);
      builder.bits(address.value, 0, address.bits);
  }
}

// anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;

/** Bits that replace the first bits of an address. */
export interface Anycast {
  /** The number of bits, 1 to 30. */
  readonly depth: number;
  readonly prefix: number;
}

const MAX_ANYCAST_BITS = 30;

/** The account id of an address, with its anycast prefix applied. */
export function accountOf(address: AddrStd): Buffer {
  const { hash, anycast } = address;
  if (anycast === undefined) return hash;
  const changed = Buffer.from(hash);
  const shift = 32 - anycast.depth;
  const rest = hash.readUInt32BE(0) % 2 ** shift;
  changed.writeUInt32BE(anycast.prefix * 2 ** shift + rest, 0);
  return changed;
}

/** The account key of an address; undefined for addr_none, addr_extern and addr_var. */
export function accountKeyOf(address: MsgAddress): Buffer | undefined {
  return address.kind === 'std' ? accountKey(address.workchain, accountOf(address)) : undefined;
}

function readAnycast(slice: Slice): Anycast | undefined {
  if (!slice.boolean()) return undefined;
  const depth = slice.uint(5);
  if (depth < 1 || depth > MAX_ANYCAST_BITS) throw new CellError('anycast prefix has an invalid length');
  return { depth, prefix: slice.uint(depth) };
}

function writeAnycast(builder: CellBuilder, anycast: Anycast | undefined): void {
  builder.boolean(anycast !== undefined);
  if (anycast !== undefined) builder.uint(anycast.depth, 5).uint(anycast.prefix, anycast.depth);
}

/** An address that no account of the index can have: outside the chain, or with an id of another length. */
export type UnusualAddress = Extract<MsgAddress, { readonly kind: 'extern' | 'var' }>;

/**
 * The text of such an address: `ext$<bits>:<hex>` or `var$<workchain>:<bits>:<hex>`, in hex of whole bytes, with its anycast
 * prefix applied.
 */
export function formatUnusual(address: UnusualAddress): string {
  if (address.kind === 'extern') return `ext$${lengthAndHex(address.bits, address.value)}`;
  return `var$${address.workchain}:${lengthAndHex(address.bits, rewritten(address))}`;
}

function lengthAndHex(bits: number, value: Buffer): string {
  return `${bits}:${value.toString('hex').toUpperCase()}`;
}

function rewritten({ value, anycast }: AddrVar): Buffer {
  if (anycast === undefined) return value;
  const { depth, prefix } = anycast;
  const changed = Buffer.from(value);
  for (let bit = 0; bit < depth; bit++) {
    const mask = 0x80 >> (bit & 7);
    const isSet = ((prefix >>> (depth - 1 - bit)) & 1) === 1;
    changed[bit >> 3] = isSet ? changed[bit >> 3]! | mask : changed[bit >> 3]! & ~mask;
  }
  return changed;
}

const FORM = /^(?:ext\$|var\$(-?[0-9]{1,10}):)([0-9]{1,3}):((?:[0-9a-fA-F]{2})*)$/;
const MAX_BITS = 511;
const MIN_WORKCHAIN = -(2 ** 31);
const MAX_WORKCHAIN = 2 ** 31 - 1;

/** Whether a text is such an address: as many bytes as its bits need, with zeros behind them. */
export function isUnusual(text: string): boolean {
  const [, workchain = '0', length, hex] = FORM.exec(text) ?? [];
  if (hex === undefined) return false;
  const [bits, value] = [Number(length), Buffer.from(hex, 'hex')];
  if (bits > MAX_BITS || value.length !== Math.ceil(bits / 8)) return false;
  const unused = value.length * 8 - bits;
  const isPadded = unused === 0 || (value.at(-1)! & ((1 << unused) - 1)) === 0;
  return isPadded && Number(workchain) >= MIN_WORKCHAIN && Number(workchain) <= MAX_WORKCHAIN;
}
