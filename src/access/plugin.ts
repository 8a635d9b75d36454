import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { AccessPlugin } from '../http/access.ts';
import { Failure } from '../lib/errors.ts';
import type { Payer } from '../lib/payer.ts';
import { createDigests, type KeyDirectory, type KeyRecord, keyDigest } from './keys.ts';
import { PAGE_CALLS, PAGE_WINDOW_MS, type PageTokens } from './page-tokens.ts';
import {
  createAddressGroups,
  createGuessGuard,
  createMemoryRateStore,
  type GuessGuard,
  MAX_FAILURES,
  type RateCount,
  type RateStore,
} from './rate-limit.ts';

export interface AccessOptions {
  readonly keys: KeyDirectory;
  readonly store: RateStore;
  /** Where requests that need no key are counted; in this process by default. */
  readonly publicStore?: RateStore | undefined;
  /** Where wrong keys are counted; in this process by default. */
  readonly guesses?: GuessGuard | undefined;
  /** Network that this process serves. */
  readonly network: string;
  /** Requests per second without a key, per client address. */
  readonly anonymousRps: number;
  /** Plans with lite servers of their own; the group has the name of the plan. */
  readonly privatePlans?: ReadonlySet<string>;
  /** False: keys are checked and nothing is counted. */
  readonly rateLimit: boolean;
  /** Calls of our own pages without a key are counted apart, up to a few. */
  readonly pageTokens?: PageTokens | undefined;
  /** Told to callers without a key that are above their rate: where they find one. */
  readonly keyHint?: string | undefined;
  readonly onRefused: OnRefused;
  /** Milliseconds of a monotonic clock, for the limit on guesses. */
  readonly now?: () => number;
}

/** Who an admitted request is from, and its reply, which gets the rate headers. */
interface Caller {
  readonly key: KeyRecord | null;
  readonly reply: FastifyReply;
}

const callerOf = Symbol('tongate.caller');

declare module 'fastify' {
  interface FastifyRequest {
    [callerOf]: Caller | null;
  }
}

const WINDOW_MS = 1000;
/** Requests per second and address for what needs no key: a docs page is ten of them, a probe is one. */
const MAX_PUBLIC_RPS = 50;
/** The same for files of the web application: a first visit takes thirty of them. */
const MAX_FILE_RPS = 500;

