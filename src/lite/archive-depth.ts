import { MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import { WakeableTimer } from '../lib/wait.ts';
import { classifyFailure, LiteServerError } from './errors.ts';
import type { FollowOptions } from './follow-head.ts';
import { decodeResponse, encodeRequest } from './methods/codec.ts';
import { LOOKUP_BY_SEQNO } from './methods/lookups.ts';
import type { QueryServer } from './methods/query.ts';
import { ARCHIVAL_SEQNO, type PooledServer } from './pooled-server.ts';

type WatchOptions = Pick<FollowOptions, 'server' | 'timing' | 'random' | 'signal'>;

/** Probes how far back a server's archive goes, repeatedly until the signal is aborted; never throws. */
export async function watchArchiveDepth({ server, timing, random, signal }: WatchOptions): Promise<void> {
  const timer = new WakeableTimer();
  while (!signal.aborted) {
    const isDone = server.condition === 'ok' && (await probe(server, timing.queryMs));
    const pauseMs = isDone ? timing.probeMs : timing.firstProbeMs;
    // Processes that were started together must not probe in step.
    await timer.wait(pauseMs * (0.9 + random() / 5), signal);
  }
}

async function probe(server: PooledServer, timeoutMs: number): Promise<boolean> {
  try {
    const query = (request: Buffer) => server.queryNow(request, { timeoutMs });
    const has = (seqno: number) => hasBlock(query, seqno);
    server.oldestSeqno = await findOldestSeqno(server.seqno, has, server.oldestSeqno);
    return true;
  } catch {
    // Failing servers are found and reported by `followServer`.
    return false;
  }
}

/** The first block: 0 is the zero state. */
const FIRST_SEQNO = 1;
/** Most servers keep more blocks than this. */
const FIRST_DEPTH = 1024;
/** The end of an archive is found to within this fraction of its depth. */
const PRECISION = 64;

/**
 * Finds the oldest block that a server has, given its newest one: block 1 when it has that, else the end of its archive
 * to within a 64th of its depth. `known` is the previous result; archives only lose old blocks, so two queries are
 * usually enough.
 */
export async function findOldestSeqno(
  newest: number,
  has: (seqno: number) => Promise<boolean>,
  before?: number,
): Promise<number> {
  let absent = Math.min(ARCHIVAL_SEQNO, newest);
  if (absent === newest || (await has(absent)))
    // Some servers have everything but the very first blocks.
    return newest > FIRST_SEQNO && (await has(FIRST_SEQNO)) ? FIRST_SEQNO : absent;
  if (before !== undefined && before > absent && before < newest) {
    if (await has(before)) return before;
    absent = before;
  }
  let present = newest;
  for (let depth = FIRST_DEPTH; newest - depth > absent; depth *= 2) {
    if (await has(newest - depth)) present = newest - depth;
    else absent = newest - depth;
  }
  while (present - absent > 1 + (newest - present) / PRECISION) {
    const middle = Math.floor((absent + present) / 2);
    if (await has(middle)) present = middle;
    else absent = middle;
  }
  return present;
}

/** Whether a server has a masterchain block. */
export async function hasBlock(query: QueryServer, seqno: number): Promise<boolean> {
  const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  try {
    const response = await query(encodeRequest({ method: 'lookupBlock', mode: LOOKUP_BY_SEQNO, id }));
    return decodeResponse('lookupBlock', response).id.seqno === seqno;
  } catch (error) {
    if (error instanceof LiteServerError && classifyFailure(error) === 'missing') return false;
    throw error;
  }
}
