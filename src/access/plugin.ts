import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Gate } from '../http/gate.ts';
import { Failure } from '../lib/errors.ts';
import type { Payer } from '../lib/payer.ts';
import { createDigests, type KeyDirectory, type KeyRecord } from './keys.ts';
import {
  createAddressGroups,
  createGuessGuard,
  MAX_FAILURES,
  type RateCount,
  type RateStore,
} from './rate-limit.ts';

export interface GateOptions {
  readonly keys: KeyDirectory;
  readonly store: RateStore;
  /** Network that this process serves. */
  readonly network: string;
  /** Requests a second without a key, per client address. */
  readonly anonymousRps: number;
  /** Plans with lite servers of their own; the group has the name of the plan. */
  readonly privatePlans?: ReadonlySet<string>;
  /** False: keys are checked and nothing is counted. */
  readonly rateLimit: boolean;
  readonly report: { readonly refused: OnRefused };
  /** Milliseconds of a clock that never goes back, for the bound on guessing. */
  readonly now?: () => number;
}

/** What `charge` must know of an admitted request. */
interface Caller {
  readonly key: KeyRecord | null;
  readonly reply: GateReply;
}

const callerOf = Symbol('tongate.caller');

declare module 'fastify' {
  interface FastifyRequest {
    [callerOf]: Caller | null;
  }
}

const WINDOW_MS = 1000;

/** Decides who may call and how often: checks the key, the rate and the network of every request. */
export function createGate(options: GateOptions): Gate {
  const { keys, network, anonymousRps, privatePlans } = options;
  const onRefused = options.report.refused;
  const addressGroup = createAddressGroups();
  const checkKey = createKeyCheck({
    keys,
    addressGroup,
    boundGuesses: options.rateLimit,
    onRefused,
    now: options.now,
  });
  let limiter: ReturnType<FastifyInstance['createRateLimit']> | undefined;

  /** Counts one call and tells the caller where it stands; refuses the one that is too many. */
  function countCall(request: FastifyRequest, caller: Caller): Promise<void> | undefined {
    if (limiter === undefined) return undefined;
    const rps = rateOf(request);
    if (options.store.countNow !== undefined) {
      judge(caller, rps, options.store.countNow(limitKey(request), WINDOW_MS));
      return undefined;
    }
    return limiter(request).then((state) => {
      // Allow lists are not in use; the type knows them.
      if (state.isAllowed) return;
      const current = rps - state.remaining + (state.isExceeded ? 1 : 0);
      judge(caller, rps, { current, ttl: state.ttl });
    });
  }

  function judge({ key, reply }: Caller, rps: number, count: RateCount): void {
    setRateHeaders(reply, rps, count);
    if (!isAllowedHere(key)) throw refuse(onRefused, 'network_not_allowed');
    if (count.current > rps) throw refuse(onRefused, 'rate_limited', secondsLeft(count));
  }

  function rateOf(request: FastifyRequest): number {
    return request[callerOf]?.key?.rps ?? anonymousRps;
  }

  function limitKey(request: FastifyRequest): string {
    const key = request[callerOf]?.key ?? null;
    return key === null ? `a:${addressGroup(request.ip)}` : `k:${key.id}`;
  }

  function payerOf(request: FastifyRequest): Payer {
    return { id: limitKey(request), rps: rateOf(request) };
  }

  function isAllowedHere(key: KeyRecord | null): boolean {
    return key === null || key.networks.length === 0 || key.networks.includes(network);
  }

  function admitAs(
    key: KeyRecord | null,
    request: FastifyRequest,
    reply: GateReply,
  ): Promise<void> | undefined {
    const caller = { key, reply };
    request[callerOf] = caller;
    if (key !== null) {
      request.keyId = key.id;
      if (privatePlans?.has(key.plan)) request.liteGroup = key.plan;
      keys.touch(key);
    }
    if (limiter === undefined && !isAllowedHere(key)) throw refuse(onRefused, 'network_not_allowed');
    return countCall(request, caller);
  }

  return {
    async install(app) {
      app.decorateRequest(callerOf, null);
      app.decorateRequest('payer', {
        getter() {
          return payerOf(this);
        },
      });
      if (!options.rateLimit) return;
      await app.register(rateLimit, {
        global: false,
        timeWindow: WINDOW_MS,
        max: rateOf,
        keyGenerator: limitKey,
        store: storeClass(options.store),
      });
      // Without options of its own the limiter uses the store itself and no child: one count for all routes.
      limiter = app.createRateLimit();
    },

    // Decided without a promise where the key is cached and the count is in memory: the path of nearly every request.
    admit(request, reply) {
      const text = readKey(request);
      if (text === null) return admitAs(null, request, reply);
      const found = checkKey(text, request, reply);
      return found instanceof Promise
        ? found.then((key) => admitAs(key, request, reply))
        : admitAs(found, request, reply);
    },

    async charge(request) {
      const caller = request[callerOf];
      if (caller === null) throw new Error('charge() needs an admitted request');
      await countCall(request, caller);
    },
  };
}

/** The plugin makes its store from a class; ours is made already and shared by everything the plugin asks for. */
function storeClass(store: RateStore) {
  return class {
    readonly incr = store.incr;
    readonly read = store.read;
    child(): this {
      return this;
    }
  };
}

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
type KeyCheck = (key: string, request: FastifyRequest, reply: GateReply) => KeyRecord | Promise<KeyRecord>;

/** Ours have 46 characters; a longer one is not worth hashing. */
const MAX_KEY_LENGTH = 256;

/** Makes the check of keys, with a bound on how many wrong ones an address can try. */
function createKeyCheck(options: KeyCheckOptions): KeyCheck {
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

/** The API key that a request carries: header before query, the first of several; null for an anonymous caller. */
function readKey(request: FastifyRequest): string | null {
  return firstText(request.headers['x-api-key']) ?? firstText((request.query as Query | undefined)?.api_key);
}

interface Query {
  readonly api_key?: unknown;
}

/** Clients with no key configured send an empty one, so an empty text is no key. */
function firstText(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return null;
  const key = first.trim();
  return key === '' ? null : key;
}

/** What the gate may do with an answer: add headers. */
type GateReply = Parameters<Gate['admit']>[1];

/** Whole seconds until the window ends, as clients are told; at least one, as zero invites a tight loop. */
function secondsLeft({ ttl }: Pick<RateCount, 'ttl'>): number {
  return Math.max(1, Math.ceil(ttl / 1000));
}

/** Tells the caller its limit, what is left of it, and when it is whole again. */
function setRateHeaders(reply: GateReply, limit: number, count: RateCount): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', Math.max(0, limit - count.current));
  reply.header('x-ratelimit-reset', secondsLeft(count));
}

/** Why the gate turned a request away. */
type Refusal = 'unknown_key' | 'network_not_allowed' | 'rate_limited';

/** Told about every request that was turned away. */
type OnRefused = (refusal: Refusal) => void;

/** Texts that clients match; they are part of the contract of both interfaces. */
const TEXT_OF_REFUSAL: Readonly<Record<Refusal, string>> = {
  unknown_key: 'API key does not exist',
  network_not_allowed: 'Network not allowed',
  rate_limited: 'Ratelimit exceeded',
};

/** Counts a refusal and makes the failure to throw. */
function refuse(onRefused: OnRefused, refusal: Refusal, retryAfterSeconds?: number): Failure {
  onRefused(refusal);
  return new Failure(refusal, TEXT_OF_REFUSAL[refusal], { retryAfterSeconds });
}
