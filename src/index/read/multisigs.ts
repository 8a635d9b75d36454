import { sql } from 'kysely';
import type { Db } from '../../db/tables/tables.ts';
import { byId, type ListedContract, type ListWindow, lookUpBy, readContractList } from './lists.ts';

interface MultisigQuery {
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

/** Reads a page of multisig wallets by address, and by signer or proposer, in the order of indexing. */
export function readMultisigs(
  db: Db,
  {
    accounts,
    members,
    sort,
    page,
  }: MultisigQuery & { readonly accounts: readonly Buffer[]; readonly members: readonly Buffer[] },
): Promise<ListedContract<'multisigs'>[]> {
  const { lookups, where } = lookUpBy('multisigs', { account: accounts });
  const hasMember = sql`(signers && ${members}::bytea[] or proposers && ${members}::bytea[])`;
  return readContractList(db, 'multisigs', {
    lookups,
    where: members.length === 0 ? where : [...where, hasMember],
    keys: [byId(sort)],
    page,
  });
}

/** Reads a page of orders of multisig wallets in the order of indexing. */
export function readMultisigOrders(
  db: Db,
  {
    accounts,
    multisigs,
    sort,
    page,
  }: MultisigQuery & { readonly accounts: readonly Buffer[]; readonly multisigs: readonly Buffer[] },
): Promise<ListedContract<'multisig_orders'>[]> {
  const found = lookUpBy('multisig_orders', { account: accounts, multisig: multisigs });
  return readContractList(db, 'multisig_orders', { ...found, keys: [byId(sort)], page });
}

/** Reads all orders of these multisig wallets, the first indexed first. */
export async function readOrdersOf(db: Db, { multisigs }: { readonly multisigs: readonly Buffer[] }) {
  if (multisigs.length === 0) return [];
  return db
    .selectFrom('multisig_orders')
    .selectAll()
    .where('multisig', 'in', multisigs)
    .orderBy('id')
    .execute();
}
