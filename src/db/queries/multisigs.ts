import { type Kysely, type Selectable, sql } from 'kysely';
import type { MultisigOrdersTable, Tables } from '../tables.ts';
import { byId, type ListedContract, lookUpBy, type Page, readContractPage } from './pages.ts';

interface MultisigQuery {
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** Multisig wallets in the order in which they were found: those with an address, and those somebody takes part in. */
export function readMultisigs(
  db: Kysely<Tables>,
  {
    accounts,
    people,
    sort,
    page,
  }: MultisigQuery & { readonly accounts: readonly Buffer[]; readonly people: readonly Buffer[] },
): Promise<ListedContract<'multisigs'>[]> {
  const { lookups, where } = lookUpBy('multisigs', { account: accounts });
  const takesPart = sql`(signers && ${people}::bytea[] or proposers && ${people}::bytea[])`;
  return readContractPage(db, 'multisigs', {
    lookups,
    where: people.length === 0 ? where : [...where, takesPart],
    keys: [byId(sort)],
    page,
  });
}

/** Orders of multisig wallets in the order in which they were found. */
export function readMultisigOrders(
  db: Kysely<Tables>,
  {
    accounts,
    multisigs,
    sort,
    page,
  }: MultisigQuery & { readonly accounts: readonly Buffer[]; readonly multisigs: readonly Buffer[] },
): Promise<ListedContract<'multisig_orders'>[]> {
  const found = lookUpBy('multisig_orders', { account: accounts, multisig: multisigs });
  return readContractPage(db, 'multisig_orders', { ...found, keys: [byId(sort)], page });
}

/** All orders of these multisig wallets, the first that was found first. */
export async function readOrdersOf(
  db: Kysely<Tables>,
  { multisigs }: { readonly multisigs: readonly Buffer[] },
): Promise<Selectable<MultisigOrdersTable>[]> {
  if (multisigs.length === 0) return [];
  return db
    .selectFrom('multisig_orders')
    .selectAll()
    .where('multisig', 'in', multisigs)
    .orderBy('id')
    .execute();
}
