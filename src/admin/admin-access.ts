import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { keyDigest } from '../access/keys.ts';
import { createAddressGroups, createMemoryRateStore } from '../access/rate-limit.ts';
import { isFromThisMachine } from '../http/from-this-machine.ts';
import { Failure } from '../lib/errors.ts';

/** Decides who is the operator. */
export type AdminAccess = ReturnType<typeof createAdminAccess>;

interface AdminAccessOptions {
  /** Undefined: callers on this machine are the operator. */
  readonly adminKey: string | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** The header with the key. */
export const ADMIN_HEADER = 'x-admin-key';
/** Wrong keys that an address may send per minute. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const MAX_KEY_LENGTH = 1024;

export function createAdminAccess({ adminKey, now }: AdminAccessOptions) {
  const digest = adminKey === undefined ? undefined : digestOf(adminKey);
  const addressGroup = createAddressGroups();
  const failures = createMemoryRateStore({ now });

  /** Keys are compared by their digests, which takes as long for every key. */
  function isRight(key: string): boolean {
    return digest !== undefined && key.length <= MAX_KEY_LENGTH && timingSafeEqual(digestOf(key), digest);
  }

  function refuseWhenLocked(address: string): void {
    failures.read(
      address,
      (_error, count) => {
        if (count !== undefined && count.current >= MAX_FAILURES)
          throw new Failure('rate_limited', 'Too many wrong administration keys from this address', {
            retryAfterSeconds: Math.max(1, Math.ceil(count.ttl / 1000)),
          });
      },
      WINDOW_MS,
      MAX_FAILURES,
    );
  }

  /** Whether a request is the operator's; a wrong key is an error here too. */
  function isAdmin(request: FastifyRequest): boolean {
    if (digest === undefined) return isFromThisMachine(request);
    const key = request.headers[ADMIN_HEADER];
    if (typeof key !== 'string' || key === '') return false;
    const address = addressGroup(request.ip);
    // Before the comparison: who guesses learns nothing more, not even from the right key.
    refuseWhenLocked(address);
    if (isRight(key)) return true;
    failures.incr(address, () => {}, WINDOW_MS, MAX_FAILURES);
    throw new Failure('unknown_key', 'The administration key is wrong');
  }

  return {
    isAdmin,
    /** Throws a `Failure` unless the request is the operator's. Wrong keys are limited by address. */
    check(request: FastifyRequest): void {
      if (isAdmin(request)) return;
      throw digest === undefined
        ? new Failure(
            'network_not_allowed',
            'Administration is for callers on this machine only; ADMIN_KEY opens it for others',
          )
        : new Failure('unknown_key', 'The administration key is missing: send it in the header X-Admin-Key');
    },
  };
}

function digestOf(key: string): Buffer {
  return Buffer.from(keyDigest(key), 'base64');
}
