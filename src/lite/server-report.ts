import type { Consensus } from './consensus.ts';
import type { PooledServer, ServerCondition } from './pooled-server.ts';

/** What the pool knows of one server, for status pages and figures. */
export interface ServerReport {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  /** `live` is asked; `lagging` is sound but too far behind; the others are not asked either. */
  readonly state: 'live' | 'lagging' | Exclude<ServerCondition, 'ok'>;
  /** Newest masterchain block, proven when proofs are on; undefined before the first. */
  readonly seqno: number | undefined;
  /** When that block was made, in unix seconds, as the server says. */
  readonly utime: number | undefined;
  readonly lagBlocks: number | undefined;
  readonly latencyMs: number;
  readonly inFlight: number;
  readonly queued: number;
  /** Queries without an answer since the start. */
  readonly failures: number;
  readonly wrongAnswers: number;
  readonly isArchival: boolean;
  /** The oldest masterchain block it was seen to have; undefined before the first look. */
  readonly oldestSeqno: number | undefined;
}

/** Describes a server as it is now. */
export function reportOf(server: PooledServer, consensus: Consensus): ServerReport {
  const { index, name, condition, head, latency, gate, failures, wrongAnswers, isArchival, oldestSeqno } =
    server;
  return {
    index,
    name,
    state: condition !== 'ok' ? condition : consensus.isLive(server) ? 'live' : 'lagging',
    seqno: head?.block.seqno,
    utime: head?.utime,
    lagBlocks: head === undefined ? undefined : consensus.lagOf(server),
    latencyMs: latency.averageMs,
    inFlight: gate.running,
    queued: gate.waiting,
    failures,
    wrongAnswers,
    isArchival,
    oldestSeqno,
  };
}
