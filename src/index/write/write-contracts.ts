import type { Insertable } from 'kysely';
import type { ClientBase } from 'pg';
import { anyOf, databaseOf } from '../../db/driver.ts';
import { CONTRACT_TABLES, type ContractTable, type ContractTables } from '../../db/tables/contract-tables.ts';
import type { TokenKind } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { KIND_PRIORITIES } from '../read/address-info.ts';
import type { WriteStatsRecorder } from './copy-in.ts';

/** For networks whose DNS zone becomes known after it already has items. Citus does not join tables that are here and there. */
const REDETECT_ITEMS = `
with entries as materialized (select account from dns_entries)
insert into missing_cells (account, last_trans_lt, undetected)
select item.account, item.last_transaction_lt, true from nft_items item
where item.collection = any($1::bytea[])
  and not exists (select 1 from entries where entries.account = item.account)
order by item.account
on conflict (account) do update set undetected = true`;

/** Writes detected contracts and their metadata. The newest states must be written before. */
export async function writeDetected(
  client: ClientBase,
  detected: DetectionResult,
  metadata: ReadChainMetadata,
  stats: WriteStatsRecorder,
): Promise<void> {
  const { found, removed } = await writeContracts(client, detected, stats);
  for (const [table, accounts] of removed) await dropMetadata(client, table, accounts);
  await writeMetadata(client, found, metadata);
  const { freshZones = [] } = detected;
  if (freshZones.length > 0) await client.query(REDETECT_ITEMS, [freshZones]);
}

/** Withdraws accounts from all tables where they were not found: detection did not know that their code had changed. */
export function withdrawFromOtherTables(detected: DetectionResult, accounts: readonly Buffer[]) {
  const { undetected } = detected;
  const detectedAccounts = accounts.filter((account) => !undetected.has(bytesKey(account)));
  if (detectedAccounts.length === 0) return detected;
  const gone = (table: ContractTable) => [...(detected.withdrawn.get(table) ?? []), ...detectedAccounts];
  return { ...detected, withdrawn: new Map(CONTRACT_TABLES.map((table) => [table, gone(table)])) };
}

/** Columns of every contract table that come from the account state. */
const STATE_COLUMNS = ['account', 'last_transaction_lt', 'code_hash', 'data_hash'];

interface WrittenContracts {
  readonly found: readonly FoundContract[];
  readonly removed: ReadonlyMap<ContractTable, readonly Buffer[]>;
}

/**
 * Writes detected contracts. The newest states must be written before: results for an older state are skipped.
 */
export async function writeContracts(
  client: ClientBase,
  { found, withdrawn }: DetectionResult,
  stats: WriteStatsRecorder,
): Promise<WrittenContracts> {
  const taken: FoundContract[] = [];
  const removed = new Map<ContractTable, readonly Buffer[]>();
  for (const table of CONTRACT_TABLES) {
    const contracts = found.filter((contract) => contract.table === table);
    const gone = withdrawn.get(table) ?? [];
    if (contracts.length > 0) {
      const rows = contracts.map(toContractRow);
      const text = JSON.stringify(rows);
      const written = new Set(
        (await queryAccounts(client, upsert(table, columnsOf(rows)), [text])).map(bytesKey),
      );
      taken.push(...contracts.filter(({ account }) => written.has(bytesKey(account))));
      stats.add({ rows: written.size, bytes: text.length });
    }
    // Rows that were just written are not removed.
    if (gone.length > 0) removed.set(table, await queryAccounts(client, removal(table), [gone]));
  }
  return { found: taken, removed };
}

type Row = Readonly<Record<string, unknown>>;

function toContractRow({ account, lastTransLt, codeHash, dataHash, columns }: FoundContract): Row {
  const row: Record<string, unknown> = {
    account: toJson(account),
    last_transaction_lt: String(lastTransLt),
    code_hash: toJson(codeHash),
    data_hash: toJson(dataHash),
  };
  for (const [name, value] of Object.entries(columns)) row[name] = toJson(value);
  return row;
}

/** A value in the form that json_populate_recordset reads. */
export function toJson(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (typeof value === 'bigint') return String(value);
  return Array.isArray(value) ? value.map(toJson) : value;
}

function columnsOf(rows: readonly Row[]): string[] {
  return [...new Set([...STATE_COLUMNS, ...rows.flatMap(Object.keys)])];
}

function upsert(table: ContractTable, columns: readonly string[]): string {
  const sets = columns.filter((name) => name !== 'account').map((name) => `"${name}" = excluded."${name}"`);
  return `
insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')})
select ${columns.map((name) => `row."${name}"`).join(', ')}
from json_populate_recordset(null::${table}, $1) row
join latest_account_states newest
  on newest.account = row.account and newest.last_trans_lt = row.last_transaction_lt
order by row.account
on conflict (account) do update set ${sets.join(', ')}
returning account`;
}

/** A row of the newest state itself is a later result of another process. */
function removal(table: ContractTable): string {
  return `
delete from ${table} old using latest_account_states newest
where old.account = any($1::bytea[]) and newest.account = old.account
  and old.last_transaction_lt < newest.last_trans_lt
returning old.account`;
}

