import { type Address, type Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../../src/chain/address.ts';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { readTransactionPrefix } from '../../src/lite/methods/transactions.ts';
import { jettonWallet, transferJettons } from '../../src/localnet/contracts/jetton.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { jettonStory } from '../../src/localnet/demo/jettons.ts';
import type { StoryContext } from '../../src/localnet/demo/story.ts';
import type { PendingTrace, PendingTransaction } from '../../src/pending/pending-traces.ts';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { accepted, openPendingContext, type PendingContext } from './support/pending-context.ts';
import { order } from './support/test-contracts.ts';

const wallets = openDemoWallets();
const { alice, bob, judy } = wallets;
const minter = jettonStory({ wallets } as StoryContext).contracts!['jetton minter']!;
const walletOf = (owner: Address) => jettonWallet({ minter, owner }).address;

let index: TestDatabase;
let context: PendingContext;
/** What those who watch were told of each trace. */
const told = new Map<string, string[]>();
beforeAll(async () => {
  index = await openIndexedDemo();
  context = await openPendingContext(index);
  context.pending.watch((change) => {
    const key = change.normalizedHash.toString('hex');
    const text =
      change.kind === 'ended' ? change.reason : `${change.isFirst ? 'first ' : ''}${change.trace.finality}`;
    told.set(key, [...(told.get(key) ?? []), text]);
  });
});
afterAll(async () => {
  await context?.close();
  await index?.drop();
});

/** A payment of a wallet to itself, which a single block has as a whole. */
function toItself({ address }: typeof alice, value = 1n): Cell {
  return order(context, address.equals(alice.address) ? alice : bob, [
    internal({ to: address, value, bounce: false }),
  ]);
}

async function find(message: Cell): Promise<PendingTrace | undefined> {
  const [trace] = await context.pending.find({ messages: [accepted(message).hash] });
  return trace;
}

async function untilShown(message: Cell, isSo: (trace: PendingTrace) => boolean): Promise<PendingTrace> {
  let trace: PendingTrace | undefined;
  await until(async () => {
    trace = await find(message);
    return trace !== undefined && isSo(trace);
  });
  return trace!;
}

const toldOf = (message: Cell) => told.get(accepted(message).normalizedHash.toString('hex'));
const levels = ({ transactions }: PendingTrace) => transactions.map(({ finality }) => finality);
const isAll = (finality: string) => (trace: PendingTrace) => trace.finality === finality;

function prevLt({ boc }: PendingTransaction): bigint {
  const cells = readBoc(boc);
  return readTransactionPrefix({ cells, cell: cells.root }).prevTransLt;
}

describe('pending traces in signed blocks', () => {
  it('are confirmed, with the hashes of the block, until the masterchain takes it', async () => {
    const message = toItself(alice);
    await context.localnet.send(message.toBoc());
    await context.accept(message);
    const predicted = (await find(message))!;
    expect(levels(predicted)).toEqual(['pending', 'pending']);
    const signed = await context.localnet.sign();
    const confirmed = await untilShown(message, isAll('confirmed'));
    expect(levels(confirmed)).toEqual(['confirmed', 'confirmed']);
    for (const { emulated, block } of confirmed.transactions) {
      expect(emulated).toBe(false);
      expect(signed.map(({ shard, seqno }) => ({ workchain: 0, shard, seqno }))).toContainEqual(block);
    }
    expect(confirmed.classification.actions.map(({ type }) => type)).toEqual(['ton_transfer']);
    await context.mine();
    const final = await untilShown(message, isAll('finalized'));
    expect(levels(final)).toEqual(['finalized', 'finalized']);
    expect(final.transactions.map(({ hash }) => hash)).toEqual(
      confirmed.transactions.map(({ hash }) => hash),
    );
    expect(toldOf(message)).toEqual(['first pending', 'confirmed', 'finalized']);
  });

  it('are confirmed as far as blocks have them, and predicted from there on', async () => {
    const body = transferJettons({
      to: judy.address,
      amount: 5n,
      responseTo: alice.address,
      forwardTon: toNano('0.01'),
    });
    const message = order(context, alice, [
      internal({ to: walletOf(alice.address), value: toNano('0.2'), body }),
    ]);
    await context.localnet.send(message.toBoc());
    await context.accept(message);
    const isOfAlice = ({ account }: PendingTransaction) => account.hash.equals(alice.address.hash);
    for (let blocks = 0; ; blocks++) {
      await context.localnet.sign();
      const trace = await untilShown(message, (one) => levels(one).includes('confirmed'));
      expect(trace.transactions.map(({ parent }) => parent)).toEqual([undefined, 0, 1, 2, 2]);
      // The account that the rest comes back to is that after the signed block.
      const [first, last] = trace.transactions.filter(isOfAlice) as [PendingTransaction, PendingTransaction];
      expect(prevLt(last)).toBe(first.lt);
      await context.mine();
      const taken = await untilShown(message, (one) => !levels(one).includes('confirmed'));
      if (taken.finality === 'finalized') break;
      expect(blocks).toBeLessThan(10);
    }
    expect(toldOf(message)!.slice(0, 2)).toEqual(['first pending', 'pending']);
    expect(toldOf(message)).not.toContain('rolled_back');
  });

  it('are shown anew as a prediction when the masterchain goes on without the block', async () => {
    const message = toItself(bob);
    await context.localnet.send(message.toBoc());
    await context.accept(message);
    await context.localnet.sign();
    await untilShown(message, isAll('confirmed'));
    await context.localnet.loseSigned();
    await context.mine(3);
    await untilShown(message, isAll('pending'));
    expect(toldOf(message)).toEqual(['first pending', 'confirmed', 'rolled_back', 'first pending']);
    // It may still happen.
    await context.localnet.send(message.toBoc());
    await context.localnet.sign();
    await untilShown(message, isAll('confirmed'));
    await context.mine();
    await untilShown(message, isAll('finalized'));
    expect(toldOf(message)!.slice(4)).toEqual(['confirmed', 'finalized']);
  });

  it('are only corrected when another block has the message', async () => {
    const message = toItself(bob, 2n);
    await context.localnet.send(message.toBoc());
    await context.accept(message);
    await context.localnet.sign();
    const lost = await untilShown(message, isAll('confirmed'));
    await context.localnet.loseSigned();
    await context.localnet.advance(30);
    await context.localnet.send(message.toBoc());
    await context.localnet.sign();
    const corrected = await untilShown(message, ({ transactions }) => {
      const [root] = transactions;
      return !root!.emulated && !root!.hash.equals(lost.transactions[0]!.hash);
    });
    expect(corrected.finality).toBe('confirmed');
    await context.mine();
    const { transactions } = await untilShown(message, isAll('finalized'));
    expect(transactions.map(({ hash }) => hash)).toEqual(corrected.transactions.map(({ hash }) => hash));
    expect(toldOf(message)).toEqual(['first pending', 'confirmed', 'confirmed', 'finalized']);
  });

  it('end when another message takes the place of theirs', async () => {
    const [message, other] = [toItself(bob, 3n), toItself(bob, 4n)];
    await context.localnet.send(message.toBoc());
    await context.accept(message);
    await context.localnet.sign();
    await untilShown(message, isAll('confirmed'));
    await context.localnet.loseSigned();
    await context.localnet.send(other.toBoc());
    await context.mine(3);
    await until(async () => (await find(message)) === undefined);
    expect(toldOf(message)).toEqual(['first pending', 'confirmed', 'rolled_back']);
    expect(context.counts.ends).toMatchObject({ invalidated: 1 });
  });

  it('are followed for somebody who watches an account, from the message on that nobody sent here', async () => {
    const seen: string[] = [];
    const end = context.pending.followSigned({
      isOpen: () => true,
      async seen({ accounts, lasts, genUtime }) {
        expect(genUtime).toBe(context.localnet.now());
        for (const account of lasts.keys()) seen.push(account);
        const watched = accountKey(0, judy.address.hash);
        return accounts.filter((account) => account.equals(watched));
      },
      async settled() {},
    });
    const message = order(context, alice, [internal({ to: judy.address, value: 5n, bounce: false })]);
    await context.localnet.send(message.toBoc());
    await context.localnet.sign();
    const trace = await untilShown(message, (one) => levels(one).includes('confirmed'));
    expect(levels(trace)).toEqual(['confirmed', 'pending']);
    expect(seen).toContain(accountKey(0, alice.address.hash).toString('latin1'));
    end();
    await context.mine(2);
    await untilShown(message, isAll('finalized'));
  });
});

it('a lite server that does not tell of signed blocks is asked once', async () => {
  const plain = await openPendingContext(index, { showsSigned: false });
  try {
    const message = order(plain, alice, [internal({ to: alice.address, value: 1n, bounce: false })]);
    await plain.localnet.send(message.toBoc());
    await plain.accept(message);
    await until(async () => plain.queries('nonfinal.getPendingShardBlocks') > 0);
    await plain.localnet.sign();
    for (let looks = 0; looks < 10; looks++) await plain.pending.refresh();
    const [trace] = await plain.pending.find({ messages: [accepted(message).hash] });
    expect(trace!.finality).toBe('pending');
    await plain.mine();
    const [final] = await plain.pending.find({ messages: [accepted(message).hash] });
    expect(final!.finality).toBe('finalized');
    expect(plain.queries('nonfinal.getPendingShardBlocks')).toBe(1);
  } finally {
    await plain.close();
  }
});
