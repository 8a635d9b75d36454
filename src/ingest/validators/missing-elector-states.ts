import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables/tables.ts';
import type { ValidatorUpdates } from '../../index/write/validator-update.ts';
import type { Writer } from '../../index/write/writer.ts';
import { backOffDelay } from '../../lib/back-off.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { pause } from '../../lib/wait.ts';
import type { FetchContext } from '../../lite/fetch-context.ts';
import type { Decoder } from '../decode/decoder.ts';
import { fetchSeqnos } from '../fetch/fetch-seqnos.ts';
import { createElectorTracker } from './elector-tracker.ts';

interface MissingElectorOptions {
  readonly db: Kysely<Tables>;
  readonly decoder: Decoder;
  readonly writer: Pick<Writer, 'saveElectorState'>;
  readonly context: FetchContext;
  /** Called after each round with the backlog, if it can be counted. */
  readonly onRound: (missing: number) => void;
  /** Pause when nothing is due. */
  readonly pauseMs?: number | undefined;
}

const PAUSE_MS = 3000;
const FETCH_MS = 30_000;
/** How long a taken seqno is reserved. */
const LEASE_SECONDS = 120;
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 3600;
const MAX_COUNTED = 1_000_000;

/** Fetches the states of the elector that were not to be had when their blocks were indexed, until the signal aborts. */
export async function completeElectorStates(options: MissingElectorOptions): Promise<void> {
  const { db, context, onRound, pauseMs = PAUSE_MS } = options;
  const { log, signal, onError } = context;
  while (!signal.aborted) {
    const isBusy = await retryUntilDone(() => completeOne(options), {
      log,
      signal,
      onError,
      task: 'fetch a missing state of the elector',
      firstPauseMs: 1000,
    });
    await countMissing(db).then(onRound, (error) => onError?.(error));
    if (!isBusy) await pause(pauseMs, signal);
  }
}

interface MissingState {
  readonly mcSeqno: number;
  readonly tries: number;
  /** The history of the index when it was taken. */
  readonly historyId: string;
}

/** Fetches and writes one state; false if none was due. */
async function completeOne({ db, decoder, writer, context }: MissingElectorOptions): Promise<boolean> {
  const taken = await takeMissing(db);
  if (taken === undefined) return false;
  const { mcSeqno, historyId } = taken;
  const found = await readSeqno({ db, decoder, context }, mcSeqno).catch((error) => {
    context.signal.throwIfAborted();
    context.onError?.(error);
    return undefined;
  });
  if (found?.missing.length === 0) await writer.saveElectorState({ mcSeqno, historyId }, found.updates);
  else await postpone(db, taken);
  return true;
}

async function readSeqno(
  { db, decoder, context }: Pick<MissingElectorOptions, 'db' | 'decoder' | 'context'>,
  mcSeqno: number,
): Promise<ValidatorUpdates | undefined> {
  for await (const fetched of fetchSeqnos(context, { from: mcSeqno, to: mcSeqno })) {
    const { id } = fetched.masterchain;
    const tracker = createElectorTracker({ db, fetch: context });
    return tracker.prepare([await decoder.decode(fetched)], { blockOf: () => id, timeoutMs: FETCH_MS });
  }
  return undefined;
}

async function takeMissing(db: Kysely<Tables>): Promise<MissingState | undefined> {
  const { rows } = await sql<MissingState>`
    with due as (
      select mc_seqno from missing_elector_states where next_try <= clock_timestamp()
      order by next_try limit 1 for update skip locked
    ), taken as (
      update missing_elector_states set next_try = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
      where mc_seqno in (select mc_seqno from due) returning mc_seqno, tries
    )
    select mc_seqno as "mcSeqno", tries, history_id as "historyId" from taken, index_origin`.execute(db);
  return rows[0];
}

/** The size of the backlog, up to a limit. */
async function countMissing(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from missing_elector_states limit ${MAX_COUNTED}) one
  `.execute(db);
  return rows[0]!.count;
}

/** Retries later, with back-off. */
async function postpone(db: Kysely<Tables>, { mcSeqno, tries }: MissingState): Promise<void> {
  const seconds = backOffDelay(tries + 1, FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS);
  await sql`
    update missing_elector_states
    set tries = tries + 1, next_try = clock_timestamp() + ${seconds} * interval '1 second'
    where mc_seqno = ${mcSeqno}`.execute(db);
}
