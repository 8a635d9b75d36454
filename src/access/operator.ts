import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { RequestCheck } from '../http/guarded-routes.ts';
import { Failure } from '../lib/errors.ts';
import { keyDigest } from './keys.ts';
import { createOriginCheck } from './own-origin.ts';
import { createAddressGroups, createMemoryRateStore, type RateCount, type RateStore } from './rate-limit.ts';

/** Decides whether a request is the operator's. */
export type OperatorAccess = ReturnType<typeof createOperatorAccess>;

interface OperatorOptions {
  /** The key of the administration. Where it is undefined, that of the local chain takes its place. */
  readonly adminKey?: string | undefined;
  /** The API key of a local chain, which its start has printed. */
  readonly localKey?: string | undefined;
  /** Whether the key of the local chain has not been revoked. */
  readonly isLocalKeyValid?: () => Promise<boolean>;
  /** What the operator has to send, for requests without a key. */
  readonly hints: { readonly administration: string; readonly localChain: string };
  /** The name or address that it listens on. */
  readonly host?: string;
  /** Further names of this server. */
  readonly allowedHosts?: readonly string[];
  /** Where wrong keys are counted; in this process by default. */
  readonly failures?: RateStore | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

export const ADMIN_HEADER = 'x-admin-key';
/** Wrong keys of an address that get an answer of their own per minute; a right one always does. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const MAX_KEY_LENGTH = 1024;

/**
 * Only who has a key is the operator: an address says nothing behind a proxy on the same machine, and neither does a
 * browser that shows a page of somebody else. Keys are taken from headers only, which no page can send unasked.
 */
export function createOperatorAccess(options: OperatorOptions) {
  const { adminKey, localKey, isLocalKeyValid = async () => true, hints, now } = options;
  const { host, allowedHosts = [] } = options;
  const adminDigest = adminKey === undefined ? undefined : digestOf(adminKey);
  const localDigest = localKey === undefined ? undefined : digestOf(localKey);
  // Of addresses it is the one that was connected to: all of them are written as one, `0.0.0.0`.
  const checkOrigin = createOriginCheck(
    host !== undefined && isIP(host) === 0 ? [...allowedHosts, host] : allowedHosts,
  );
  const addressGroup = createAddressGroups();
  const { failures = createMemoryRateStore({ now }) } = options;

  async function holdsLocalKey({ headers }: FastifyRequest): Promise<boolean> {
    const sent = [headers['x-api-key'], headers[ADMIN_HEADER]];
    return sent.some((key) => isKey(key, localDigest)) && isLocalKeyValid();
  }

  /** The failure for a wrong key. Keys are compared first: who guesses must not lock out who knows. */
  function countWrongKey({ ip }: FastifyRequest): Promise<Failure> {
    return new Promise((resolve) => {
      const counted = (_error: Error | null, count?: RateCount): void =>
        resolve(
          count === undefined || count.current <= MAX_FAILURES
            ? new Failure('unknown_key', 'The administration key is wrong')
            : new Failure('rate_limited', 'Too many wrong administration keys from this address', {
                retryAfterSeconds: Math.max(1, Math.ceil(count.ttl / 1000)),
              }),
        );
      failures.incr(addressGroup(ip), counted, WINDOW_MS, MAX_FAILURES);
    });
  }

  /** Throws `missing` unless the request has the administration key, or that of the local chain if it counts. */
  async function check(request: FastifyRequest, { takesLocalKey, missing }: Wanted): Promise<void> {
    checkOrigin(request);
    const given = request.headers[ADMIN_HEADER];
    if (isKey(given, adminDigest) || (takesLocalKey && (await holdsLocalKey(request)))) return;
    throw given === undefined || given === ''
      ? new Failure('unknown_key', missing)
      : await countWrongKey(request);
  }

  const forAdministration: Wanted = {
    takesLocalKey: adminDigest === undefined,
    missing: `The administration key is missing: ${hints.administration}`,
  };
  const forLocalChain: Wanted = {
    takesLocalKey: true,
    missing: `Commands to the local chain need its key: ${hints.localChain}`,
  };
  return {
    checkAdministration: ((request) => check(request, forAdministration)) as RequestCheck,
    checkLocalChain: ((request) => check(request, forLocalChain)) as RequestCheck,
  };
}

interface Wanted {
  readonly takesLocalKey: boolean;
  /** What is said to a request without a key. */
  readonly missing: string;
}

/** By digests, whose comparison takes as long for every key. */
function isKey(given: string | string[] | undefined, digest: Buffer | undefined): boolean {
  if (digest === undefined || typeof given !== 'string' || given.length > MAX_KEY_LENGTH) return false;
  return timingSafeEqual(digestOf(given), digest);
}

function digestOf(key: string): Buffer {
  return Buffer.from(keyDigest(key), 'base64');
}
