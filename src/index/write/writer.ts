import { type Selectable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import type { AccountCells } from '../../chain/contracts/account-cells.ts';
import { anyOf, databaseOf } from '../../db/driver.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';
import type { Log } from '../../lib/log.ts';
import { type Claim, ClaimLost } from '../chunks.ts';
import { readIndexLayout } from '../coverage.ts';
import { ensurePartitions } from '../partitions.ts';
import { createAnnouncedWrites } from './announced-writes.ts';
import {
  assembleTraces,
  type KnownMessage,
  messagesFromBefore,
  type TraceBatch,
  wholeOf,
} from './assemble-traces.ts';
import { readChangedAccounts, readDiscarded } from './changed-accounts.ts';
import { copyIn, type WriteStats, WriteStatsRecorder } from './copy-in.ts';
import type { CopyRows, DecodedSeqno } from './decoded-seqno.ts';
import { copyPlaces } from './hash-places.ts';
import type { MissingRow, NewestState } from './missing-queue.ts';
import { receivedRows } from './received-messages.ts';
import { type RollBackPlan, rollBackTables } from './roll-back.ts';
import { BLOCK_COLUMNS, MESSAGE_COLUMNS, SHARD_STATE_COLUMNS, TRANSACTION_COLUMNS } from './rows.ts';
import { type StateBatch, type StateImport, writeStateBatch } from './state-imports.ts';
import { settleWaiting, tokenEvents, writeEvents } from './token-events.ts';
import { membersOf } from './trace-rows.ts';
import type { ValidatorUpdate } from './validator-update.ts';
import { type WriteBatch, writeAccounts } from './write-accounts.ts';
import { createKnownCodes, insertCode } from './write-codes.ts';
import {
  type DetectionResult,
  queryAccounts,
  type ReadChainMetadata,
  withdrawFromOtherTables,
  writeDetected,
} from './write-contracts.ts';
import { copyPages, preparePages } from './write-pages.ts';
import {
  type PoolTransaction,
  takeOff,
  type WaitingRow,
  writePoolEvents,
  writePools,
} from './write-pools.ts';
import { copyTraces, writeTraces } from './write-traces.ts';
import { writeValidatorEvents, writeValidatorUpdates } from './write-validators.ts';
import { createWriterConnections } from './writer-connections.ts';

const CONNECTIONS = 4;
/** Pending messages whose traces are cached. */
const MAX_CACHED_MESSAGES = 100_000;

interface WriterOptions {
  readonly url: string;
  readonly log: Log;
  /** Maximum batches written concurrently. */
  readonly connections?: number;
  /**
   * Whether blocks can be had again after a crash of PostgreSQL: commits within a chunk do not wait for the disk then. The
   * last one of a chunk does, and everything before it is on disk with it.
   */
  readonly isRepeatable?: boolean;
  /** Reads the metadata of tokens among detected contracts. */
  readonly metadata: ReadChainMetadata;
}

export type Writer = ReturnType<typeof createWriter>;

/** Creates a writer. The origin row of the index must exist before the first write. */
export function createWriter(options: WriterOptions) {
  const { url, log, connections: size = CONNECTIONS, isRepeatable = false, metadata } = options;
  const connections = createWriterConnections({ url, size, log, onLost: forget });
  const announced = createAnnouncedWrites({ url, log });
  // Only a cache: what a write finds in the database counts.
  const messages = new LRUCache<HashKey, KnownMessage>({
    // Not `max`, for which lru-cache would allocate all of it at once.
    maxSize: MAX_CACHED_MESSAGES,
    sizeCalculation: () => 1,
  });
  const partitions = new Set<number>();
  const codes = createKnownCodes();
  /** Rises when what was written is forgotten: a transaction that began before may belong to another history, or be undone. */
  let epoch = 0;
  let width: number | undefined;
  let cachedHistory: string | undefined;

  async function readWidth(): Promise<number> {
    const layout = await readIndexLayout(connections);
    if (layout === undefined) throw new Error('The index has no origin row yet');
    return layout.width;
  }

  async function prepare(from: number, to: number): Promise<number> {
    // Lost connections make it unknown again meanwhile.
    width ??= await readWidth();
    const known = width;
    await ensurePartitions(connections, { from, to, width: known, known: partitions });
    return known;
  }

  /** What is known of another history may have been removed. */
  function useHistory(historyId: string): void {
    if (historyId === cachedHistory) return;
    forgetWritten();
    cachedHistory = historyId;
  }

  async function write(claim: Claim, batch: WriteBatch): Promise<WriteStats> {
    const { seqnos } = batch;
    const first = seqnos[0]!.mcSeqno;
    const last = seqnos.at(-1)!.mcSeqno;
    const stats = new WriteStatsRecorder();
    const partitionSeqnos = await prepare(first, last);
    let backend: number | undefined;
    const work = async (client: ClientBase) => {
      const historyId = await lockChunk(client, claim, { first, last });
      if (historyId === undefined) return () => {};
      backend = backendOf(client);
      await announced.announce(backend, { first, last });
      useHistory(historyId);
      const begunIn = epoch;
      const pages = preparePages(seqnos, partitionSeqnos);
      const { positions } = pages.plan;
      const traces = await stats.time('assemble', () => assemble(client, seqnos));
      const transactions = { members: membersOf(seqnos, positions, traces), width: partitionSeqnos };
      const received = receivedRows(seqnos, traces, { positions, width: partitionSeqnos });
      await stats.time('copy', async () => {
        await copyRows(client, seqnos, received, stats);
        if (await announced.isNeeded()) await copyPlaces(client, seqnos, positions, stats);
        await copyTraces(client, traces, transactions, stats);
      });
      const { settled, withNewCode } = await stats.time('upserts', () => writeAccounts(client, batch, stats));
      const rememberCodes = await stats.time('upserts', async () => {
        const detected =
          batch.detected && withdrawFromOtherTables(batch.detected, [...settled, ...withNewCode]);
        if (detected !== undefined) await writeDetected(client, detected, metadata, stats);
        return codes.write(client, seqnos, stats);
      });
      const moves = await stats.time('joins', () => writeTraces(client, traces, transactions, stats));
      await stats.time('copy', () => copyPages(client, seqnos, pages, traces, stats));
      const { pools } = batch;
      if (pools !== undefined) await stats.time('events', () => writePools(client, pools, stats));
      await stats.time('upserts', async () => {
        await writeValidatorEvents(client, seqnos, stats);
        if (batch.validators !== undefined) await writeValidatorUpdates(client, batch.validators, stats);
      });
      const events = tokenEvents(seqnos, positions);
      await stats.time('events', () => writeEvents(client, events, { detected: settled }, stats));
      await advanceChunk(client, claim, last);
      return () => {
        if (begunIn !== epoch) return;
        rememberCodes();
        rememberMessages(traces, moves.length > 0);
      };
    };
    try {
      const remember = await connections.transact(work, {
        isRepeatable: isRepeatable && claim.lastSeqno !== undefined && last < claim.lastSeqno,
        aroundCommit: (commit) => stats.time('commit', commit),
      });
      remember();
    } finally {
      if (backend !== undefined) await announced.settle(backend);
    }
    claim.doneSeqno = last;
    return stats.result();
  }

  async function assemble(client: ClientBase, seqnos: readonly DecodedSeqno[]): Promise<TraceBatch> {
    const known = new Map<HashKey, KnownMessage>();
    const unknown: HashKey[] = [];
    for (const hash of messagesFromBefore(seqnos)) {
      const message = messages.get(hash);
      if (message === undefined) unknown.push(hash);
      else known.set(hash, message);
    }
    if (unknown.length > 0) {
      const pending = databaseOf(client).selectFrom('pending_messages').selectAll();
      const rows = await pending.where('hash', '=', anyOf(unknown.map(bytesOf))).execute();
      for (const { hash, trace_id, mc_seqno } of rows)
        known.set(bytesKey(hash), { traceId: bytesKey(trace_id), mcSeqno: mc_seqno });
    }
    return assembleTraces(seqnos, known);
  }

  function rememberMessages({ received, sent }: TraceBatch, haveMoved: boolean): void {
    // It is not known which cached messages belong to a merged trace.
    if (haveMoved) messages.clear();
    for (const hash of received.keys()) messages.delete(hash);
    for (const [hash, { trace, mcSeqno }] of sent)
      messages.set(hash, { traceId: wholeOf(trace).id, mcSeqno });
  }

  function forgetWritten(): void {
    epoch += 1;
    messages.clear();
    codes.clear();
  }

  function forget(): void {
    forgetWritten();
    partitions.clear();
    width = undefined;
  }

  return {
    /**
     * Writes a batch of a claim, which must start right after its checkpoint, in one transaction; throws `ClaimLost` when
     * the chunk is no longer ours. After any other error nothing is written and the batch may be retried.
     */
    async write(claim: Claim, batch: WriteBatch): Promise<WriteStats> {
      try {
        return await write(claim, batch);
      } catch (error) {
        forget();
        throw error;
      }
    },
    /** Writes fetched cells of an account whose newest state is `row`; false when it has a newer state by now. */
    saveAccountCells: (row: MissingRow, cells: AccountCells, detected: DetectionResult | undefined) =>
      connections.transact((client) => saveAccount(client, row, cells, detected, metadata)),
    /** Writes accounts of an imported state in one transaction, which is on disk after the last one. */
    async saveStates(state: StateImport, batch: StateBatch): Promise<void> {
      const begunIn = epoch;
      const save = (expectsNew: boolean) =>
        connections.transact(
          async (client) => {
            await writeStateBatch(client, state, batch, { metadata, expectsNew });
            return codes.write(client, [batch], new WriteStatsRecorder());
          },
          { isRepeatable: !batch.isLast },
        );
      const remember = await save(true).catch((error) => {
        // A block with one of the accounts was written meanwhile.
        if (!isUniqueViolation(error)) throw error;
        return save(false);
      });
      if (begunIn === epoch) remember();
    },
    /** Writes the interfaces of accounts in one transaction; those that have changed meanwhile still wait. */
    saveDetected: (rows: readonly DetectedRow[], detected: DetectionResult) =>
      connections.transact((client) => saveDetected(client, rows, detected, metadata)),
    /** Removes a complete account from the missing ones, unless it has changed meanwhile. */
    dropMissing: (row: MissingRow) => connections.transact((client) => dropMissing(client, row)),
    /** Writes the events of a pool that waited for them; false when it does not wait any more. */
    savePoolEvents: (row: WaitingRow, transactions: readonly PoolTransaction[]) =>
      connections.transact(async (client) => {
        if (!(await takeOff(client, row))) return false;
        await writePoolEvents(client, transactions, new WriteStatsRecorder());
        return true;
      }),
    /** Writes what a state of the elector shows that was missing when its block was indexed. */
    saveElectorState: (missing: MissingElectorState, updates: readonly ValidatorUpdate[]) =>
      connections.transact((client) => saveElectorState(client, missing, updates)),
    /** Reads the accounts that blocks after a seqno changed. */
    changedAccounts: (seqno: number) =>
      connections.transact(async (client) => readChangedAccounts(client, await readDiscarded(client, seqno))),
    /**
     * Takes indexed blocks back in one transaction; false when another process has done it. Fails, and may be prepared
     * again, when more blocks were indexed since.
     */
    rollBack: (plan: RollBackPlan) =>
      connections.transact((client) => rollBackTables(client, plan, metadata), { isAlone: true }),
    /** Clears all caches; must be called after the index was wiped. */
    reset: forget,
    async close(): Promise<void> {
      await announced.close();
      await connections.close();
    },
  };
}

/** The process of a connection in PostgreSQL, which the types of the driver leave out. */
function backendOf(client: ClientBase): number {
  return (client as ClientBase & { readonly processID: number }).processID;
}

/** Copies the rows that are only ever inserted. */
async function copyRows(
  client: ClientBase,
  seqnos: readonly DecodedSeqno[],
  received: readonly CopyRows[],
  stats: WriteStatsRecorder,
): Promise<void> {
  const tables = [
    ['blocks', BLOCK_COLUMNS, seqnos.map(({ blocks }) => blocks)],
    ['shard_states', SHARD_STATE_COLUMNS, seqnos.map(({ shardStates }) => shardStates)],
    ['transactions', TRANSACTION_COLUMNS, seqnos.map(({ transactions }) => transactions)],
    ['messages', MESSAGE_COLUMNS, [...seqnos.map((seqno) => seqno.messages), ...received]],
  ] as const;
  for (const [table, columns, rows] of tables) stats.add(await copyIn(client, table, columns, rows));
}

type ChunkRow = Selectable<Tables['index_chunks']> & { readonly history_id: string };

/**
 * Locks the chunk of a claim until the end of the transaction and returns the history of the index. Undefined when the
 * seqnos are written already: a commit may have succeeded although its response was lost. Throws `ClaimLost` when another
 * process owns the chunk.
 */
async function lockChunk(
  client: ClientBase,
  claim: Claim,
  seqnos: { readonly first: number; readonly last: number },
): Promise<string | undefined> {
  const { rows } = await client.query<ChunkRow>(
    `select *, (select history_id from index_origin) as history_id
     from index_chunks where first_seqno <= $1 order by first_seqno desc limit 1 for update`,
    [claim.firstSeqno],
  );
  const [chunk] = rows;
  if (chunk === undefined) throw new ClaimLost(`Chunk ${claim.firstSeqno} no longer exists`);
  const isOurs = chunk.first_seqno === claim.firstSeqno && chunk.owner === claim.owner;
  if (chunk.done_seqno >= seqnos.last && (isOurs || chunk.owner === null)) return undefined;
  if (!isOurs) throw new ClaimLost(`Chunk ${claim.firstSeqno} is now owned by ${chunk.owner ?? 'nobody'}`);
  const isInside = seqnos.last <= (chunk.last_seqno ?? Number.POSITIVE_INFINITY);
  if (chunk.done_seqno !== seqnos.first - 1 || !isInside)
    throw new ClaimLost(
      `Chunk ${claim.firstSeqno} to ${chunk.last_seqno ?? 'the head'} is written up to ${chunk.done_seqno}, ` +
        `cannot write ${seqnos.first} to ${seqnos.last}`,
    );
  return chunk.history_id;
}

/** Advances the checkpoint of a locked chunk; a finished chunk has no owner. */
async function advanceChunk(client: ClientBase, claim: Claim, doneSeqno: number): Promise<void> {
  await client.query(
    `update index_chunks set done_seqno = $2, beat = clock_timestamp(),
       owner = case when last_seqno = $2 then null else owner end
     where first_seqno = $1`,
    [claim.firstSeqno, doneSeqno],
  );
}

/**
 * Writes the cells and interfaces of an account if their state is still its newest one. The account is then complete,
 * unless it is undetected.
 */
async function saveAccount(
  client: ClientBase,
  { account, hash, dataHash, historyId }: MissingRow,
  { code, data, balanceExtra }: AccountCells,
  detected: DetectionResult | undefined,
  metadata: ReadChainMetadata,
): Promise<boolean> {
  const db = databaseOf(client);
  const { numUpdatedRows } = await db
    .updateTable('latest_account_states')
    .set({ balance_extra: balanceExtra ?? null })
    .where('account', '=', account)
    .where('hash', '=', hash)
    .where(isStill(historyId))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (dataHash !== null && data !== undefined)
    await db
      .insertInto('account_data')
      .values({ account, hash: dataHash, boc: data })
      .onConflict((conflict) => conflict.column('account').doUpdateSet({ hash: dataHash, boc: data }))
      .execute();
  if (code !== undefined) await insertCode(client, code);
  if (detected !== undefined && detected.undetected.size > 0) return true;
  await db.deleteFrom('missing_cells').where('account', '=', account).execute();
  if (detected !== undefined) await writeDetected(client, detected, metadata, new WriteStatsRecorder());
  await settleWaiting(client, [account]);
  return true;
}

/** The condition that no blocks were taken back since. */
function isStill(historyId: string) {
  return sql<boolean>`exists (select 1 from index_origin where history_id = ${historyId})`;
}

interface MissingElectorState {
  readonly mcSeqno: number;
  readonly historyId: string;
}

/** Does nothing if the block was taken back meanwhile. */
async function saveElectorState(
  client: ClientBase,
  { mcSeqno, historyId }: MissingElectorState,
  updates: readonly ValidatorUpdate[],
): Promise<void> {
  const { numDeletedRows } = await databaseOf(client)
    .deleteFrom('missing_elector_states')
    .where('mc_seqno', '=', mcSeqno)
    .where(isStill(historyId))
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await writeValidatorUpdates(client, { updates, missing: [] }, new WriteStatsRecorder());
}

type DetectedRow = Pick<NewestState, 'account' | 'hash'>;

async function saveDetected(
  client: ClientBase,
  rows: readonly DetectedRow[],
  detected: DetectionResult,
  metadata: ReadChainMetadata,
): Promise<void> {
  const done = rows.filter(({ account }) => !detected.undetected.has(bytesKey(account)));
  const settled = await queryAccounts(
    client,
    `delete from missing_cells waiting
     using unnest($1::bytea[], $2::bytea[]) as done(account, hash), latest_account_states state
     where waiting.account = done.account and state.account = done.account and state.hash = done.hash
     returning waiting.account`,
    [done.map(({ account }) => account), done.map(({ hash }) => hash)],
  );
  await writeDetected(client, detected, metadata, new WriteStatsRecorder());
  await settleWaiting(client, settled);
}

async function dropMissing(client: ClientBase, { account, hash }: MissingRow): Promise<void> {
  await client.query(
    `delete from missing_cells where account = $1
       and exists (select 1 from latest_account_states s where s.account = $1 and s.hash = $2)`,
    [account, hash],
  );
  await settleWaiting(client, [account]);
}
