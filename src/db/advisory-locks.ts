/** Taken by whoever makes or drops partitions. Any fixed numbers that differ from each other. */
export const PARTITION_LOCK = '7021584391';
/** Taken by whoever changes which chunks of the index there are. */
export const CHUNK_LOCK = '7021584392';
/** Taken by whoever finds out for which accounts events wait, or notes that they do. The last lock of a transaction. */
export const EVENT_LOCK = '7021584394';
/** Taken by whoever puts traces that were classified before into the queue again, and never waited for. */
export const CLASSIFICATION_LOCK = '7021584395';