/** On-chain content of a token. */
export type ChainContent = Readonly<Record<string, string>>;

/** The stored metadata of a token; `extra` is JSON. */
export interface TokenFields {
  readonly name: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly symbol: string | null;
  readonly extra: string | null;
}

export interface ChainMetadata {
  readonly fields: TokenFields;
  /** Whether it is enough to display the token. */
  readonly isUsable: boolean;
  /** Whether there is a document to fetch. */
  readonly hasLink: boolean;
  /** Changes with the content. */
  readonly hash: Buffer;
}

export type ReadChainMetadata = (kind: TokenKind, content: ChainContent) => ChainMetadata;

const UPSERT = `
insert into token_metadata as kept (account, kind, source_hash, valid, name, description, image, symbol, extra, error,
  priority, next_try)
select account, kind, source_hash, valid, name, description, image, symbol, extra::jsonb,
  case when not valid then 'the contract has no displayable content' end,
  priority, case when has_link then now() end
from unnest($1::bytea[], $2::token_kind[], $3::bytea[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::text[], $10::smallint[], $11::boolean[])
  as one (account, kind, source_hash, valid, name, description, image, symbol, extra, priority, has_link)
order by account, kind
on conflict (account, kind) do update set source_hash = excluded.source_hash, valid = excluded.valid,
  name = excluded.name, description = excluded.description, image = excluded.image, symbol = excluded.symbol,
  extra = excluded.extra, error = excluded.error, updated_at = null, expires_at = null, tries = 0,
  priority = excluded.priority, next_try = excluded.next_try
where kept.source_hash <> excluded.source_hash`;

/**
 * Writes the on-chain metadata of the tokens among contracts and queues their documents, where the content is new. Call it
 * in the transaction that writes the contracts, and only for those that were written.
 */
export async function writeMetadata(
  client: ClientBase,
  found: readonly FoundContract[],
  read: ReadChainMetadata,
): Promise<void> {
  const rows = found.flatMap((contract) => toMetadataRow(contract, read) ?? []);
  if (rows.length === 0) return;
  await client.query(UPSERT, [
    rows.map(({ account }) => account),
    rows.map(({ kind }) => kind),
    rows.map(({ hash }) => hash),
    rows.map(({ isUsable, hasLink }) => (isUsable ? true : hasLink ? null : false)),
    rows.map(({ fields }) => fields.name),
    rows.map(({ fields }) => fields.description),
    rows.map(({ fields }) => fields.image),
    rows.map(({ fields }) => fields.symbol),
    rows.map(({ fields }) => fields.extra),
    rows.map(({ kind }) => KIND_PRIORITIES[kind]),
    rows.map(({ hasLink }) => hasLink),
  ]);
}

/** Deletes the metadata of contracts that are no longer tokens of a kind; other tables are ignored. */
export async function dropMetadata(client: ClientBase, table: ContractTable, accounts: readonly Buffer[]) {
  if (!isTokenKind(table) || accounts.length === 0) return;
  const metadata = databaseOf(client).deleteFrom('token_metadata').where('kind', '=', table);
  await metadata.where('account', '=', anyOf(accounts)).execute();
}

function toMetadataRow({ table, account, columns }: FoundContract, read: ReadChainMetadata) {
  if (!isTokenKind(table)) return undefined;
  const { content } = columns as ContractColumns<TokenKind>;
  return { account, kind: table, ...read(table, content) };
}

function isTokenKind(table: ContractTable): table is TokenKind {
  return table in KIND_PRIORITIES;
}

export const TOKEN_KINDS = CONTRACT_TABLES.filter(isTokenKind);

/** A detected interface of a contract in its newest state. */
export interface FoundContract {
  readonly table: ContractTable;
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lastTransLt: bigint;
  readonly codeHash: Buffer;
  readonly dataHash: Buffer;
  readonly columns: ContractColumns;
}

/** The result for the accounts of a batch. An account is either in `undetected`, or all detectors have run on it. */
export interface DetectionResult {
  readonly found: readonly FoundContract[];
  /** Accounts that do not have an interface which they may have had before, by table. */
  readonly withdrawn: ReadonlyMap<ContractTable, readonly Buffer[]>;
  /** Accounts that could not be detected now, by `keyOf`. */
  readonly undetected: ReadonlySet<string>;
  /** Newly found DNS zone collections: their items that were detected before may be domains. */
  readonly freshZones?: readonly Buffer[];
}

/** The columns of a contract table apart from the account state. */
export type ContractColumns<Table extends ContractTable = ContractTable> = {
  [Name in Table]: Omit<
    Insertable<ContractTables[Name]>,
    'account' | 'id' | 'last_transaction_lt' | 'code_hash' | 'data_hash'
  >;
}[Table];

/** Runs a statement that returns accounts. */
export async function queryAccounts(client: ClientBase, text: string, values: readonly unknown[] = []) {
  const { rows } = await client.query<{ account: Buffer }>(text, [...values]);
  return rows.map(({ account }) => account);
}
