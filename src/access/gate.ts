import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Gate, Payer } from '../http/gate.ts';
import { createAddressGroups } from './client-address.ts';
import { createKeyCheck } from './key-check.ts';
import type { KeyDirectory, KeyRecord } from './key-directory.ts';
import { type GateReply, secondsLeft, setRateHeaders } from './rate-headers.ts';
import type { RateCount, RateStore } from './rate-store.ts';
import { readKey } from './read-key.ts';
import { type OnRefused, refuse } from './refuse.ts';

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
