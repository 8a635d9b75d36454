import type { SeqnoRange } from '../index/snapshot.ts';
import { describeFailure } from '../db/errors.ts';
import { createThrottledLog } from '../lib/retry.ts';
import { pause } from '../lib/wait.ts';
import { type FetchContext, FetchGate } from '../lite/fetch-context.ts';
import type { LitePool } from '../lite/pool.ts';
import { createLiteSource } from './fetch/lite-source.ts';
import { SeqnoUnavailable } from './fetch/packs/pack-source.ts';
import type { ImportRun, MissingRange } from './import-run.ts';
import type { Log } from '../lib/log.ts';

/** Lite servers that fill what files lack. */
export interface LiteHelp {
  readonly pool: LitePool;
  readonly check: FetchContext['check'];
}

interface FillOptions {
  readonly run: ImportRun;
  readonly lite: LiteHelp;
  readonly missing: readonly MissingRange[];
  readonly log: Log;
  /** How long to wait for the next block: servers that have only new blocks never give an old one. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 120_000;
const MAX_FETCHES = 24;
/** Servers that are slow to say no are asked for few blocks at a time. */
const CHUNK_SEQNOS = 200;

/** Indexes from lite servers what files do not have; what those do not give in time stays missing. */
export async function fillGaps({ run, lite, missing, log, patienceMs = PATIENCE_MS }: FillOptions): Promise<void> {
  run.forget();
  const gate = new FetchGate(MAX_FETCHES);
  const reasons = [...missing];
  const wanted = { first: missing[0]!.first, last: missing.at(-1)!.last };

  async function fill(): Promise<boolean> {
    const taken = await run.claim(missing, CHUNK_SEQNOS);
    if (taken === undefined) return false;
    let lastError: unknown;
    const lost = new AbortController();
    await run.work(taken, {
      explain: (reason) => `${reasonAt(reasons, taken.doneSeqno + 1)}; ${reason}`,
      open: (held) => {
        const source = createLiteSource({
          ...lite,
          log: createThrottledLog(log, () => performance.now()),
          gate,
          signal: AbortSignal.any([held, lost.signal]),
          onError(error) {
            lastError = error;
          },
        });
        return {
          ...source,
          seqnos: (range, limits) =>
            inTime(source.seqnos(range, limits), patienceMs, () => {
              const rest = { first: taken.doneSeqno + 1, last: taken.lastSeqno! };
              const why = lastError === undefined ? '' : `: ${describeFailure(lastError)}`;
              return new SeqnoUnavailable(seqnosOf(rest), `lite servers did not give it in ${patienceMs / 1000} s${why}`);
            }),
        };
      },
    }).finally(() => lost.abort());
    return true;
  }

  await run.workUntilDone(wanted, fill);
}
