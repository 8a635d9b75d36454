import { type Selectable, sql } from 'kysely';
import { anyOf, keptStatement, readRows } from '../../db/driver.ts';
import type { Db, Tables } from '../../db/tables/tables.ts';
import {
  BY_ACCOUNT,
  byId,
  type ListedContract,
  type ListWindow,
  type Lookup,
  lookUpBy,
  type OrderKey,
  orderBy,
  readContractList,
} from './lists.ts';

/** Which jettons are wanted; an empty list does not filter. */
interface JettonMasterFilters {
  readonly accounts: readonly Buffer[];
  readonly admins: readonly Buffer[];
}

/** Jettons are ordered by when they were indexed, or by address if addresses are given. */
export function jettonMasterKeys({ accounts }: Pick<JettonMasterFilters, 'accounts'>): OrderKey[] {
  return [accounts.length > 0 ? BY_ACCOUNT : byId('asc')];
}

export function readJettonMasters(
  db: Db,
  { accounts, admins, page }: JettonMasterFilters & { readonly page: ListWindow },
): Promise<ListedContract<'jetton_masters'>[]> {
  const found = lookUpBy('jetton_masters', { account: accounts, admin: admins });
  return readContractList(db, 'jetton_masters', { ...found, keys: jettonMasterKeys({ accounts }), page });
}

/** Which jetton wallets are wanted; an empty list does not filter. */
export interface JettonWalletFilters {
  readonly accounts: readonly Buffer[];
  readonly owners: readonly Buffer[];
  readonly jettons: readonly Buffer[];
  /** An airdrop of a mintless jetton that is not claimed counts as balance. */
  readonly excludeZeroBalance: boolean;
  /** Orders by balance. */
  readonly sort?: 'asc' | 'desc' | undefined;
}

/** The order depends on the filters: one jetton, owners, addresses, or none of these. */
export function jettonWalletKeys({ accounts, owners, jettons, sort }: JettonWalletFilters): OrderKey[] {
  const plain = sort === undefined ? [byId('asc')] : orderBy(sort, { balance: 'numeric', id: 'bigint' });
  if (jettons.length === 1 || owners.length === 1) return plain;
  if (owners.length > 1) return [...orderBy('asc', { owner: 'bytea' }), ...plain];
  return accounts.length > 0 ? [BY_ACCOUNT] : plain;
}

export function readJettonWallets(db: Db, query: JettonWalletFilters & { readonly page: ListWindow }) {
  const { accounts, owners, jettons, excludeZeroBalance, page } = query;
  const { lookups, where } = lookUpBy('jetton_wallets', {
    account: accounts,
    owner: owners,
    jetton: jettons,
  });
  return readContractList(db, 'jetton_wallets', {
    columns: sql`account, id, owner, balance`,
    lookups: excludeZeroBalance ? lookups.flatMap(withBalance) : lookups,
    where,
    keys: jettonWalletKeys(query),
    page,
  });
}

/** Two lookups, each with an index that has no other rows: most wallets have had jettons and have none. */
function withBalance(lookup: Lookup): Lookup[] {
  const conditions = [
    sql`balance > 0`,
    sql`balance = 0 and mintless_is_claimed = false and mintless_amount > 0`,
  ];
  return conditions.map((condition) => ({
    ...lookup,
    rows: (value) => sql`${lookup.rows(value)} and ${condition}`,
  }));
}

/** Reads where custom payloads of mintless jettons are to be had, by jetton: what its metadata says, of any type. */
export async function readCustomPayloadApis(db: Db, { jettons }: { readonly jettons: readonly Buffer[] }) {
  if (jettons.length === 0) return [];
  return readRows<{ account: Buffer; uri: unknown }>(db)`
    select account, extra->'custom_payload_api_uri' as uri from token_metadata
    where account = any(${jettons}::bytea[]) and kind = 'jetton_masters'`;
}

export async function readKnownWallets(db: Db, { accounts }: { readonly accounts: readonly Buffer[] }) {
  const wallets = db.selectFrom('jetton_wallets').select(['account', 'owner', 'jetton']);
  return wallets.where('account', '=', anyOf(accounts)).execute();
}

/** A jetton wallet in its newest known state. */
export type JettonWalletRow = Pick<
  Selectable<Tables['jetton_wallets']>,
  'account' | 'balance' | 'owner' | 'jetton' | 'last_transaction_lt' | 'code_hash' | 'data_hash'
>;

const WALLET = sql`account, balance, owner, jetton, last_transaction_lt, code_hash, data_hash`;

const walletStates = keptStatement<JettonWalletRow, [readonly Buffer[]]>(
  (_db, accounts) => sql`select ${WALLET} from jetton_wallets where account = any(${accounts}::bytea[])`,
);

export async function readWalletStates(db: Db, { accounts }: { readonly accounts: readonly Buffer[] }) {
  return accounts.length === 0 ? [] : walletStates(db, accounts);
}

/** Finds the jetton wallets of owners whose newest state was made after a logical time. */
export async function findChangedWallets(
  db: Db,
  { owners, afterLt }: { readonly owners: readonly Buffer[]; readonly afterLt: bigint },
): Promise<Buffer[]> {
  if (owners.length === 0) return [];
  const rows = await db
    .selectFrom('jetton_wallets')
    .select('account')
    .where('owner', '=', anyOf(owners))
    .where('last_transaction_lt', '>', String(afterLt))
    .execute();
  return rows.map(({ account }) => account);
}
