import {
  type BlockId,
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
import { classifyFailure, LiteNetworkError, LiteServerError, LiteTimeout, ProofFailure } from './errors.ts';
import type { Ask } from './methods/ask.ts';
import { decodeAnswer, encodeRequest } from './methods/codec.ts';
import { LOOKUP_BY_SEQNO } from './methods/lookups.ts';
import type { MasterchainInfo } from './methods/masterchain.ts';
import {
  ARCHIVAL_SEQNO,
  type PooledServer,
  type PoolMetrics,
  type PoolTiming,
  type ServerCondition,
} from './pooled-server.ts';

/** What following a server needs. */
export interface FollowOptions {
  readonly server: PooledServer;
  readonly zeroState: BlockId;
  /** Throws ProofFailure when the block is none of the chain's. */
  readonly prove: (block: BlockId) => Promise<void>;
  /** Called when the server's head or condition has changed. */
  readonly onChange: () => void;
  readonly distrust: (server: PooledServer, reason: string) => void;
  /** Rings when the connection is there again, or is lost. */
  readonly alarm: WakeableTimer;
  readonly log: Log;
  readonly metrics: PoolMetrics;
  readonly timing: PoolTiming;
  readonly now: () => number;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** No chain is that fast, and a server that makes up blocks must not keep us busy. */
const MIN_PAUSE_MS = 20;

/** Keeps a server's head and condition up to date until the signal; never throws. */
export async function followHead(options: FollowOptions): Promise<void> {
  const { server, timing, now, random, signal, alarm, log, metrics } = options;
  const asker = new HeadQuery(server, timing);
  const backOff = createBackOff({ firstMs: timing.recheckFirstMs, maxMs: timing.recheckMaxMs, random });
  let refusals = 0;

  /** One question; the result is how long to wait before the next. */
  async function step(): Promise<number> {
    const startedMs = now();
    if (!server.connection.ready) {
      setCondition('down');
      return timing.pollMs;
    }
    if (server.condition === 'down') setCondition('checking');
    const claimed = await asker.ask();
    const isNew = claimed !== undefined && (await accept(claimed));
    if (server.distrustedUntilMs <= now()) setCondition('ok');
    if (isNew) options.onChange();
    return Math.max(0, (isNew ? MIN_PAUSE_MS : timing.pollMs) - (now() - startedMs));
  }

  /** Whether the claim brings something new; throws when it is not true. */
  async function accept(claimed: ReportedHead): Promise<boolean> {
    assertSameNetwork(claimed.init, options.zeroState);
    if (server.head !== undefined && sameBlock(server.head.block, claimed.last)) return false;
    const block = ownCopy(claimed.last);
    if (!isMasterchainBlock(block))
      throw new ProofFailure('VALIDATE_BLOCK_PROOF', 'the head is not a masterchain block');
    await options.prove(block);
    server.head = { block, utime: claimed.lastUtime };
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
      // It may have announced a block a moment before it can prove it.
      return timing.pollMs;
    } else {
      // What the connection reports is counted there.
      if (!(error instanceof Failure)) metrics.serverFailed(server.name, 'answer');
      setCondition('failing', reason);
    }
    return backOff.next();
  }

  function setCondition(condition: ServerCondition, reason?: string): void {
    if (server.condition === condition) return;
    server.condition = condition;
    const details = { server: server.name, index: server.index };
    if (condition === 'ok') log.info({ ...details, seqno: server.seqno }, 'lite server is in use');
    else if (condition === 'foreign') log.error({ ...details, reason }, 'lite server is of another network');
    // The connection logs by itself that it is down.
    else if (condition === 'failing')
      log.warn({ ...details, reason }, 'lite server does not answer as it should');
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
    if (pauseMs > 0) await alarm.wait(pauseMs, signal);
  }
}

/** The buffers of a decoded answer are views of it. */
function ownCopy(block: BlockId): BlockId {
  return { ...block, rootHash: Buffer.from(block.rootHash), fileHash: Buffer.from(block.fileHash) };
}

/** What a server says of its newest block. */
interface ReportedHead extends MasterchainInfo {
  readonly lastUtime: number | undefined;
}

const INFO = encodeRequest({ method: 'getMasterchainInfo' });
const INFO_EXT = encodeRequest({ method: 'getMasterchainInfoExt', mode: 0 });
/** A server that does not hold queries is tried again after so many polls: it may have been replaced. */
const POLLS_BEFORE_HOLD = 60;

/** Asks one server for its newest block; remembers which of the ways to ask it understands. */
class HeadQuery {
  readonly #server: PooledServer;
  readonly #timing: PoolTiming;
  #hasExt = true;
  /** Whether it is worth a try; that the server does hold queries is known after the first one. */
  #mayHold = true;
  #polls = 0;

  constructor(server: PooledServer, timing: PoolTiming) {
    this.#server = server;
    this.#timing = timing;
  }

  /** The newest block once it is newer than the one known, or after a while; undefined when nothing came. */
  async ask(): Promise<ReportedHead | undefined> {
    if (this.#server.head === undefined || !this.#triesToHold()) return this.#read(undefined);
    try {
      const info = await this.#read({ seqno: this.#server.seqno + 1, timeoutMs: this.#timing.headWaitMs });
      this.#setHolds(true);
      return info;
    } catch (error) {
      if (error instanceof LiteServerError && error.code === LITE_ERROR_CODES.timeout) {
        this.#setHolds(true);
        return undefined;
      }
      // No answer at all may mean that the server ignores what it does not know.
      if (!(error instanceof LiteServerError || error instanceof LiteTimeout)) throw error;
    }
    const info = await this.#read(undefined);
    this.#setHolds(false);
    return info;
  }

  #triesToHold(): boolean {
    if (this.#mayHold) return true;
    this.#polls = (this.#polls + 1) % POLLS_BEFORE_HOLD;
    return this.#polls === 0;
  }

  #setHolds(holds: boolean): void {
    this.#mayHold = holds;
    this.#server.holdsQueries = holds;
  }

  async #read(waitFor: { seqno: number; timeoutMs: number } | undefined): Promise<ReportedHead> {
    const timeoutMs = this.#timing.queryMs + (waitFor?.timeoutMs ?? 0);
    if (this.#hasExt) {
      try {
        const answer = await this.#server.askNow(INFO_EXT, { timeoutMs, waitFor });
        return decodeAnswer('getMasterchainInfoExt', answer, { allowTrailing: true });
      } catch (error) {
        // A held query may be refused for other reasons than being unknown.
        if (!(error instanceof LiteServerError) || waitFor !== undefined) throw error;
      }
    }
    const answer = await this.#server.askNow(INFO, { timeoutMs, waitFor });
    this.#hasExt = false;
    return { ...decodeAnswer('getMasterchainInfo', answer), lastUtime: undefined };
  }
}

