import { statfs } from 'node:fs/promises';
import type { Database } from '../db/connection.ts';
import { DATABASE_DISK_FULL } from '../db/errors.ts';
import type { Db } from '../db/tables/tables.ts';
import { type IndexCoverage, readIndexCoverage, readIndexedTime } from '../index/snapshot.ts';
import type { IndexProgress } from '../ingest/progress.ts';
import { Failure } from '../lib/errors.ts';
import type { CheckOutcome } from '../observe/health.ts';
import { formatBytes } from './format.ts';

/** The newest masterchain block that the lite servers of this process have. */
export interface Head {
  readonly seqno: number;
  /** When it was created, in unix seconds, as a lite server says. */
  readonly utime: number | undefined;
}

interface HeadCheckOptions {
  readonly database: Pick<Database, 'read'>;
  readonly head: () => Head | undefined;
  /** How old the head may be, and how far behind the index. */
  readonly maxAgeMs: number | 'off';
  /** In unix seconds. */
  readonly clock: () => number;
}

/**
 * Creates the check of the head. It fails when the network makes no blocks, and when the index has newer blocks than the
 * lite servers of this process.
 */
export function createHeadCheck({ database, head: readHead, maxAgeMs, clock }: HeadCheckOptions) {
  return async (): Promise<CheckOutcome> => {
    const head = readHead();
    if (head?.utime === undefined) return 'no block yet';
    if (maxAgeMs === 'off') return `seqno ${head.seqno}`;
    const limit = maxAgeMs / 1000;
    const newest = await database.read(readNewestIndexed);
    const behind = (newest?.utime ?? 0) - head.utime;
    if (newest !== undefined && behind > limit)
      throw new Failure(
        'unavailable',
        `lite servers are ${behind} s behind the index: they have seqno ${head.seqno}, the index has ${newest.seqno}; the limit is ${limit} s`,
      );
    const age = Math.max(0, Math.round(clock() - head.utime));
    if (age > limit)
      throw new Failure(
        'unavailable',
        `no new block: seqno ${head.seqno} is ${age} s old, the limit is ${limit} s`,
      );
    return `seqno ${head.seqno}, ${age} s old`;
  };
}

/** The local chain of this process. */
export interface LocalChainState {
  readonly seqno: number;
  readonly mine: 'interval' | 'message';
  /** Time between blocks. */
  readonly blockMs: number;
  readonly waitingMessages: number;
  /** Why the last block could not be made. */
  readonly fault: string | undefined;
}

interface LocalChainCheckOptions {
  readonly state: () => LocalChainState;
  /** Milliseconds of a monotonic clock: that of the chain can be moved. */
  readonly now?: () => number;
}

const MIN_PATIENCE_MS = 10_000;
const PATIENT_BLOCKS = 3;

/** Creates the check that a local chain makes the blocks that are due; with `LOCALNET_MINE=message` none are without messages. */
export function createLocalChainCheck({ state, now = () => performance.now() }: LocalChainCheckOptions) {
  let seen = { seqno: -1, dueSinceMs: 0 };
  return async (): Promise<CheckOutcome> => {
    const { seqno, mine, blockMs, waitingMessages, fault } = state();
    if (fault !== undefined)
      throw new Failure('unavailable', 'the last block could not be made', { cause: fault });
    const isDue = mine === 'interval' || waitingMessages > 0;
    if (seqno !== seen.seqno || !isDue) seen = { seqno, dueSinceMs: now() };
    const waitedMs = now() - seen.dueSinceMs;
    if (waitedMs > Math.max(MIN_PATIENCE_MS, PATIENT_BLOCKS * blockMs))
      throw new Failure('unavailable', `no block for ${Math.round(waitedMs / 1000)} s`);
    return `seqno ${seqno}`;
  };
}

interface DiskCheckOptions {
  readonly database: Pick<Database, 'isDiskFull'>;
  readonly dataDir: string;
  /** Undefined: free space is not looked at. */
  readonly minFreeBytes: number | undefined;
}

/** Creates the check that there is space for what this process and its database write. */
export function createDiskCheck({ database, dataDir, minFreeBytes }: DiskCheckOptions) {
  return async (): Promise<CheckOutcome> => {
    if (database.isDiskFull()) throw new Failure('unavailable', DATABASE_DISK_FULL);
    if (minFreeBytes === undefined) return;
    // A process that only serves may have no directory.
    const disk = await statfs(dataDir).catch(() => undefined);
    const free = disk === undefined ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
    if (free < minFreeBytes)
      throw new Failure(
        'unavailable',
        `the disk of DATA_DIR has ${formatBytes(free)} free, the limit is ${formatBytes(minFreeBytes)}`,
      );
  };
}

