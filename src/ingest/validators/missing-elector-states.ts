import type { Kysely } from 'kysely';
import { createQueue } from '../../db/queue.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { ValidatorUpdates } from '../../index/write/validator-update.ts';
import type { Writer } from '../../index/write/writer.ts';
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

/** Seqnos whose state of the elector is missing. */
const QUEUE = createQueue({
  table: 'missing_elector_states',
  key: ['mc_seqno'],
  leaseSeconds: 120,
  pauseSeconds: [5, 3600],
});

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
    await QUEUE.count(db).then(onRound, (error) => onError?.(error));
    if (!isBusy) await pause(pauseMs, signal);
  }
}

/** Fetches and writes one state; false if none was due. */
async function completeOne({ db, decoder, writer, context }: MissingElectorOptions): Promise<boolean> {
  // When the seqno is taken: nothing is written to another history.
  const history = await db.selectFrom('index_origin').select('history_id').executeTakeFirst();
  const [taken] = await QUEUE.take(db, (queue) => QUEUE.due(queue).orderBy('next_try').limit(1));
  if (history === undefined || taken === undefined) return false;
  const { mc_seqno: mcSeqno } = taken;
  const found = await readSeqno({ db, decoder, context }, mcSeqno).catch((error) => {
    context.signal.throwIfAborted();
    context.onError?.(error);
    return undefined;
  });
  if (found?.missing.length === 0)
    await writer.saveElectorState({ mcSeqno, historyId: history.history_id }, found.updates);
  else await QUEUE.postpone(db, taken);
  return true;
}

/** Reads one seqno anew. */
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
