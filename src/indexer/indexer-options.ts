import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Log } from '../lib/log.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import type { Decoder } from './decode/decoder.ts';
import type { Detection } from './detect/detection.ts';
import type { FetchPool } from './fetch/fetch-context.ts';
import type { Writer } from './write/writer.ts';

/** What an indexer is made of. */
export interface IndexerOptions {
  readonly pool: FetchPool;
  readonly check: CheckOptions;
  readonly db: Kysely<Tables>;
  readonly decoder: Decoder;
  readonly writer: Writer;
  /** Finds out what contracts are; left out where nobody wants to know. */
  readonly detection?: Detection | undefined;
  readonly log: Log;
  /** The first masterchain seqno of the index, or `now` for the head at the first start. */
  readonly from: number | 'now';
  /** Seqnos a partition, for an index that begins. */
  readonly partitionSeqnos: number;
  /** Ranges of history that are worked on at once. */
  readonly lanes?: number;
  /** Seqnos of such a range, at most. */
  readonly chunkSeqnos?: number;
  /** Whether a chain that was reset or put back makes the index begin anew; never on public networks. */
  readonly mayRestart?: boolean;
  readonly metrics?: IndexerMetrics;
  readonly timing?: Partial<IndexerTiming>;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** How often an indexer does what. */
export interface IndexerTiming {
  /** How long an owner of a range may be silent before it counts as gone. */
  readonly leaseMs: number;
  readonly beatMs: number;
  /** How often it is looked for something to do when there was nothing. */
  readonly lookMs: number;
  /** Pauses after a failure. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** How often a chain that is another one is looked at again. */
  readonly divergedMs: number;
  /** How often missing cells are looked for. */
  readonly missingMs: number;
}

/** The times of an indexer in service. */
export const INDEXER_TIMING: IndexerTiming = {
  leaseMs: 30_000,
  beatMs: 5000,
  lookMs: 3000,
  firstPauseMs: 250,
  maxPauseMs: 15_000,
  divergedMs: 60_000,
  missingMs: 3000,
};

/** What an indexer counts. */
type IndexedThing = 'seqnos' | 'transactions' | 'messages' | 'bytes' | 'asked';

/** The steps of indexing; `bytes` are those of blocks. */
type IndexStep = 'fetch' | 'decode' | 'states' | 'detect' | 'assemble' | 'write';

/** Where an indexer tells its figures. */
export interface IndexerMetrics {
  count(what: IndexedThing, count: number): void;
  /** Steps run at the same time, so that their times add up to more than has passed. */
  time(step: IndexStep, ms: number): void;
}

/** For who wants no figures. */
export const NO_INDEXER_METRICS: IndexerMetrics = { count() {}, time() {} };
