import { type BlockId, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../chain/block-id.ts';
import { Failure } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import type { Alarm } from './alarm.ts';
import { type ClaimedHead, HeadAsker } from './ask-head.ts';
import { createBackOff } from './connection/back-off.ts';
import { LiteNetworkError, LiteServerError, ProofFailure } from './errors.ts';
import type { PoolMetrics } from './pool-metrics.ts';
import type { PoolTiming } from './pool-timing.ts';
import type { PooledServer, ServerCondition } from './pooled-server.ts';
import { checkZeroState, ForeignNetwork } from './zero-state.ts';

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
  readonly alarm: Alarm;
  readonly log: Log;
  readonly metrics: PoolMetrics;
  readonly timing: PoolTiming;
  readonly now: () => number;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** No chain is that fast, and a server that makes up blocks must not keep us busy. */
const LEAST_PAUSE_MS = 20;

/** Keeps a server's head and condition up to date until the signal; never throws. */
export async function followHead(options: FollowOptions): Promise<void> {
  const { server, timing, now, random, signal, alarm, log, metrics } = options;
  const asker = new HeadAsker(server, timing);
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
    return Math.max(0, (isNew ? LEAST_PAUSE_MS : timing.pollMs) - (now() - startedMs));
  }

  /** Whether the claim brings something new; throws when it is not true. */
  async function accept(claimed: ClaimedHead): Promise<boolean> {
    checkZeroState(claimed.init, options.zeroState);
    if (server.head !== undefined && sameBlock(server.head.block, claimed.last)) return false;
    const block = ownCopy(claimed.last);
    if (block.workchain !== MASTERCHAIN || block.shard !== WHOLE_SHARD || block.seqno < 0)
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
    if (error instanceof ForeignNetwork) {
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
