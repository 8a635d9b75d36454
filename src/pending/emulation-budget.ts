import type { Payer } from '../lib/payer.ts';

/** The right to emulate once. */
export interface EmulationPermit {
  readonly maxMs: number;
  /** Charges the time that it took; called once, whatever the outcome. */
  readonly charge: (ms: number) => void;
}

/** How much emulation time each payer may use. */
export interface EmulationBudget {
  /**
   * The permit to emulate now; undefined if the payer has no time left and must wait for `retrySeconds`. Unknown payers
   * share the budget of one anonymous caller.
   */
  acquire(payer: Payer | undefined): EmulationPermit | undefined;
  /** Whole seconds until a payer has time again. */
  retrySeconds(payer: Payer | undefined): number;
}

interface BudgetOptions {
  /** Emulation milliseconds per second, per request a second that a payer may make; undefined for no limit. */
  readonly msPerRps: number | undefined;
  /** Of one emulation. */
  readonly maxMs: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Payers that are remembered. */
  readonly maxPayers?: number;
}

interface Account {
  /** Negative after an emulation that took longer than there was time. */
  leftMs: number;
  at: number;
}

/** Unused time is saved for this long. */
const SAVED_SECONDS = 20;
/** The slowest payer too may emulate something. */
const MIN_SAVED_MS = 1000;
/** A usual emulation. It is charged at the start and corrected at the end, so that concurrent ones count. */
const EXPECTED_MS = 20;
const MAX_PAYERS = 100_000;
const UNKNOWN: Payer = { id: '', rps: 1 };

/** Creates token buckets of emulation time, one per payer. Each process has its own: it has its own processors. */
export function createEmulationBudget(options: BudgetOptions): EmulationBudget {
  const { msPerRps, maxMs, now = () => performance.now(), maxPayers = MAX_PAYERS } = options;
  const accounts = new Map<string, Account>();

  const perMs = ({ rps }: Payer): number => (rps * msPerRps!) / 1000;

  function open(payer: Payer): Account {
    const time = now();
    const full = Math.max(MIN_SAVED_MS, perMs(payer) * SAVED_SECONDS * 1000);
    const account = accounts.get(payer.id);
    if (account !== undefined) {
      account.leftMs = Math.min(full, account.leftMs + (time - account.at) * perMs(payer));
      account.at = time;
      return account;
    }
    if (accounts.size >= maxPayers) evict(time);
    const fresh = { leftMs: full, at: time };
    accounts.set(payer.id, fresh);
    return fresh;
  }

  /** Drops payers whose bucket is full again; if that is not enough, the oldest ones. */
  function evict(time: number): void {
    for (const [id, { at }] of accounts) if (time - at > SAVED_SECONDS * 1000) accounts.delete(id);
    for (const id of accounts.keys()) {
      if (accounts.size <= maxPayers / 2) break;
      accounts.delete(id);
    }
  }

  return {
    acquire(payer = UNKNOWN): EmulationPermit | undefined {
      if (msPerRps === undefined) return { maxMs, charge: () => {} };
      const account = open(payer);
      if (account.leftMs <= 0) return undefined;
      account.leftMs -= EXPECTED_MS;
      return {
        maxMs,
        charge: (ms) => {
          account.leftMs += EXPECTED_MS - Math.max(0, ms);
        },
      };
    },
    retrySeconds(payer = UNKNOWN) {
      if (msPerRps === undefined) return 0;
      const { leftMs } = open(payer);
      return leftMs > 0 ? 0 : Math.ceil((1 - leftMs) / perMs(payer) / 1000);
    },
  };
}
