import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import { CHUNK_LOCK, CLASSIFICATION_LOCK, EVENT_LOCK } from '../../db/advisory-locks.ts';
import { anyOf, databaseOf } from '../../db/driver.ts';
import { CONTRACT_TABLES } from '../../db/tables/contract-tables.ts';
import { bytesKey, bytesOf } from '../../lib/bytes-key.ts';
import { toTraceHead } from '../format/actions.ts';
import { compressPage, joinSlots, type OpenPage, openPage, truncateTraceIds } from '../format/page.ts';
import { hashPrefix, pageNumber } from '../format/position.ts';
import { readMasterchainBlock } from '../snapshot.ts';
import {
  type ChangedAccount,
  type DiscardedBlocks,
  readChangedAccounts,
  readDiscarded,
} from './changed-accounts.ts';
import { WriteStatsRecorder } from './copy-in.ts';
import { cutTraces } from './cut-traces.ts';
import { toStored } from './stored-actions.ts';
import { settleWaiting } from './token-events.ts';
import type { ValidatorUpdate } from './validator-update.ts';
import { type AccountUpdate, writeAccounts } from './write-accounts.ts';
import { insertCode } from './write-codes.ts';
import {
  type DetectionResult,
  type ReadChainMetadata,
  TOKEN_KINDS,
  writeDetected,
} from './write-contracts.ts';
import { writeValidatorUpdates } from './write-validators.ts';

export interface IndexedBlock {
  readonly seqno: number;
  readonly rootHash: Buffer;
}

/** Where the index and the chain part. */
export interface Fork {
  /** The newest block that both have. */
  readonly common: BlockId;
  /** The newest block of the index, which the chain does not have. */
  readonly discarded: IndexedBlock;
}

/** The states of changed accounts after the last block that is kept. */
export interface RestoredStates {
  readonly latest: readonly AccountUpdate[];
  readonly codes: readonly ContractCode[];
  readonly detected: DetectionResult | undefined;
}

/** What a roll-back does, prepared outside of its transaction. */
export interface RollBackPlan {
  readonly fork: Fork;
  readonly changed: readonly ChangedAccount[];
  readonly restored: RestoredStates;
  /** What the last kept block shows about validators; undefined if there is no elector. */
  readonly validators: ValidatorUpdate | undefined;
}

/** Something changed between the preparation of a roll-back and its transaction, so it must be prepared again. */
class OutdatedPlan extends Error {
  override readonly name = 'OutdatedPlan';
}

/**
 * Removes all blocks after the common one in the transaction of the client, which must be the only one that writes the
 * index, and sets everything else to what it was after that block. Codes stay: they are kept by hash, so nobody finds
 * those that are no longer used. False when another process has done it.
 */
export async function rollBackTables(
  client: ClientBase,
  { fork: { common, discarded }, changed, restored, validators }: RollBackPlan,
  metadata: ReadChainMetadata,
): Promise<boolean> {
  await client.query('select pg_advisory_xact_lock($1), pg_advisory_xact_lock($2)', [
    CLASSIFICATION_LOCK,
    CHUNK_LOCK,
  ]);
  if (!(await hasBlock(client, discarded))) return false;
  if (!(await hasBlock(client, common))) throw new OutdatedPlan('The common block is no longer in the index');
  const blocks = await readDiscarded(client, common.seqno);
  if (!isSame(changed, await readChangedAccounts(client, blocks)))
    throw new OutdatedPlan('More blocks were indexed meanwhile');
  await cutBlocks(client, common.seqno, blocks);
  await writeStates(client, changed, restored, metadata);
  await rollBackValidators(client, common.seqno, validators);
  // Always the last lock.
  await client.query('select pg_advisory_xact_lock($1)', [EVENT_LOCK]);
  await databaseOf(client).deleteFrom('waiting_events').where('mc_seqno', '>', common.seqno).execute();
  const missing = restored.latest.filter(({ isMissing }) => isMissing);
  const open = new Set(restored.detected?.undetected);
  for (const { change } of missing) open.add(bytesKey(change.account));
  await settleWaiting(
    client,
    accountsOf(changed).filter((account) => !open.has(bytesKey(account))),
  );
  return true;
}

async function hasBlock(client: ClientBase, { seqno, rootHash }: IndexedBlock): Promise<boolean> {
  const block = await readMasterchainBlock(databaseOf(client), seqno);
  return block?.root_hash.equals(rootHash) ?? false;
}

function isSame(planned: readonly ChangedAccount[], found: readonly ChangedAccount[]): boolean {
  const nameOf = ({ account, state }: ChangedAccount) =>
    `${bytesKey(account)}${state === undefined ? '' : bytesKey(state.hash)}`;
  const names = new Set(planned.map(nameOf));
  return found.length === planned.length && found.every((one) => names.has(nameOf(one)));
}

function accountsOf(changed: readonly ChangedAccount[]): Buffer[] {
  return changed.map(({ account }) => account);
}

/**
 * $1 are the changed accounts; $2 and $3 are those that have data, and its hash; $4 are those without a state. States from
 * before the first block of the index came with the first blocks that show them.
 */
