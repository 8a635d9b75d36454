import Type from 'typebox';
import type { ParsedAddress } from '../chain/address.ts';
import { defineOperation, type OperationExample, type Parameter } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import type { TransactionRef } from '../lite/methods/transactions.ts';
import { locateReceivingTransaction, locateSendingTransaction, readAccountHistory } from '../live/history.ts';
import type { LiveCall } from '../live/session.ts';
import { address } from './chain-parameters.ts';
import { getTransactionsExamples } from './examples/get-transactions.ts';
import { getTransactionsStdExamples } from './examples/get-transactions-std.ts';
import { tryLocateSourceTxExamples } from './examples/try-locate-source-tx.ts';
import { tryLocateTxExamples } from './examples/try-locate-tx.ts';
import {
  flag,
  optionalHash,
  optionalInt32,
  optionalInt64,
  parseRefusal,
  parseRefusalTexts,
  requiredInt64,
  validateRefusal,
} from './parameters.ts';
import { TransactionId, transactionId } from './shapes.ts';
import {
  ExtTransaction,
  extTransaction,
  RawTransaction,
  rawTransaction,
  TransactionWriter,
} from './transaction-shapes.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;

/** What the operations take that read the history of an account. */
function historyParameters() {
  return {
    address: historyAddress(),
    limit: optionalInt32(
      { description: 'How many transactions at most.', minimum: 1, maximum: MAX_LIMIT },
      DEFAULT_LIMIT,
    ),
    lt: optionalInt64({
      description: 'Logical time of the newest transaction to give; together with hash.',
      minimum: 0,
    }),
    hash: optionalHash('Hash of the newest transaction to give; together with lt.'),
    to_lt: optionalInt64({
      description: 'Transactions up to this logical time, it included, are left out.',
    }),
    archival: flag('With true, only lite servers that have the whole chain are asked.'),
  };
}

/** Where a caller wants to start; undefined for the newest transaction. */
function historyStart(lt: bigint | undefined, hash: Buffer | undefined): TransactionRef | undefined {
  if ((lt === undefined) !== (hash === undefined))
    throw validateRefusal('lt and hash should be used together');
  return lt === undefined || hash === undefined ? undefined : { lt, hash };
}

/** In a query string these operations do not repeat an address that is none. */
function historyAddress(): ReturnType<typeof address> {
  const parameter = address();
  const read: (typeof parameter)['read'] = (input) => {
    try {
      return parameter.read(input);
    } catch (error) {
      throw input.origin === 'query' ? parseRefusal(input, `failed to parse ${input.name}`) : error;
    }
  };
  return { ...parameter, read } satisfies Parameter<unknown>;
}

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const HASH = 'Viu1vQubq7+RGYT1qFjfMpnEnM3n3oAfnRMWHMMisUw=';

/** Examples of what the operations on an account's history refuse. */
const historyRefusals: readonly OperationExample<never>[] = [
  {
    title: 'not an address',
    params: { address: 'abcde' },
    failure: {
      code: 422,
      text: {
        query: 'failed to parse get request: failed to parse address',
        body: "failed to parse post request: Error at path 'address': Failed to parse ton_addr: 'abcde'",
      },
    },
  },
  {
    title: 'no transactions at all',
    params: { address: ADDRESS, limit: 0 },
    failure: { code: 422, text: 'failed to validate request: limit should be positive' },
  },
  {
    title: 'too many transactions',
    params: { address: ADDRESS, limit: 1001 },
    failure: { code: 422, text: 'failed to validate request: limit should be less or equal 1000' },
  },
  {
    title: 'a limit that is none',
    params: { address: ADDRESS, limit: 'all' },
    failure: { code: 422, text: parseRefusalTexts('limit') },
  },
  {
    title: 'a negative time',
    params: { address: ADDRESS, lt: -1, hash: HASH },
    failure: { code: 422, text: 'failed to validate request: lt should be non-negative' },
  },
  {
    title: 'a time without a hash',
    params: { address: ADDRESS, lt: '47842330000003' },
    failure: { code: 422, text: 'failed to validate request: lt and hash should be used together' },
  },
  {
    title: 'a hash that is none',
    params: { address: ADDRESS, lt: '47842330000003', hash: 'zzz' },
    failure: { code: 422, text: parseRefusalTexts('hash') },
  },
];

/** The history of an account. */
export const getTransactions = defineOperation({
  name: 'getTransactions',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transactions of an account, newest first',
  description:
    'From the newest transaction, or from the one that `lt` and `hash` name, that one included. When a lite server ' +
    'lacks a part of the history, one that has the whole chain is asked; a list is never cut short.',
  parameters: historyParameters(),
  result: Type.Array(ExtTransaction),
  cache: 'immutable',
  examples: [...getTransactionsExamples, ...historyRefusals],
  handler: async ({ address, limit, lt, hash, to_lt: toLt, archival }, call: LiveCall) => {
    // Clients send a time of 0 for "from the newest".
    const from = historyStart(lt === 0n ? undefined : lt, hash);
    const writer = new TransactionWriter({
      workchain: address.workchain,
      write: extTransaction,
      limit: 'limit',
    });
    await readAccountHistory(call, address, { from, limit, toLt, archival }, (found) => writer.add(found));
    call.immutable = from !== undefined;
    return writer.written;
  },
});

