import type { FastifyBaseLogger } from 'fastify';

/** What operations of v2 may use of the rest of the program. */
export interface V2Ports {
  /** Unix time in seconds, with fraction. */
  readonly clock: () => number;
}

/** One call of an operation: its ports, its log, and what `@extra` will tell about it. */
export interface V2Call {
  readonly ports: V2Ports;
  readonly log: FastifyBaseLogger;
  /** Positions in the global config of the lite servers that were asked. */
  readonly workers: number[];
  /** Set when the answer came out of the cache. */
  cached: boolean;
}
