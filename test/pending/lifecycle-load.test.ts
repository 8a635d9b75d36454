import { beginCell, type Cell, internal } from '@ton/core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { externalMessage, messageCell } from '../../src/localnet/contracts/contract.ts';
import { defaultWalletId, VALID_SECONDS } from '../../src/localnet/contracts/wallets.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { seqnoOf } from '../../src/localnet/demo/story.ts';
import { createVmBudget } from '../../src/vm/vm.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { accepted, openPendingContext, PAYER, type PendingContext } from './support/pending-context.ts';
import { order } from './support/test-contracts.ts';

/** Messages at once per request a second of a key with 100 rps. */
const MAX_PER_RPS = sampled(1, 10);
const MAX = 100 * MAX_PER_RPS;
/** Messages of which a chain can take only one. */
const RIVALS = sampled(15, 50);
const { bob, carol } = openDemoWallets();
let index: TestDatabase;
let context: PendingContext;
beforeAll(async () => {
  index = await createTestDatabase();
});
afterAll(() => index?.drop());

/** Different messages, each of which could be the next of one wallet; unsigned, since signing would take most of the time. */
function unsigned(count: number): Cell[] {
  const { version, address } = carol;
  const chain = createDemoChain(context.localnet);
  const seqno = seqnoOf(chain, carol);
  return Array.from({ length: count }, (_, i) => {
    const message = messageCell(internal({ to: bob.address, value: BigInt(i + 1), bounce: false }));
    const body = beginCell().storeBuffer(Buffer.alloc(64)).storeUint(defaultWalletId(version), 32);
    body
      .storeUint(chain.now() + VALID_SECONDS, 32)
      .storeUint(seqno, 32)
      .storeUint(3, 8)
      .storeRef(message);
    return externalMessage({ address }, body.endCell());
  });
}

it(
  `pending shows ${MAX} messages that were sent at once`,
  async () => {
    context = await openPendingContext(index, { limits: { maxPerRps: MAX_PER_RPS }, ignoreSignature: true });
    try {
      const messages = unsigned(MAX + 1);
      await context.accept(...messages);
      expect(context.counts.arrivals).toEqual({ shown: MAX, too_many_of_key: 1 });
      expect(context.kept()).toBe(MAX);
      const found = await context.pending.find({ messages: messages.map((one) => accepted(one).hash) });
      expect(found).toHaveLength(MAX);
      expect(new Set(found.map(({ classification }) => classification.actions[0]!.value)).size).toBe(MAX);
    } finally {
      await context.close();
    }
  },
  sampled(600_000, 600_000),
);

it('pending ends up with one of many messages that exclude each other', async () => {
  context = await openPendingContext(index, { ignoreSignature: true });
  try {
    const signed = order(context, carol, [internal({ to: bob.address, value: 5000n, bounce: false })]);
    const messages = [...unsigned(RIVALS), signed];
    await context.accept(...messages);
    await context.deliver(signed);
    for (let looks = 0; looks < 3; looks++) await context.pending.refresh();
    expect(context.counts.ends).toEqual({ invalidated: RIVALS });
    const [left, ...others] = await context.pending.find({
      messages: messages.map((one) => accepted(one).hash),
    });
    expect(others).toEqual([]);
    expect([left!.externalHash, left!.finality]).toEqual([accepted(signed).hash, 'finalized']);
  } finally {
    await context.close();
  }
});

it('pending drops messages when its queue is full, and only counts them', async () => {
  context = await openPendingContext(index, {
    limits: { maxConcurrent: 1, maxQueued: 10 },
    ignoreSignature: true,
  });
  try {
    const messages = unsigned(20).map(accepted);
    const taken = messages.map((message) => context.pending.accepted(message, PAYER, 'sender'));
    // One is being emulated, ten are queued.
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(11);
    expect(context.pending.accepted(messages[0]!, PAYER, 'sender')).toBe(true);
    expect(context.counts.arrivals).toEqual({ line_full: 9, known: 1 });
    await vi.waitUntil(() => context.counts.arrivals.shown === 11, 120_000);
    // A feed may fill half of the queue.
    const fed = messages.slice(11).map((message) => context.pending.accepted(message, PAYER, 'feed'));
    expect(fed.filter((isTaken) => isTaken)).toHaveLength(6);
    await vi.waitUntil(() => context.counts.arrivals.shown === 17, 120_000);
  } finally {
    await context.close();
  }
});

it('pending emulates within the budget of the sender', async () => {
  let now = 0;
  const budget = createVmBudget({ msPerRps: 1, now: () => now });
  context = await openPendingContext(index, { budget, ignoreSignature: true });
  try {
    const [first, second, third] = unsigned(3) as [Cell, Cell, Cell];
    await context.accept(first);
    budget.acquire(PAYER)!.charge(10_000);
    await context.accept(second);
    expect(context.counts.arrivals).toEqual({ shown: 1, budget_spent: 1 });
    now += 120_000;
    await context.accept(third);
    expect(context.counts.arrivals).toEqual({ shown: 2, budget_spent: 1 });
  } finally {
    await context.close();
  }
});

it('pending shows a message that was refused or failed at first as soon as it can be emulated', async () => {
  let fails = true;
  context = await openPendingContext(index, {
    emulate: async (start, { signal }) => {
      if (fails) throw new Error('no lite server');
      const message = (start as { readonly external: Uint8Array }).external;
      return context.emulator.emulate({ message, budgetMs: 60_000, signal, ignoreSignature: true });
    },
  });
  try {
    const [first, second] = unsigned(2).map(accepted);
    context.pending.accepted(first!, PAYER, 'sender');
    await context.pending.refresh();
    expect(context.counts.arrivals).toEqual({});
    fails = false;
    await context.pending.refresh();
    expect(context.counts.arrivals).toEqual({ shown: 1 });
    // A message that keeps failing is given up; one that is shown stays.
    fails = true;
    context.pending.accepted(second!, PAYER, 'sender');
    for (let looks = 0; looks < 3; looks++) await context.pending.refresh();
    expect(context.counts.arrivals).toEqual({ shown: 1, failed: 1 });
    expect(context.kept()).toBe(1);
    context.pending.clear();
    expect(context.kept()).toBe(0);
  } finally {
    await context.close();
  }
});
