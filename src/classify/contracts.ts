import type { Selectable } from 'kysely';
import type { QueryResultRow } from 'pg';
import type {
  DedustPoolRecord,
  JettonWalletRecord,
  MultisigOrderRecord,
  NftAuctionRecord,
  NftItemRecord,
  NftSaleRecord,
  PoolAsset,
} from '../actions/rules/classifier-input.ts';
import { ACCOUNT_BYTES, fromAccountOrText, toAccountOrText } from '../chain/address.ts';
import type { ContractTable } from '../db/tables/contract-tables.ts';
import type { Tables } from '../db/tables/tables.ts';

/** Indexed contracts during the classification of a batch. Accounts are raw addresses with upper-case digits. */
export class ContractCache {
  /** Accounts that were looked up, whether or not they are contracts. */
  readonly known = new Set<string>();
  /** Accounts whose data and code was looked up. */
  readonly knownData = new Set<string>();
  /** Accounts whose newest state is not detected yet. */
  readonly undetected = new Set<string>();
  readonly jettonWallets = new Map<string, JettonWalletRecord>();
  readonly nftItems = new Map<string, NftItemRecord>();
  readonly nftSales = new Map<string, NftSaleRecord>();
  readonly nftAuctions = new Map<string, NftAuctionRecord>();
  readonly nominatorPools = new Set<string>();
  readonly multisigOrders = new Map<string, MultisigOrderRecord>();
  readonly dedustPools = new Map<string, DedustPoolRecord>();
  readonly data = new Map<string, Buffer>();
  /** Hashes of code, base64: of accounts, and of the wallets of jettons. */
  readonly codeHashes = new Map<string, string>();
  readonly walletCodeHashes = new Map<string, string>();
}

/** The text of an account in the classifier: raw, with upper-case digits. */
export function accountText(account: Buffer): string {
  return fromAccountOrText(account);
}

/** The account of a classifier text; undefined for anything else. */
export function accountBytes(text: string): Buffer | undefined {
  const bytes = toAccountOrText(text);
  return bytes.length === ACCOUNT_BYTES ? bytes : undefined;
}

/** The accounts of classifier texts, by text; other texts are left out. */
export function accountsOfTexts(texts: Iterable<string>): Map<string, Buffer> {
  const accounts = new Map<string, Buffer>();
  for (const text of texts) {
    const account = accountBytes(text);
    if (account !== undefined) accounts.set(text, account);
  }
  return accounts;
}

/** Larger data is not loaded: rules read the first cells of small contracts. */
export const MAX_DATA_BYTES = 256 * 1024;

/** Runs lookup queries; implemented by pg clients. */
export interface ContractSource {
  query<R extends QueryResultRow>(text: string, values: unknown[]): Promise<{ readonly rows: readonly R[] }>;
}

/** A row of a contract table, as far as it is read. */
type Row<T extends ContractTable = ContractTable> = Omit<Selectable<Tables[T]>, 'id'>;

/** A contract table, the columns to read, and how a row is added to the cache. */
interface TableReader<T extends ContractTable> {
  readonly table: T;
  readonly columns: string;
  readonly where?: string;
  add(contracts: ContractCache, address: string, row: Row<T>): void;
}

const tableReader = <T extends ContractTable>(one: TableReader<T>): TableReader<T> => one;

const TABLE_READERS = [
  tableReader({
    table: 'jetton_wallets',
    columns: 'owner, jetton',
    add: (contracts, address, row) =>
      contracts.jettonWallets.set(address, {
        address,
        owner: accountText(row.owner),
        jetton: accountText(row.jetton),
      }),
  }),
  tableReader({
    table: 'nft_items',
    columns: 'index, collection, content',
    add: (contracts, address, row) =>
      contracts.nftItems.set(address, {
        address,
        index: BigInt(row.index),
        content: row.content,
        collection: textOrNull(row.collection),
        codeHash: row.code_hash.toString('base64'),
      }),
  }),
  tableReader({
    table: 'nft_sales',
    columns: 'marketplace, nft, nft_owner, full_price',
    add: (contracts, address, row) =>
      contracts.nftSales.set(address, { ...marketRecord(row), fullPrice: BigInt(row.full_price) }),
  }),
  tableReader({
    table: 'nft_auctions',
    columns: 'marketplace, nft, nft_owner, last_bid',
    add: (contracts, address, row) =>
      contracts.nftAuctions.set(address, { ...marketRecord(row), lastBid: BigInt(row.last_bid) }),
  }),
  tableReader({
    table: 'nominator_pools',
    columns: 'code_hash',
    add: (contracts, address) => contracts.nominatorPools.add(address),
  }),
  tableReader({
    table: 'multisig_orders',
    columns: 'multisig, signers',
    add: (contracts, address, row) =>
      contracts.multisigOrders.set(address, {
        address,
        multisig: accountText(row.multisig),
        signers: row.signers.map(accountText),
      }),
  }),
  tableReader({
    table: 'dex_pools',
    columns: 'asset_1, asset_2',
    where: "and dex = 'dedust'",
    add: (contracts, address, row) =>
      contracts.dedustPools.set(address, { assets: [poolAsset(row.asset_1), poolAsset(row.asset_2)] }),
  }),
] as unknown as readonly TableReader<ContractTable>[];

