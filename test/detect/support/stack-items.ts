import { Address, beginCell, type Cell, type TupleItem } from '@ton/core';

/** A number on a stack. */
export function int(value: bigint | number): TupleItem {
  return { type: 'int', value: BigInt(value) };
}

/** A cell on a stack. */
export function cell(content: Cell): TupleItem {
  return { type: 'cell', cell: content };
}

/** A slice of a whole cell on a stack. */
export function slice(content: Cell): TupleItem {
  return { type: 'slice', cell: content };
}

/** A slice of bytes on a stack. */
export function bytes(text: string | Buffer): TupleItem {
  return slice(beginCell().storeBuffer(Buffer.from(text)).endCell());
}

/** A slice with an address on a stack; null is addr_none. */
export function address(of: Address | null): TupleItem {
  return slice(beginCell().storeAddress(of).endCell());
}

/** A basechain address of 32 equal bytes. */
export function somebody(byte: number): Address {
  return new Address(0, Buffer.alloc(32, byte));
}

/** An account in the format of columns. */
export function key({ workChain, hash }: Address): Buffer {
  return Buffer.concat([Buffer.of(workChain & 0xff), hash]);
}

/** Null on a stack. */
export const NULL: TupleItem = { type: 'null' };

/** Not a number on a stack. */
export const NAN: TupleItem = { type: 'nan' };

/** An external address. */
export const EXTERN: TupleItem = slice(
  beginCell().storeUint(0b01, 2).storeUint(8, 9).storeUint(5, 8).endCell(),
);

/** An anycast address: an account with a rewritten prefix. */
export const ANYCAST: TupleItem = slice(
  beginCell().storeUint(0b101, 3).storeUint(2, 5).storeUint(3, 2).storeInt(0, 8).storeUint(1, 256).endCell(),
);
