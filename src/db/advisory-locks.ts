// Keys of PostgreSQL advisory locks: any fixed numbers that differ from each other.

/** Held while creating or dropping partitions. */
export const PARTITION_LOCK = '7021584391';
/** Held while changing the set of index chunks. */
export const CHUNK_LOCK = '7021584392';
/** Taken by writers that join traces. */
export const TRACE_LOCK = '7021584393';
/** Held while reading or noting which accounts have waiting events. Always the last lock of a transaction. */
export const EVENT_LOCK = '7021584394';
/** Held shared by every transaction that writes the index, and exclusively by one that takes blocks back. */
export const HISTORY_LOCK = '7021584396';
/** Held while classified traces are queued again; never waited for. */
export const CLASSIFICATION_LOCK = '7021584395';
/** Held on a cluster while tokens are taken from the metadata queue, or put into it. */
export const METADATA_LOCK = '7021584398';
/** Held while tables are distributed over a cluster. */
export const CLUSTER_LOCK = '7021584397';
/** The first number of two: held by the holder of a key while it changes what its webhooks watch. */
export const WEBHOOK_LOCKS = 702_158;
