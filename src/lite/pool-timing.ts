/** How long the pool waits for what. */
export interface PoolTiming {
  /** One query, the time in the queue included. */
  readonly queryMs: number;
  /** All queries of one request together. */
  readonly requestMs: number;
  /** A request that comes when no server is live waits that long for one. */
  readonly startMs: number;
  /** How long a server is asked to hold the question for the next block; it would refuse to hold it beyond 10 s. */
  readonly headWaitMs: number;
  /** How often a server is asked that does not hold questions. */
  readonly pollMs: number;
  /** How long a query may be held by a server that has not seen the reference block yet. */
  readonly referenceWaitMs: number;
  /** Pauses before a server that failed is asked again. */
  readonly recheckFirstMs: number;
  readonly recheckMaxMs: number;
  /** How long a server that gave a wrong answer is not used: the first time, and at most. */
  readonly distrustFirstMs: number;
  readonly distrustMaxMs: number;
  /** After that long without a wrong answer the next one counts as the first. */
  readonly forgiveMs: number;
  /** When the depth of a server's archive is looked for, first and then again and again. */
  readonly firstProbeMs: number;
  readonly probeMs: number;
}

/** The times of a pool in service. */
export const POOL_TIMING: PoolTiming = {
  queryMs: 5000,
  requestMs: 10_000,
  startMs: 1000,
  headWaitMs: 4000,
  pollMs: 1000,
  referenceWaitMs: 3000,
  recheckFirstMs: 10_000,
  recheckMaxMs: 60_000,
  distrustFirstMs: 10_000,
  distrustMaxMs: 600_000,
  forgiveMs: 3_600_000,
  firstProbeMs: 1000,
  probeMs: 120_000,
};