interface IndexCheckOptions {
  readonly database: Pick<Database, 'read'>;
  readonly network: string;
  readonly head: () => Head | undefined;
  /** How far the index may be behind the head without a warning. */
  readonly maxLagMs: number | 'off';
  /** Of the indexer in this process; undefined if others fill the index. */
  readonly progress: (() => IndexProgress) | undefined;
}

/**
 * An index whose newest block is further behind is being filled anew. It is about half an hour of mainnet: a restart of
 * the indexer must not take the processes that serve v2 out of service, all of them at the same moment.
 */
const MAX_LAG_SEQNOS = 5000;
/** A local chain is always indexed from its first block, so gaps mean that its index was started over. */
const MAX_LOCALNET_MISSING = 100;

/**
 * Creates the readiness check of the index, also for processes that only serve it. Back-filling history is no reason to
 * send requests elsewhere: the head is followed meanwhile, and v3 responses say what is missing.
 */
export function createIndexCheck(options: IndexCheckOptions) {
  const { database, network, head: readHead, maxLagMs, progress } = options;
  return async (): Promise<CheckOutcome> => {
    const { state, lastError } = progress?.() ?? {};
    if (state === 'stopped' || state === 'diverged')
      throw new Failure('unavailable', `indexing has ${state}`);
    if (lastError === DATABASE_DISK_FULL) throw new Failure('unavailable', lastError);
    const coverage = await database.read(readIndexCoverage);
    if (coverage === undefined) return state ?? 'no index';
    const head = readHead();
    const figures = figuresOf(coverage, head?.seqno);
    const text = describe(figures);
    const { lag, missing } = figures;
    if (lag > MAX_LAG_SEQNOS || (network === 'localnet' && missing > MAX_LOCALNET_MISSING))
      throw new Failure('unavailable', `the index is being filled anew: ${text}`);
    const described = state === undefined ? text : `${state}, ${text}`;
    const lagSeconds = lag > 0 ? await secondsBehind(database, head, coverage.newest) : 0;
    return maxLagMs !== 'off' && lagSeconds > maxLagMs / 1000
      ? {
          warning: `${described}: ${lagSeconds} s behind the head, the limit is ${maxLagMs / 1000} s`,
        }
      : described;
  };
}

/** By the times of the blocks, so that neither clocks of machines nor the pace of the chain matter. */
async function secondsBehind(
  database: Pick<Database, 'read'>,
  head: Head | undefined,
  newest: number | null,
): Promise<number> {
  if (head?.utime === undefined || newest === null) return 0;
  const indexed = await database.read((db) => readIndexedTime(db, { seqno: newest }));
  return indexed === undefined ? 0 : head.utime - indexed;
}

async function readNewestIndexed(db: Db): Promise<{ seqno: number; utime: number } | undefined> {
  const seqno = (await readIndexCoverage(db))?.newest ?? undefined;
  if (seqno === undefined) return undefined;
  const utime = await readIndexedTime(db, { seqno });
  return utime === undefined ? undefined : { seqno, utime };
}

type Figures = ReturnType<typeof figuresOf>;

function figuresOf({ first, newest, indexed }: IndexCoverage, head: number | undefined) {
  // Without a lite server the newest block that is known is the indexed one.
  const last = Math.max(head ?? 0, newest ?? first - 1);
  const wanted = last - first + 1;
  return {
    newest: newest ?? undefined,
    head,
    /** Seqnos that the newest indexed one is behind the head. */
    lag: last - (newest ?? first - 1),
    /** All seqnos up to the head that are not indexed. */
    missing: Math.max(0, wanted - indexed),
    percent: wanted <= 0 ? 0 : Math.min(100, (100 * indexed) / wanted),
  };
}

/** Rounded down, so that 100 % means all of it. */
function describe({ newest, head, missing, percent }: Figures): string {
  const share = (Math.floor(percent * 10) / 10).toFixed(1);
  return `seqno ${newest ?? '-'} of ${head ?? '-'}, ${share} %${missing === 0 ? '' : `, ${missing} not indexed yet`}`;
}
