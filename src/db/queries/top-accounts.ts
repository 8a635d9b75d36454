import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type OrderKey, type Page, pageParts } from './page.ts';

/** An account and what it has. */
export interface BalanceRow {
  readonly account: Buffer;
  /** Nanotons. */
  readonly balance: string;
  readonly cursor: readonly string[];
}

/** The richest first. */
export const TOP_ACCOUNTS_ORDER: readonly OrderKey[] = [
  { by: sql.ref('balance'), type: 'numeric', direction: 'desc' },
  { by: sql.ref('account'), type: 'bytea', direction: 'asc' },
];

/** Accounts by balance. */
export async function readTopAccounts(
  db: Kysely<Tables>,
  { page }: { readonly page: Page },
): Promise<BalanceRow[]> {
  const { where, tail, cursor } = pageParts(TOP_ACCOUNTS_ORDER, page);
  const { rows } = await sql<BalanceRow>`
    select account, balance, ${cursor} as cursor from latest_account_states where ${where} ${tail}`.execute(
    db,
  );
  return rows;
}
