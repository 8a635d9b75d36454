import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { keyOf } from '../hash-key.ts';
import type { AccountHistory } from './account-histories.ts';
import { readLatestExtras } from './state-rows.ts';

/**
 * The extra currencies, as JSON, that accounts have after the last of their changes where its block does not show them:
 * they did not change, so they are those of a change before, or of the state in the index. Not all may be known.
 */
export async function fillExtras(
  db: Kysely<Tables>,
  histories: readonly AccountHistory[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const wanted: Buffer[] = [];
  for (const { key, changes, newest } of histories) {
    if (!newest.extraIsHidden) continue;
    const shown = changes.findLast(({ extraIsHidden }) => !extraIsHidden);
    if (shown === undefined) wanted.push(newest.account);
    else if (shown.balanceExtra !== undefined) found.set(key, shown.balanceExtra);
  }
  for (const { account, extra } of await readLatestExtras(db, wanted))
    if (extra !== null) found.set(keyOf(account), extra);
  return found;
}
