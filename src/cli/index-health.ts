import type { Database } from '../db/connection.ts';
import { type IndexCoverage, readIndexCoverage } from '../db/queries/index-coverage.ts';
import type { IndexProgress } from '../indexer/progress.ts';
import { Failure } from '../lib/errors.ts';

interface IndexHealthOptions {
  readonly database: Pick<Database, 'read'>;
  readonly network: string;
  /** Seqno of the chain's head, as far as known. */
  readonly head: () => number | undefined;
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
export function createIndexCheck({ database, network, head, progress }: IndexHealthOptions) {
  return async (): Promise<string> => {
    const state = progress?.().state;
    if (state === 'stopped' || state === 'diverged')
      throw new Failure('unavailable', `indexing has ${state}`);
    const coverage = await database.read(readIndexCoverage);
    if (coverage === undefined) return state ?? 'no index';
    const figures = figuresOf(coverage, head());
    const text = describe(figures);
    const { lag, missing } = figures;
    if (lag > MAX_LAG_SEQNOS || (network === 'localnet' && missing > MAX_LOCALNET_MISSING))
      throw new Failure('unavailable', `the index is being filled anew: ${text}`);
    return state === undefined ? text : `${state}, ${text}`;
  };
}

interface Figures {
  readonly newest: number | undefined;
  readonly head: number | undefined;
  /** Seqnos that the newest indexed one is behind the head. */
  readonly lag: number;
  /** All seqnos up to the head that are not indexed. */
  readonly missing: number;
  readonly percent: number;
}

function figuresOf({ first, newest, indexed }: IndexCoverage, head: number | undefined): Figures {
  // Without a lite server the newest block that is known is the indexed one.
  const last = Math.max(head ?? 0, newest ?? first - 1);
  const wanted = last - first + 1;
  return {
    newest: newest ?? undefined,
    head,
    lag: last - (newest ?? first - 1),
    missing: Math.max(0, wanted - indexed),
    percent: wanted <= 0 ? 0 : Math.min(100, (100 * indexed) / wanted),
  };
}

/** Rounded down, so that 100 % means all of it. */
function describe({ newest, head, missing, percent }: Figures): string {
  const share = (Math.floor(percent * 10) / 10).toFixed(1);
  return `seqno ${newest ?? '-'} of ${head ?? '-'}, ${share} %${missing === 0 ? '' : `, ${missing} not indexed yet`}`;
}
