import type { QueryResultRow } from 'pg';
import { ACCOUNT_BYTES, fromAccountOrText, toAccountOrText } from '../../chain/address.ts';
import type {
  DedustPoolRecord,
  JettonWalletRecord,
  MultisigOrderRecord,
  NftAuctionRecord,
  NftItemRecord,
  NftSaleRecord,
  PoolAsset,
} from '../actions/classifier-input.ts';

/** What the index says of accounts while a batch is classified. Accounts are raw with upper-case digits. */
export class ContractCache {
  /** Accounts that were looked up, with what they are or without. */
  readonly known = new Set<string>();
  /** Accounts whose data was looked up. */
  readonly knownData = new Set<string>();
  /** Accounts of which it must still be found out what they are in their newest state. */
  readonly unjudged = new Set<string>();
  readonly jettonWallets = new Map<string, JettonWalletRecord>();
  readonly nftItems = new Map<string, NftItemRecord>();
  readonly nftSales = new Map<string, NftSaleRecord>();
  readonly nftAuctions = new Map<string, NftAuctionRecord>();
  readonly nominatorPools = new Set<string>();
  readonly multisigOrders = new Map<string, MultisigOrderRecord>();
  readonly dedustPools = new Map<string, DedustPoolRecord>();
  readonly data = new Map<string, Buffer>();
}

/** An account of the index as the classifier writes it: raw, with upper-case digits. */
export function accountText(account: Buffer): string {
  return fromAccountOrText(account);
}

/** The account that a text of the classifier names; undefined for anything else. */
export function accountBytes(text: string): Buffer | undefined {
  const bytes = toAccountOrText(text);
  return bytes.length === ACCOUNT_BYTES ? bytes : undefined;
}

/** Data that is larger is not read: the rules want the first cells of small contracts. */
export const MAX_DATA_BYTES = 256 * 1024;

/** Where contracts are looked up; a client of pg is one. */
export interface ContractSource {
  query<R extends QueryResultRow>(text: string, values: unknown[]): Promise<{ readonly rows: readonly R[] }>;
}

interface Row {
  readonly account: Buffer;
  readonly code_hash: Buffer;
}

type Numeric = string;

interface JettonWalletRow extends Row {
  readonly owner: Buffer;
  readonly jetton: Buffer;
  readonly balance: Numeric;
}

interface NftItemRow extends Row {
  readonly init: boolean;
  readonly index: Numeric;
  readonly collection: Buffer | null;
  readonly owner: Buffer | null;
  readonly content: Readonly<Record<string, unknown>>;
}

interface NftSaleRow extends Row {
  readonly is_complete: boolean;
  readonly marketplace: Buffer;
  readonly nft: Buffer;
  readonly nft_owner: Buffer | null;
  readonly full_price: Numeric;
  readonly marketplace_fee_address: Buffer;
  readonly marketplace_fee: Numeric;
  readonly royalty_address: Buffer;
  readonly royalty_amount: Numeric;
}

interface NftAuctionRow extends Row {
  readonly marketplace: Buffer;
  readonly nft: Buffer;
  readonly nft_owner: Buffer | null;
  readonly last_bid: Numeric;
  readonly marketplace_fee_address: Buffer;
  readonly marketplace_fee_factor: Numeric;
  readonly marketplace_fee_base: Numeric;
  readonly royalty_address: Buffer;
  readonly royalty_base: Numeric;
  readonly max_bid: Numeric;
  readonly min_bid: Numeric;
}

interface MultisigOrderRow extends Row {
  readonly multisig: Buffer;
  readonly signers: readonly Buffer[];
}

interface DexPoolRow extends Row {
  readonly asset_1: Buffer | null;
  readonly asset_2: Buffer | null;
}

/** A table of contracts, the columns that are read, and what is noted of a row. */
interface Reading<R extends Row> {
  readonly table: string;
  readonly columns: string;
  readonly where?: string;
  note(book: ContractCache, address: string, row: R): void;
}

const reading = <R extends Row>(one: Reading<R>): Reading<R> => one;