export const RULE_TABLES: readonly string[] = TABLE_READERS.map(({ table }) => table);

/**
 * Loads accounts with one statement per table. Undetected accounts are read first: an account that is detected meanwhile
 * causes at most one unnecessary reclassification.
 */
export async function loadContracts(
  client: ContractSource,
  contracts: ContractCache,
  accounts: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (accounts.size === 0) return;
  const undetected = await client.query<{ account: Buffer }>(
    'select account from missing_cells where account = any($1::bytea[])',
    [[...accounts.values()]],
  );
  for (const { account } of undetected.rows) contracts.undetected.add(accountText(account));
  await loadContractsOf(client, contracts, [...accounts.values()], RULE_TABLES);
  for (const address of accounts.keys()) contracts.known.add(address);
}

export async function loadContractsOf(
  client: ContractSource,
  contracts: ContractCache,
  accounts: readonly Buffer[],
  tables: readonly string[],
): Promise<void> {
  for (const { table, columns, where = '', add } of TABLE_READERS) {
    if (!tables.includes(table)) continue;
    const text = `select account, code_hash, ${columns} from ${table} where account = any($1::bytea[]) ${where}`;
    for (const row of (await client.query<Row>(text, [accounts])).rows)
      add(contracts, accountText(row.account), row);
  }
}

/** Adds a detected contract, by its table and the columns that it would have there. */
export function addContract(
  contracts: ContractCache,
  table: string,
  row: { readonly account: Buffer; readonly code_hash: Buffer; readonly dex?: unknown },
): void {
  // The only table with rows that rules ignore.
  if (table === 'dex_pools' && row.dex !== 'dedust') return;
  const reader = TABLE_READERS.find((one) => one.table === table);
  reader?.add(contracts, accountText(row.account), row as Row);
}

export async function loadAccountData(
  client: ContractSource,
  contracts: ContractCache,
  accounts: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (accounts.size === 0) return;
  const { rows } = await client.query<{ account: Buffer; boc: Buffer }>(
    'select account, boc from account_data where account = any($1::bytea[]) and octet_length(boc) <= $2',
    [[...accounts.values()], MAX_DATA_BYTES],
  );
  for (const { account, boc } of rows) contracts.data.set(accountText(account), boc);
  const codes = await client.query<{ account: Buffer; code_hash: Buffer }>(
    'select account, code_hash from latest_account_states where account = any($1::bytea[]) and code_hash is not null',
    [[...accounts.values()]],
  );
  for (const { account, code_hash: hash } of codes.rows)
    contracts.codeHashes.set(accountText(account), hash.toString('base64'));
  await loadWalletCodes(client, contracts, accounts);
  for (const address of accounts.keys()) contracts.knownData.add(address);
}

async function loadWalletCodes(
  client: ContractSource,
  contracts: ContractCache,
  accounts: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const { rows } = await client.query<{ account: Buffer; wallet_code_hash: Buffer }>(
    'select account, wallet_code_hash from jetton_masters where account = any($1::bytea[])',
    [[...accounts.values()]],
  );
  for (const { account, wallet_code_hash: hash } of rows)
    contracts.walletCodeHashes.set(accountText(account), hash.toString('base64'));
}

function marketRecord(row: Pick<Row<'nft_sales'>, 'marketplace' | 'nft' | 'nft_owner' | 'code_hash'>) {
  return {
    marketplace: accountText(row.marketplace),
    nft: accountText(row.nft),
    nftOwner: textOrNull(row.nft_owner),
    codeHash: row.code_hash.toString('base64'),
  };
}

function textOrNull(account: Buffer | null): string | null {
  return account && accountText(account);
}

/** A jetton, or TON, which is null in pools. */
function poolAsset(jetton: Buffer | null): PoolAsset {
  return { isTon: jetton === null, address: textOrNull(jetton) };
}
