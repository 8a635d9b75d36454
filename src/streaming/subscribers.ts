import type { HashKey } from '../lib/bytes-key.ts';
import type { StreamEvent } from './events.ts';
import type { Interest } from './load-events.ts';
import type { EarlyInterest } from './signed-states.ts';
import { EVENT_TYPES, type EventType, reaches, type Subscription } from './subscription.ts';

/** Subscribers by what they watch, so that an event costs as much as it has receivers. */
export class Subscribers<T extends { readonly subscription: Subscription }> {
  /** With the subscription that each was entered with: by now it may have another. */
  readonly #entered = new Map<T, Subscription>();
  readonly #byAccount = new Watchers<T>();
  readonly #byTrace = new Watchers<T>();
  /** Those who saw a trace below finalized, and have to hear how it ends. */
  readonly #awaiting = new Watchers<T>();
  /** Those who want to hear of accounts before the masterchain has their transactions. */
  readonly #early = new Watchers<T>();
  readonly #ofType = new Map<EventType, number>(EVENT_TYPES.map((type) => [type, 0]));
  #withBook = 0;
  #withMetadata = 0;
  #earlyCount = 0;

  /** Addresses and traces that are watched, each counted once per subscriber. */
  get watched(): number {
    let count = 0;
    for (const { addresses, traceKeys } of this.#entered.values()) count += addresses.size + traceKeys.size;
    return count;
  }

  /** Enters a subscriber, or what it watches now. */
  set(subscriber: T): void {
    this.delete(subscriber);
    const { subscription } = subscriber;
    this.#entered.set(subscriber, subscription);
    for (const key of subscription.addresses) this.#byAccount.add(key, subscriber);
    for (const key of subscription.traceKeys) this.#byTrace.add(key, subscriber);
    if (isEarly(subscription)) for (const key of subscription.addresses) this.#early.add(key, subscriber);
    this.#count(subscription, 1);
  }

  delete(subscriber: T): void {
    const subscription = this.#entered.get(subscriber);
    if (subscription === undefined) return;
    this.#entered.delete(subscriber);
    for (const key of subscription.addresses) this.#byAccount.remove(key, subscriber);
    for (const key of subscription.traceKeys) this.#byTrace.remove(key, subscriber);
    if (isEarly(subscription)) for (const key of subscription.addresses) this.#early.remove(key, subscriber);
    this.#count(subscription, -1);
  }

  #count(subscription: Subscription, step: 1 | -1): void {
    const { types, includeAddressBook, includeMetadata } = subscription;
    if (isEarly(subscription)) this.#earlyCount += step;
    for (const type of types) this.#ofType.set(type, this.#ofType.get(type)! + step);
    if (includeAddressBook) this.#withBook += step;
    if (includeMetadata) this.#withMetadata += step;
  }

  await(key: HashKey, subscriber: T): void {
    this.#awaiting.add(key, subscriber);
  }

  forget(key: HashKey, subscriber: T): void {
    this.#awaiting.remove(key, subscriber);
  }

  awaiting(key: HashKey): readonly T[] {
    return [...this.#awaiting.get(key)];
  }

  receivers({ type, finality, at, accounts, traceSought, traceKey }: StreamEvent): Set<T> {
    const matches = new Set<T>();
    const consider = (some: Iterable<T>): void => {
      for (const one of some) {
        const { types, minFinality } = one.subscription;
        // Events from before the index come again from there: who wants nothing else hears of it once.
        const isTooEarly = at === undefined && minFinality === 'finalized';
        if (types.has(type) && reaches(finality, minFinality) && !isTooEarly) matches.add(one);
      }
    };
    for (const account of accounts) consider(this.#byAccount.get(account));
    if (traceSought !== undefined) consider(this.#byTrace.get(traceSought));
    // Whatever they watch, they hear how the trace ends, and what is certain enough for them before.
    if (traceKey !== undefined)
      for (const one of this.#awaiting.get(traceKey))
        if (reaches(finality, one.subscription.minFinality)) matches.add(one);
    return matches;
  }

  /** What is wanted before the masterchain has it; undefined if nothing is. */
  early(): EarlyInterest | undefined {
    if (this.#earlyCount === 0) return undefined;
    return {
      wantsAccount: (key) => this.#early.has(key),
      wantsTrace: (key) => this.#byTrace.has(key),
      wantsStates: this.#ofType.get('account_state_change')! > 0,
    };
  }

  /** The interest of all together; undefined if there is none. */
  interest(): Interest | undefined {
    if (this.#entered.size === 0) return undefined;
    return {
      wantsAccount: (key) => this.#byAccount.has(key),
      wantsTrace: (key) => this.#byTrace.has(key),
      awaitsTrace: (key) => this.#awaiting.has(key),
      hasTraces: this.#byTrace.size > 0 || this.#awaiting.size > 0,
      types: new Set(EVENT_TYPES.filter((type) => this.#ofType.get(type)! > 0)),
      includeAddressBook: this.#withBook > 0,
      includeMetadata: this.#withMetadata > 0,
    };
  }
}

function isEarly({ minFinality }: Subscription): boolean {
  return minFinality !== 'finalized';
}

export function interestOf(subscription: Subscription): Interest {
  return {
    wantsAccount: (key) => subscription.addresses.has(key),
    wantsTrace: (key) => subscription.traceKeys.has(key),
    awaitsTrace: () => false,
    hasTraces: subscription.traceKeys.size > 0,
    types: subscription.types,
    includeAddressBook: subscription.includeAddressBook,
    includeMetadata: subscription.includeMetadata,
  };
}

/** Who watches what. Most addresses are watched by one subscriber, which needs no set. */
class Watchers<T extends object> {
  readonly #of = new Map<HashKey, T | Set<T>>();

  get size(): number {
    return this.#of.size;
  }

  has(key: HashKey): boolean {
    return this.#of.has(key);
  }

  get(key: HashKey): Iterable<T> {
    const current = this.#of.get(key);
    if (current === undefined) return [];
    return current instanceof Set ? current : [current];
  }

  add(key: HashKey, one: T): void {
    const current = this.#of.get(key);
    if (current instanceof Set) current.add(one);
    else if (current === undefined) this.#of.set(key, one);
    else if (current !== one) this.#of.set(key, new Set([current, one]));
  }

  remove(key: HashKey, one: T): void {
    const current = this.#of.get(key);
    if (current === one) this.#of.delete(key);
    if (!(current instanceof Set)) return;
    current.delete(one);
    if (current.size === 0) this.#of.delete(key);
  }
}
