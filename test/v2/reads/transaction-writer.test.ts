import {
  Address,
  beginCell,
  Dictionary,
  type Message,
  storeMessage,
  storeTransaction,
  type Transaction,
} from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { ProofFailure } from '../../../src/lite/errors.ts';
import { TransactionWriter } from '../../../src/v2/reads/transaction-writer.ts';
import { rawTransaction } from '../../../src/v2/shapes/transaction.ts';

const ACCOUNT = new Address(0, Buffer.alloc(32, 7));
const MESSAGES = 64;
const MIB = 2 ** 20;

/** A transaction of some hundred kilobytes, whose messages all have the same long comment. */
function longTransaction() {
  let body = beginCell().endCell();
  for (let i = 0; i < 800; i++) body = beginCell().storeBuffer(Buffer.alloc(127, i)).storeRef(body).endCell();
  body = beginCell().storeUint(0, 32).storeRef(body).endCell();
  const outMessages = Dictionary.empty(Dictionary.Keys.Uint(15), {
    serialize: (message: Message, builder) =>
      void builder.storeRef(beginCell().store(storeMessage(message, { forceRef: true }))),
    parse: () => messageOf(body, 0n),
  });
  for (let i = 0; i < MESSAGES; i++) outMessages.set(i, messageOf(body, BigInt(i)));
  const transaction = {
    address: BigInt(`0x${ACCOUNT.hash.toString('hex')}`),
    ...{ lt: 5n, prevTransactionHash: 0n, prevTransactionLt: 0n, now: 6, outMessagesCount: MESSAGES },
    ...{ oldStatus: 'active', endStatus: 'active', inMessage: null, outMessages },
    totalFees: { coins: 2n ** 63n },
    stateUpdate: { oldHash: Buffer.alloc(32, 1), newHash: Buffer.alloc(32, 2) },
    description: {
      type: 'storage',
      storagePhase: { storageFeesCollected: 1n, statusChange: 'unchanged' },
    },
  } as unknown as Transaction;
  const bag = fromCoreCell(beginCell().store(storeTransaction(transaction)).endCell());
  return { cells: bag, cell: bag.root };
}

function messageOf(body: Message['body'], createdLt: bigint): Message {
  return {
    info: {
      type: 'internal',
      ...{ ihrDisabled: true, bounce: true, bounced: false, src: ACCOUNT, dest: ACCOUNT },
      ...{ value: { coins: 1n }, ihrFee: 0n, forwardFee: 2n ** 64n, createdLt, createdAt: 6 },
    },
    body,
  };
}

describe('a writer of transactions', () => {
  it('counts fees beyond 64 bits, and refuses a list that is too long for an answer', () => {
    const writer = new TransactionWriter({ workchain: 0, write: rawTransaction, limit: 'limit' });
    const found = longTransaction();
    writer.add(found);
    const { fee, other_fee, data, out_msgs } = writer.written[0]!;
    expect(fee).toBe(String(2n ** 63n + BigInt(MESSAGES) * 2n ** 64n));
    expect(other_fee).toBe(String(BigInt(fee) - 1n));
    expect(out_msgs).toHaveLength(MESSAGES);
    expect(data.length).toBeLessThan(MIB);
    expect(JSON.stringify(writer.written).length).toBeGreaterThan(8 * MIB);
    expect(() => {
      for (let i = 1; i < 20; i++) writer.add(found);
    }).toThrow(
      'failed to validate request: limit is too large: these transactions are too long for one answer',
    );
    expect(writer.written.length).toBeLessThan(9);
  });

  it('tells of a cell that is no transaction, which a server could not help', () => {
    const writer = new TransactionWriter({ workchain: 0, write: rawTransaction, limit: 'limit' });
    const bag = fromCoreCell(beginCell().storeUint(5, 32).endCell());
    const add = () => writer.add({ cells: bag, cell: bag.root });
    expect(add).toThrow(ProofFailure);
    expect(add).toThrow('VALIDATE_TRANSACTION');
  });
});
