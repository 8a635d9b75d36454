import { MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';

/**
 * Where the index keeps a transaction: its page and the slot there, in one number below 2^53. A page is numbered after the
 * masterchain seqno of its first transaction, so positions grow with the seqno; they never change.
 */
export type Position = number;

/** Most slots that a page may ever have: slots take six bits of a position. */
export const SLOTS = 2 ** 6;
/** Most pages that may begin with the same seqno. */
const PAGES_PER_SEQNO = 2 ** 16;

/** The number of a page; `ordinal` counts the pages that begin with the same seqno. */
export function pageNumber(firstSeqno: number, ordinal: number): number {
  if (ordinal >= PAGES_PER_SEQNO) throw new RangeError(`seqno ${firstSeqno} has too many pages`);
  return firstSeqno * PAGES_PER_SEQNO + ordinal;
}

/** The masterchain seqno of the first transaction of a page. */
export function seqnoOfPage(page: number): number {
  return Math.floor(page / PAGES_PER_SEQNO);
}

export function positionOf(page: number, slot: number): Position {
  return page * SLOTS + slot;
}

export function pageOf(at: Position): number {
  return Math.floor(at / SLOTS);
}

export function slotOf(at: Position): number {
  return at % SLOTS;
}

/** What the clock of a local chain may reach at most is twice as much as an `integer` holds. */
const TIME_ORIGIN = 2 ** 31;

/** A time in unix seconds as an `integer` of the largest tables. */
export function storedTime(seconds: number): number {
  return seconds - TIME_ORIGIN;
}

export function unixTime(stored: number): number {
  return stored + TIME_ORIGIN;
}

const SIGN = 1n << 63n;
const LOW_63 = SIGN - 1n;
/** The prefix of an account is its workchain and the bits of its hash before this byte, without the last bit. */
const PREFIX_END = 9;
/** An odd number without a pattern, so that the same hash in two workchains has different prefixes. */
const WORKCHAIN_FACTOR = 0x9e37_79b9_7f4a_7c15n;

/** The first 8 bytes of a hash as a signed number; the order of the numbers is the order of the hashes. */
export function hashPrefix(hash: Buffer): bigint {
  return hash.readBigUInt64BE(0) - SIGN;
}

/** The hash with a prefix, from its other 24 bytes. */
export function joinHash(prefix: bigint, rest: Buffer): Buffer {
  const hash = Buffer.allocUnsafe(32);
  rest.copy(hash, hash.writeBigUInt64BE(prefix + SIGN));
  return hash;
}

/**
 * A signed number for the 33 bytes of an account. The masterchain takes the negative half and the basechain the other
 * one, so the order of the numbers is the order of signed workchains and hashes; other workchains have no order.
 */
export function accountPrefix(account: Buffer): bigint {
  const hash = account.readBigUInt64BE(1) >> 1n;
  const workchain = account.readInt8(0);
  if (workchain === 0) return hash;
  if (workchain === MASTERCHAIN) return hash - SIGN;
  return hash ^ (BigInt.asUintN(64, BigInt(workchain) * WORKCHAIN_FACTOR) & LOW_63);
}

/** The prefixes of accounts, each once. */
export function accountPrefixes(accounts: readonly Buffer[]): readonly bigint[] {
  return [...new Set(accounts.map(accountPrefix))];
}

/**
 * The range of account prefixes of a shard, by default of a whole workchain, both ends inclusive. Unknown workchains share
 * one range.
 */
export function shardPrefixes(workchain: number, shard = WHOLE_SHARD) {
  if (workchain !== 0 && workchain !== MASTERCHAIN) return { from: 0n, to: LOW_63 };
  const bits = BigInt.asUintN(64, shard);
  // The lowest set bit ends the prefix of the shard.
  const half = bits & -bits;
  const offset = workchain === MASTERCHAIN ? SIGN : 0n;
  return { from: ((bits - half) >> 1n) - offset, to: ((bits + half - 1n) >> 1n) - offset };
}

/** The first and the last account that have the prefix of an account of the masterchain or the basechain. */
export function accountsWithPrefixOf(account: Buffer): readonly [Buffer, Buffer] {
  const [first, last] = [Buffer.alloc(account.length), Buffer.alloc(account.length, 0xff)];
  account.copy(first, 0, 0, PREFIX_END);
  account.copy(last, 0, 0, PREFIX_END);
  first[PREFIX_END - 1]! &= 0xfe;
  last[PREFIX_END - 1]! |= 1;
  return [first, last];
}
