import { beginCell, type Cell, internal } from '@ton/core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { messageCell } from '../../src/localnet/contracts/contract.ts';
import { defaultWalletId } from '../../src/localnet/contracts/wallets.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { externalMessage, seqnoOf, VALID_SECONDS } from '../../src/localnet/demo/story.ts';
import { createEmulationBudget } from '../../src/pending/emulation-budget.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { accepted, openPendingContext, PAYER, type PendingContext } from './support/pending-context.ts';
import { order } from './support/test-contracts.ts';

const { bob, carol } = openDemoWallets();
let index: TestDatabase;
let ground: PendingContext;
beforeAll(async () => {
  index = await createTestDatabase();
}, 60_000);
afterAll(() => index?.drop());

/** Different messages, each of which could be the next of one wallet; to sign them all would take longer than all else. */
function unsigned(count: number): Cell[] {
  const { version, address } = carol;
  const chain = createDemoChain(ground.localnet);
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

it('shows a thousand messages that came at once', async () => {
  ground = await openPendingContext(index, { limits: { perRps: 10 }, ignoreSignature: true });
  try {
    const messages = unsigned(1001);
    await ground.accept(...messages);
    // A key of a hundred requests a second may have ten times as many messages.
    expect(ground.counts.arrivals).toEqual({ shown: 1000, too_many_of_key: 1 });
    expect(ground.kept()).toBe(1000);
    const found = await ground.pending.find({ messages: messages.map((one) => accepted(one).hash) });
    expect(found).toHaveLength(1000);
    expect(new Set(found.map(({ classification }) => classification.actions[0]!.value)).size).toBe(1000);
  } finally {
    await ground.close();
  }
}, 120_000);

it('shows one in the end of many that exclude each other', async () => {
  ground = await openPendingContext(index, { ignoreSignature: true });
  try {
    const signed = order(ground, carol, [internal({ to: bob.address, value: 5000n, bounce: false })]);
    const messages = [...unsigned(50), signed];
    await ground.accept(...messages);
    await ground.deliver(signed);
    for (let looks = 0; looks < 3; looks++) await ground.pending.look();
    expect(ground.counts.ends).toEqual({ invalidated: 50 });
    const [left, ...others] = await ground.pending.find({
      messages: messages.map((one) => accepted(one).hash),
    });
    expect(others).toEqual([]);
    expect([left!.externalHash, left!.finality]).toEqual([accepted(signed).hash, 'finalized']);
  } finally {
    await ground.close();
  }
}, 60_000);

it('leaves out those for whom there is no room, and tells nobody but the operator', async () => {
  ground = await openPendingContext(index, { limits: { atOnce: 1, waiting: 10 }, ignoreSignature: true });
  try {
    const messages = unsigned(20).map(accepted);
    const taken = messages.map((message) => ground.pending.accepted(message, PAYER, 'sender'));
    // One is being emulated, ten wait.
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(11);
    expect(ground.pending.accepted(messages[0]!, PAYER, 'sender')).toBe(true);
    expect(ground.counts.arrivals).toEqual({ line_full: 9, known: 1 });
    await vi.waitUntil(() => ground.counts.arrivals.shown === 11, 30_000);
    // A feed has half of the line.
    const fed = messages.slice(11).map((message) => ground.pending.accepted(message, PAYER, 'feed'));
    expect(fed.filter((isTaken) => isTaken)).toHaveLength(6);
    await vi.waitUntil(() => ground.counts.arrivals.shown === 17, 30_000);
  } finally {
    await ground.close();
  }
}, 60_000);

it('emulates no more than the sender has time for', async () => {
  let now = 0;
  const budget = createEmulationBudget({ msPerRps: 1, maxMs: 60_000, now: () => now });
  ground = await openPendingContext(index, { budget, ignoreSignature: true });
  try {
    const [first, second, third] = unsigned(3) as [Cell, Cell, Cell];
    await ground.accept(first);
    budget.acquire(PAYER)!.spent(10_000);
    await ground.accept(second);
    expect(ground.counts.arrivals).toEqual({ shown: 1, budget_spent: 1 });
    now += 120_000;
    await ground.accept(third);
    expect(ground.counts.arrivals).toEqual({ shown: 2, budget_spent: 1 });
  } finally {
    await ground.close();
  }
}, 60_000);

it('shows what was refused at first or could not be emulated as soon as it can be', async () => {
  let fails = true;
  ground = await openPendingContext(index, {
    emulate: async (start, { maxMs: budgetMs, signal }) => {
      if (fails) throw new Error('no lite server');
      const message = (start as { readonly external: Uint8Array }).external;
      return ground.emulator.emulate({ message, budgetMs, signal, ignoreSignature: true });
    },
  });
  try {
    const [first, second] = unsigned(2).map(accepted);
    ground.pending.accepted(first!, PAYER, 'sender');
    await ground.pending.look();
    expect(ground.counts.arrivals).toEqual({});
    fails = false;
    await ground.pending.look();
    expect(ground.counts.arrivals).toEqual({ shown: 1 });
    // What fails again and again is given up; what is shown already stays.
    fails = true;
    ground.pending.accepted(second!, PAYER, 'sender');
    for (let looks = 0; looks < 3; looks++) await ground.pending.look();
    expect(ground.counts.arrivals).toEqual({ shown: 1, failed: 1 });
    expect(ground.kept()).toBe(1);
    ground.pending.clear();
    expect(ground.kept()).toBe(0);
  } finally {
    await ground.close();
  }
}, 60_000);
