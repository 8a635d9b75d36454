/** What an indexer counts. */
export type IndexedThing = 'seqnos' | 'transactions' | 'messages' | 'bytes' | 'asked';

/** The steps of indexing; `bytes` are those of blocks. */
export type IndexStep = 'fetch' | 'decode' | 'states' | 'detect' | 'assemble' | 'write';

/** Where an indexer tells its figures. */
export interface IndexerMetrics {
  count(what: IndexedThing, count: number): void;
  /** Steps run at the same time, so that their times add up to more than has passed. */
  time(step: IndexStep, ms: number): void;
}

/** For who wants no figures. */
export const NO_INDEXER_METRICS: IndexerMetrics = { count() {}, time() {} };
