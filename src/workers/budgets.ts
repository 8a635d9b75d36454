import type { Channel } from '../lib/channel.ts';
import type { BudgetShare } from '../lib/payer-budget.ts';
import type { Crew, Member } from './crew.ts';

/** What was charged to a payer: units, and how many units per second it gets back. */
type Charge = readonly [id: string, rps: number, units: number, rate: number];

interface Account {
  readonly id: string;
  readonly rps: number;
  /** Units that are missing from a full budget. */
  missing: number;
  at: number;
  rate: number;
}

/** Charges are told together after this time. */
const TELL_AFTER_MS = 5;
const SWEEP_MS = 60_000;

/** Passes on what workers charge, and tells a new one how much each payer has used. */
export function keepBudgets(crew: Pick<Crew, 'onJoin' | 'tellOthers'>): void {
  const budgets = new Map<string, Map<string, Account>>();

  function missingOf({ missing, at, rate }: Account): number {
    return Math.max(0, missing - ((performance.now() - at) / 1000) * rate);
  }

  function add(name: string, charges: readonly Charge[]): void {
    const accounts = budgets.get(name) ?? new Map<string, Account>();
    budgets.set(name, accounts);
    for (const [id, rps, units, rate] of charges) {
      const account = accounts.get(id);
      const missing = (account === undefined ? 0 : missingOf(account)) + units;
      accounts.set(id, { id, rps, missing, at: performance.now(), rate });
    }
  }

  setInterval(() => {
    for (const accounts of budgets.values())
      for (const [id, account] of accounts) if (missingOf(account) === 0) accounts.delete(id);
  }, SWEEP_MS).unref();

  crew.onJoin((member: Member) => {
    const { channel } = member;
    channel.on('charged', (name: string, charges: readonly Charge[]) => {
      add(name, charges);
      crew.tellOthers(member, 'charged', name, charges);
    });
    channel.on('used', (name: string) => {
      const used = [...(budgets.get(name)?.values() ?? [])].map(
        (account): Charge => [account.id, account.rps, missingOf(account), account.rate],
      );
      channel.notify('charged', name, used, true);
    });
  });
}

/** The budgets of all workers, by name. */
export function shareBudgets(channel: Channel): (name: string) => BudgetShare {
  const listeners = new Map<string, Parameters<BudgetShare['onCharged']>[0]>();
  const open = new Set<string>();
  channel.on('charged', (name: string, charges: readonly Charge[], isAll = false) => {
    if (isAll) open.add(name);
    // Earlier charges are part of what was used before.
    if (open.has(name)) for (const [id, rps, units] of charges) listeners.get(name)?.({ id, rps }, units);
  });
  return (name) => {
    let untold = new Map<string, Charge>();

    function tell(): void {
      const charges = [...untold.values()].filter(([, , units]) => units !== 0);
      if (charges.length > 0) channel.notify('charged', name, charges);
      untold = new Map();
    }

    return {
      charged({ id, rps }, units, rate) {
        if (untold.size === 0) setTimeout(tell, TELL_AFTER_MS).unref();
        untold.set(id, [id, rps, (untold.get(id)?.[2] ?? 0) + units, rate]);
      },
      onCharged(listener) {
        listeners.set(name, listener);
        channel.notify('used', name);
      },
    };
  };
}
