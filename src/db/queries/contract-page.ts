import { type Kysely, type Selectable, sql } from 'kysely';
import type { ContractTable } from '../contract-tables.ts';
import type { Tables } from '../tables.ts';
import { type LookedUpList, lookedUpPage } from './looked-up-page.ts';
import type { OrderKey } from './page.ts';

/** A contract on a page. */
export type ListedContract<Table extends ContractTable> = Selectable<Tables[Table]> & {
  readonly cursor: readonly string[];
};

/** Contracts in the order in which they were found. */
export function byId(direction: 'asc' | 'desc'): OrderKey {
  return { by: sql`id`, type: 'bigint', direction };
}

/** Contracts by address. */
export const BY_ACCOUNT: OrderKey = { by: sql`account`, type: 'bytea', direction: 'asc' };

/** One page of a table of contracts; what is to be selected for the order beside `account` and `id` has to be named. */
export async function readContractPage<Table extends ContractTable>(
  db: Kysely<Tables>,
  table: Table,
  list: Omit<LookedUpList, 'columns'> & Partial<Pick<LookedUpList, 'columns'>>,
): Promise<ListedContract<Table>[]> {
  const { rows } = await sql<ListedContract<Table>>`
    with ${lookedUpPage({ columns: sql`account, id`, isOfOneTable: true, ...list })}
    select contract.*, page.cursor from page join ${sql.table(table)} contract using (account)
    order by page.place`.execute(db);
  return rows;
}