const DELETE_STATES = `
with latest as (
  delete from latest_account_states where account = any($1::bytea[])
), missing as (
  delete from missing_cells where account = any($1::bytea[])
), earlier as (
  delete from account_states where account = any($4::bytea[]) and (select first_seqno from index_origin) > 1
)
delete from account_data data where account = any($1::bytea[]) and not exists (
  select from unnest($2::bytea[], $3::bytea[]) as kept (account, hash)
  where kept.account = data.account and kept.hash = data.hash)`;

/** $1 are the changed accounts; the others are those that were found again, by table. Rows that stay keep their ids. */
const DELETE_CONTRACTS = `
with ${CONTRACT_TABLES.map(
  (table, at) => `old_${table} as (
  delete from ${table} where account = any($1::bytea[]) and not account = any($${at + 2}::bytea[]) returning account
)`,
).join(', ')}
delete from token_metadata token using (
  ${TOKEN_KINDS.map((kind) => `select '${kind}'::token_kind as kind, account from old_${kind}`).join(' union all ')}
) gone
where token.account = gone.account and token.kind = gone.kind`;

/** Replaces the newest states of changed accounts, and the contracts that were found in them. */
async function writeStates(
  client: ClientBase,
  changed: readonly ChangedAccount[],
  { latest, codes, detected }: RestoredStates,
  metadata: ReadChainMetadata,
): Promise<void> {
  const accounts = accountsOf(changed);
  const stats = new WriteStatsRecorder();
  const withData = latest.flatMap(({ change: { account, dataHash } }) =>
    dataHash ? [{ account, dataHash }] : [],
  );
  await client.query(DELETE_STATES, [
    accounts,
    withData.map(({ account }) => account),
    withData.map(({ dataHash }) => dataHash),
    changed.flatMap(({ account, state }) => (state === undefined ? [account] : [])),
  ]);
  await writeAccounts(client, { latest, earlier: [], detected }, stats);
  for (const code of codes) await insertCode(client, code);
  const found = Map.groupBy(detected?.found ?? [], ({ table }) => table);
  await client.query(DELETE_CONTRACTS, [
    accounts,
    ...CONTRACT_TABLES.map((table) => (found.get(table) ?? []).map(({ account }) => account)),
  ]);
  if (detected !== undefined) await writeDetected(client, detected, metadata, stats);
}

/**
 * Removes everything about blocks after a masterchain seqno, except for the states of accounts and what follows from
 * them. Rows are found through indexes, so that a short way takes milliseconds however long the chain is.
 */
export async function cutBlocks(client: ClientBase, seqno: number, discarded: DiscardedBlocks) {
  if (!Number.isSafeInteger(seqno)) throw new RangeError(`${seqno} is not a seqno`);
  // The planner knows little of partitions that are being filled, and might scan all of them.
  await client.query('set local enable_seqscan = off');
  const firstEndLt = await cutTraces(client, seqno, discarded);
  if (firstEndLt !== undefined) await cutActions(client, seqno, firstEndLt);
  await client.query(cutClassification(seqno));
  await cutRows(client, seqno, discarded);
  await cutPages(client, seqno);
  await client.query(cutCoverage(seqno));
  await client.query('set local enable_seqscan to default');
}

/** The rows by which actions are found follow from the actions. */
async function cutActions(client: ClientBase, seqno: number, firstEndLt: bigint): Promise<void> {
  const db = databaseOf(client);
  const isLater = sql<boolean>`trace_end_lt >= ${firstEndLt} and mc_seqno_end > ${seqno}`;
  const rows = await db.deleteFrom('trace_actions').where(isLater).returningAll().execute();
  const stored = rows.map((row) => toStored(toTraceHead(row), row.body));
  const keys = stored.flatMap((trace) => trace.keys.map(String));
  const accounts = stored.flatMap((trace) => trace.accounts.map(String));
  await db.deleteFrom('action_keys').where(isLater).where('key', '=', anyOf(keys)).execute();
  await db.deleteFrom('action_accounts').where(isLater).where('acc8', '=', anyOf(accounts)).execute();
}

const cutClassification = (seqno: number): string => `
delete from unclassified_traces where mc_seqno_end > ${seqno};
delete from classification_faults where mc_seqno_end > ${seqno};
delete from waiting_traces where mc_seqno_end > ${seqno};
delete from classification_ranges where first_seqno > ${seqno};
update classification_ranges set last_seqno = ${seqno} where last_seqno > ${seqno}`;

const TABLES_BY_LT = [
  'transactions',
  'messages',
  'jetton_transfers',
  'jetton_burns',
  'nft_transfers',
] as const;
const TABLES_BY_SEQNO = [
  'waiting_pools',
  'nominator_pool_events',
  'pool_validator_events',
  'shard_states',
  'blocks',
  'hash_places',
  'state_imports',
] as const;

