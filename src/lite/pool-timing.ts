/** Timeouts and intervals of a pool in production. */
export const DEFAULT_POOL_TIMING = {
  /** One query, the time in the queue included. */
  queryMs: 5000,
  /** All queries of one request together. */
  requestMs: 10_000,
  /** How long a request waits for a live server when there is none. */
  startMs: 1000,
  /** How long a server waits for its next block before it responds; servers refuse to wait longer than 10 s. */
  headWaitMs: 4000,
  /** How often a server is polled that does not support waiting. */
  pollMs: 1000,
  /** How long a server may wait for the reference block of a query. */
  referenceWaitMs: 3000,
  /** Delays before a failed server is checked again. */
  recheckFirstMs: 10_000,
  recheckMaxMs: 60_000,
  /** How long a server is distrusted after a wrong response: the first time, and at most. */
  distrustFirstMs: 10_000,
  distrustMaxMs: 600_000,
  /** After this time without a wrong response the next one counts as the first. */
  forgiveMs: 3_600_000,
  /** When the archive depth of a server is probed: first, and then repeatedly. */
  firstProbeMs: 1000,
  probeMs: 120_000,
};

/** Timeouts and intervals of a pool. */
export type PoolTiming = Readonly<typeof DEFAULT_POOL_TIMING>;
