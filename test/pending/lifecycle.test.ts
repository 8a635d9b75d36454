import { type Address, type Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountKey } from '../../src/chain/address.ts';
import { jettonWallet, transferJettons } from '../../src/localnet/contracts/jetton.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { jettonStory } from '../../src/localnet/demo/stories/jettons.ts';
import type { StoryContext } from '../../src/localnet/demo/story.ts';
import type { PendingTrace } from '../../src/pending/pending-traces.ts';
import type { TestDatabase } from '../support/database.ts';
import { indexChain, openDemoIndex } from './support/demo-index.ts';
import { accepted, openPendingContext, type PendingContext } from './support/pending-context.ts';
import { order } from './support/test-contracts.ts';

const wallets = openDemoWallets();
const { alice, bob, judy } = wallets;
const minter = jettonStory({ wallets } as StoryContext).contracts!['jetton minter']!;
const walletOf = (owner: Address) => jettonWallet({ minter, owner }).address;
let index: TestDatabase;
let ground: PendingContext;
beforeAll(async () => {
  index = await openDemoIndex();
  ground = await openPendingContext(index);
}, 120_000);
afterAll(async () => {
  await ground?.close();
  await index?.drop();
});

/** A transfer of jettons to one who has none yet. */
function jettonTransfer(): Cell {
  const body = transferJettons({
    to: judy.address,
    amount: 5n,
    responseTo: alice.address,
    forwardTon: toNano('0.01'),
  });
  return order(ground, alice, [internal({ to: walletOf(alice.address), value: toNano('0.2'), body })]);
}

function find(...accounts: readonly Address[]): Promise<readonly PendingTrace[]> {
  return ground.pending.find({
    accounts: accounts.map(({ workChain, hash }) => accountKey(workChain, hash)),
  });
}

const finalities = ({ transactions }: PendingTrace) => transactions.map(({ finality }) => finality);

it('shows what a message will do from before its first block until the index has it', async () => {
  const message = jettonTransfer();
  await ground.localnet.send(message.toBoc());
  await ground.accept(message);
  const [predicted, ...others] = await find(walletOf(judy.address));
  expect(others).toEqual([]);
  expect(predicted!.finality).toBe('pending');
  expect(predicted!.transactions.every(({ emulated }) => emulated)).toBe(true);
  expect(predicted!.transactions.map(({ parent }) => parent)).toEqual([undefined, 0, 1, 2, 2]);
  const { state, actions } = predicted!.classification;
  expect([state, actions.map(({ type }) => type)]).toEqual(['ok', ['jetton_transfer', 'contract_deploy']]);
  const { hash, normalizedHash } = accepted(message);
  for (const messages of [[hash], [normalizedHash]])
    expect(await ground.pending.find({ messages })).toEqual([predicted]);
  // Of those that take part in an action alone, too.
  expect(await find(judy.address, alice.address)).toEqual([predicted]);
  expect(await find(bob.address)).toEqual([]);

  const seen: string[][] = [];
  for (let blocks = 0; blocks < 10; blocks++) {
    await ground.mine();
    const [trace] = await find(alice.address);
    seen.push(finalities(trace!));
    // Whatever is in blocks by now, the tree is whole.
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

  await indexChain(ground, index);
  expect(await find(alice.address)).toEqual([]);
  expect(ground.kept()).toBe(1);
  await ground.pending.look();
  expect(ground.kept()).toBe(0);
  expect(ground.counts).toMatchObject({ arrivals: { shown: 1 }, ends: { indexed: 1 } });
}, 60_000);

it('predicts anew when something else comes first, and gives up what can no longer apply', async () => {
  const [first, second] = [1n, 2n].map((value) =>
    order(ground, bob, [internal({ to: alice.address, value, bounce: false })]),
  ) as [Cell, Cell];
  const incoming = order(ground, alice, [internal({ to: bob.address, value: toNano('1'), bounce: false })]);
  await ground.accept(first, second);
  const [before] = await ground.pending.find({ messages: [accepted(second).hash] });
  // Somebody pays to the account: both still apply, later than it was thought.
  await ground.deliver(incoming);
  await ground.pending.look();
  const [after] = await ground.pending.find({ messages: [accepted(second).hash] });
  expect(after!.transactions[0]!.lt).toBeGreaterThan(before!.transactions[0]!.lt);
  expect(after!.transactions[0]!.emulated).toBe(true);
  // One of them uses the number that both have.
  await ground.deliver(first);
  for (let looks = 0; looks < 3; looks++) await ground.pending.look();
  expect(await ground.pending.find({ messages: [accepted(second).hash] })).toEqual([]);
  const [done] = await ground.pending.find({ messages: [accepted(first).hash] });
  expect(done!.finality).toBe('finalized');
  expect(ground.counts.ends).toMatchObject({ invalidated: 1 });
});

it('gives up what came too late', async () => {
  const message = order(ground, alice, [internal({ to: bob.address, value: 3n, bounce: false })]);
  await ground.accept(message);
  // Nothing happens to the account, but the time in the message passes.
  await ground.localnet.advance(3600);
  ground.pass(-3600);
  await ground.mine();
  ground.pass(15);
  for (let looks = 0; looks < 3; looks++) await ground.pending.look();
  expect(await ground.pending.find({ messages: [accepted(message).hash] })).toEqual([]);
  expect(ground.counts.ends).toMatchObject({ invalidated: 2 });
});

it('forgets what is ten minutes old', async () => {
  const message = order(ground, alice, [internal({ to: bob.address, value: 4n, bounce: false })]);
  await ground.accept(message);
  ground.pass(599);
  await ground.pending.look();
  expect(await ground.pending.find({ messages: [accepted(message).hash] })).toHaveLength(1);
  ground.pass(1);
  await ground.pending.look();
  expect(await ground.pending.find({ messages: [accepted(message).hash] })).toEqual([]);
  expect(ground.kept()).toBe(0);
});