/** Decides who may call and how often: checks the key, the network and the rate of every request. */
export function createAccess(options: AccessOptions): AccessPlugin {
  const { keys, network, anonymousRps, privatePlans, keyHint, onRefused } = options;
  const addressGroup = createAddressGroups();
  const checkKey = createKeyCheck({
    keys,
    addressGroup,
    limitGuesses: options.rateLimit,
    onRefused,
    guesses: options.guesses ?? createGuessGuard({ now: options.now }),
  });

  // Not in Redis: these requests cost little, and Redis would cost more.
  const { publicStore = createMemoryRateStore({ now: options.now }) } = options;

  /** Counts a request that needs no key by its address; `done` gets the failure above the rate. */
  function countPublic(
    request: FastifyRequest,
    reply: FastifyReply,
    done: (failure?: Failure) => void,
  ): void {
    if (!options.rateLimit || request.routeConfig.unlimited === true) {
      done();
      return;
    }
    const group = addressGroup(request.ip);
    const [counted, max] =
      request.routeConfig.file === true ? [`files ${group}`, MAX_FILE_RPS] : [group, MAX_PUBLIC_RPS];
    publicStore.incr(
      counted,
      (_error, count) => {
        const isWithin = count === undefined || count.current <= max;
        if (!isWithin) setRateHeaders(reply, max, 0, count.ttl);
        done(isWithin ? undefined : refuse(onRefused, 'rate_limited', secondsLeft(count.ttl)));
      },
      WINDOW_MS,
      max,
    );
  }

  return fp(async (app) => {
    app.decorateRequest(callerOf, null);
    app.decorateRequest('payer', {
      getter() {
        return payerOf(this);
      },
    });
    app.decorateRequest('charge', async function charge(this: FastifyRequest) {
      const caller = this[callerOf];
      if (caller === null) throw new Error('charge() needs an admitted request');
      await countCall(this, caller);
    });
    if (options.rateLimit) {
      await app.register(rateLimit, {
        global: false,
        timeWindow: WINDOW_MS,
        max: rateOf,
        keyGenerator: limitKey,
        store: storeClass(options.store),
      });
    }
    // Without options of its own the limiter uses the store itself and not a child: one count for all routes.
    const limit = options.rateLimit ? app.createRateLimit() : undefined;

    app.addHook('onRequest', (request, reply, done) => {
      // Paths that do not exist need no key either: browsers and monitors ask for some of their own.
      if (request.routeConfig.public === true || request.is404) return countPublic(request, reply, done);
      const text = readKey(request);
      if (text !== null) request.isKeyValid = () => checkAgain(text);
      const checked = text === null ? null : checkKey(text, request, reply);
      // A cached key needs no promise of its own: that is nearly every request.
      return checked instanceof Promise
        ? checked.then((key) => admit(key, request, reply))
        : admit(checked, request, reply);
    });

    async function admit(key: KeyRecord | null, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const caller = { key, reply };
      request[callerOf] = caller;
      if (key !== null) {
        request.keyId = key.id;
        request.keyPlan = key.plan;
        if (privatePlans?.has(key.plan)) request.liteGroup = key.plan;
        keys.touch(key);
      }
      if (key === null && (await isOfFirstVisit(request))) return;
      await countCall(request, caller);
    }

    /** Counts a call of one of our pages apart from the anonymous rate, as long as there are some left for its address. */
    function isOfFirstVisit(request: FastifyRequest): boolean | Promise<boolean> {
      if (!options.rateLimit || !options.pageTokens?.isCarriedBy(request)) return false;
      return new Promise((resolve) => {
        const done = (_error: Error | null, count?: RateCount) =>
          resolve(count !== undefined && count.current <= PAGE_CALLS);
        options.store.incr(`p:${addressGroup(request.ip)}`, done, PAGE_WINDOW_MS, PAGE_CALLS);
      });
    }

    /** Counts one call and sets the rate headers; rejects a call above the rate. */
    async function countCall(request: FastifyRequest, { key, reply }: Caller): Promise<void> {
      const count = await limit?.(request);
      // `isAllowed` is for allow lists, which are not in use.
      if (count !== undefined && !count.isAllowed)
        setRateHeaders(reply, count.max, count.remaining, count.ttl);
      if (!isAllowedHere(key)) throw refuse(onRefused, 'network_not_allowed');
      if (count !== undefined && !count.isAllowed && count.isExceeded)
        throw refuse(onRefused, 'rate_limited', secondsLeft(count.ttl), key === null ? keyHint : undefined);
    }
  });

  /** A database that does not respond is no reason to end a stream. */
  async function checkAgain(text: string): Promise<boolean> {
    return keys.find(keyDigest(text)).then(
      (key) => key !== null && isAllowedHere(key),
      () => true,
    );
  }

  function rateOf(request: FastifyRequest): number {
    return request[callerOf]?.key?.rps ?? anonymousRps;
  }

  function limitKey(request: FastifyRequest): string {
    const key = request[callerOf]?.key ?? null;
    return key === null ? `a:${addressGroup(request.ip)}` : key.payer;
  }

  function payerOf(request: FastifyRequest): Payer {
    return { id: limitKey(request), rps: rateOf(request) };
  }

  function isAllowedHere(key: KeyRecord | null): boolean {
    return key === null || key.networks.length === 0 || key.networks.includes(network);
  }
}

/** @fastify/rate-limit makes its store from a class; ours exists already and is shared. */
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
  /** False: an address may try any number of wrong keys. */
  readonly limitGuesses: boolean;
  readonly guesses: GuessGuard;
  readonly onRefused: OnRefused;
}

