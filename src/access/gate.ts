import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Gate } from '../http/gate.ts';
import { createAddressGroups } from './client-address.ts';
import { createKeyCheck } from './key-check.ts';
import type { KeyDirectory, KeyRecord } from './key-directory.ts';
import { type GateReply, secondsLeft, setRateHeaders } from './rate-headers.ts';
import type { RateStore } from './rate-store.ts';
import { readKey } from './read-key.ts';
import { type OnRefused, refuse } from './refuse.ts';

export interface GateOptions {
  readonly keys: KeyDirectory;
  readonly store: RateStore;
  /** Network that this process serves. */
  readonly network: string;
  /** Requests a second without a key, per client address. */
  readonly anonymousRps: number;
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
  const { keys, network, anonymousRps } = options;
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

  /** Counts one call and tells the caller where it stands; returns seconds to wait when it is one too many. */
  async function countCall(request: FastifyRequest, reply: GateReply): Promise<number> {
    if (limiter === undefined) return 0;
    const state = await limiter(request);
    if (state.isAllowed) return 0;
    setRateHeaders(reply, state.max, { current: state.max - state.remaining, ttl: state.ttl });
    return state.isExceeded ? secondsLeft(state) : 0;
  }

  return {
    async install(app) {
      app.decorateRequest(callerOf, null);
      if (!options.rateLimit) return;
      await app.register(rateLimit, {
        global: false,
        timeWindow: WINDOW_MS,
        max: (request: FastifyRequest) => request[callerOf]?.key?.rps ?? anonymousRps,
        keyGenerator: (request) => {
          const key = request[callerOf]?.key ?? null;
          return key === null ? `a:${addressGroup(request.ip)}` : `k:${key.id}`;
        },
        store: storeClass(options.store),
      });
      // Without options of its own the limiter uses the store itself and no child: one count for all routes.
      limiter = app.createRateLimit();
    },

    async admit(request, reply) {
      const text = readKey(request);
      let key: KeyRecord | null = null;
      if (text !== null) {
        const found = checkKey(text, request, reply);
        key = found instanceof Promise ? await found : found;
        request.keyId = key.id;
        keys.touch(key);
      }
      request[callerOf] = { key, reply };
      const waitSeconds = await countCall(request, reply);
      if (key !== null && key.networks.length > 0 && !key.networks.includes(network)) {
        throw refuse(onRefused, 'network_not_allowed');
      }
      if (waitSeconds > 0) throw refuse(onRefused, 'rate_limited', waitSeconds);
    },

    async charge(request) {
      const caller = request[callerOf];
      if (caller === null) throw new Error('charge() needs an admitted request');
      const waitSeconds = await countCall(request, caller.reply);
      if (waitSeconds > 0) throw refuse(onRefused, 'rate_limited', waitSeconds);
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
