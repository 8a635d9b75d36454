import type { Socket } from 'node:net';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import type { Log } from '../lib/log.ts';
import type { Payer } from '../lib/payer.ts';
import { LiteBudgetExceeded, NoLiteServer, UnattributedProofFailure } from '../lite/errors.ts';
import { lookupBlockWithProof } from '../lite/methods/lookups.ts';
import { type CheckOptions, ProofFailure } from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import type { ServerRequirements } from '../lite/server-choice.ts';
import type { LiteSession, LiteTarget } from '../lite/session.ts';
import type { Vm } from '../vm/vm.ts';
import type { LiveCaches } from './caches.ts';
import type { MessageListener, Resender } from './external-messages.ts';

/** The parts of the program that reading and writing the chain needs. */
export interface LivePorts {
  /** Unix time in seconds, with fraction. */
  readonly clock: () => number;
  /** The lite servers of a private group, or the shared ones for undefined. */
  readonly pool: (group: string | undefined) => LitePool;
  readonly check: CheckOptions;
  readonly vm: Vm;
  /** Where get-methods run: in this process, or on the lite server. */
  readonly getMethods: 'auto' | 'local' | 'remote';
  readonly caches: LiveCaches;
  /** Told of every message that a lite server accepted. */
  readonly pending: MessageListener;
  readonly resender: Resender;
  /** Longest time that a request may take, in milliseconds. */
  readonly requestMs: number;
}

/** Lite servers that a call used. A session may move to other servers, so this is read when the call has ended. */
export interface UsedServers {
  /** Positions of the lite servers in the global config. */
  readonly workers: readonly number[];
  /** The reference block of the session; undefined when nothing was read. */
  readonly reference?: BlockId | undefined;
}

/** One call of an operation: its ports, log and limits, and what the response will say about it. */
export interface LiveCall {
  readonly ports: LivePorts;
  readonly log: Log;
  /** Group of lite servers that the caller's plan names; undefined for the shared ones. */
  readonly group: string | undefined;
  /** Who the call is counted against, if known. */
  readonly payer?: Payer | undefined;
  /** Deadline of the call, on the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** Filled by the sessions and broadcasts of the call. */
  readonly usedServers: UsedServers[];
  /** Set by a handler whose result can never change for the same parameters. */
  immutable: boolean;
  /** Time of TVM threads that its runs have taken so far. */
  vmMs: number;
}

export interface Caller extends Pick<LiveCall, 'group' | 'payer'> {
  /** The connection that waits for the response. */
  readonly client: Socket;
  /** When the request arrived, on the clock of `performance.now`. */
  readonly startedAtMs: number;
}

/** Which lite servers are suitable for a session. */
export interface SessionOptions extends ServerRequirements {
  /** Put before the error text when no server is suitable; part of the contract of some operations. */
  readonly refusalPrefix?: string;
}

/** The prefix that some operations have, by contract, before the error text of the pool. */
export const NO_SESSION_PREFIX = 'failed to get session: ';

/** How far ahead of our head a requested block may be, and how long we wait for it. */
const NEAR_BLOCKS = 4;
const NEAR_MS = 2000;

/** Opens a session for a call, within the rest of its time. */
export async function openSession(call: LiveCall, options: SessionOptions = {}): Promise<LiteSession> {
  const { archival, seqno, refusalPrefix } = options;
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
 * Waits for a block that is about to arrive: the caller knows it from elsewhere, for example from another instance of
 * ours that saw it first. If it does not arrive in time, the error of the lite server says why.
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

/** The masterchain block with a seqno, or the reference block without one. */
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
 * Waits for a response about something that only the caller vouches for, such as a hash. If it fails verification, the
 * request itself may be wrong, so the lite server must not be distrusted for it.
 */
export async function rethrowUnattributed<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw error instanceof ProofFailure ? new UnattributedProofFailure(error) : error;
  }
}
