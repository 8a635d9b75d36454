import type { Db } from '../db/tables/tables.ts';
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
  readonly db: Db;
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
  readonly lanes?: number;
  readonly chunkSeqnos?: number;
  /** Whether the index is rebuilt when the chain was reset or rolled back; never on public networks. */
  readonly mayRestart?: boolean;
  readonly metrics?: IndexerMetrics;
  /** Called after seqnos were written. */
  readonly onWritten?: () => void;
  readonly timing?: Partial<IndexerTiming>;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Intervals of an indexer in production. */
export const INDEXER_TIMING = {
  /** How long an owner of a range may go without a heartbeat before it counts as dead. */
  leaseMs: 30_000,
  heartbeatMs: 5000,
  /** How often an idle lane looks for work. */
  pollMs: 3000,
  /** Back-off after a failure. */
  firstPauseMs: 250,
  maxPauseMs: 15_000,
  /** How often a diverged chain is checked again. */
  divergedMs: 60_000,
  missingMs: 3000,
  /** How often waiting nominator pools are looked for. */
  poolsMs: 1000,
};

export type IndexerTiming = Readonly<typeof INDEXER_TIMING>;

/** What an indexer counts; `bytes` are those of blocks, `requested` are account states requested from lite servers. */
type IndexedThing = 'seqnos' | 'transactions' | 'messages' | 'bytes' | 'requested';

type IndexStep = 'fetch' | 'decode' | 'states' | 'detect' | 'assemble' | 'write';

export interface IndexerMetrics {
  count(what: IndexedThing, count: number): void;
  /** Steps overlap, so their times add up to more than the elapsed time. */
  time(step: IndexStep, ms: number): void;
}

export const NO_INDEXER_METRICS: IndexerMetrics = { count() {}, time() {} };
