import Type from 'typebox';
import { formatRaw, type ParsedAddress } from '../chain/address.ts';
import type { Parameter, ParameterValues } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import type { TransactionRef } from '../lite/methods/transactions.ts';
import {
  type BlockTransactionsQuery,
  listTransactionsInBlock,
  readTransactionsInBlock,
} from '../live/blocks.ts';
import { locateReceivingTransaction, locateSendingTransaction, readAccountHistory } from '../live/history.ts';
import type { LiveCall } from '../live/session.ts';
import { defineV2Operation } from './operation.ts';
import {
  accountHash,
  address,
  blockHashes,
  blockKey,
  flag,
  optionalHash,
  optionalInt32,
  optionalInt64,
  parseRefusal,
  requiredInt64,
  validateRefusal,
} from './parameters.ts';
import {
  BlockIdExt,
  blockIdExt,
  Hash256,
  Int64Text,
  TonlibObject,
  TransactionId,
  transactionId,
} from './shapes.ts';
import {
  ExtTransaction,
  extTransaction,
  RawTransaction,
  RawTransactionExt,
  rawTransaction,
  rawTransactionExt,
  TransactionWriter,
} from './transaction-shapes.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;
const NO_HASH = Buffer.alloc(32);

function historyParameters() {
  return {
    address: historyAddress(),
    limit: optionalInt32(
      'Maximum number of transactions.',
      { minimum: 1, maximum: MAX_LIMIT },
      DEFAULT_LIMIT,
    ),
    lt: optionalInt64('Logical time of the newest transaction to return; together with hash.', {
      minimum: 0,
    }),
    hash: optionalHash('Hash of the newest transaction to return; together with lt.'),
    to_lt: optionalInt64('Only transactions after this logical time are returned.'),
    archival: flag('With true, only archive lite servers are used.'),
  };
}

/** By contract the error for a query does not show the address that was given. */
function historyAddress(): Parameter<ParsedAddress> {
  const parameter = address();
  return {
    ...parameter,
    read: (input) => {
      try {
        return parameter.read(input);
      } catch (error) {
        throw input.origin === 'query' ? parseRefusal(input, `failed to parse ${input.name}`) : error;
      }
    },
  };
}

/** The transaction to start from; undefined for the newest one. */
function historyStart(lt: bigint | undefined, hash: Buffer | undefined): TransactionRef | undefined {
  if ((lt === undefined) !== (hash === undefined))
    throw validateRefusal('lt and hash should be used together');
  return lt === undefined || hash === undefined ? undefined : { lt, hash };
}

export const getTransactions = defineV2Operation({
  name: 'getTransactions',
  tag: 'transactions',
  summary: 'Get the transactions of an account, newest first',
  description:
    'Starts with the newest transaction, or with the one given by `lt` and `hash`. When a lite server does not have a ' +
    'part of the history, an archive server is used; a list is never cut short.',
  parameters: historyParameters(),
  result: Type.Array(ExtTransaction),
  cache: 'immutable',
  handler: async ({ address, limit, lt, hash, to_lt: toLt, archival }, call) => {
    // Clients send lt 0 for the newest transaction.
    const from = historyStart(lt === 0n ? undefined : lt, hash);
    const writer = new TransactionWriter(extTransaction, 'limit');
    const query = { from, limit, toLt, archival };
    await readAccountHistory(call, address, query, (transaction) => writer.add(transaction));
    call.immutable = from !== undefined;
    return writer.written;
  },
});

export const getTransactionsStd = defineV2Operation({
  name: 'getTransactionsStd',
  tag: 'transactions',
  summary: 'Get the transactions of an account, with the id of the one before them',
  description:
    'Same as getTransactions, in the form of tonlib. `previous_transaction_id` is where to continue; `lt` "0" means that ' +
    'there are no earlier transactions.',
  parameters: historyParameters(),
  requestName: 'TransactionsRequest',
  result: TonlibObject('raw.transactions', 'TransactionsStd', {
    transactions: Type.Array(RawTransaction),
    previous_transaction_id: TransactionId,
  }),
  cache: 'immutable',
  handler: async ({ address, limit, lt, hash, to_lt: toLt, archival }, call) => {
    const from = historyStart(lt, hash);
    const writer = new TransactionWriter(rawTransaction, 'limit');
    const query = { from, limit, toLt, archival };
    const previous = await readAccountHistory(call, address, query, (transaction) => writer.add(transaction));
    call.immutable = from !== undefined;
    return {
      '@type': 'raw.transactions' as const,
      transactions: writer.written,
      previous_transaction_id: transactionId(previous.lt, previous.lt === 0n ? NO_HASH : previous.hash),
    };
  },
});

const DEFAULT_COUNT = 40;
const MAX_COUNT = 10_000;

function blockTransactionsParameters() {
  return {
    ...blockKey(),
    ...blockHashes(),
    after_lt: optionalInt64('Logical time of the last transaction seen; together with after_hash.', {
      minimum: 0,
    }),
    after_hash: accountHash(
      'Account of the last transaction seen (not the hash of the transaction): an address in any form, or its hash.',
    ),
    count: optionalInt32(
      'Maximum number of transactions.',
      { minimum: 1, maximum: MAX_COUNT },
      DEFAULT_COUNT,
    ),
  };
}

