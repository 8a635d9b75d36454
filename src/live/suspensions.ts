import type { AccountId } from '../chain/address.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { Failure } from '../lib/errors.ts';
import { isSuspendedAt } from './accounts.ts';
import type { LiveChain, LiveRequest } from './chain.ts';

/** Tells whether the newest config keeps an account from being deployed now. */
export type SuspensionCheck = (account: AccountId) => boolean;

/** The check as far as the config is known; undefined while no lite server has told it. */
export type Suspensions = (request: LiveRequest) => Promise<SuspensionCheck | undefined>;

interface SuspensionOptions {
  readonly live: Pick<LiveChain, 'config'>;
  /** Of the chain, in unix seconds. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** The list changes by votes that take days. */
const MAX_AGE_MS = 60_000;
const RETRY_MS = 5000;
/** Responses from the index do not wait longer for it. */
const MAX_WAIT_MS = 1000;

/** Creates the check of suspended accounts. Requests wait for the first config only; later ones are read beside them. */
export function createSuspensions({
  live,
  clock,
  now = () => performance.now(),
}: SuspensionOptions): Suspensions {
  let config: CellRef | undefined;
  let nextReadMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(request: LiveRequest): Promise<void> {
    nextReadMs = now() + MAX_AGE_MS;
    try {
      config = await live.config({ ...request, untilMs: performance.now() + MAX_WAIT_MS });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      nextReadMs = now() + RETRY_MS;
    } finally {
      reading = undefined;
    }
  }

  return async (request) => {
    if (reading === undefined && now() >= nextReadMs) reading = read(request);
    if (config === undefined) await reading;
    const known = config;
    return known && ((account) => isSuspendedAt(known, account, clock()));
  };
}
