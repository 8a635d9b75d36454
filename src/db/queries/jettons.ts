import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import {
  BY_ACCOUNT,
  byId,
  type ListedContract,
  lookUpBy,
  type OrderKey,
  type Page,
  readContractPage,
} from './pages.ts';

/** Which jettons are wanted; an empty list does not count. */
interface JettonMasterFilters {
  readonly accounts: readonly Buffer[];
  readonly admins: readonly Buffer[];
}

/** Jettons are in the order in which they were found, or by address where addresses are given. */
export function jettonMasterKeys({ accounts }: Pick<JettonMasterFilters, 'accounts'>): OrderKey[] {
  return [accounts.length > 0 ? BY_ACCOUNT : byId('asc')];
}

/** Jettons. */
export function readJettonMasters(
  db: Kysely<Tables>,
  { accounts, admins, page }: JettonMasterFilters & { readonly page: Page },
): Promise<ListedContract<'jetton_masters'>[]> {
  const found = lookUpBy('jetton_masters', { account: accounts, admin: admins });
  return readContractPage(db, 'jetton_masters', { ...found, keys: jettonMasterKeys({ accounts }), page });
}

/** Which wallets of jettons are wanted; an empty list does not count. */
export interface JettonWalletFilters {
  readonly accounts: readonly Buffer[];
  readonly owners: readonly Buffer[];
  readonly jettons: readonly Buffer[];
  readonly excludeZeroBalance: boolean;
  /** Orders by balance. */
  readonly sort?: 'asc' | 'desc' | undefined;
}

/** What decides the order: one jetton, owners, addresses, or nothing of that. */
export function jettonWalletKeys({ accounts, owners, jettons, sort }: JettonWalletFilters): OrderKey[] {
  const plain: OrderKey[] =
    sort === undefined ? [byId('asc')] : [{ by: sql`balance`, type: 'numeric', direction: sort }, byId(sort)];
  if (jettons.length === 1 || owners.length === 1) return plain;
  if (owners.length > 1) return [{ by: sql`owner`, type: 'bytea', direction: 'asc' }, ...plain];
  return accounts.length > 0 ? [BY_ACCOUNT] : plain;
}

/** Wallets of jettons. */
export function readJettonWallets(
  db: Kysely<Tables>,
  query: JettonWalletFilters & { readonly page: Page },
): Promise<ListedContract<'jetton_wallets'>[]> {
  const { accounts, owners, jettons, excludeZeroBalance, page } = query;
  const { lookups, where } = lookUpBy('jetton_wallets', {
    account: accounts,
    owner: owners,
    jetton: jettons,
  });
  return readContractPage(db, 'jetton_wallets', {
    columns: sql`account, id, owner, balance`,
    lookups,
    where: excludeZeroBalance ? [...where, sql`balance > 0`] : where,
    keys: jettonWalletKeys(query),
    page,
  });
}

/** The wallets of jettons among accounts, with whose they are. */
export async function readKnownWallets(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<{ readonly account: Buffer; readonly owner: Buffer; readonly jetton: Buffer }[]> {
  const { rows } = await sql<{ account: Buffer; owner: Buffer; jetton: Buffer }>`
    select account, owner, jetton from jetton_wallets where account = any(${accounts}::bytea[])`.execute(db);
  return rows;
}