/** The history of an account, with the place where it goes on. */
export const getTransactionsStd = defineOperation({
  name: 'getTransactionsStd',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transactions of an account, newest first, and the one before them',
  description:
    'As getTransactions, in the form of tonlib. `previous_transaction_id` is where to go on; a `lt` of "0" is the ' +
    'beginning of the history.',
  parameters: historyParameters(),
  result: Type.Object({
    '@type': Type.Literal('raw.transactions'),
    transactions: Type.Array(RawTransaction),
    previous_transaction_id: TransactionId,
  }),
  cache: 'immutable',
  examples: [...getTransactionsStdExamples, ...historyRefusals],
  handler: async ({ address, limit, lt, hash, to_lt: toLt, archival }, call: LiveCall) => {
    const from = historyStart(lt, hash);
    const writer = new TransactionWriter({
      workchain: address.workchain,
      write: rawTransaction,
      limit: 'limit',
    });
    const wanted = { from, limit, toLt, archival };
    const previous = await readAccountHistory(call, address, wanted, (found) => writer.add(found));
    call.immutable = from !== undefined;
    return {
      '@type': 'raw.transactions' as const,
      transactions: writer.written,
      previous_transaction_id: transactionId(previous.lt, previous.lt === 0n ? NO_HASH : previous.hash),
    };
  },
});

const NO_HASH = Buffer.alloc(32);

/** What the operations take that find a transaction by a message. */
function messageParameters() {
  return {
    source: messageEnd('Account that sent the message.'),
    destination: messageEnd('Account that the message is for.'),
    created_lt: requiredInt64({ description: 'Logical time when the message was created.', minimum: 0 }),
  };
}

/** An address of which a call has two, so that a refusal names the empty one. */
function messageEnd(description: string): Parameter<ParsedAddress> {
  const parameter = address(description);
  return {
    ...parameter,
    read: (input) => {
      const given = input.values[0];
      if (given === '' || (given === undefined && input.origin === 'query'))
        throw validateRefusal(`empty ${input.name} address`);
      return parameter.read(input);
    },
  };
}

/** Examples of what the operations refuse that find a transaction by a message. */
const messageRefusals: readonly OperationExample<never>[] = [
  {
    title: 'not an address',
    params: { source: 'x', destination: ADDRESS, created_lt: 1 },
    failure: {
      code: 422,
      text: {
        query: "failed to parse get request: Failed to parse ton_addr: 'x'",
        body: "failed to parse post request: Error at path 'source': Failed to parse ton_addr: 'x'",
      },
    },
  },
  {
    title: 'an empty address',
    params: { source: ADDRESS, destination: '', created_lt: 1 },
    failure: { code: 422, text: 'failed to validate request: empty destination address' },
  },
  {
    title: 'no time',
    params: { source: ADDRESS, destination: ADDRESS },
    failure: {
      code: 422,
      text: {
        query: 'failed to parse get request: failed to parse created_lt',
        body: "failed to parse post request: Field 'created_lt' is missing",
      },
    },
  },
  {
    title: 'a negative time',
    params: { source: ADDRESS, destination: ADDRESS, created_lt: -1 },
    failure: { code: 422, text: 'failed to validate request: created_lt should be non-negative' },
  },
];

/** The transaction that a message led to. */
export const tryLocateTx = defineOperation({
  name: 'tryLocateTx',
  aliases: ['tryLocateResultTx'],
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transaction that received a message',
  description:
    'Finds it among the last transactions of the receiver and in fifty blocks after the message was created, also if ' +
    'shards were split or merged.',
  parameters: messageParameters(),
  result: ExtTransaction,
  errors: [{ code: 404, when: 'There is no such transaction, or not yet' }],
  cache: 'immutable',
  examples: [...tryLocateTxExamples, ...messageRefusals],
  handler: async ({ source, destination, created_lt: createdLt }, call: LiveCall) => {
    const found = await locateReceivingTransaction(call, { source, destination, createdLt });
    if (found === undefined) throw new Failure('not_found', 'transaction was not found');
    call.immutable = true;
    return extTransaction(found);
  },
});

/** The transaction that sent a message. */
export const tryLocateSourceTx = defineOperation({
  name: 'tryLocateSourceTx',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transaction that sent a message',
  description: 'Messages to the outside of the chain are not looked at.',
  parameters: messageParameters(),
  result: ExtTransaction,
  errors: [{ code: 404, when: 'There is no such transaction' }],
  cache: 'immutable',
  examples: [...tryLocateSourceTxExamples, ...messageRefusals],
  handler: async ({ source, destination, created_lt: createdLt }, call: LiveCall) => {
    const found = await locateSendingTransaction(call, { source, destination, createdLt });
    if (found === undefined) throw new Failure('not_found', 'transaction was not found');
    call.immutable = true;
    return extTransaction(found);
  },
});
