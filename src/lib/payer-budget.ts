import type { Payer } from './payer.ts';

/** The right to do one thing that draws on a budget. */
export interface BudgetPermit {
  /** Counts so many units as under way, instead of those expected so far. */
  readonly expect: (units: number) => void;
  /** Charges what it really took instead of what was expected; called once, whatever the outcome. */
  readonly charge: (units: number) => void;
}

/** How much of something each payer may use, for example milliseconds of a processor or bytes of responses. */
export interface PayerBudget {
  /**
   * The permit to use some now; undefined if the payer has used up its budget and must wait for `retrySeconds`. Unknown
   * payers share the budget of one anonymous caller.
   */
  acquire(payer: Payer | undefined): BudgetPermit | undefined;
  /** The permit to go on with something that was begun: what the payer does not have it owes. */
  take(payer: Payer | undefined): BudgetPermit;
  /** Whole seconds until a payer may use some again; 0 if it may now. */
  retrySeconds(payer: Payer | undefined): number;
}

/**
 * The same budget in other processes. Each keeps all of it and hears what the others charge, so that nobody waits: two may
 * give the last units at the same moment, which is owed then.
 */
export interface BudgetShare {
  /** Tells the others what was charged here, and how many units per second the payer gets back. */
  charged(payer: Payer, units: number, rate: number): void;
  /** Sets what hears of the others. */
  onCharged(listener: (payer: Payer, units: number) => void): void;
}

export interface PayerBudgetOptions {
  /** Units per second, for each request a second that a payer may make; undefined for no limit. */
  readonly unitsPerRps: number | undefined;
  /** For this long unused units are saved. */
  readonly savedSeconds: number;
  /** The slowest payer can save this many units too. */
  readonly minSaved: number;
  /** Charged at the start and corrected at the end, so that what is under way counts. */
  readonly expected: number;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Payers that are remembered. */
  readonly maxPayers?: number | undefined;
  readonly share?: BudgetShare | undefined;
}

interface Account {
  /** Negative after something that took more than there was. */
  left: number;
  at: number;
  /** Units per second, and how many it can save. */
  rate: number;
  full: number;
}

const MAX_PAYERS = 100_000;
const UNKNOWN: Payer = { id: '', rps: 1 };
const UNLIMITED: BudgetPermit = { expect() {}, charge() {} };

/** Creates token buckets, one per payer. */
export function createPayerBudget(options: PayerBudgetOptions): PayerBudget {
  const { unitsPerRps, savedSeconds, minSaved, expected, share } = options;
  const { now = () => performance.now(), maxPayers = MAX_PAYERS } = options;
  const accounts = new Map<string, Account>();
  if (unitsPerRps === undefined)
    return { acquire: () => UNLIMITED, take: () => UNLIMITED, retrySeconds: () => 0 };

  function open({ id, rps }: Payer): Account {
    const time = now();
    const rate = rps * unitsPerRps!;
    const full = Math.max(minSaved, rate * savedSeconds);
    const existing = accounts.get(id);
    if (existing !== undefined) {
      // The rate of a key may have changed.
      const left = Math.min(full, refilled(existing, time));
      return Object.assign(existing, { left, at: time, rate, full });
    }
    if (accounts.size >= maxPayers) evict(time);
    const fresh = { left: full, at: time, rate, full };
    accounts.set(id, fresh);
    return fresh;
  }

  function refilled({ left, at, rate, full }: Account, time: number): number {
    return Math.min(full, left + ((time - at) / 1000) * rate);
  }

  /** Drops payers whose bucket is full again; if that is not enough, the oldest ones. */
  function evict(time: number): void {
    for (const [id, account] of accounts) if (refilled(account, time) >= account.full) accounts.delete(id);
    for (const id of accounts.keys()) {
      if (accounts.size <= maxPayers / 2) break;
      accounts.delete(id);
    }
  }

  function take(payer: Payer, account: Account): BudgetPermit {
    let underWay = 0;
    const expect = (units: number): void => {
      if (units === underWay) return;
      account.left += underWay - units;
      share?.charged(payer, units - underWay, account.rate);
      underWay = units;
    };
    expect(expected);
    return { expect, charge: (units) => expect(Math.max(0, units)) };
  }

  share?.onCharged((payer, units) => {
    open(payer).left -= units;
  });

  return {
    acquire(payer = UNKNOWN) {
      const account = open(payer);
      return account.left > 0 ? take(payer, account) : undefined;
    },
    take: (payer = UNKNOWN) => take(payer, open(payer)),
    retrySeconds(payer = UNKNOWN) {
      const { left, rate } = open(payer);
      return left > 0 ? 0 : Math.ceil((1 - left) / rate);
    },
  };
}
