import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';
import type { Detection } from '../detect/detection.ts';
import type { Writer } from '../index/write/writer.ts';
import type { Log } from '../lib/log.ts';
import type { FetchPool } from '../lite/fetch-context.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import type { Vm } from '../vm/vm.ts';
import type { Decoder } from './decode/decoder.ts';

/** Dependencies and settings of an indexer. */
export interface IndexerOptions {
  readonly pool: FetchPool;
  readonly check: CheckOptions;
  readonly db: Kysely<Tables>;
  readonly decoder: Decoder;
  readonly writer: Writer;
  /** Detects contract interfaces; left out to skip detection. */
  readonly detection?: Detection | undefined;
  /** Replays the transactions of nominator pools; without it, pools with several transactions in a block wait. */
  readonly vm?: Pick<Vm, 'runTransactions'> | undefined;
  readonly log: Log;
  /** The first masterchain seqno of the index, or `now` for the head at the first start. */
  readonly from: number | 'now';
  /** Seqnos per partition, for a new index. */
  readonly partitionSeqnos: number;
  /** Number of backfill lanes. */
  readonly lanes?: number;
  /** Maximum seqnos per chunk. */
  readonly chunkSeqnos?: number;
  /** Whether the index is rebuilt when the chain was reset or rolled back; never on public networks. */
  readonly mayRestart?: boolean;
  readonly metrics?: IndexerMetrics;
  readonly timing?: Partial<IndexerTiming>;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Intervals of an indexer. */
export interface IndexerTiming {
  /** How long an owner of a range may go without a heartbeat before it counts as dead. */
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** How often an idle lane looks for work. */
  readonly pollMs: number;
  /** Back-off after a failure. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** How often a diverged chain is checked again. */
  readonly divergedMs: number;
  /** How often missing cells are fetched. */
  readonly missingMs: number;
  /** How often waiting nominator pools are looked for. */
  readonly poolsMs: number;
}

/** Default intervals. */
export const INDEXER_TIMING: IndexerTiming = {
  leaseMs: 30_000,
  heartbeatMs: 5000,
  pollMs: 3000,
  firstPauseMs: 250,
  maxPauseMs: 15_000,
  divergedMs: 60_000,
  missingMs: 3000,
  poolsMs: 1000,
};

/** What an indexer counts; `bytes` are those of blocks, `requested` are account states requested from lite servers. */
type IndexedThing = 'seqnos' | 'transactions' | 'messages' | 'bytes' | 'requested';

type IndexStep = 'fetch' | 'decode' | 'states' | 'detect' | 'assemble' | 'write';

/** Receives the metrics of an indexer. */
export interface IndexerMetrics {
  count(what: IndexedThing, count: number): void;
  /** Steps overlap, so their times add up to more than the elapsed time. */
  time(step: IndexStep, ms: number): void;
}

/** Discards all metrics. */
export const NO_INDEXER_METRICS: IndexerMetrics = { count() {}, time() {} };
