import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import {
  BLOCK_COLUMNS,
  MESSAGE_COLUMNS,
  SHARD_STATE_COLUMNS,
  TRANSACTION_COLUMNS,
} from '../../db/copy/columns.ts';
import { ensurePartitions } from '../../db/partitions.ts';
import type { Log } from '../../lib/log.ts';
import type { Claim } from '../chunks/claim.ts';
import type { DecodedSeqno } from '../decode/decoded-seqno.ts';
import type { EventFacts } from '../decode/event-facts.ts';
import type { Verdicts } from '../detect/verdicts.ts';
import { writeEvents } from '../events/write-events.ts';
import { bytesOf, type HashKey, keyOf } from '../hash-key.ts';
import { METADATA_SETTINGS } from '../metadata/metadata-settings.ts';
import type { ChainMetadataSettings } from '../metadata/write-metadata.ts';
import type { AccountCells } from '../states/account-cells.ts';
import type { MissingRow } from '../states/missing-rows.ts';
import { wholeOf } from '../traces/trace.ts';
import { assembleTraces, messagesFromBefore, type TraceBatch } from '../traces/trace-batch.ts';
import {
  TRACE_ACCOUNT_COLUMNS,
  TRACE_COLUMNS,
  traceAccountRows,
  traceRows,
  UNCLASSIFIED_COLUMNS,
  unclassifiedRows,
} from '../traces/trace-rows.ts';
import { lockChunk, moveChunk } from './chunk-row.ts';
import { copyIn } from './copy-in.ts';
import { keepAccount } from './keep-account.ts';
import { writeAccounts } from './write-accounts.ts';
import type { WriteBatch } from './write-batch.ts';
import { createKnownContents, type KnownContents } from './write-contents.ts';
import { FigureBook, type WriteFigures } from './write-figures.ts';
import { writeTraces } from './write-traces.ts';
import { withdrawnElsewhere, writeVerdicts } from './write-verdicts.ts';
import { createWriterConnections, type WriterConnections } from './writer-connections.ts';

const CONNECTIONS = 4;
/** Messages that wait, of which the traces are kept in memory. */
const REMEMBERED_MESSAGES = 100_000;

export interface WriterOptions {
  readonly url: string;
  readonly log: Log;
  /** Batches that are written at once, at most. */
  readonly connections?: number;
  /** How what is shown of tokens is written. */
  readonly metadata?: ChainMetadataSettings;
}

/** Writes seqnos to the index. */
export interface Writer {
  /**
   * Writes a batch of a claim, which must begin behind what is done, in one transaction; `ClaimLost` when the chunk is
   * no longer ours. After any other error nothing of it is written and it may be given again.
   */
  write(claim: Claim, batch: WriteBatch): Promise<WriteFigures>;
  /**
   * Keeps what was asked for about an account whose newest state is `row`; false when it has a newer one by now.
   */
  keepAccount(row: MissingRow, cells: AccountCells, verdicts: Verdicts | undefined): Promise<boolean>;
  /** Forgets what it remembers of the database; to be called when the index was emptied. */
  forget(): void;
  close(): Promise<void>;
}

