import { beginCell, Cell, Dictionary, type Slice } from '@ton/core';

/** An amount of TON and of extra currencies, these as decimal strings by id. */
export interface Amount {
  readonly grams: bigint;
  /** Undefined where a block leaves it out because it did not change. */
  readonly extra: Readonly<Record<string, string>> | null | undefined;
}

export function readAmount(slice: Slice): Amount {
  return { grams: slice.loadCoins(), extra: readExtra(slice.loadMaybeRef()) };
}

function readExtra(root: Cell | null): Amount['extra'] {
  if (root === null) return null;
  if (root.isExotic) return undefined;
  const amounts = entries(root, 32, (slice) => slice.loadVarUintBig(5));
  return Object.fromEntries(amounts.map(([id, value]) => [String(id), value.toString()]));
}

export interface BlockId {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
}

export const MASTERCHAIN = -1;
/** The shard of a whole workchain. */
export const WHOLE_SHARD = -(2n ** 63n);

export function sameBlock(a: BlockId, b: BlockId): boolean {
  const isPlace = a.workchain === b.workchain && a.shard === b.shard && a.seqno === b.seqno;
  return isPlace && a.rootHash.equals(b.rootHash) && a.fileHash.equals(b.fileHash);
}

/** The one that ends the prefix of a shard. */
export function lowestBit(shard: bigint): bigint {
  return shard & -shard;
}

/** Whether an account of 33 bytes is in the shard of a block. */
export function contains({ workchain, shard }: BlockId, account: Buffer): boolean {
  const isPrefix = BigInt.asUintN(64, shard ^ account.readBigInt64BE(1)) < lowestBit(shard) * 2n;
  return workchain === account.readInt8(0) && isPrefix;
}

/** An account as 33 bytes: the workchain as a signed byte, then the hash. */
export function accountBytes(workchain: number, hash: Buffer): Buffer {
  return Buffer.concat([Buffer.of(workchain & 0xff), hash]);
}

const HALF = 2n ** 63n;
/** Keeps accounts of other workchains apart. */
const WORKCHAIN_FACTOR = 0x9e37_79b9_7f4a_7c15n;

/** The prefix of a hash as the index has it: 8 bytes, shifted to signed numbers in the same order. */
export function hashPrefix(hash: Buffer): bigint {
  return BigInt(`0x${hash.toString('hex', 0, 8)}`) - HALF;
}

/** A time as the largest tables have it: 32 bits, shifted to signed numbers. */
export function storedTime(seconds: number): number {
  return seconds - 2 ** 31;
}

/** The prefix of an account as the index has it: 63 bits of its hash, negative in the masterchain. */
export function accountPrefix(account: Buffer): bigint {
  const bits = BigInt(`0x${account.toString('hex', 1, 9)}`) / 2n;
  const workchain = account.readInt8(0);
  return workchain === -1 ? bits - HALF : bits ^ BigInt.asUintN(63, BigInt(workchain) * WORKCHAIN_FACTOR);
}

/** Reads any address; null for addr_none, external addresses, and lengths that no account has. */
export function readAddress(slice: Slice): Buffer | null {
  const kind = slice.loadUint(2);
  if (kind === 0) return null;
  if (kind === 1) {
    slice.skip(slice.loadUint(9));
    return null;
  }
  const prefix = slice.loadBit() ? slice.loadBits(slice.loadUint(5)) : undefined;
  if (kind === 3) {
    const length = slice.loadUint(9);
    slice.skip(32 + length);
    return null;
  }
  const workchain = slice.loadInt(8);
  const rest = slice.loadBits(256);
  if (prefix === undefined) return accountBytes(workchain, readBytes(beginCell().storeBits(rest).asSlice()));
  const whole = beginCell()
    .storeBits(prefix)
    .storeBits(rest.substring(prefix.length, 256 - prefix.length));
  return accountBytes(workchain, readBytes(whole.asSlice()));
}

export function readBytes(slice: Slice): Buffer {
  return slice.loadBuffer(32);
}

export function rootOf(boc: Buffer): Cell {
  const [root, ...more] = Cell.fromBoc(boc);
  if (root === undefined || more.length > 0) throw new Error('a bag of cells must have one root');
  return root;
}

/** The root hash of a bag of cells, or why it cannot be read. */
export function hashInside(boc: Buffer): Buffer | string {
  try {
    return rootOf(boc).hash();
  } catch (error) {
    return String(error);
  }
}

/** The entries of a dictionary, or of what is shown of one; `read` reads a value. */
export function entries<V>(
  root: Cell | Slice | null,
  keyBits: number,
  read: (slice: Slice) => V,
): [bigint, V][] {
  if (root === null || (root instanceof Cell && root.isExotic)) return [];
  const value = { parse: read, serialize: () => {} };
  return [...Dictionary.loadDirect(Dictionary.Keys.BigUint(keyBits), value, root)];
}

export function bytesOf(key: bigint): Buffer {
  return Buffer.from(key.toString(16).padStart(64, '0'), 'hex');
}
