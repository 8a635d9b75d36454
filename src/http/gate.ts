import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Payer } from '../lib/payer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the API key that was accepted for this request; null for an anonymous caller. */
    keyId: string | null;
    /** Group of lite servers that the plan of this key has to itself; undefined where it shares everybody's. */
    liteGroup: string | undefined;
    /** Who an admitted request is counted against; found out when it is asked for. */
    readonly payer?: Payer | undefined;
  }
  interface FastifyContextConfig {
    /** Set to false on routes that need no key and count against no limit (health, docs). */
    gated?: boolean;
    /** Label of the route in metrics and logs. */
    operation?: string;
  }
}

/** What decides who may call and how often. The access room provides it; `http` only calls it. */
export interface Gate {
  /** Adds what the gate needs to the application before any route exists. */
  readonly install: (app: FastifyInstance) => Promise<void>;
  /**
   * Lets the request pass, counts it and sets the rate headers, or fails with a `Failure`. Returns nothing where it
   * could decide at once.
   */
  readonly admit: (
    request: FastifyRequest,
    reply: { header(name: string, value: unknown): unknown },
  ) => Promise<void> | undefined;
  /** Counts one more call of an admitted request (a further entry of a JSON-RPC batch), or throws a `Failure`. */
  readonly charge: (request: FastifyRequest) => Promise<void>;
}