/** The record of the key that a request carries, without a promise if it is cached; throws for a wrong key. */
type KeyCheck = (key: string, request: FastifyRequest, reply: FastifyReply) => KeyRecord | Promise<KeyRecord>;

/** Ours have 46 characters; a longer one is not worth hashing. */
const MAX_KEY_LENGTH = 256;

/** Creates the check of keys, with a limit on how many wrong ones an address can try. */
function createKeyCheck(options: KeyCheckOptions): KeyCheck {
  const { keys, addressGroup, limitGuesses, guesses, onRefused } = options;
  const digests = createDigests();

  async function find(digest: string | null): Promise<KeyRecord> {
    const record = digest === null ? null : await keys.find(digest);
    if (record === null) throw refuse(onRefused, 'unknown_key');
    return record;
  }

  async function findGuarded(digest: string | null, address: string, reply: FastifyReply) {
    const permit = await guesses.begin(address);
    if (permit === null) {
      const ttl = await setGuessHeaders(reply, address);
      throw refuse(onRefused, 'rate_limited', secondsLeft(ttl));
    }
    let failed = false;
    try {
      const record = digest === null ? null : await keys.find(digest);
      failed = record === null;
      if (record !== null) return record;
    } finally {
      permit.end(failed);
    }
    await setGuessHeaders(reply, address);
    throw refuse(onRefused, 'unknown_key');
  }

  async function setGuessHeaders(reply: FastifyReply, address: string): Promise<number> {
    const { current, ttl } = await guesses.count(address);
    setRateHeaders(reply, MAX_FAILURES, Math.max(0, MAX_FAILURES - current), ttl);
    return ttl;
  }

  return (key, request, reply) => {
    const digest = key.length > MAX_KEY_LENGTH ? null : digests(key);
    const cached = digest === null ? undefined : keys.cached(digest);
    if (cached !== undefined) return cached;
    const isGuess = digest === null || !keys.wasValid(digest);
    return isGuess && limitGuesses ? findGuarded(digest, addressGroup(request.ip), reply) : find(digest);
  };
}

/** The API key of a request: header before query, the first of several; null for an anonymous caller. */
function readKey(request: FastifyRequest): string | null {
  const query = request.query as Query | undefined;
  const key = firstText(request.headers['x-api-key']) ?? firstText(query?.api_key);
  if (key !== null || request.routeConfig.bearerKeys !== true) return key;
  return (
    firstText(query?.token) ?? firstText(/^Bearer (.*)$/i.exec(request.headers.authorization ?? '')?.[1])
  );
}

interface Query {
  readonly api_key?: unknown;
  readonly token?: unknown;
}

/** Clients without a configured key send an empty one, so an empty text is no key. Node joins repeated headers by commas. */
function firstText(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return null;
  const key = first.split(',', 1)[0]!.trim();
  return key === '' ? null : key;
}

/** Whole seconds until a call leaves the window; at least one, because zero invites a tight loop. */
function secondsLeft(ttlMs: number): number {
  return Math.max(1, Math.ceil(ttlMs / 1000));
}

/** Sets the rate-limit headers: the limit, the remaining requests, and the seconds until it is reset. */
function setRateHeaders(reply: FastifyReply, limit: number, remaining: number, ttlMs: number): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', secondsLeft(ttlMs));
}

type Refusal = 'unknown_key' | 'network_not_allowed' | 'rate_limited';

type OnRefused = (refusal: Refusal) => void;

/** Texts that clients match; they are part of the contract of both interfaces. */
const TEXT_OF_REFUSAL: Readonly<Record<Refusal, string>> = {
  unknown_key: 'API key does not exist',
  network_not_allowed: 'Network not allowed',
  rate_limited: 'Ratelimit exceeded',
};

function refuse(onRefused: OnRefused, refusal: Refusal, retryAfterSeconds?: number, hint?: string): Failure {
  onRefused(refusal);
  const text = TEXT_OF_REFUSAL[refusal];
  return new Failure(refusal, hint === undefined ? text : `${text}: ${hint}`, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