const READINGS = [
  reading<JettonWalletRow>({
    table: 'jetton_wallets',
    columns: 'owner, jetton, balance',
    note: (book, address, row) =>
      book.jettonWallets.set(address, {
        address,
        owner: accountText(row.owner),
        jetton: accountText(row.jetton),
        balance: BigInt(row.balance),
      }),
  }),
  reading<NftItemRow>({
    table: 'nft_items',
    columns: 'init, index, collection, owner, content',
    note: (book, address, row) =>
      book.nftItems.set(address, {
        address,
        init: row.init,
        index: BigInt(row.index),
        content: row.content,
        collection: textOrNull(row.collection),
        owner: textOrNull(row.owner),
        codeHash: row.code_hash.toString('base64'),
      }),
  }),
  reading<NftSaleRow>({
    table: 'nft_sales',
    columns: `is_complete, marketplace, nft, nft_owner, full_price, marketplace_fee_address, marketplace_fee,
      royalty_address, royalty_amount`,
    note: (book, address, row) =>
      book.nftSales.set(address, {
        address,
        isComplete: row.is_complete,
        marketplace: accountText(row.marketplace),
        nft: accountText(row.nft),
        nftOwner: textOrNull(row.nft_owner),
        fullPrice: BigInt(row.full_price),
        marketplaceFeeAddress: accountText(row.marketplace_fee_address),
        marketplaceFee: BigInt(row.marketplace_fee),
        royaltyAddress: accountText(row.royalty_address),
        royaltyAmount: BigInt(row.royalty_amount),
        codeHash: row.code_hash.toString('base64'),
      }),
  }),
  reading<NftAuctionRow>({
    table: 'nft_auctions',
    columns: `marketplace, nft, nft_owner, last_bid, marketplace_fee_address, marketplace_fee_factor,
      marketplace_fee_base, royalty_address, royalty_base, max_bid, min_bid`,
    note: (book, address, row) =>
      book.nftAuctions.set(address, {
        address,
        marketplace: accountText(row.marketplace),
        nft: accountText(row.nft),
        nftOwner: textOrNull(row.nft_owner),
        lastBid: BigInt(row.last_bid),
        marketplaceFeeAddress: accountText(row.marketplace_fee_address),
        marketplaceFeeFactor: BigInt(row.marketplace_fee_factor),
        marketplaceFeeBase: BigInt(row.marketplace_fee_base),
        royaltyAddress: accountText(row.royalty_address),
        royaltyBase: BigInt(row.royalty_base),
        maxBid: BigInt(row.max_bid),
        minBid: BigInt(row.min_bid),
        codeHash: row.code_hash.toString('base64'),
      }),
  }),
  reading({
    table: 'nominator_pools',
    columns: 'code_hash',
    note: (book, address) => book.nominatorPools.add(address),
  }),
  reading<MultisigOrderRow>({
    table: 'multisig_orders',
    columns: 'multisig, signers',
    note: (book, address, row) =>
      book.multisigOrders.set(address, {
        address,
        multisig: accountText(row.multisig),
        signers: row.signers.map(accountText),
      }),
  }),
  reading<DexPoolRow>({
    table: 'dex_pools',
    columns: 'asset_1, asset_2',
    where: "and dex = 'dedust'",
    note: (book, address, row) =>
      book.dedustPools.set(address, { assets: [poolAsset(row.asset_1), poolAsset(row.asset_2)] }),
  }),
] as readonly Reading<never>[];

/** Tables of contracts that the rules go by. */
export const RULED_TABLES: readonly string[] = (READINGS as readonly Reading<Row>[]).map(
  ({ table }) => table,
);

/**
 * Looks up what accounts are, in one statement a table. Who must still be judged is read first: what is judged meanwhile
 * is then at worst classified once more than it need be.
 */
export async function loadContracts(
  client: ContractSource,
  book: ContractCache,
  accounts: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (accounts.size === 0) return;
  const unjudged = await client.query<{ account: Buffer }>(
    'select account from missing_cells where account = any($1::bytea[])',
    [[...accounts.values()]],
  );
  for (const { account } of unjudged.rows) book.unjudged.add(accountText(account));
  await loadContractsOf(client, book, [...accounts.values()], RULED_TABLES);
  for (const address of accounts.keys()) book.known.add(address);
}

/** Looks accounts up in some tables. */
export async function loadContractsOf(
  client: ContractSource,
  book: ContractCache,
  accounts: readonly Buffer[],
  tables: readonly string[],
): Promise<void> {
  for (const { table, columns, where = '', note } of READINGS as readonly Reading<Row>[]) {
    if (!tables.includes(table)) continue;
    const text = `select account, code_hash, ${columns} from ${table} where account = any($1::bytea[]) ${where}`;
    for (const row of (await client.query<Row>(text, [accounts])).rows)
      note(book, accountText(row.account), row);
  }
}

/** Notes what a contract was found to be, by the table that it belongs in and the columns that it would have there. */
export function noteContract(
  book: ContractCache,
  table: string,
  row: { readonly account: Buffer; readonly code_hash: Buffer; readonly dex?: unknown },
): void {
  // The only table with rows that do not count.
  if (table === 'dex_pools' && row.dex !== 'dedust') return;
  const found = (READINGS as readonly Reading<Row>[]).find((one) => one.table === table);
  found?.note(book, accountText(row.account), row);
}

/** Looks up the data of accounts. */
export async function loadAccountData(
  client: ContractSource,
  book: ContractCache,
  accounts: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (accounts.size === 0) return;
  const { rows } = await client.query<{ account: Buffer; boc: Buffer }>(
    'select account, boc from account_data where account = any($1::bytea[]) and octet_length(boc) <= $2',
    [[...accounts.values()], MAX_DATA_BYTES],
  );
  for (const { account, boc } of rows) book.data.set(accountText(account), boc);
  for (const address of accounts.keys()) book.knownData.add(address);
}

function textOrNull(account: Buffer | null): string | null {
  return account && accountText(account);
}

/** A jetton, or the coin of the chain, which pools have as null. */
function poolAsset(jetton: Buffer | null): PoolAsset {
  return { isTon: jetton === null, address: textOrNull(jetton) };
}
