import type { FastifyRequest } from 'fastify';
import { createGuessGuard, MAX_FAILURES } from './guess-guard.ts';
import { createDigests } from './key-digest.ts';
import type { KeyDirectory, KeyRecord } from './key-directory.ts';
import { type GateReply, secondsLeft, setRateHeaders } from './rate-headers.ts';
import { type OnRefused, refuse } from './refuse.ts';

interface KeyCheckOptions {
  readonly keys: KeyDirectory;
  readonly addressGroup: (ip: string | undefined) => string;
  /** False: an address may try as many wrong keys as it likes. */
  readonly boundGuesses: boolean;
  readonly onRefused: OnRefused;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: (() => number) | undefined;
}

/** The key record for the key a request carries, at once where it is cached; throws for a wrong key. */
export type KeyCheck = (
  key: string,
  request: FastifyRequest,
  reply: GateReply,
) => KeyRecord | Promise<KeyRecord>;

/** Ours have 46 characters; a longer one is not worth hashing. */
const MAX_KEY_LENGTH = 256;

/** Makes the check of keys, with a bound on how many wrong ones an address can try. */
export function createKeyCheck(options: KeyCheckOptions): KeyCheck {
  const { keys, addressGroup, boundGuesses, onRefused } = options;
  const guesses = createGuessGuard({ now: options.now });
  const digests = createDigests();

  async function findOrRefuse(digest: string | null): Promise<KeyRecord> {
    const record = digest === null ? null : await keys.find(digest);
    if (record === null) throw refuse(onRefused, 'unknown_key');
    return record;
  }

  async function findGuarded(digest: string | null, address: string, reply: GateReply): Promise<KeyRecord> {
    const turn = await guesses.begin(address);
    if (turn === null) {
      const count = guesses.count(address);
      setRateHeaders(reply, MAX_FAILURES, count);
      throw refuse(onRefused, 'rate_limited', secondsLeft(count));
    }
    let failed = false;
    try {
      const record = digest === null ? null : await keys.find(digest);
      failed = record === null;
      if (record !== null) return record;
    } finally {
      turn.end(failed);
    }
    setRateHeaders(reply, MAX_FAILURES, guesses.count(address));
    throw refuse(onRefused, 'unknown_key');
  }

  return (key, request, reply) => {
    const digest = key.length > MAX_KEY_LENGTH ? null : digests(key);
    const cached = digest === null ? undefined : keys.cached(digest);
    if (cached !== undefined) return cached;
    const isGuess = digest === null || !keys.known(digest);
    return isGuess && boundGuesses
      ? findGuarded(digest, addressGroup(request.ip), reply)
      : findOrRefuse(digest);
  };
}
