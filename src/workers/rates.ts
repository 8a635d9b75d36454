import {
  createGuessGuard,
  createMemoryRateStore,
  type GuessGuard,
  type RateCount,
  type RateStore,
} from '../access/rate-limit.ts';
import type { Channel } from '../lib/channel.ts';
import type { Log } from '../lib/log.ts';
import { createWaiters } from '../lib/waiters.ts';
import type { Crew } from './crew.ts';

/** Counts the calls and the wrong keys of all workers. */
export function keepRates(crew: Pick<Crew, 'onJoin' | 'onLeave'>): void {
  const store = createMemoryRateStore();
  const guesses = createGuessGuard();
  /** Tries of keys under way, by process. */
  const tries = new Map<object, Map<number, (failed: boolean) => void>>();
  let lastTry = 0;

  crew.onJoin((member) => {
    const { channel } = member;
    const own = new Map<number, (failed: boolean) => void>();
    tries.set(member, own);
    channel.on('count', (step: 'incr' | 'read', key: string, windowMs: number, max: number) => {
      let counted: RateCount = { current: 0, ttl: 0 };
      store[step](
        key,
        (_error, count = counted) => {
          counted = count;
        },
        windowMs,
        max,
      );
      return counted;
    });
    channel.on('tryKey', async (address: string) => {
      const permit = await guesses.begin(address);
      if (permit === null) return null;
      lastTry += 1;
      own.set(lastTry, permit.end);
      return lastTry;
    });
    channel.on('triedKey', (id: number, failed: boolean) => {
      own.get(id)?.(failed);
      own.delete(id);
    });
    channel.on('wrongKeys', (address: string) => guesses.count(address));
  });
  crew.onLeave((member) => {
    const own = tries.get(member);
    for (const end of own?.values() ?? []) end(false);
    own?.clear();
    tries.delete(member);
  });
}

interface SharedRatesOptions {
  readonly channel: Channel;
  readonly log: Log;
  /** Called when the parent process is late. */
  readonly onError: () => void;
  /** Longest time that a request waits for it. */
  readonly timeoutMs?: number;
}

/** The parent is on this machine and does little else: one that is not gone is late only if the whole machine is. */
const TIMEOUT_MS = 1000;
const MAX_REFUSED = 10_000;

interface Refused {
  readonly max: number;
  readonly untilMs: number;
}

/**
 * The counts of all workers, kept by their parent. A rate limit must never take the service down: while the parent
 * is late, calls are counted in this process.
 */
export function shareRates({ channel, log, onError, timeoutMs = TIMEOUT_MS }: SharedRatesOptions) {
  const waiters = createWaiters({ timeoutMs, onLate });
  const ownStore = createMemoryRateStore();
  const ownGuesses = createGuessGuard();
  /** Callers that have used up their rate: no call of theirs is admitted before that, by any worker. */
  let refused = new Map<string, Refused>();
  let isAway = false;

  function onLate(): void {
    if (isAway) return;
    isAway = true;
    onError();
    log.warn({}, 'The parent process is late, rate limits are process-local');
    waiters.giveUpAll();
    channel.call('ping').then(
      () => {
        isAway = false;
        log.info({}, 'The parent process answers, rate limits are shared');
      },
      () => {},
    );
  }

  function ask<T>(name: string, ...args: readonly unknown[]): Promise<T | undefined> {
    return isAway ? Promise.resolve(undefined) : waiters.wait(channel.call<T>(name, ...args), onLate);
  }

  function remember(key: string, askedAtMs: number, { ttl }: RateCount, max: number): void {
    if (refused.size >= MAX_REFUSED) refused = new Map();
    // From when it was asked, not answered: a call that leaves the window is missed by nobody.
    refused.set(key, { max, untilMs: askedAtMs + ttl - 1 });
  }

  const store: RateStore = {
    async incr(key, callback, windowMs, max) {
      const nowMs = performance.now();
      const known = refused.get(key);
      if (known !== undefined && known.max === max && nowMs < known.untilMs)
        return callback(null, { current: max + 1, ttl: Math.ceil(known.untilMs - nowMs) });
      const count = await ask<RateCount>('count', 'incr', key, windowMs, max);
      if (count === undefined) return ownStore.incr(key, callback, windowMs, max);
      if (count.current > max) remember(key, nowMs, count, max);
      callback(null, count);
    },
    async read(key, callback, windowMs, max) {
      const count = await ask<RateCount>('count', 'read', key, windowMs, max);
      if (count === undefined) ownStore.read(key, callback, windowMs, max);
      else callback(null, count);
    },
    close: async () => waiters.giveUpAll(),
  };
  const guesses: GuessGuard = {
    async begin(address) {
      // Waiting for the tries of others is not lateness.
      const id = isAway
        ? undefined
        : await channel.call<number | null>('tryKey', address).catch(() => undefined);
      if (id === undefined) return ownGuesses.begin(address);
      return id === null ? null : { end: (failed) => channel.notify('triedKey', id, failed) };
    },
    count: async (address) => (await ask<RateCount>('wrongKeys', address)) ?? ownGuesses.count(address),
  };
  return { store, guesses };
}

/** A part of a store: keys of different meaning must not meet. */
export function partOfStore(store: RateStore, prefix: string): RateStore {
  return {
    incr: (key, ...rest) => store.incr(prefix + key, ...rest),
    read: (key, ...rest) => store.read(prefix + key, ...rest),
    close: async () => {},
  };
}
