/** Timeouts and intervals of a pool. */
export interface PoolTiming {
  /** One query, the time in the queue included. */
  readonly queryMs: number;
  /** All queries of one request together. */
  readonly requestMs: number;
  /** How long a request waits for a live server when there is none. */
  readonly startMs: number;
  /** How long a server waits for its next block before it responds; servers refuse to wait longer than 10 s. */
  readonly headWaitMs: number;
  /** How often a server is polled that does not support waiting. */
  readonly pollMs: number;
  /** How long a server may wait for the reference block of a query. */
  readonly referenceWaitMs: number;
  /** Delays before a failed server is checked again. */
  readonly recheckFirstMs: number;
  readonly recheckMaxMs: number;
  /** How long a server is distrusted after a wrong response: the first time, and at most. */
  readonly distrustFirstMs: number;
  readonly distrustMaxMs: number;
  /** After this time without a wrong response the next one counts as the first. */
  readonly forgiveMs: number;
  /** When the archive depth of a server is probed: first, and then repeatedly. */
  readonly firstProbeMs: number;
  readonly probeMs: number;
}

/** The timing of a pool in production. */
export const DEFAULT_POOL_TIMING: PoolTiming = {
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
