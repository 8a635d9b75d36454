import Type from 'typebox';
import { formatRaw } from '../chain/address.ts';
import { defineOperation, type OperationExample, type ParameterValues } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { listBlockTransactions, listBlockTransactionsExt } from '../lite/methods/block-transactions.ts';
import { type BlockTransactionsQuery, readTransactionsInBlock } from '../live/blocks.ts';
import type { LiveCall } from '../live/session.ts';
import { accountHash, blockHashes, blockPlace } from './chain-parameters.ts';
import { getBlockTransactionsExamples } from './examples/get-block-transactions.ts';
import { getBlockTransactionsExtExamples } from './examples/get-block-transactions-ext.ts';
import { optionalInt32, optionalInt64, parseRefusalTexts, validateRefusal } from './parameters.ts';
import { BlockIdExt, blockIdExt, Hash256, Int64Text } from './shapes.ts';
import { RawTransactionExt, rawTransactionExt, TransactionWriter } from './transaction-shapes.ts';

const DEFAULT_COUNT = 40;
const MAX_COUNT = 10_000;

/** What the operations take that list transactions of a block. */
function blockTransactionsParameters() {
  return {
    ...blockPlace(),
    ...blockHashes(),
    after_lt: optionalInt64({
      description: 'Logical time of the last transaction seen; together with after_hash.',
      minimum: 0,
    }),
    after_hash: accountHash(
      'Account of the last transaction seen (not the hash of the transaction): an address in any form, or its hash.',
    ),
    count: optionalInt32(
      { description: 'How many transactions at most.', minimum: 1, maximum: MAX_COUNT },
      DEFAULT_COUNT,
    ),
  };
}

/** What a caller wants by these parameters. */
function transactionsQuery(
  params: ParameterValues<ReturnType<typeof blockTransactionsParameters>>,
): BlockTransactionsQuery {
  const { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, count: limit } = params;
  const { after_lt: lt, after_hash: account } = params;
  if ((lt === undefined) !== (account === undefined))
    throw validateRefusal('after_lt and after_hash should be used together');
  const after = lt === undefined || account === undefined ? undefined : { account, lt };
  return { workchain, shard, seqno, rootHash, fileHash, limit, after };
}

const BLOCK = { workchain: -1, shard: '-9223372036854775808', seqno: 45157808 };

/** Examples of what the operations on a block's transactions refuse. */
const blockTransactionsRefusals: readonly OperationExample<never>[] = [
  {
    title: 'the block before the first one',
    params: { ...BLOCK, seqno: 0 },
    failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
  },
  {
    title: 'no transactions at all',
    params: { ...BLOCK, count: 0 },
    failure: { code: 422, text: 'failed to validate request: count should be positive' },
  },
  {
    title: 'too many transactions',
    params: { ...BLOCK, count: 10001 },
    failure: { code: 422, text: 'failed to validate request: count should be less or equal 10000' },
  },
  {
    title: 'a time without an account to go on from',
    params: { ...BLOCK, after_lt: '47842330000003' },
    failure: {
      code: 422,
      text: 'failed to validate request: after_lt and after_hash should be used together',
    },
  },
  {
    title: 'an account to go on from that is none',
    params: { ...BLOCK, after_lt: '47842330000003', after_hash: 'zz' },
    failure: { code: 422, text: parseRefusalTexts('after_hash') },
  },
  {
    title: 'a number that is none',
    params: { ...BLOCK, seqno: 'newest' },
    failure: { code: 422, text: parseRefusalTexts('seqno') },
  },
];

/** Bits of the question that clients know from tonlib: account, time, hash, and where to go on. */
const MODE = 135;

const ShortTransaction = Type.Object({
  '@type': Type.Literal('blocks.shortTxId'),
  mode: Type.Integer(),
  account: PlainText({ pattern: '^-?[0-9]+:[0-9a-f]{64}$' }),
  lt: Int64Text(),
  hash: Hash256(),
});

/** The names of a block's transactions. */
export const getBlockTransactions = defineOperation({
  name: 'getBlockTransactions',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Names of the transactions of a block',
  description:
    'By account and logical time. When `incomplete` is true, go on with account and time of the last one as ' +
    '`after_hash` and `after_lt`.',
  parameters: blockTransactionsParameters(),
  result: Type.Object({
    '@type': Type.Literal('blocks.transactions'),
    id: BlockIdExt,
    req_count: Type.Integer(),
    incomplete: Type.Boolean(),
    transactions: Type.Array(ShortTransaction),
  }),
  cache: 'immutable',
  examples: [...getBlockTransactionsExamples, ...blockTransactionsRefusals],
  handler: async (params, call: LiveCall) => {
    const { workchain, count } = params;
    const transactions: Type.Static<typeof ShortTransaction>[] = [];
    const wanted = transactionsQuery(params);
    const { block, incomplete } = await readTransactionsInBlock(
      call,
      listBlockTransactions,
      wanted,
      (listed) => {
        const account = formatRaw({ workchain, hash: listed.account }, 'lower');
        const name = { lt: String(BigInt.asIntN(64, listed.lt)), hash: listed.hash.toString('base64') };
        transactions.push({ '@type': 'blocks.shortTxId', mode: MODE, account, ...name });
      },
    );
    const id = blockIdExt(block);
    return { '@type': 'blocks.transactions' as const, id, req_count: count, incomplete, transactions };
  },
});

/** The transactions of a block. */
export const getBlockTransactionsExt = defineOperation({
  name: 'getBlockTransactionsExt',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transactions of a block',
  description:
    'By account and logical time. When `incomplete` is true, go on with account and time of the last one as ' +
    '`after_hash` and `after_lt`.',
  parameters: blockTransactionsParameters(),
  result: Type.Object({
    '@type': Type.Literal('blocks.transactionsExt'),
    id: BlockIdExt,
    req_count: Type.Integer(),
    incomplete: Type.Boolean(),
    transactions: Type.Array(RawTransactionExt),
  }),
  cache: 'immutable',
  examples: [...getBlockTransactionsExtExamples, ...blockTransactionsRefusals],
  handler: async (params, call: LiveCall) => {
    const { workchain, count } = params;
    const writer = new TransactionWriter({ workchain, write: rawTransactionExt, limit: 'count' });
    const wanted = transactionsQuery(params);
    const { block, incomplete } = await readTransactionsInBlock(
      call,
      listBlockTransactionsExt,
      wanted,
      (found) => writer.add(found),
    );
    return {
      '@type': 'blocks.transactionsExt' as const,
      id: blockIdExt(block),
      req_count: count,
      incomplete,
      transactions: writer.written,
    };
  },
});
