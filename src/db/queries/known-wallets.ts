import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** The wallets of jettons among accounts, with whose they are. */
export async function readKnownWallets(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<{ readonly account: Buffer; readonly owner: Buffer; readonly jetton: Buffer }[]> {
  const { rows } = await sql<{ account: Buffer; owner: Buffer; jetton: Buffer }>`
    select account, owner, jetton from jetton_wallets where account = any(${accounts}::bytea[])`.execute(db);
  return rows;
}
