import type { AccountChange, DecodedSeqno } from '../decode/decoded-seqno.ts';
import { keyOf } from '../hash-key.ts';

/** All changes of one account in a batch, oldest first. */
export interface AccountHistory {
  /** The account as a key of maps. */
  readonly key: string;
  readonly changes: readonly AccountChange[];
  readonly newest: AccountChange;
}

/** Sorts the changes of a batch by account. */
export function accountHistories(seqnos: readonly DecodedSeqno[]): AccountHistory[] {
  const found = new Map<string, AccountChange[]>();
  for (const { accounts } of seqnos)
    for (const change of accounts) {
      const key = keyOf(change.account);
      const changes = found.get(key);
      if (changes === undefined) found.set(key, [change]);
      else changes.push(change);
    }
  return [...found].map(([key, changes]) => {
    // Blocks come after those they build on, but nothing else orders the blocks of a seqno.
    if (changes.length > 1) changes.sort((a, b) => (a.lastTransLt < b.lastTransLt ? -1 : 1));
    return { key, changes, newest: changes.at(-1)! };
  });
}

/** The changes that the data after the last one is made of: from the last one that shows all of it on. */
export function changesWithData({ changes }: AccountHistory): readonly AccountChange[] {
  const from = changes.findLastIndex(({ dataIsWhole }) => dataIsWhole);
  return from < 0 ? changes : changes.slice(from);
}

/** Whether code came, went or changed in a batch; also where a block does not show what was before. */
export function hasOtherCode({ changes }: AccountHistory): boolean {
  return changes.some(({ before, codeHash }) => {
    if (before === undefined) return true;
    if (before.codeHash === undefined || codeHash === undefined) return before.codeHash !== codeHash;
    return !before.codeHash.equals(codeHash);
  });
}