function blockTransactionsQuery(
  params: ParameterValues<ReturnType<typeof blockTransactionsParameters>>,
): BlockTransactionsQuery {
  const { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, count: limit } = params;
  const { after_lt: lt, after_hash: account } = params;
  if ((lt === undefined) !== (account === undefined))
    throw validateRefusal('after_lt and after_hash should be used together');
  const after = lt === undefined || account === undefined ? undefined : { account, lt };
  return { workchain, shard, seqno, rootHash, fileHash, limit, after };
}

/** The mode that clients know from tonlib: account, lt and hash of each transaction, and a start after a given one. */
const MODE = 135;

const ShortTransaction = TonlibObject('blocks.shortTxId', 'ShortTxId', {
  mode: Type.Integer(),
  account: PlainText({ pattern: '^-?[0-9]+:[0-9a-f]{64}$' }),
  lt: Int64Text(),
  hash: Hash256(),
});

export const getBlockTransactions = defineV2Operation({
  name: 'getBlockTransactions',
  tag: 'transactions',
  summary: 'Get the transaction ids of a block',
  description:
    'Ordered by account and logical time. If `incomplete` is true, continue with account and logical time of the last ' +
    'one as `after_hash` and `after_lt`.',
  parameters: blockTransactionsParameters(),
  result: TonlibObject('blocks.transactions', 'BlockTransactions', {
    id: BlockIdExt,
    req_count: Type.Integer(),
    incomplete: Type.Boolean(),
    transactions: Type.Array(ShortTransaction),
  }),
  cache: 'immutable',
  handler: async (params, call) => {
    const { workchain, count } = params;
    const transactions: Type.Static<typeof ShortTransaction>[] = [];
    const { block, incomplete } = await listTransactionsInBlock(
      call,
      blockTransactionsQuery(params),
      ({ account, lt, hash }) => {
        transactions.push({
          '@type': 'blocks.shortTxId',
          mode: MODE,
          account: formatRaw({ workchain, hash: account }, 'lower'),
          lt: String(BigInt.asIntN(64, lt)),
          hash: hash.toString('base64'),
        });
      },
    );
    return {
      '@type': 'blocks.transactions' as const,
      id: blockIdExt(block),
      req_count: count,
      incomplete,
      transactions,
    };
  },
});

export const getBlockTransactionsExt = defineV2Operation({
  name: 'getBlockTransactionsExt',
  tag: 'transactions',
  summary: 'Get the transactions of a block',
  description:
    'Ordered by account and logical time. If `incomplete` is true, continue with account and logical time of the last ' +
    'one as `after_hash` and `after_lt`.',
  parameters: blockTransactionsParameters(),
  result: TonlibObject('blocks.transactionsExt', 'BlockTransactionsExt', {
    id: BlockIdExt,
    req_count: Type.Integer(),
    incomplete: Type.Boolean(),
    transactions: Type.Array(RawTransactionExt),
  }),
  cache: 'immutable',
  handler: async (params, call) => {
    const writer = new TransactionWriter(rawTransactionExt, 'count');
    const { block, incomplete } = await readTransactionsInBlock(
      call,
      blockTransactionsQuery(params),
      (transaction) => writer.add(transaction),
    );
    return {
      '@type': 'blocks.transactionsExt' as const,
      id: blockIdExt(block),
      req_count: params.count,
      incomplete,
      transactions: writer.written,
    };
  },
});

function messageParameters() {
  return {
    source: messageEnd('Account that sent the message.'),
    destination: messageEnd('Account that receives the message.'),
    created_lt: requiredInt64('Logical time at which the message was created.', { minimum: 0 }),
  };
}

/** An address; a request has two, so the error for an empty one has its name. */
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

/** Creates the handler of an operation that finds a transaction by a message. */
function locateWith(locate: typeof locateReceivingTransaction) {
  return async (
    { source, destination, created_lt: createdLt }: ParameterValues<ReturnType<typeof messageParameters>>,
    call: LiveCall,
  ) => {
    const transaction = await locate(call, { source, destination, createdLt });
    if (transaction === undefined) throw new Failure('not_found', 'transaction was not found');
    call.immutable = true;
    return extTransaction(transaction);
  };
}

export const tryLocateTx = defineV2Operation({
  name: 'tryLocateTx',
  aliases: ['tryLocateResultTx'],
  tag: 'transactions',
  summary: 'Find the transaction that received a message',
  description:
    'Searches the last transactions of the receiver, then up to fifty blocks from the creation of the message, also ' +
    'across splits and merges of shards.',
  parameters: messageParameters(),
  result: ExtTransaction,
  errors: [{ code: 404, when: 'There is no such transaction, or not yet' }],
  cache: 'immutable',
  handler: locateWith(locateReceivingTransaction),
});

export const tryLocateSourceTx = defineV2Operation({
  name: 'tryLocateSourceTx',
  tag: 'transactions',
  summary: 'Find the transaction that sent a message',
  description: 'Internal messages only.',
  parameters: messageParameters(),
  result: ExtTransaction,
  errors: [{ code: 404, when: 'There is no such transaction' }],
  cache: 'immutable',
  handler: locateWith(locateSendingTransaction),
});
