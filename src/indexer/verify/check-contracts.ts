import { type Kysely, sql } from 'kysely';
import { CONTRACT_TABLES } from '../../db/tables/contract-tables.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Findings, Row } from './differences.ts';

/**
 * Finds contracts whose code or data is not that of the newest state: a detection that was not repeated, or an account that
 * was destroyed. Whether other columns are right only get-methods can tell. `states` are the newest states by hex account.
 */
export async function checkContracts(
  db: Kysely<Tables>,
  findings: Findings,
  states: ReadonlyMap<string, Row>,
): Promise<void> {
  const accounts = [...states.keys()].map((key) => Buffer.from(key, 'hex'));
  for (const row of await readContracts(db, accounts)) {
    const key = row.account.toString('hex');
    const { code_hash, data_hash, is_missing } = states.get(key)!;
    if (is_missing === true) continue;
    if (code_hash === null) findings.addSurplus(row.table, key);
    else findings.compareRow(row.table, key, { code_hash, data_hash }, row);
  }
}

type ContractRow = Row & { readonly table: string; readonly account: Buffer };

async function readContracts(db: Kysely<Tables>, accounts: readonly Buffer[]): Promise<ContractRow[]> {
  if (accounts.length === 0) return [];
  const parts = CONTRACT_TABLES.map(
    (table) => sql`
      select ${sql.lit(table)} as "table", account, code_hash, data_hash from ${sql.table(table)}
      where account = any(${accounts}::bytea[])`,
  );
  const { rows } = await sql<ContractRow>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}
