import type { Database } from '../db/connection.ts';
import { readIndexCoverage, readIndexedTime } from '../index/snapshot.ts';
import { withTimeout } from '../lib/wait.ts';
import type { Streaming } from './create-streaming.ts';
import type { StreamHealth } from './interface.ts';

interface HealthOptions {
  readonly database: Pick<Database, 'read'>;
  readonly streaming: Pick<Streaming, 'follower'>;
  readonly hasPending: boolean;
  /** Whether components also have the names that they have in the reference. */
  readonly hasReferenceNames: boolean;
}

const MAX_AGE_SECONDS = 15;
const MAX_READ_MS = 2000;

/** Creates the check behind `/api/streaming/healthz`, in the form of the reference with our components. */
export function createStreamHealth(options: HealthOptions): () => Promise<StreamHealth> {
  const { database, streaming, hasPending, hasReferenceNames } = options;

  async function readHeadTime(): Promise<number | undefined> {
    const read = database.read(async (db) => {
      const coverage = await readIndexCoverage(db);
      return coverage?.newest == null ? undefined : readIndexedTime(db, { seqno: coverage.newest });
    });
    return withTimeout(MAX_READ_MS, read, () => new Error('late')).catch(() => undefined);
  }

  return async () => {
    const now = Math.floor(Date.now() / 1000);
    const utime = await readHeadTime();
    const beat = Math.floor(streaming.follower.checkedAt());
    const components = {
      indexer: indexerHealth(utime, now),
      streaming: beatHealth(beat, now),
      ...(hasPending && { pending: beatHealth(now, now) }),
    };
    const aliases = hasReferenceNames ? referenceNames({ pending: components.streaming, ...components }) : {};
    return {
      ok: Object.values(components).every(({ ok }) => ok),
      now,
      components: { ...components, ...aliases },
    };
  };
}

interface ComponentHealth {
  readonly ok: boolean;
  readonly error?: string;
}

/** Who does here what the processes of the reference do there. */
function referenceNames(components: Readonly<Record<'indexer' | 'streaming' | 'pending', ComponentHealth>>) {
  const { indexer, streaming, pending } = components;
  return {
    'ton-trace-emulator': { ...pending, ...indexer, ok: pending.ok && indexer.ok },
    'event-classifier': streaming,
    'ton-trace-ttl-tracker': pending,
  };
}

function indexerHealth(utime: number | undefined, now: number) {
  if (utime === undefined) return { ok: false, error: 'missing health data' };
  const age = Math.max(0, now - utime);
  const fault = age > MAX_AGE_SECONDS && { error: 'finalized masterchain block is too old' };
  return { ok: !fault, last_finalized_mc_block_time: utime, finalized_age_seconds: age, ...fault };
}

function beatHealth(beat: number, now: number) {
  if (beat === 0) return { ok: false, error: 'missing health data' };
  const age = Math.max(0, now - beat);
  const fault = age > MAX_AGE_SECONDS && { error: 'heartbeat is too old' };
  return { ok: !fault, age_seconds: age, last_heartbeat: beat, ...fault };
}
