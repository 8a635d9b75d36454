import { type Address, internal } from '@ton/core';
import type { BlockId } from '../../chain/block-id.ts';
import { iterateTransactions } from '../../chain/tlb/account-blocks.ts';
import { readBlockExtra, readBlockRoot } from '../../chain/tlb/block.ts';
import { lookUp, walkDictionary } from '../../chain/tlb/dictionary.ts';
import { readTransaction } from '../../chain/tlb/transaction.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { Failure } from '../../lib/errors.ts';
import { wrongValue } from '../../lib/wrong-value.ts';
import { walletMessage } from '../contracts/wallets.ts';
import type { FundedWallet } from '../genesis/keys.ts';
import { LiteRefusal } from '../lite-server/methods/method-context.ts';
import { openStoredBlock } from '../lite-server/methods/stored-blocks.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { headQueues } from '../store/head-state.ts';
import type { Localnet } from './localnet.ts';
import { readAccountAtHead } from './vm-runs.ts';

interface Order extends Omit<PromiseWithResolvers<BlockId>, 'promise'> {
  readonly address: Address;
  readonly amount: bigint;
}

/** Orders that were sent and may not have arrived. */
interface Shipment {
  readonly orders: readonly Order[];
  readonly block: BlockId;
  readonly messages: SentMessages;
}

/** Messages the wallet can send at once. */
const MAX_ORDERS = 4;
const MAX_WAITING = 1000;
/** The mnemonic is public, so somebody else may have used the wallet's seqno in the meantime. */
const TRIES = 3;
/** A message reaches the next shard in the next block, and leaves its queue in one of those that follow. */
const MAX_DELIVERY_BLOCKS = 100;
/** Reserved for fees. */
const RESERVE = 10n ** 9n;

/** Creates a faucet from a funded wallet. Requests that arrive together are sent together. */
export function createFaucet(
  wallet: FundedWallet,
  localnet: Pick<Localnet, 'store' | 'now' | 'send' | 'wake' | 'mine'>,
) {
  const waiting: Order[] = [];
  let isSending = false;
  let shipments: Shipment[] = [];
  let isDelivering = false;

  async function sendAll(): Promise<void> {
    if (isSending) return;
    isSending = true;
    // Requests that arrived together are sent together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const orders = waiting.splice(0, MAX_ORDERS);
      try {
        const block = await sendSome(orders);
        const messages = readSentMessages(localnet.store, block, wallet.address.hash);
        shipments.push({ orders, block, messages });
        void deliverAll();
      } catch (error) {
        for (const { reject } of orders) reject(error);
      }
    }
    isSending = false;
  }

  /** Makes blocks until all that was sent has arrived: other shards see it in a later block. */
  async function deliverAll(): Promise<void> {
    if (isDelivering) return;
    isDelivering = true;
    try {
      for (let blocks = 0; ; blocks++) {
        settleArrived();
        if (shipments.length === 0) break;
        if (blocks >= MAX_DELIVERY_BLOCKS)
          throw new Failure('unavailable', 'the TON was sent but does not arrive: the shards are overloaded');
        await localnet.mine(1);
      }
    } catch (error) {
      for (const { orders } of shipments.splice(0)) for (const { reject } of orders) reject(error);
    } finally {
      isDelivering = false;
    }
  }

  function settleArrived(): void {
    const arrived = shipments.filter(({ messages }) => !areUnderWay(localnet.store, messages));
    shipments = shipments.filter((shipment) => !arrived.includes(shipment));
    for (const { orders, block } of arrived) for (const { resolve } of orders) resolve(block);
  }

  async function sendSome(orders: readonly Order[]): Promise<BlockId> {
    let reason = '';
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const { end } = await localnet.send(transferOf(orders));
        localnet.wake();
        const outcome = await end;
        if (outcome.outcome === 'included') return outcome.block;
        reason = outcome.text;
      } catch (error) {
        if (!(error instanceof LiteRefusal)) throw error;
        reason = error.message;
      }
    }
    throw new Failure('unavailable', `the faucet could not send: ${reason}`);
  }

  function transferOf(orders: readonly Order[]): Buffer {
    const { seqno, balance } = walletAtHead();
    const total = orders.reduce((sum, { amount }) => sum + amount, RESERVE);
    if (total > balance) throw new Failure('conflict', 'the faucet does not have that much left');
    const messages = orders.map(({ address: to, amount: value }) => internal({ to, value, bounce: false }));
    return walletMessage(wallet, { seqno, messages, now: localnet.now() }).toBoc();
  }

  function walletAtHead(): { seqno: number; balance: bigint } {
    const account = readAccountAtHead(localnet.store, wallet.address);
    const state = account?.storage.state;
    if (account === undefined || state?.type !== 'active')
      throw new Failure('unavailable', 'the faucet has no wallet on this chain');
    return { seqno: state.state.data!.beginParse().loadUint(32), balance: account.storage.balance.coins };
  }

  return {
    address: wallet.address,
    /** Sends nanotons to an address; returns the block in which they were sent, once they have arrived. */
    fund(address: Address, amount: bigint): Promise<BlockId> {
      if (amount <= 0n)
        throw new Failure('bad_request', wrongValue('amount', 'more than 0 TON', Number(amount)));
      if (waiting.length >= MAX_WAITING)
        throw new Failure('overloaded', 'too many wait for the faucet', { retryAfterSeconds: 1 });
      const { promise, resolve, reject } = Promise.withResolvers<BlockId>();
      waiting.push({ address, amount, resolve, reject });
      void sendAll();
      return promise;
    },
  };
}

type SentMessages = Readonly<ReturnType<typeof readSentMessages>>;

const QUEUE_KEY_BITS = 352;
const QUEUE_HASH_AT = (32 + 64) / 8;
const ACCOUNT_BITS = 256;

function readSentMessages(store: ChainStore, block: BlockId, sender: Buffer) {
  const { cells, cell } = openStoredBlock(store, block);
  const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  const hashes = new Set<HashKey>();
  const after = { account: sender, lt: 0n };
  for (const transaction of iterateTransactions(cells, accountBlocks, { after })) {
    if (!transaction.account.equals(sender)) break;
    for (const { hash } of readTransaction(cells, transaction.cell, block.workchain).outMessages)
      hashes.add(bytesKey(hash));
  }
  return { sender, hashes };
}

/** Whether one of the messages is still in a queue at the head. */
function areUnderWay(store: ChainStore, { sender, hashes }: SentMessages): boolean {
  return headQueues(store).some(({ cells, outQueue, dispatchQueue }) => {
    // A sender whose messages are deferred has an entry until all of them are in the queue.
    if (lookUp(cells, dispatchQueue, ACCOUNT_BITS, sender) !== undefined) return true;
    let isQueued = false;
    walkDictionary(cells, outQueue, QUEUE_KEY_BITS, (key) => {
      isQueued ||= hashes.has(bytesKey(key.subarray(QUEUE_HASH_AT)));
    });
    return isQueued;
  });
}
