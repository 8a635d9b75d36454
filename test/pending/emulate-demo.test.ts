import { type Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../src/chain/boc/writer.ts';
import { readTransaction } from '../../src/chain/tlb/transaction.ts';
import { probe, probeEcho, probeThrow } from '../../src/localnet/contracts/probe.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { planDemo } from '../../src/localnet/demo/run-demo.ts';
import { openFaucets } from '../../src/localnet/genesis/keys.ts';
import type { EmulatedTransaction } from '../../src/pending/pending-traces.ts';
import {
  BUDGET_MS,
  type Effect,
  type EmulatorContext,
  effectOf,
  effectOfCell,
  openEmulatorContext,
  type RealTransaction,
  traceOf,
  transactionsAfter,
} from './support/emulator-context.ts';
import { order } from './support/test-contracts.ts';

const wallets = openDemoWallets();
let context: EmulatorContext;
beforeAll(async () => {
  context = await openEmulatorContext({ shards: 2 });
}, 60_000);
afterAll(() => context.close());

async function emulate(message: Cell) {
  const trace = traceOf(await context.emulator.emulate({ message: message.toBoc(), budgetMs: BUDGET_MS }));
  expect(trace.bound).toBeUndefined();
  return trace.transactions;
}

/** Delivers a message; returns the transactions that followed from it, without tick and tock. */
async function deliver(message: Cell): Promise<RealTransaction[]> {
  const { seqno } = context.localnet.store.head;
  await context.deliver(message);
  const isFromNobody = ({ transaction: { inMessage } }: RealTransaction) =>
    inMessage?.info.type === 'internal' && inMessage.info.src.hash.every((byte) => byte === 0);
  return transactionsAfter(context.localnet, seqno).filter((one) => !isFromNobody(one));
}

const byText = (a: Effect, b: Effect): number => (a.inMessage < b.inMessage ? -1 : 1);
const predicted = (transactions: readonly EmulatedTransaction[]) => transactions.map(effectOf).sort(byText);
const happened = (transactions: readonly RealTransaction[]) =>
  transactions.map(({ workchain, cell }) => effectOfCell(workchain, cell)).sort(byText);
const sorted = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex')).sort();

it('emulation predicts the transactions of every demo message, hash by hash', async () => {
  const chain = createDemoChain(context.localnet);
  const script = planDemo({ wallets, faucets: await openFaucets(), genesisTime: chain.genesisTime });
  const acts = script.rounds.flat();
  let count = 0;
  for (const act of acts) {
    const message = act.message(chain);
    const transactions = await emulate(message);
    const real = await deliver(message);
    count += real.length;
    expect(predicted(transactions), act.what).toEqual(happened(real));
    // Nothing came between, and the clock stands still: the transactions are identical.
    expect(sorted(transactions.map(({ hash }) => hash)), act.what).toEqual(
      sorted(real.map(({ cell }) => cell.hash())),
    );
  }
  expect(acts.length).toBeGreaterThanOrEqual(30);
  expect(count).toBeGreaterThanOrEqual(162);
}, 120_000);

it('emulation predicts the same for a message that is delivered some blocks later', async () => {
  const { address: to } = probe({ owner: wallets.bank.address });
  const message = order(context, wallets.alice, [
    internal({ to, value: toNano('0.1'), body: probeEcho() }),
    internal({ to, value: toNano('0.1'), body: probeThrow(77) }),
    internal({ to: wallets.bob.address, value: toNano('0.1'), bounce: false }),
  ]);
  const transactions = await emulate(message);
  await context.localnet.mine(3);
  const real = await deliver(message);
  expect(real).toHaveLength(6);
  expect(predicted(transactions)).toEqual(happened(real));
  expect(predicted(transactions).map(({ compute }) => compute)).toContain(77);
});

it('emulation continues from internal messages that are not delivered yet', async () => {
  const { address: to } = probe({ owner: wallets.bank.address });
  const message = order(context, wallets.alice, [
    internal({ to, value: toNano('0.1'), body: probeEcho() }),
    internal({ to, value: toNano('0.1'), body: probeThrow(78) }),
  ]);
  const [first, ...rest] = await emulate(message);
  const bag = readBoc(first!.boc);
  const { outMessages } = readTransaction(bag, bag.root, 0);
  const internals = outMessages.map(({ cell }) => writeCellBoc(bag, cell));
  const part = traceOf(await context.emulator.emulate({ internal: internals, budgetMs: BUDGET_MS }));
  expect(part.externalHash).toEqual(outMessages[0]!.hash);
  expect(part.transactions.map(({ parent }) => parent)).toEqual([undefined, undefined, 0, 1]);
  expect(predicted(part.transactions)).toEqual(predicted(rest));
  const external = { internal: [message.toBoc()], budgetMs: BUDGET_MS };
  await expect(context.emulator.emulate(external)).rejects.toThrow('not one between accounts');
});