/** These tables have an index by logical time, but none by seqno. */
async function cutRows(client: ClientBase, seqno: number, { firstLt, received }: DiscardedBlocks) {
  const db = databaseOf(client);
  if (firstLt !== undefined)
    for (const table of TABLES_BY_LT)
      await db.deleteFrom(table).where('lt', '>=', String(firstLt)).where('mc_seqno', '>', seqno).execute();
  // Received messages have the time at which they were sent, perhaps in a block that is kept.
  await db
    .deleteFrom('messages')
    .where('hash8', '=', anyOf([...received].map((hash) => String(hashPrefix(bytesOf(hash))))))
    .where('ordinal', '=', 0)
    .where('mc_seqno', '>', seqno)
    .execute();
  for (const table of TABLES_BY_SEQNO) await db.deleteFrom(table).where('mc_seqno', '>', seqno).execute();
}

/** The chunk with the last seqno becomes that of the head; whoever owned it has lost it. */
const cutCoverage = (seqno: number): string => `
delete from index_chunks where first_seqno > ${seqno};
update index_chunks set last_seqno = null, done_seqno = ${seqno}, owner = null, beat = clock_timestamp()
where done_seqno > ${seqno};
update index_origin set history_id = gen_random_uuid()`;

/**
 * Removes all transactions after a masterchain seqno from the pages. Slots are in the order of seqnos, so the page that
 * the cut goes through loses its last ones, and the others keep their positions.
 */
export async function cutPages(client: ClientBase, seqno: number): Promise<void> {
  const next = String(pageNumber(seqno + 1, 0));
  const db = databaseOf(client);
  await db.deleteFrom('tx_pages').where('page', '>=', next).execute();
  const before = db.selectFrom('tx_pages').selectAll().where('page', '<', next);
  const row = await before.orderBy('page', 'desc').limit(1).executeTakeFirst();
  if (row === undefined || row.last_seqno <= seqno) return;
  const page = openPage(Number(row.page), row.body);
  const kept = slotsUpTo(page, seqno);
  const body = compressPage(joinSlots(kept.map((slot) => page.packed(slot))));
  const traces = truncateTraceIds(row.traces, row.count, kept.length);
  await db
    .updateTable('tx_pages')
    .set({ last_seqno: page.place(kept.at(-1)!).mcSeqno, count: kept.length, traces, body })
    .where('page', '=', row.page)
    .execute();
}

function slotsUpTo(page: OpenPage, seqno: number): number[] {
  const slots = Array.from({ length: page.count }, (_, slot) => slot);
  return slots.filter((slot) => page.place(slot).mcSeqno <= seqno);
}

/** Rows of later blocks, by the column with their seqno. */
const LATER_ROWS = [
  ['validator_events', 'mc_seqno'],
  ['missing_elector_states', 'mc_seqno'],
  ['validator_elections', 'source_seqno'],
  ['validator_election_participants', 'source_seqno'],
  ['validator_complaints', 'source_seqno'],
] as const;

/** $1 is the last seqno that is kept, $2 are the starts of the sets in its configuration: other sets were not there before. */
const CUT_CYCLES = `
with gone as (
  delete from validator_cycles where source_seqno > $1 and not cycle_start = any($2::bigint[]) returning cycle_start
)
delete from validator_cycle_members member using gone where member.cycle_start = gone.cycle_start`;

/** The last kept block, and the key block whose configuration it has; null if that is not in the index. */
const FIND_PLACE = `
select gen_utime, (
  select max(mc_seqno) from blocks where workchain = ${MASTERCHAIN} and key_block and mc_seqno <= $1) as key_seqno
from blocks where mc_seqno = $1 and workchain = ${MASTERCHAIN}`;

/**
 * Takes back what blocks after a seqno showed about validators. An election that is open, a set in the configuration and
 * a complaint that the elector keeps are there all the time, so the state after the last kept block has everything that
 * must be set back. Stakes stay: the greatest were seen when a set was new. Call it after the blocks are removed.
 */
export async function rollBackValidators(
  client: ClientBase,
  seqno: number,
  update: ValidatorUpdate | undefined,
): Promise<void> {
  const { rows } = await client.query<{ gen_utime: string; key_seqno: number | null }>(FIND_PLACE, [seqno]);
  const { gen_utime, key_seqno: keySeqno } = rows[0]!;
  // Sets are read from key blocks only.
  const cycles = (keySeqno !== null && update?.cycles) || [];
  for (const [table, column] of LATER_ROWS)
    await client.query(`delete from ${table} where ${column} > $1`, [seqno]);
  await client.query(CUT_CYCLES, [seqno, cycles.map(({ set }) => set.since)]);
  if (update === undefined) return;
  const stats = new WriteStatsRecorder();
  const at = { ...update, utime: Number(gen_utime), cycles: [] };
  await writeValidatorUpdates(client, { updates: [at], missing: [] }, stats, 'keep');
  if (keySeqno === null) return;
  // So that the configuration of the last kept block replaces that of later ones.
  await client.query('update validator_cycles set source_seqno = $1 where source_seqno > $1', [keySeqno]);
  const ofKeyBlock = { ...at, mcSeqno: keySeqno, election: undefined, complaints: [], cycles };
  await writeValidatorUpdates(client, { updates: [ofKeyBlock], missing: [] }, stats);
}
