import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../../db/tables.ts';
import type { AccountChange, DecodedSeqno } from '../decode/decoded-seqno.ts';
import { keyOf } from '../hash-key.ts';
import type { EarlierState } from '../write/write-batch.ts';
import { readAccountsSeen } from './state-rows.ts';

/** Finds the states that a batch of the range where the index begins shows and no transaction of the index made. */
export type FindEarlierStates = (seqnos: readonly DecodedSeqno[]) => Promise<EarlierState[]>;

const MAX_SEEN = 200_000;

/** `firstSeqno` is where the index begins; batches must come in order. */
export function createEarlierStates(db: Kysely<Tables>, firstSeqno: number): FindEarlierStates {
  /** Accounts that had a transaction in the index; whoever is forgotten is looked up. */
  const seen = new LRUCache<string, true>({ max: MAX_SEEN });

  return async (seqnos) => {
    const first = new Map<string, AccountChange>();
    for (const { accounts } of seqnos)
      for (const change of accounts) {
        const key = keyOf(change.account);
        if (!seen.has(key) && !first.has(key)) first.set(key, change);
      }
    const known = await readAccountsSeen(db, {
      accounts: [...first.values()].map(({ account }) => account),
      ...{ from: firstSeqno, to: seqnos[0]!.mcSeqno - 1 },
    });
    for (const account of known) first.delete(keyOf(account));
    for (const { accounts } of seqnos) for (const { account } of accounts) seen.set(keyOf(account), true);
    const earlier: EarlierState[] = [];
    for (const { account, before } of first.values())
      if (before !== undefined && before.status !== 'nonexist') earlier.push({ ...before, account });
    return earlier;
  };
}