/** Opens no connection yet. The origin of the index must be noted before the first write. */
export function createWriter(options: WriterOptions): Writer {
  const { url, log, connections: size = CONNECTIONS, metadata = METADATA_SETTINGS } = options;
  const connections = createWriterConnections({ url, size, log });
  // Only hints: what a write finds in the database counts.
  const messages = new LRUCache<HashKey, HashKey>({ max: REMEMBERED_MESSAGES });
  const partitions = new Set<number>();
  let contents: KnownContents | undefined;

  async function prepare(from: number, to: number): Promise<KnownContents> {
    const known = contents ?? createKnownContents(await partitionWidth(connections));
    contents = known;
    await ensurePartitions(connections, { from, to, width: known.partitionSeqnos, known: partitions });
    return known;
  }

  async function write(claim: Claim, batch: WriteBatch): Promise<WriteFigures> {
    const { seqnos } = batch;
    const first = seqnos[0]!.mcSeqno;
    const last = seqnos.at(-1)!.mcSeqno;
    const book = new FigureBook();
    const known = await prepare(first, last);
    const work = async (client: ClientBase) => {
      if (!(await lockChunk(client, claim, { first, last }))) return () => {};
      const traces = await book.time('assemble', () => assemble(client, seqnos));
      await book.time('copy', () => copyRows(client, seqnos, traces, book));
      const { settled, recoded } = await book.time('upserts', () => writeAccounts(client, batch, book));
      const rememberContents = await book.time('upserts', async () => {
        const verdicts = batch.verdicts && withdrawnElsewhere(batch.verdicts, [...settled, ...recoded]);
        if (verdicts !== undefined) await writeVerdicts(client, verdicts, metadata, book);
        return known.write(client, seqnos, book);
      });
      const moves = await book.time('joins', () => writeTraces(client, traces, book));
      await book.time('events', () => writeEvents(client, eventsOf(seqnos), { judged: settled }, book));
      await moveChunk(client, claim, last);
      return () => {
        rememberContents();
        rememberMessages(traces, moves.length > 0);
      };
    };
    const remember = await connections.transact(work, (commit) => book.time('commit', commit));
    remember();
    claim.doneSeqno = last;
    return book.figures();
  }

  async function assemble(client: ClientBase, seqnos: readonly DecodedSeqno[]): Promise<TraceBatch> {
    const known = new Map<HashKey, HashKey>();
    const unknown: HashKey[] = [];
    for (const hash of messagesFromBefore(seqnos)) {
      const trace = messages.get(hash);
      if (trace === undefined) unknown.push(hash);
      else known.set(hash, trace);
    }
    if (unknown.length > 0) {
      const { rows } = await client.query<{ hash: Buffer; trace_id: Buffer }>(
        'select hash, trace_id from pending_messages where hash = any($1::bytea[])',
        [unknown.map(bytesOf)],
      );
      for (const { hash, trace_id } of rows) known.set(keyOf(hash), keyOf(trace_id));
    }
    const traces = assembleTraces(seqnos, known);
    patchTraceIds(seqnos, traces);
    return traces;
  }

  function rememberMessages({ received, sent }: TraceBatch, haveMoved: boolean): void {
    // Which of the messages belonged to a trace that is part of another one now is not kept.
    if (haveMoved) messages.clear();
    for (const hash of received.keys()) messages.delete(hash);
    for (const [hash, { trace }] of sent) messages.set(hash, wholeOf(trace).id);
  }

  function forget(): void {
    messages.clear();
    partitions.clear();
    contents = undefined;
  }

  return {
    async write(claim, batch) {
      try {
        return await write(claim, batch);
      } catch (error) {
        forget();
        throw error;
      }
    },
    keepAccount(row, cells, verdicts) {
      const work = (client: ClientBase) => keepAccount(client, row, cells, verdicts, metadata);
      return connections.transact(work, (commit) => commit());
    },
    forget,
    close: () => connections.close(),
  };
}

function eventsOf(seqnos: readonly DecodedSeqno[]): EventFacts[] {
  return seqnos.flatMap(({ events }) => events);
}

async function partitionWidth(connections: WriterConnections): Promise<number> {
  const { rows } = await connections.query('select partition_seqnos from index_origin');
  if (rows[0] === undefined) throw new Error('The origin of the index is not noted');
  return Number(rows[0].partition_seqnos);
}

/** The rows that only ever come once. */
async function copyRows(
  client: ClientBase,
  seqnos: readonly DecodedSeqno[],
  traces: TraceBatch,
  book: FigureBook,
): Promise<void> {
  const tables = [
    ['blocks', BLOCK_COLUMNS, seqnos.map(({ blocks }) => blocks)],
    ['shard_states', SHARD_STATE_COLUMNS, seqnos.map(({ shardStates }) => shardStates)],
    ['transactions', TRANSACTION_COLUMNS, seqnos.map(({ transactions }) => transactions)],
    ['messages', MESSAGE_COLUMNS, seqnos.map((seqno) => seqno.messages)],
    ['traces', TRACE_COLUMNS, [traceRows(traces.complete)]],
    ['trace_accounts', TRACE_ACCOUNT_COLUMNS, [traceAccountRows(seqnos, traces)]],
    ['unclassified_traces', UNCLASSIFIED_COLUMNS, [unclassifiedRows(traces.complete)]],
  ] as const;
  for (const [table, columns, rows] of tables) book.add(await copyIn(client, table, columns, rows));
}

function patchTraceIds(seqnos: readonly DecodedSeqno[], { traces }: TraceBatch): void {
  seqnos.forEach(({ transactions, traces: facts }, at) => {
    for (let i = 0; i < facts.count; i++)
      transactions.bytes.write(wholeOf(traces[at]![i]!).id, facts.traceIdAt[i]!, 'latin1');
  });
}