/** A server whose chain began with another zero state than the configured one. */
class WrongNetwork extends Error {
  constructor(expected: BlockId, found: ZeroStateId) {
    super(
      'VALIDATE_ZERO_STATE: Masterchain zerostate mismatch: ' +
        `expected: ${nameOf(expected)}, found ${nameOf(found)} from masterchain info`,
    );
    this.name = 'ForeignNetwork';
  }
}

/** Throws ForeignNetwork when a server's zero state is not the configured one. */
export function assertSameNetwork(found: ZeroStateId, expected: BlockId): void {
  const same =
    found.workchain === expected.workchain &&
    found.rootHash.equals(expected.rootHash) &&
    found.fileHash.equals(expected.fileHash);
  if (!same) throw new WrongNetwork(expected, found);
}

/** As nodes print it: the workchain and both hashes in hex. */
function nameOf({ workchain, rootHash, fileHash }: ZeroStateId): string {
  return `${workchain}:${rootHash.toString('hex')}:${fileHash.toString('hex')}`.toUpperCase();
}

interface WatchOptions {
  readonly server: PooledServer;
  readonly timing: PoolTiming;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Finds out how far back a server's archive goes, and looks again from time to time until the signal; never throws. */
export async function watchArchiveDepth({ server, timing, random, signal }: WatchOptions): Promise<void> {
  const alarm = new WakeableTimer();
  while (!signal.aborted) {
    const isDone = server.condition === 'ok' && (await look(server, timing.queryMs));
    const pauseMs = isDone ? timing.probeMs : timing.firstProbeMs;
    // Several processes that were started together must not ask in step.
    await alarm.wait(pauseMs * (0.9 + random() / 5), signal);
  }
}

async function look(server: PooledServer, timeoutMs: number): Promise<boolean> {
  try {
    const ask = (request: Buffer) => server.askNow(request, { timeoutMs });
    const has = (seqno: number) => hasBlock(ask, seqno);
    server.oldestSeqno = await findOldestSeqno(server.seqno, has, server.oldestSeqno);
    return true;
  } catch {
    // The one who follows the head finds out what is wrong with the server, if anything.
    return false;
  }
}

/** Most servers keep more than that. */
const FIRST_DEPTH = 1024;
/** How exactly the end of an archive is found, as a part of its depth. */
const PRECISION = 64;

/**
 * Finds the oldest block that a server has, given its newest one: the first of the chain when it has that, else the
 * end of its archive to within a 64th of its depth. `known` is what was found before; archives grow shorter at
 * the old end, so mostly two questions are enough.
 */
export async function findOldestSeqno(
  newest: number,
  has: (seqno: number) => Promise<boolean>,
  known?: number,
): Promise<number> {
  let absent = Math.min(ARCHIVAL_SEQNO, newest);
  if (absent === newest || (await has(absent))) return absent;
  if (known !== undefined && known > absent && known < newest) {
    if (await has(known)) return known;
    absent = known;
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
export async function hasBlock(ask: Ask, seqno: number): Promise<boolean> {
  const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  try {
    const answer = await ask(encodeRequest({ method: 'lookupBlock', mode: LOOKUP_BY_SEQNO, id }));
    return decodeAnswer('lookupBlock', answer).id.seqno === seqno;
  } catch (error) {
    if (error instanceof LiteServerError && classifyFailure(error) === 'missing') return false;
    throw error;
  }
}

/** A pause that can be cut short. */
export class WakeableTimer {
  #wake: (() => void) | undefined;

  /** Returns after the time, at the first ring, or when the signal comes; never throws. One may wait at a time. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake = wake;
      signal.addEventListener('abort', wake);
    });
  }

  ring(): void {
    this.#wake?.();
  }
}
