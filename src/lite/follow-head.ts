import {
  type BlockId,
  copyBlockId,
  isMasterchainBlock,
  MASTERCHAIN,
  sameBlock,
  WHOLE_SHARD,
  type ZeroStateId,
} from '../chain/block-id.ts';
import { LITE_ERROR_CODES } from '../chain/tl/lite-envelope.ts';
import { createBackOff } from '../lib/back-off.ts';
import { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { WakeableTimer } from '../lib/wait.ts';
import { classifyFailure, LiteServerError, LiteTimeout } from './errors.ts';
import { decodeResponse, encodeRequest, type LiteResponseOf } from './methods/codec.ts';
import { LOOKUP_BY_SEQNO } from './methods/lookups.ts';
import { LiteNetworkError, ProofFailure, type QueryServer } from './methods/proofs.ts';
import type { PoolTiming } from './pool-timing.ts';
import {
  ARCHIVAL_SEQNO,
  type PooledServer,
  type PoolMetrics,
  type ServerCondition,
} from './pooled-server.ts';

export interface FollowOptions {
  readonly server: PooledServer;
  readonly zeroState: BlockId;
  /** Throws ProofFailure for a block that is not part of the chain. */
  readonly prove: (block: BlockId) => Promise<void>;
  /** Called when the server's head or condition has changed. */
  readonly onChange: () => void;
  readonly distrust: (server: PooledServer, reason: string) => void;
  /** Woken when the connection is established or lost. */
  readonly timer: WakeableTimer;
  readonly log: Log;
  readonly metrics: PoolMetrics;
  readonly timing: PoolTiming;
  readonly now: () => number;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** No chain is this fast, and a server that makes up blocks must not keep us busy. */
const MIN_PAUSE_MS = 20;

/** Keeps a server's head and condition up to date until the signal is aborted; never throws. */
export async function followServer(options: FollowOptions): Promise<void> {
  const { server, timing, now, random, signal, timer, log, metrics } = options;
  const headQuery = new HeadQuery(server, timing);
  const backOff = createBackOff({ firstMs: timing.recheckFirstMs, maxMs: timing.recheckMaxMs, random });
  let refusals = 0;

  /** One query; returns how long to wait before the next. */
  async function step(): Promise<number> {
    const startedMs = now();
    if (!server.connection.ready) {
      setCondition('down');
      return timing.pollMs;
    }
    if (server.condition === 'down') setCondition('checking');
    const reported = await headQuery.run();
    const isNew = reported !== undefined && (await accept(reported));
    if (server.distrustedUntilMs <= now()) setCondition('ok');
    if (isNew) options.onChange();
    return Math.max(0, (isNew ? MIN_PAUSE_MS : timing.pollMs) - (now() - startedMs));
  }

  /** Whether the head is new; throws when it is wrong. */
  async function accept(reported: ReportedHead): Promise<boolean> {
    assertSameNetwork(reported.init, options.zeroState);
    if (server.head !== undefined && sameBlock(server.head.block, reported.last)) return false;
    const block = copyBlockId(reported.last);
    if (!isMasterchainBlock(block))
      throw new ProofFailure('VALIDATE_BLOCK_PROOF', 'the head is not a masterchain block');
    await options.prove(block);
    server.head = { block, utime: reported.lastUtime };
    return true;
  }

  function afterFailure(error: unknown): number {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ProofFailure) {
      options.distrust(server, reason);
      return 0;
    }
    if (error instanceof LiteNetworkError && !server.connection.ready) {
      setCondition('down');
      return timing.pollMs;
    }
    if (error instanceof WrongNetwork) {
      metrics.serverFailed(server.name, 'zero_state');
      setCondition('foreign', reason);
    } else if (error instanceof LiteServerError && server.condition === 'ok' && refusals++ === 0) {
      // It may have announced a block just before it can prove it.
      return timing.pollMs;
    } else {
      // Failures of the connection are counted there.
      if (!(error instanceof Failure)) metrics.serverFailed(server.name, 'answer');
      setCondition('failing', reason);
    }
    return backOff.next();
  }

  function setCondition(condition: ServerCondition, reason?: string): void {
    if (server.condition === condition) return;
    server.condition = condition;
    const details = { server: server.name, index: server.index };
    if (condition === 'ok') log.info({ ...details, seqno: server.seqno }, 'Lite server in use');
    else if (condition === 'foreign')
      log.error({ ...details, reason }, 'Lite server belongs to another network');
    // The connection itself logs that it is down.
    else if (condition === 'failing') log.warn({ ...details, reason }, 'Lite server health check failed');
    options.onChange();
  }

  while (!signal.aborted) {
    let pauseMs = server.distrustedUntilMs - now();
    if (pauseMs <= 0) {
      try {
        pauseMs = await step();
        if (server.condition === 'ok') {
          backOff.reset();
          refusals = 0;
        }
      } catch (error) {
        if (signal.aborted) return;
        pauseMs = afterFailure(error);
      }
    }
    if (pauseMs > 0) await timer.wait(pauseMs, signal);
  }
}

interface ReportedHead extends LiteResponseOf<'getMasterchainInfo'> {
  readonly lastUtime: number | undefined;
}

const INFO = encodeRequest({ method: 'getMasterchainInfo' });
/**
 * The newest block of which a server has the shards too, as servers tell since summer 2026: with a newer one they refuse
 * what is about shards. Older ones know only the next mode, which is the newest block whatever they have of it.
 */
const WITH_SHARDS = 1;
const INFO_EXT = [WITH_SHARDS, 0].map((mode) => encodeRequest({ method: 'getMasterchainInfoExt', mode }));
/** Waiting is tried again after this many polls: the server may have been upgraded. */
const POLLS_BEFORE_RETRY = 60;

/** Queries one server for its newest block; remembers which functions it supports. */
class HeadQuery {
  readonly #server: PooledServer;
  readonly #timing: PoolTiming;
  /** The first of `INFO_EXT` that it may know. */
  #firstExt = 0;
  /** Whether waiting is worth a try. */
  #mayWait = true;
  #polls = 0;

  constructor(server: PooledServer, timing: PoolTiming) {
    this.#server = server;
    this.#timing = timing;
  }

  /** The newest block, once it is newer than the known one or after a while; undefined when there is no newer one. */
  async run(): Promise<ReportedHead | undefined> {
    if (this.#server.head === undefined || !this.#shouldWait()) return this.#read(undefined);
    try {
      const info = await this.#read({ seqno: this.#server.seqno + 1, timeoutMs: this.#timing.headWaitMs });
      this.#setWaits(true);
      return info;
    } catch (error) {
      if (error instanceof LiteServerError && error.code === LITE_ERROR_CODES.timeout) {
        this.#setWaits(true);
        return undefined;
      }
      // No response may mean that the server ignores functions that it does not know.
      if (!(error instanceof LiteServerError || error instanceof LiteTimeout)) throw error;
    }
    const info = await this.#read(undefined);
    this.#setWaits(false);
    return info;
  }

  #shouldWait(): boolean {
    if (this.#mayWait) return true;
    this.#polls = (this.#polls + 1) % POLLS_BEFORE_RETRY;
    return this.#polls === 0;
  }

  #setWaits(waits: boolean): void {
    this.#mayWait = waits;
    this.#server.waitsForBlocks = waits;
  }

  async #read(waitFor: { seqno: number; timeoutMs: number } | undefined): Promise<ReportedHead> {
    const timeoutMs = this.#timing.queryMs + (waitFor?.timeoutMs ?? 0);
    for (const [form, request] of INFO_EXT.entries()) {
      if (form < this.#firstExt) continue;
      try {
        const response = await this.#server.queryNow(request, { timeoutMs, waitFor });
        const info = decodeResponse('getMasterchainInfoExt', response, { allowTrailing: true });
        this.#firstExt = form;
        return info;
      } catch (error) {
        // A query that waits may be refused for other reasons than an unknown function.
        if (!(error instanceof LiteServerError) || waitFor !== undefined) throw error;
      }
    }
    const response = await this.#server.queryNow(INFO, { timeoutMs, waitFor });
    this.#firstExt = INFO_EXT.length;
    return { ...decodeResponse('getMasterchainInfo', response), lastUtime: undefined };
  }
}

/** The zero state of a server's chain is not the configured one. */
class WrongNetwork extends Error {
  constructor(expected: BlockId, reported: ZeroStateId) {
    super(
      'VALIDATE_ZERO_STATE: Masterchain zerostate mismatch: ' +
        `expected: ${nameOf(expected)}, found ${nameOf(reported)} from masterchain info`,
    );
    this.name = 'WrongNetwork';
  }
}

function assertSameNetwork(reported: ZeroStateId, expected: BlockId): void {
  const same =
    reported.workchain === expected.workchain &&
    reported.rootHash.equals(expected.rootHash) &&
    reported.fileHash.equals(expected.fileHash);
  if (!same) throw new WrongNetwork(expected, reported);
}

/** As nodes print it: the workchain and both hashes in hex. */
function nameOf({ workchain, rootHash, fileHash }: ZeroStateId): string {
  return `${workchain}:${rootHash.toString('hex')}:${fileHash.toString('hex')}`.toUpperCase();
}

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
 * to within a 64th of its depth. `before` is the previous result; archives only lose old blocks, so two queries are
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

async function hasBlock(query: QueryServer, seqno: number): Promise<boolean> {
  const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  try {
    const response = await query(encodeRequest({ method: 'lookupBlock', mode: LOOKUP_BY_SEQNO, id }));
    return decodeResponse('lookupBlock', response).id.seqno === seqno;
  } catch (error) {
    if (error instanceof LiteServerError && classifyFailure(error) === 'missing') return false;
    throw error;
  }
}
