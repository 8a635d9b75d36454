import type { ClientBase } from 'pg';
import { CONTRACT_TABLES, type ContractTable } from '../../db/tables.ts';
import type { FoundContract, Verdicts } from '../detect/detection.ts';
import { keyOf } from '../hash-key.ts';
import { type ChainMetadataSettings, dropMetadata, writeMetadata } from '../metadata/write-metadata.ts';
import type { WriteStatsRecorder } from './copy-in.ts';

/** On a network that makes its domains known after it has some. */
const JUDGE_ITEMS_AGAIN = `
insert into missing_cells (account, last_trans_lt, undetected)
select item.account, item.last_transaction_lt, true from nft_items item
where item.collection = any($1::bytea[])
  and not exists (select from dns_entries entry where entry.account = item.account)
order by item.account
on conflict (account) do update set undetected = true`;

/** Writes what contracts are and what is shown of them. The newest states must be written before. */
export async function writeVerdicts(
  client: ClientBase,
  verdicts: Verdicts,
  settings: ChainMetadataSettings,
  book: WriteStatsRecorder,
): Promise<void> {
  const { found, removed } = await writeContracts(client, verdicts, book);
  for (const [table, accounts] of removed) await dropMetadata(client, table, accounts);
  await writeMetadata(client, found, settings);
  const { freshZones = [] } = verdicts;
  if (freshZones.length > 0) await client.query(JUDGE_ITEMS_AGAIN, [freshZones]);
}

/** Verdicts by which judged accounts go from all tables where they were not found: the judge did not know what they were. */
export function withdrawnElsewhere(verdicts: Verdicts, accounts: readonly Buffer[]): Verdicts {
  const { undetected } = verdicts;
  const judged = accounts.filter((account) => !undetected.has(keyOf(account)));
  if (judged.length === 0) return verdicts;
  const gone = (table: ContractTable) => [...(verdicts.withdrawn.get(table) ?? []), ...judged];
  return { ...verdicts, withdrawn: new Map(CONTRACT_TABLES.map((table) => [table, gone(table)])) };
}

/** Columns that every table of contracts has and that come of the state. */
const STATE_COLUMNS = ['account', 'last_transaction_lt', 'code_hash', 'data_hash'];

/** What of verdicts was taken. */
interface TakenVerdicts {
  readonly found: readonly FoundContract[];
  readonly removed: ReadonlyMap<ContractTable, readonly Buffer[]>;
}

/**
 * Writes what contracts are. The newest states must be written before: a verdict about a state that is not the newest
 * any more is left out.
 */
export async function writeContracts(
  client: ClientBase,
  { found, withdrawn }: Verdicts,
  book: WriteStatsRecorder,
): Promise<TakenVerdicts> {
  const taken: FoundContract[] = [];
  const removed = new Map<ContractTable, readonly Buffer[]>();
  for (const table of CONTRACT_TABLES) {
    const contracts = found.filter((contract) => contract.table === table);
    const gone = withdrawn.get(table) ?? [];
    if (contracts.length > 0) {
      const rows = contracts.map(toRow);
      const text = JSON.stringify(rows);
      const written = new Set((await accountsOf(client, upsert(table, columnsOf(rows)), text)).map(keyOf));
      taken.push(...contracts.filter(({ account }) => written.has(keyOf(account))));
      book.add({ rows: written.size, bytes: text.length });
    }
    // Rows that were just written stay.
    if (gone.length > 0) removed.set(table, await accountsOf(client, removal(table), gone));
  }
  return { found: taken, removed };
}

async function accountsOf(client: ClientBase, text: string, value: unknown): Promise<Buffer[]> {
  const { rows } = await client.query<{ account: Buffer }>(text, [value]);
  return rows.map(({ account }) => account);
}

type Row = Readonly<Record<string, unknown>>;

function toRow({ account, lastTransLt, codeHash, dataHash, columns }: FoundContract): Row {
  const row: Record<string, unknown> = {
    account: toJson(account),
    last_transaction_lt: String(lastTransLt),
    code_hash: toJson(codeHash),
    data_hash: toJson(dataHash),
  };
  for (const [name, value] of Object.entries(columns)) row[name] = toJson(value);
  return row;
}

/** A value in the form that PostgreSQL takes out of JSON. */
function toJson(value: unknown): unknown {
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

/** A row of the newest state itself is somebody else's later verdict. */
function removal(table: ContractTable): string {
  return `
delete from ${table} old using latest_account_states newest
where old.account = any($1::bytea[]) and newest.account = old.account
  and old.last_transaction_lt < newest.last_trans_lt
returning old.account`;
}
