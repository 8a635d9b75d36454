import {
  beginCell,
  type Cell,
  Dictionary,
  external,
  internal,
  type Message,
  storeMessage,
  storeTransaction,
  type Transaction,
} from '@ton/core';
import { accountKey } from '../../../src/chain/address.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import { createMemoryStore, type MemoryStore } from '../../../src/pending/memory-store.ts';
import type { PendingTransaction, StoredTrace } from '../../../src/pending/pending-traces.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { makeAction } from './made-actions.ts';

const { alice, bob } = openDemoWallets();
/** After all blocks of the demo. */
export const PENDING_SEQNO = 1_000_000;
const NOW = 1_800_000_000;
const FIRST_LT = 90_000_000_000n;

/** Accounts with pending transactions, and pending external messages. */
export const PENDING_ACCOUNTS = [alice, bob].map(({ address }) => address.toRawString().toUpperCase());
export const PENDING_MESSAGES = [1, 2].map((turn) => cellOf(order(turn)).hash().toString('hex'));

function order(turn: number): Message {
  return external({ to: alice.address, body: beginCell().storeUint(turn, 32).endCell() });
}

function cellOf(message: Message) {
  return beginCell().store(storeMessage(message)).endCell();
}

/** The message from alice to bob, as completed by the chain. */
function greeting(lt: bigint): Message {
  const { info, body } = internal({ to: bob.address, value: 5n, bounce: false, body: 'hi' });
  if (info.type !== 'internal') throw new Error('a message between accounts');
  const sent = { ...info, src: alice.address, createdLt: lt, createdAt: NOW };
  return { info: sent as never, body };
}

function makeTransaction(
  wallet: typeof alice,
  lt: bigint,
  inMessage: Message,
  sent: readonly Message[],
): Cell {
  const outMessages = Dictionary.empty<number, Message>(Dictionary.Keys.Uint(15), {
    serialize: (message, builder) => builder.storeRef(cellOf(message)),
    parse: () => {
      throw new Error('nobody reads it');
    },
  });
  for (const [i, message] of sent.entries()) outMessages.set(i, message);
  const transaction = {
    address: BigInt(`0x${wallet.address.hash.toString('hex')}`),
    lt,
    now: NOW,
    prevTransactionHash: 7n,
    prevTransactionLt: 1n,
    oldStatus: 'active',
    endStatus: 'active',
    inMessage,
    outMessages,
    outMessagesCount: sent.length,
    totalFees: { coins: 1000n },
    stateUpdate: { oldHash: hashOf('before'), newHash: hashOf('after') },
    description: {
      type: 'generic',
      creditFirst: true,
      aborted: true,
      destroyed: false,
      storagePhase: { storageFeesCollected: 3n, statusChange: 'unchanged' },
      computePhase: { type: 'skipped', reason: 'no-gas' },
    },
  } as unknown as Transaction;
  return beginCell().store(storeTransaction(transaction)).endCell();
}

/** A message of alice with its trace, whose first transaction may be real. */
export function makeTrace(turn: number, hasBegun: boolean): StoredTrace {
  const lt = FIRST_LT + BigInt(turn * 1000);
  const [message, sent] = [order(turn), greeting(lt + 1n)];
  const transactions = [
    makePendingTransaction(alice, lt, message, [sent], hasBegun, undefined),
    makePendingTransaction(bob, lt + 2n, sent, [], false, 0),
  ];
  const tx_hashes = transactions.map(({ hash }) => hash);
  const accounts = [alice, bob].map(({ address }) => accountKey(0, address.hash));
  const columns = { source: PENDING_ACCOUNTS[0]!, destination: PENDING_ACCOUNTS[1]! };
  const times = { trace_end_lt: `${lt + 2n}`, start_lt: `${lt}`, end_lt: `${lt + 2n}` };
  const hash = cellOf(message).hash();
  return {
    externalHash: hash,
    normalizedHash: hash,
    sinceSeqno: PENDING_SEQNO,
    acceptedAt: NOW + turn,
    updatedAt: NOW + turn,
    finality: 'pending',
    bound: undefined,
    transactions,
    classification: {
      state: 'ok',
      actions: ['ton_transfer', 'jetton_transfer', 'contract_deploy'].map((type) =>
        makeAction({ type, trace_id: tx_hashes[0]!, tx_hashes, accounts, columns, ...times }),
      ),
    },
  };
}

function makePendingTransaction(
  wallet: typeof alice,
  lt: bigint,
  inMessage: Message,
  sent: readonly Message[],
  hasHappened: boolean,
  parent: number | undefined,
): PendingTransaction {
  const cell = makeTransaction(wallet, lt, inMessage, sent);
  return {
    account: { workchain: 0, hash: wallet.address.hash },
    boc: cell.toBoc(),
    hash: cell.hash(),
    lt,
    inMessageHash: cellOf(inMessage).hash(),
    parent,
    emulated: !hasHappened,
    finality: hasHappened ? 'confirmed' : 'pending',
    mcSeqno: PENDING_SEQNO,
    block: hasHappened ? { workchain: 0, shard: -(2n ** 63n), seqno: PENDING_SEQNO } : undefined,
  };
}

/** Pending messages of alice, two by default; the second has a real transaction. */
export function createMadePending(count = 2): MemoryStore {
  const store = createMemoryStore({
    maxEntries: count,
    maxBytes: 2 ** 30,
    maxTraceBytes: 2 ** 24,
    maxFound: count,
  });
  for (let turn = 1; turn <= count; turn++) store.put(makeTrace(turn, turn === 2));
  return store;
}
