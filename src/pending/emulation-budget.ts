import type { Payer } from '../lib/payer.ts';

/** The leave to emulate once. */
export interface EmulationPermit {
  /** Milliseconds that this one may take at most. */
  readonly maxMs: number;
  /** Takes what it took out of the budget; called once, whatever came of it. */
  readonly spent: (ms: number) => void;
}

/** How much emulation everybody may ask for. */
export interface EmulationBudget {
  /**
   * The leave to emulate now; undefined for one whose time is spent, who has `retrySeconds` to wait. Those that nobody
   * knows share what one anonymous caller has.
   */
  acquire(payer: Payer | undefined): EmulationPermit | undefined;
  /** Whole seconds until a payer has time again. */
  retrySeconds(payer: Payer | undefined): number;
}

interface BudgetOptions {
  /** Milliseconds of emulation a second for each request a second that a payer may make; undefined without bound. */
  readonly msPerRps: number | undefined;
  /** The longest that one emulation may take. */
  readonly maxMs: number;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  /** Payers that are kept in mind at most. */
  readonly maxPayers?: number;
}

interface Account {
  /** Milliseconds that are left; less than none after one that took longer than there was. */
  leftMs: number;
  at: number;
}

/** What nobody used for so long is not saved up. */
const SAVED_SECONDS = 20;
/** Whoever may call at all may emulate something. */
const MIN_SAVED_MS = 1000;
/** What an emulation takes as a rule; it is taken at once and set right in the end, so that many at a time count. */
const EXPECTED_MS = 20;
const MAX_PAYERS = 100_000;
const UNKNOWN: Payer = { id: '', rps: 1 };

/** Everybody has so much time, which comes back by and by. It is time of this process: each has processors of its own. */
export function createEmulationBudget(options: BudgetOptions): EmulationBudget {
  const { msPerRps, maxMs: mostMs, now = () => performance.now(), maxPayers = MAX_PAYERS } = options;
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
    if (accounts.size >= maxPayers) makeRoom(time);
    const fresh = { leftMs: full, at: time };
    accounts.set(payer.id, fresh);
    return fresh;
  }

  /** Those that nobody used for long have all their time again; if that is not enough, those that came first go. */
  function makeRoom(time: number): void {
    for (const [id, { at }] of accounts) if (time - at > SAVED_SECONDS * 1000) accounts.delete(id);
    for (const id of accounts.keys()) {
      if (accounts.size <= maxPayers / 2) break;
      accounts.delete(id);
    }
  }

  return {
    acquire(payer = UNKNOWN): EmulationPermit | undefined {
      if (msPerRps === undefined) return { maxMs: mostMs, spent: () => {} };
      const account = open(payer);
      if (account.leftMs <= 0) return undefined;
      account.leftMs -= EXPECTED_MS;
      return {
        maxMs: mostMs,
        spent: (ms) => {
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
