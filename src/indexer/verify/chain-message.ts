import { beginCell, type Cell, type Slice } from '@ton/core';
import { type Amount, readAddress, readAmount } from './core-readers.ts';

/** A message as the chain has it. */
export interface ChainMessage {
  readonly kind: 'internal' | 'external-in' | 'external-out';
  readonly hash: Buffer;
  /** Of an external one that comes in. */
  readonly normalHash: Buffer | undefined;
  readonly source: Buffer | null;
  readonly destination: Buffer | null;
  readonly createdLt: bigint | undefined;
  readonly createdAt: number | undefined;
  readonly value: Amount | undefined;
  readonly fwdFee: bigint | undefined;
  /** A fee once, flags since global version 12. */
  readonly feeOrFlags: bigint | undefined;
  readonly importFee: bigint | undefined;
  readonly flags:
    | { readonly ihrDisabled: boolean; readonly bounce: boolean; readonly bounced: boolean }
    | undefined;
  readonly body: Cell;
  readonly init: Cell | undefined;
}

type Info = Omit<ChainMessage, 'hash' | 'normalHash' | 'body' | 'init'>;

/** Reads a message. */
export function readChainMessage(cell: Cell): ChainMessage {
  const slice = cell.beginParse();
  const { destinationBits, ...info } = readInfo(slice);
  const init = slice.loadBit() ? (slice.loadBit() ? slice.loadRef() : readInlineInit(slice)) : undefined;
  const body = slice.loadBit() ? slice.loadRef() : slice.asCell();
  const normalHash = info.kind === 'external-in' ? normalHashOf(destinationBits, body) : undefined;
  return { ...info, hash: cell.hash(), normalHash, body, init };
}

/** An external message without all that its sender may write in one way or another. */
function normalHashOf(destination: Slice, body: Cell): Buffer {
  const normal = beginCell()
    .storeUint(0b1000, 4)
    .storeSlice(destination)
    .storeUint(0b000001, 6)
    .storeRef(body);
  return normal.endCell().hash();
}

function readInfo(slice: Slice): Info & { readonly destinationBits: Slice } {
  const nothing = {
    ...{ createdLt: undefined, createdAt: undefined, value: undefined, fwdFee: undefined },
    ...{ feeOrFlags: undefined, importFee: undefined, flags: undefined },
  };
  if (!slice.loadBit()) {
    const flags = { ihrDisabled: slice.loadBit(), bounce: slice.loadBit(), bounced: slice.loadBit() };
    const source = readAddress(slice);
    const [destination, destinationBits] = withBits(slice, readAddress);
    const value = readAmount(slice);
    const feeOrFlags = slice.loadCoins();
    const fwdFee = slice.loadCoins();
    const times = { createdLt: slice.loadUintBig(64), createdAt: slice.loadUint(32) };
    const money = { value, feeOrFlags, fwdFee };
    return { ...nothing, kind: 'internal', source, destination, destinationBits, flags, ...money, ...times };
  }
  const isOut = slice.loadBit();
  const source = readAddress(slice);
  const [destination, destinationBits] = withBits(slice, readAddress);
  const places = { source, destination, destinationBits };
  if (!isOut) return { ...nothing, ...places, kind: 'external-in', importFee: slice.loadCoins() };
  const createdLt = slice.loadUintBig(64);
  return { ...nothing, ...places, kind: 'external-out', createdLt, createdAt: slice.loadUint(32) };
}

/** What is read, and the bits that it was read from. */
function withBits<T>(slice: Slice, read: (slice: Slice) => T): [T, Slice] {
  const before = slice.clone();
  const value = read(slice);
  const bits = before.loadBits(before.remainingBits - slice.remainingBits);
  return [value, beginCell().storeBits(bits).asSlice()];
}

/** An initial state that stands in the message itself, as a cell of its own. */
function readInlineInit(slice: Slice): Cell {
  const cell = beginCell();
  for (const bits of [5, 2]) {
    const has = slice.loadBit();
    cell.storeBit(has);
    if (has) cell.storeUint(slice.loadUint(bits), bits);
  }
  for (let i = 0; i < 3; i++) cell.storeMaybeRef(slice.loadMaybeRef());
  return cell.endCell();
}
