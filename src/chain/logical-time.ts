import { type AccountId, toAccountBytes } from './address.ts';

const ALIGNMENT = 1_000_000n;

/** The start lt of a block after others that end at the given lts: the next multiple of a million. */
export function blockStartLtAfter(...ends: readonly bigint[]): bigint {
  const last = ends.reduce((a, b) => (a > b ? a : b));
  const over = last % ALIGNMENT;
  return over === 0n && last !== 0n ? last : last + ALIGNMENT - over;
}

/** Orders messages by logical time, then by hash. */
export function compareByLt(
  a: { readonly lt: bigint; readonly hash: Buffer },
  b: { readonly lt: bigint; readonly hash: Buffer },
): number {
  return a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash.compare(b.hash);
}

/** Orders transactions by logical time, so that causes come before effects, then by account. */
export function byLtAndAccount(
  a: { readonly lt: bigint; readonly account: AccountId },
  b: { readonly lt: bigint; readonly account: AccountId },
): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return Buffer.compare(toAccountBytes(a.account), toAccountBytes(b.account));
}
