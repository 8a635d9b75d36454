import type { ClientBase } from 'pg';
import { CONTRACT_TABLES, type ContractTable } from '../../db/tables/contract-tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { WriteStatsRecorder } from './copy-in.ts';
import type { DetectionResult, FoundContract } from './detected-contracts.ts';
import { queryAccounts } from './write-accounts.ts';
import { dropMetadata, type ReadChainMetadata, writeMetadata } from './write-metadata.ts';

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
export function withdrawFromOtherTables(
  detected: DetectionResult,
  accounts: readonly Buffer[],
): DetectionResult {
  const { undetected } = detected;
  const detectedAccounts = accounts.filter((account) => !undetected.has(bytesKey(account)));
  if (detectedAccounts.length === 0) return detected;
  const gone = (table: ContractTable) => [...(detected.withdrawn.get(table) ?? []), ...detectedAccounts];
  return { ...detected, withdrawn: new Map(CONTRACT_TABLES.map((table) => [table, gone(table)])) };
}

/** Columns of every contract table that come from the account state. */
const STATE_COLUMNS = ['account', 'last_transaction_lt', 'code_hash', 'data_hash'];

/** The contracts that were written and removed. */
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
      const rows = contracts.map(toRow);
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
