import { type Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { writeBoc } from '../../src/chain/boc/writer.ts';
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
let ground: EmulatorContext;
beforeAll(async () => {
  ground = await openEmulatorContext({ shards: 2 });
}, 60_000);
afterAll(() => ground.close());

async function emulate(message: Cell) {
  const trace = traceOf(await ground.emulator.emulate({ message: message.toBoc(), budgetMs: BUDGET_MS }));
  expect(trace.bound).toBeUndefined();
  return trace.transactions;
}

/** Delivers a message; gives the transactions that followed from it, without those that blocks make by themselves. */
async function deliver(message: Cell): Promise<RealTransaction[]> {
  const { seqno } = ground.localnet.store.head;
  await ground.deliver(message);
  const isFromNobody = ({ transaction: { inMessage } }: RealTransaction) =>
    inMessage?.info.type === 'internal' && inMessage.info.src.hash.every((byte) => byte === 0);
  return transactionsAfter(ground.localnet, seqno).filter((one) => !isFromNobody(one));
}

const byText = (a: Effect, b: Effect): number => (a.inMessage < b.inMessage ? -1 : 1);
const predicted = (transactions: readonly EmulatedTransaction[]) => transactions.map(effectOf).sort(byText);
const happened = (transactions: readonly RealTransaction[]) =>
  transactions.map(({ workchain, cell }) => effectOfCell(workchain, cell)).sort(byText);
const sorted = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex')).sort();

it('tells of every act of the demo what then happens, hash by hash', async () => {
  const chain = createDemoChain(ground.localnet);
  const script = planDemo({ wallets, faucets: await openFaucets(), genesisTime: chain.genesisTime });
  const acts = script.rounds.flat();
  let count = 0;
  for (const act of acts) {
    const message = act.message(chain);
    const transactions = await emulate(message);
    const real = await deliver(message);
    count += real.length;
    expect(predicted(transactions), act.what).toEqual(happened(real));
    // Nothing came between, and the clock stands still: it is the same to the last bit.
    expect(sorted(transactions.map(({ hash }) => hash)), act.what).toEqual(
      sorted(real.map(({ cell }) => cell.hash())),
    );
  }
  expect(acts.length).toBeGreaterThanOrEqual(30);
  expect(count).toBeGreaterThanOrEqual(162);
}, 120_000);

it('tells the same of a message that has to wait for some blocks', async () => {
  const { address: to } = probe({ owner: wallets.bank.address });
  const message = order(ground, wallets.alice, [
    internal({ to, value: toNano('0.1'), body: probeEcho() }),
    internal({ to, value: toNano('0.1'), body: probeThrow(77) }),
    internal({ to: wallets.bob.address, value: toNano('0.1'), bounce: false }),
  ]);
  const transactions = await emulate(message);
  await ground.localnet.mine(3);
  const real = await deliver(message);
  expect(real).toHaveLength(6);
  expect(predicted(transactions)).toEqual(happened(real));
  expect(predicted(transactions).map(({ compute }) => compute)).toContain(77);
});

it('goes on from messages between accounts that are under way', async () => {
  const { address: to } = probe({ owner: wallets.bank.address });
  const message = order(ground, wallets.alice, [
    internal({ to, value: toNano('0.1'), body: probeEcho() }),
    internal({ to, value: toNano('0.1'), body: probeThrow(78) }),
  ]);
  const [first, ...rest] = await emulate(message);
  const bag = readBoc(first!.boc);
  const { outMessages } = readTransaction(bag, bag.root, 0);
  const internals = outMessages.map(({ cell }) =>
    writeBoc({ cells: bag, roots: [cell] }, { order: 'core', crc: false }),
  );
  const part = traceOf(await ground.emulator.emulate({ internal: internals, budgetMs: BUDGET_MS }));
  expect(part.externalHash).toEqual(outMessages[0]!.hash);
  expect(part.transactions.map(({ parent }) => parent)).toEqual([undefined, undefined, 0, 1]);
  expect(predicted(part.transactions)).toEqual(predicted(rest));
  const external = { internal: [message.toBoc()], budgetMs: BUDGET_MS };
  await expect(ground.emulator.emulate(external)).rejects.toThrow('not one between accounts');
});
