/** How an attempt to fetch a document ended: `refused` are those that may not be fetched. */
export type MetadataOutcome = 'fetched' | 'failed' | 'refused';

/** Where a metadata fetcher tells its figures. */
export interface MetadataMetrics {
  count(outcome: MetadataOutcome): void;
}

/** For who wants no figures. */
export const NO_METADATA_METRICS: MetadataMetrics = { count() {} };
