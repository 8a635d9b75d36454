import { type Address, type Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountKey } from '../../src/chain/address.ts';
import { jettonWallet, transferJettons } from '../../src/localnet/contracts/jetton.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { jettonStory } from '../../src/localnet/demo/jettons.ts';
import type { StoryContext } from '../../src/localnet/demo/story.ts';
import type { PendingTrace } from '../../src/pending/pending-traces.ts';
import type { TestDatabase } from '../support/database.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { indexChain } from './support/demo-index.ts';
import { highloadTransfer, highloadWallet } from './support/highload-wallet.ts';
import { accepted, openPendingContext, type PendingContext } from './support/pending-context.ts';
import { order } from './support/test-contracts.ts';

const wallets = openDemoWallets();
const { alice, bob, judy } = wallets;
const minter = jettonStory({ wallets } as StoryContext).contracts!['jetton minter']!;
const walletOf = (owner: Address) => jettonWallet({ minter, owner }).address;
let index: TestDatabase;
let context: PendingContext;
beforeAll(async () => {
  index = await openIndexedDemo();
  context = await openPendingContext(index);
});
afterAll(async () => {
  await context?.close();
  await index?.drop();
});

/** A jetton transfer to an owner without a jetton wallet. */
function jettonTransfer(): Cell {
  const body = transferJettons({
    to: judy.address,
    amount: 5n,
    responseTo: alice.address,
    forwardTon: toNano('0.01'),
  });
  return order(context, alice, [internal({ to: walletOf(alice.address), value: toNano('0.2'), body })]);
}

function find(...accounts: readonly Address[]): Promise<readonly PendingTrace[]> {
  return context.pending.find({
    accounts: accounts.map(({ workChain, hash }) => accountKey(workChain, hash)),
  });
}

const finalities = ({ transactions }: PendingTrace) => transactions.map(({ finality }) => finality);

it('pending shows the trace of a message from before its first block until it is indexed', async () => {
  const message = jettonTransfer();
  await context.localnet.send(message.toBoc());
  await context.accept(message);
  const [predicted, ...others] = await find(walletOf(judy.address));
  expect(others).toEqual([]);
  expect(predicted!.finality).toBe('pending');
  expect(predicted!.transactions.every(({ emulated }) => emulated)).toBe(true);
  expect(predicted!.transactions.map(({ parent }) => parent)).toEqual([undefined, 0, 1, 2, 2]);
  const { state, actions } = predicted!.classification;
  expect([state, actions.map(({ type }) => type)]).toEqual(['ok', ['jetton_transfer', 'contract_deploy']]);
  const { hash, normalizedHash } = accepted(message);
  for (const messages of [[hash], [normalizedHash]])
    expect(await context.pending.find({ messages })).toEqual([predicted]);
  // Also by accounts that only take part in an action.
  expect(await find(judy.address, alice.address)).toEqual([predicted]);
  expect(await find(bob.address)).toEqual([]);

  const seen: string[][] = [];
  for (let blocks = 0; blocks < 10; blocks++) {
    await context.mine();
    const [trace] = await find(alice.address);
    seen.push(finalities(trace!));
    // Whatever is in blocks by now, the tree is complete.
    expect(trace!.transactions.map(({ parent }) => parent)).toEqual([undefined, 0, 1, 2, 2]);
    expect(trace!.classification.actions.map(({ type }) => type)).toEqual(actions.map(({ type }) => type));
    if (trace!.finality === 'finalized') break;
  }
  expect(seen.length).toBeGreaterThan(1);
  expect(seen[0]![0]).toBe('finalized');
  expect(seen[0]).toContain('pending');
  expect(new Set(seen.at(-1))).toEqual(new Set(['finalized']));
  const [real] = await find(alice.address);
  expect(real!.transactions.every(({ emulated, block }) => !emulated && block !== undefined)).toBe(true);

  await indexChain(context, index);
  expect(await find(alice.address)).toEqual([]);
  expect(context.kept()).toBe(1);
  await context.pending.refresh();
  expect(context.kept()).toBe(0);
  expect(context.counts).toMatchObject({ arrivals: { shown: 1 }, ends: { indexed: 1 } });
});

it('pending emulates again after another transaction of the account, and drops messages that became invalid', async () => {
  const [first, second] = [1n, 2n].map((value) =>
    order(context, bob, [internal({ to: alice.address, value, bounce: false })]),
  ) as [Cell, Cell];
  const incoming = order(context, alice, [internal({ to: bob.address, value: toNano('1'), bounce: false })]);
  await context.accept(first, second);
  const [before] = await context.pending.find({ messages: [accepted(second).hash] });
  // A payment to the account: both still apply, later than predicted.
  await context.deliver(incoming);
  await context.pending.refresh();
  const [after] = await context.pending.find({ messages: [accepted(second).hash] });
  expect(after!.transactions[0]!.lt).toBeGreaterThan(before!.transactions[0]!.lt);
  expect(after!.transactions[0]!.emulated).toBe(true);
  // One of them uses the seqno of both: the other is dropped at the first look.
  await context.deliver(first);
  await context.pending.refresh();
  expect(await context.pending.find({ messages: [accepted(second).hash] })).toEqual([]);
  const [done] = await context.pending.find({ messages: [accepted(first).hash] });
  expect(done!.finality).toBe('finalized');
  expect(context.counts.ends).toMatchObject({ invalidated: 1 });
});

it('pending keeps the messages of a highload wallet beside each other', async () => {
  const wallet = highloadWallet(bob.keys.publicKey);
  await context.deliver(
    order(context, alice, [internal({ to: wallet.address, value: toNano('5'), bounce: false })]),
  );
  const [first, second] = [1, 2].map((queryId) =>
    highloadTransfer(wallet, {
      secretKey: bob.keys.secretKey,
      queryId,
      createdAt: context.localnet.now() - 60,
      message: internal({ to: alice.address, value: toNano('0.1'), bounce: false }),
    }),
  ) as [Cell, Cell];
  await context.accept(first, second);
  const ends = { ...context.counts.ends };
  await context.deliver(first);
  for (let looks = 0; looks < 3; looks++) await context.pending.refresh();
  const [beside] = await context.pending.find({ messages: [accepted(second).hash] });
  expect(beside!.finality).toBe('pending');
  await context.deliver(second);
  await context.pending.refresh();
  const [done] = await context.pending.find({ messages: [accepted(second).hash] });
  expect(done!.finality).toBe('finalized');
  expect(context.counts.ends).toEqual(ends);
});

it('pending drops messages whose valid_until has passed', async () => {
  const message = order(context, alice, [internal({ to: bob.address, value: 3n, bounce: false })]);
  await context.accept(message);
  // Nothing happens to the account, but valid_until passes.
  await context.localnet.advance(3600);
  context.pass(-3600);
  await context.mine();
  context.pass(15);
  for (let looks = 0; looks < 3; looks++) await context.pending.refresh();
  expect(await context.pending.find({ messages: [accepted(message).hash] })).toEqual([]);
  expect(context.counts.ends).toMatchObject({ invalidated: 2 });
});

it('pending drops messages after ten minutes', async () => {
  const message = order(context, alice, [internal({ to: bob.address, value: 4n, bounce: false })]);
  await context.accept(message);
  context.pass(599);
  await context.pending.refresh();
  expect(await context.pending.find({ messages: [accepted(message).hash] })).toHaveLength(1);
  context.pass(1);
  await context.pending.refresh();
  expect(await context.pending.find({ messages: [accepted(message).hash] })).toEqual([]);
  expect(context.kept()).toBe(0);
});
