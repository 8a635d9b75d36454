import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../lib/errors.ts';
import type { Payer } from '../lib/payer.ts';
import { createPayerBudget } from '../lib/payer-budget.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { WebhookHolder } from './stored-holders.ts';

interface AddressChangesOptions {
  /** Addresses that a holder may watch, for each request per second of its plan; undefined for no limit. */
  readonly addressesPerRps?: number | undefined;
}

/** A change with more addresses is long. */
const SHORT = 1000;
const SHORT_AT_ONCE = 2;
const LONG_AT_ONCE = 1;
/** Changes of one holder that wait. */
const MAX_WAITING = 10;
const MAX_WAIT_MS = 30_000;
/** All addresses of a holder may be replaced once in this time. */
const REPLACE_SECONDS = 100;
/** A few addresses can be changed however few there may be. */
const MIN_SAVED = 100;
const RETRY_MS = 50;

const tooMany = (): Failure =>
  new Failure('overloaded', 'too many addresses are being changed', { retryAfterSeconds: 5 });

/**
 * Creates the order in which addresses are changed: a holder makes one change at a time and a bounded number of them in a
 * time, and short changes of others do not wait for long ones.
 */
export function createAddressChanges({ addressesPerRps }: AddressChangesOptions) {
  const budget = createPayerBudget({
    unitsPerRps: addressesPerRps === undefined ? undefined : (2 * addressesPerRps) / REPLACE_SECONDS,
    savedSeconds: REPLACE_SECONDS,
    minSaved: MIN_SAVED,
    expected: 0,
  });
  const short = new Semaphore(SHORT_AT_ONCE, tooMany);
  const long = new Semaphore(LONG_AT_ONCE, tooMany);
  /** The changes of a holder: the last one, and how many there are. */
  const lines = new Map<string, { last: Promise<unknown>; count: number }>();

  /** Runs a change when it is its turn; `change` returns undefined while the holder makes another one in another process. */
  async function inTurn<T>(addresses: number, change: () => Promise<T | undefined>): Promise<T> {
    const lane = addresses > SHORT ? long : short;
    const endMs = performance.now() + MAX_WAIT_MS;
    for (;;) {
      await lane.acquire(endMs - performance.now());
      try {
        const result = await change();
        if (result !== undefined) return result;
      } finally {
        lane.release();
      }
      if (performance.now() > endMs) throw tooMany();
      await sleep(RETRY_MS);
    }
  }

  function usedUp(holder: Payer): Failure {
    return new Failure('rate_limited', 'too many addresses were changed, wait before changing more', {
      retryAfterSeconds: budget.retrySeconds(holder),
    });
  }

  return {
    /** Throws if a holder may make no change now. */
    require(holder: Payer | undefined): void {
      if (holder !== undefined && budget.retrySeconds(holder) > 0) throw usedUp(holder);
    },
    /** Makes a change of so many addresses; undefined is the operator. */
    async run<T>(
      holder: WebhookHolder | undefined,
      addresses: number,
      change: () => Promise<T | undefined>,
    ): Promise<T> {
      if (holder !== undefined) {
        const permit = budget.acquire(holder);
        if (permit === undefined) throw usedUp(holder);
        permit.charge(addresses);
      }
      const id = holder?.id ?? '';
      const line = lines.get(id) ?? { last: Promise.resolve(), count: 0 };
      if (line.count >= MAX_WAITING) throw tooMany();
      lines.set(id, line);
      line.count += 1;
      const turn = line.last.then(() => inTurn(addresses, change));
      line.last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        line.count -= 1;
        if (line.count === 0) lines.delete(id);
      }
    },
  };
}
