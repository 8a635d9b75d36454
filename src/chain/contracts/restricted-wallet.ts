import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { walkDictionary } from '../tlb/dictionary.ts';

/** How much of a restricted wallet stays locked from some time on. */
export interface RestrictedLimit {
  /** Seconds after the start; may be negative. */
  readonly seconds: number;
  readonly value: bigint;
}

/** What the data of a restricted wallet says. */
export interface RestrictedWallet {
  readonly seqno: number;
  readonly walletId: number;
  /** Unix time; 0 where the network's configuration says when. */
  readonly startAt: number;
  /** In ascending order of their seconds. */
  readonly limits: readonly RestrictedLimit[];
}

const SIGN_BIT = 2 ** 31;

/** Reads the data of a restricted wallet. */
export function readRestrictedWallet(cells: Cells, data: number): RestrictedWallet {
  const slice = new Slice(cells, data);
  const seqno = slice.uint(32);
  const walletId = slice.uint(32);
  slice.skip(256);
  const startAt = slice.uint(32);
  const root = slice.maybeRef();
  const limits: RestrictedLimit[] = [];
  if (root >= 0)
    walkDictionary(cells, root, 32, (key, value) => {
      const seconds = key.readUInt32BE(0);
      limits.push({ seconds: seconds >= SIGN_BIT ? seconds - 2 ** 32 : seconds, value: value.coins() });
    });
  return { seqno, walletId, startAt, limits: limits.sort((a, b) => a.seconds - b.seconds) };
}

/**
 * What a restricted wallet may spend at a time, as its get-method `balance` says: the last limit reached stays locked.
 * `networkStart` is what configuration parameter -13 says, 0 if there is none.
 */
export function unlockedBalance(
  { startAt, limits }: RestrictedWallet,
  balance: bigint,
  now: number,
  networkStart = 0,
): bigint {
  const start = startAt || networkStart;
  const passed = start === 0 ? -1 : now - start;
  const locked = limits.findLast(({ seconds }) => seconds <= passed)?.value ?? 0n;
  return balance > locked ? balance - locked : 0n;
}
