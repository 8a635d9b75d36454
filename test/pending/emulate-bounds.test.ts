import { setTimeout as sleep } from 'node:timers/promises';
import { internal } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmulationContext } from '../../src/live/emulation.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import type { TraceEmulatorOptions } from '../../src/pending/emulate.ts';
import type { Vm } from '../../src/vm/vm.ts';
import {
  BUDGET_MS,
  type EmulatorContext,
  effectOf,
  openEmulatorContext,
  traceOf,
} from './support/emulator-context.ts';
import { CONTRACTS, FORTUNE, order, wake } from './support/test-contracts.ts';

const { bank } = openDemoWallets();
let context: EmulatorContext;
beforeAll(async () => {
  context = await openEmulatorContext({ demo: true });
  const gifts = Object.values(CONTRACTS).map(({ address: to }) =>
    internal({ to, value: FORTUNE, bounce: false }),
  );
  await context.deliver(order(context, bank, gifts));
});
afterAll(() => context.close());

const emulate = async (
  contract: keyof typeof CONTRACTS,
  {
    limits = {},
    budgetMs = BUDGET_MS,
    vm,
  }: { limits?: TraceEmulatorOptions['limits']; budgetMs?: number; vm?: Vm } = {},
) => {
  const emulator = context.emulatorWith({ limits, ...(vm && { vm }) });
  return traceOf(await emulator.emulate({ message: wake(CONTRACTS[contract]), budgetMs }));
};

describe('emulation of a message that causes two others, each of which does the same', () => {
  it('stops at the limit of transactions', async () => {
    const { transactions, bound } = await emulate('bomb');
    expect([transactions.length, bound]).toEqual([256, 'transactions']);
    // Breadth first, as a chain delivers them.
    expect(transactions.slice(0, 8).map(({ parent }) => parent)).toEqual([undefined, 0, 0, 1, 1, 2, 2, 3]);
    const lts = transactions.map(({ lt }) => lt);
    expect(lts).toEqual([...new Set(lts)].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('stops at the limit of bytes', async () => {
    const { transactions, bound } = await emulate('bomb', { limits: { bytes: 2000 } });
    expect(bound).toBe('bytes');
    expect(transactions.length).toBeLessThan(20);
  });

  it('stops when its time is over', async () => {
    let runs = 0;
    const slow: Vm = {
      ...context.vm,
      runTransaction: async (run, limits) => {
        const outcome = await context.vm.runTransaction(run, limits);
        if (++runs === 4) await sleep(limits!.timeoutMs);
        return outcome;
      },
    };
    const { transactions, bound } = await emulate('bomb', { budgetMs: 2000, vm: slow });
    expect([transactions.length, bound]).toEqual([4, 'time']);
  });
});

it('emulation stops at the limit of depth', async () => {
  const { transactions, bound } = await emulate('chain');
  expect([transactions.length, bound]).toEqual([65, 'depth']);
  const few = await emulate('chain', { limits: { depth: 2, transactions: 3 } });
  expect([few.transactions.length, few.bound]).toEqual([3, 'depth']);
});

it('emulation stops at the limit of gas', async () => {
  const { transactions, bound } = await emulate('toil', { limits: { gas: 1_000_000 } });
  expect(bound).toBe('gas');
  expect(transactions.length).toBeGreaterThan(1);
  expect(transactions.length).toBeLessThan(10);
});

it('emulation includes the transaction of a contract that uses up its gas', async () => {
  const { transactions, bound, vmSeconds } = await emulate('burner');
  expect(bound).toBeUndefined();
  expect(transactions.map(effectOf)).toMatchObject([{ compute: -14, outMessages: [] }]);
  expect(vmSeconds).toBeGreaterThan(0);
});

describe('emulation without any transaction', () => {
  const message = wake(CONTRACTS.chain);

  it('rejects when its time is over', async () => {
    await expect(context.emulator.emulate({ message, budgetMs: 0 })).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  it('rejects when its caller aborts', async () => {
    const reason = new Error('gone');
    const gone = { message, budgetMs: BUDGET_MS, signal: AbortSignal.abort(reason) };
    await expect(context.emulator.emulate(gone)).rejects.toBe(reason);
    const leaving = new AbortController();
    const watched: EmulationContext = {
      open: async (options) => {
        const snapshot = await context.context.open(options);
        const account: typeof snapshot.account = async (id) => {
          leaving.abort(reason);
          return snapshot.account(id);
        };
        return { ...snapshot, account };
      },
    };
    const emulator = context.emulatorWith({ context: watched });
    const left = { message, budgetMs: BUDGET_MS, signal: leaving.signal };
    await expect(emulator.emulate(left)).rejects.toBe(reason);
  });
});

it('emulator runs some emulations at a time, queues others, and rejects the rest', async () => {
  const emulator = context.emulatorWith({ limits: { maxRunning: 2, maxWaiting: 3, depth: 3 } });
  const message = wake(CONTRACTS.bomb);
  const all = Array.from({ length: 7 }, () => emulator.emulate({ message, budgetMs: BUDGET_MS }));
  expect(emulator.state()).toEqual({ running: 2, waiting: 3 });
  const ends = await Promise.allSettled(all);
  expect(ends.map(({ status }) => status).join(' ')).toBe(
    'fulfilled fulfilled fulfilled fulfilled fulfilled rejected rejected',
  );
  expect(ends.at(-1)).toMatchObject({ reason: { kind: 'overloaded', retryAfterSeconds: 1 } });
  expect(emulator.state()).toEqual({ running: 0, waiting: 0 });
});
