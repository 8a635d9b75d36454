import type { FastifyBaseLogger } from 'fastify';
import type { V3RequestOptions } from './request-options.ts';

/** What operations of v3 may use of the rest of the program. The first that reads the index brings the first port. */
export type V3Ports = Readonly<Record<never, never>>;

/** One call of an operation: its ports, its log, and what the caller asked of it beside its parameters. */
export interface V3Call {
  readonly ports: V3Ports;
  readonly log: FastifyBaseLogger;
  readonly options: V3RequestOptions;
}
