import type { FastifyPluginAsync } from 'fastify';
import type { Payer } from '../lib/payer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the API key that was accepted for this request; null for an anonymous caller. */
    keyId: string | null;
    /** Private group of lite servers that the plan of the key has; undefined for the shared ones. */
    liteGroup: string | undefined;
    /** Plan of the key; null for an anonymous caller. */
    keyPlan: string | null;
    /** Looks again whether the key of an admitted request is valid, which it may not be any more while a stream is open. */
    isKeyValid(): Promise<boolean>;
    /** Who the request is counted against. */
    readonly payer?: Payer | undefined;
    /** Counts one more call of an admitted request (a further entry of a JSON-RPC batch), or throws a `Failure`. */
    charge(): Promise<void>;
  }
  interface FastifyContextConfig {
    /** True for routes that need no key (health, docs); an address may call many of them per second. */
    public?: boolean;
    /** True for routes that also take a key as `token` in the query or as a bearer token. */
    bearerKeys?: boolean;
    /** True for public routes that are called as often as one likes: commands to a local chain. */
    unlimited?: boolean;
    /** True for public routes of files, of which a page needs many; they have a higher rate of their own. */
    file?: boolean;
  }
}

/**
 * Decides who may call and how often. The plugin adds an `onRequest` hook that admits a request or fails with a
 * `Failure`, and the request decorators `payer` and `charge`.
 */
export type AccessPlugin = FastifyPluginAsync;
