import Type from 'typebox';
import { formatRaw } from '../../chain/address/format-address.ts';
import { defineOperation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import { listBlockTransactions } from '../../lite/queries/list-block-transactions.ts';
import type { V2Call } from '../call.ts';
import { getBlockTransactionsExamples } from '../examples/get-block-transactions.ts';
import { blockTransactionsParameters, wantedTransactions } from '../params/block-transactions.ts';
import { blockTransactionsRefusals } from '../params/block-transactions-refusals.ts';
import { readTransactionsOf } from '../reads/block-transactions.ts';
import { BlockIdExt, blockIdExt, Hash256, Int64Text } from '../shapes/block-id.ts';

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
  handler: async (params, call: V2Call) => {
    const { workchain, count } = params;
    const transactions: Type.Static<typeof ShortTransaction>[] = [];
    const wanted = wantedTransactions(params);
    const { block, incomplete } = await readTransactionsOf(call, listBlockTransactions, wanted, (listed) => {
      const account = formatRaw({ workchain, hash: listed.account }, 'lower');
      const name = { lt: String(BigInt.asIntN(64, listed.lt)), hash: listed.hash.toString('base64') };
      transactions.push({ '@type': 'blocks.shortTxId', mode: MODE, account, ...name });
    });
    const id = blockIdExt(block);
    return { '@type': 'blocks.transactions' as const, id, req_count: count, incomplete, transactions };
  },
});
