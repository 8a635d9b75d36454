import type { Socket } from 'node:net';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import type { Log } from '../lib/log.ts';
import type { Payer } from '../lib/payer.ts';
import { LiteBudgetExceeded, NoLiteServer, ProofFailure, UnattributedProofFailure } from '../lite/errors.ts';
import { lookupBlockWithProof } from '../lite/methods/lookups.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import type { LiteSession, LiteTarget } from '../lite/session.ts';
import type { Vm } from '../vm/vm.ts';
import type { MessageListener, Resender } from './external-messages.ts';
import type { LiveMemory } from './memory.ts';

/** What operations of v2 may use of the rest of the program. */
export interface LivePorts {
  /** Unix time in seconds, with fraction. */
  readonly clock: () => number;
  /** The lite servers of a group that a caller's plan names, or those of everybody else. */
  readonly pool: (group: string | undefined) => LitePool;
  /** Whether proofs are checked. */
  readonly check: CheckOptions;
  readonly vm: Vm;
  /** Where get-methods run: in this process, or on the lite server. */
  readonly getMethods: 'local' | 'remote';
  readonly memory: LiveMemory;
  /** Hears of every message that was sent. */
  readonly pending: MessageListener;
  readonly resender: Resender;
  /** Time that answering a request may take, in milliseconds. */
  readonly requestMs: number;
}

/** Something that lite servers were asked through; the session may move, so the positions are read at the end. */
export interface UsedServers {
  /** Positions in the global config of the lite servers that were asked. */
  readonly workers: readonly number[];
  /** The masterchain block that "now" meant; undefined where nothing was read. */
  readonly reference?: BlockId | undefined;
}

/** One call of an operation: its ports, its log, its limits, and what `@extra` will tell about it. */
export interface LiveCall {
  readonly ports: LivePorts;
  readonly log: Log;
  /** Group of lite servers that the caller's plan names. */
  readonly group: string | undefined;
  /** Who this call is counted against, as far as it is known. */
  readonly payer?: Payer | undefined;
  /** When the time for this call is over, on the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** What the call asked lite servers through. */
  readonly usedServers: UsedServers[];
  /** Set by a handler whose answer can never change: the same question will always have it. */
  immutable: boolean;
}

/** Who sent a request. */
export interface Caller {
  /** Group of lite servers that the caller's plan names. */
  readonly group: string | undefined;
  /** The connection on which the answer is awaited. */
  readonly client: Socket;
  /** When the request arrived, on the clock of `performance.now`. */
  readonly startedAtMs: number;
  /** Who the request is counted against, as far as it is known. */
  readonly payer?: Payer | undefined;
}

export interface SessionOptions {
  /** Only servers with a whole archive. */
  readonly archival?: boolean | undefined;
  /** Masterchain block that will be asked about. */
  readonly seqno?: number | undefined;
  /** Put before the text when no server suits; some operations have it, by contract. */
  readonly refusalPrefix?: string;
}

/** What some operations say before the refusal of the pool. */
export const NO_SESSION_PREFIX = 'failed to get session: ';

/** How far ahead of us a block may be, and how long it is awaited. */
const NEAR_BLOCKS = 4;
const NEAR_MS = 2000;

/** Binds a lite server and a reference block to a call, within what is left of its time. */
export async function openSession(call: LiveCall, wish: SessionOptions = {}): Promise<LiteSession> {
  const { archival, seqno, refusalPrefix } = wish;
  const budgetMs = call.deadlineMs - performance.now();
  if (budgetMs <= 0) throw new LiteBudgetExceeded();
  const pool = call.ports.pool(call.group);
  try {
    await awaitNearBlock(pool, seqno, Math.min(NEAR_MS, budgetMs), call.signal);
    const session = await pool.session({ archival, seqno, budgetMs, signal: call.signal });
    call.usedServers.push(session);
    return session;
  } catch (error) {
    if (refusalPrefix !== undefined && error instanceof NoLiteServer)
      throw new NoLiteServer(refusalPrefix + error.message);
    throw error;
  }
}

/**
 * Waits for a block that must come any moment: the caller knows it from elsewhere, such as another instance of ours
 * that saw it first. If it does not come, the refusal of a lite server tells why.
 */
async function awaitNearBlock(
  pool: LitePool,
  seqno: number | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const head = pool.head?.seqno;
  if (seqno === undefined || head === undefined || seqno <= head || seqno > head + NEAR_BLOCKS) return;
  await pool.waitForSeqno(seqno, { timeoutMs, signal }).catch(() => undefined);
}

/** The masterchain block that a request is about: the one with a number, or the reference block. */
export async function masterchainBlock(
  { query, reference }: LiteTarget,
  seqno: number | undefined,
  check: CheckOptions,
): Promise<BlockId> {
  if (seqno === undefined || seqno === reference.seqno) return reference;
  const key = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  return (await lookupBlockWithProof(query, reference, key, check)).block;
}

/**
 * Waits for an answer about something for which only the caller vouches, such as a hash. Where the answer does not fit,
 * the question may be at fault, and that must not take a server out of use.
 */
export async function rethrowUnattributed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ProofFailure ? new UnattributedProofFailure(error) : error;
  }
}
