import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import { hasMasterchainBlock } from '../db/queries/blocks.ts';
import { readTransactionDetails, type TransactionKey } from '../db/queries/transaction-details.ts';
import {
  byMessageOrder,
  readAdjacentTransactions,
  readTransactions,
  readTransactionsByMessage,
  type TransactionFilters,
  transactionOrder,
} from '../db/queries/transactions.ts';
import type { Tables } from '../db/tables.ts';
import { defineOperation, type Operation, type ParameterValues } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import { addressBookFields, loadAddressBookFields } from './address-book.ts';
import { seqnoParam } from './blocks.ts';
import type { V3Call } from './call.ts';
import {
  noteNextCursor,
  type PageLimits,
  type PageParams,
  pageParams,
  type SortOrder,
  sortParam,
  spanParams,
  toPage,
  toSpan,
} from './pages.ts';
import {
  type AddressOrNull,
  accountsParam,
  addressOrNullParam,
  booleanParam,
  choiceParam,
  hashKind,
  hashParam,
  int32Param,
  opcodeParam,
  shardParam,
  uint64Param,
} from './parameter-kinds.ts';
import { listParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { accountsOfTransactions, toTransaction, transactionSchema } from './transaction-json.ts';
import { toAccountBytes } from './values.ts';

/** Transactions by their blocks, accounts, hashes and times. */
export function createTransactions(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'transactions',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions',
    description:
      'By logical time, then by account. By time first when a time is given; by hash when hashes are; by account when a logical time is.',
    parameters: {
      ...transactionFilterParams(),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'the masterchain block is not indexed' }],
    cache: 'head',
    examples: [
      { title: 'The newest one', params: { limit: 1 }, varies: true, result: TRANSACTIONS_EXAMPLE },
      {
        title: 'A masterchain block that is not there',
        params: { mc_seqno: -1 },
        failure: { code: 404, text: 'masterchain block -1 not found' },
      },
      {
        title: 'No address',
        params: { account: ['nobody'] },
        failure: {
          code: 422,
          text: 'failed to decode: schema: error converting value for index 0 of "account"',
        },
      },
    ],
    handler: (params, call: V3Call) => listTransactions(call, toTransactionFilters(params), params),
  });
}

/** Answers with one page of the transactions wanted. */
function listTransactions(
  call: V3Call,
  filters: TransactionFilters,
  asked: PageParams & { readonly sort: SortOrder },
) {
  const keys = transactionOrder(filters, asked.sort);
  const page = toPage(asked, keys);
  const { mcSeqno: seqno } = filters;
  return readIndex(call, async (db) => {
    if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
      throw new Failure('not_found', `masterchain block ${seqno} not found`);
    const found = await readTransactions(db, { filters, keys, page });
    noteNextCursor(call, keys, page, found);
    return loadTransactions(call, db, found);
  });
}

const MAX_HASHES = 1000;

/** The parameters that choose transactions. */
function transactionFilterParams() {
  return {
    workchain: int32Param({ description: 'Workchain of the block.' }),
    shard: shardParam({ description: 'Shard of the block, in hex or as a signed decimal.' }),
    seqno: int32Param({ description: 'Seqno of the block in its shard.' }),
    mc_seqno: int32Param({ description: 'Seqno of the masterchain block that committed it.' }),
    account: accountsParam({ description: 'Accounts.' }),
    exclude_account: accountsParam({ description: 'Accounts whose transactions are left out.' }),
    hash: listParam(hashKind, { description: 'Hashes of transactions.', max: MAX_HASHES }),
    lt: uint64Param({ description: 'Logical time.' }),
    root_hash: hashParam({ description: 'Has no effect.' }),
    file_hash: hashParam({ description: 'Has no effect.' }),
    ...spanParams({ utime: 'Time', lt: 'Logical time' }),
  };
}

/** What a request wants of transactions. */
function toTransactionFilters(
  params: ParameterValues<ReturnType<typeof transactionFilterParams>>,
): TransactionFilters {
  const { workchain, shard, seqno, mc_seqno: mcSeqno, account, exclude_account, hash, lt } = params;
  const span = toSpan(params);
  return {
    workchain,
    shard,
    seqno,
    mcSeqno,
    accounts: account,
    excluded: exclude_account,
    hashes: hash,
    lt,
    span,
  };
}

/** The transactions that a masterchain block committed. */
export function createTransactionsByMasterchainBlock(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'transactionsByMasterchainBlock',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions of a masterchain block',
    description:
      'Those of the masterchain block and of the shard blocks that are new since the one before it, by logical time, then by account.',
    parameters: {
      seqno: seqnoParam(),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'the masterchain block is not indexed' }],
    cache: 'head',
    examples: [
      { title: 'A block', params: { seqno: 2, limit: 1 }, varies: true, result: TRANSACTIONS_EXAMPLE },
      {
        title: 'No block',
        params: { seqno: -1 },
        failure: { code: 404, text: 'masterchain block -1 not found' },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'seqno is required' } },
    ],
    handler: (params, call: V3Call) => {
      const filters = { mcSeqno: params.seqno, accounts: [], excluded: [], hashes: [], span: {} };
      return listTransactions(call, filters, params);
    },
  });
}

const EMPTY_BODY = 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=';
const NOTHING_GIVEN = 'at least one of msg_hash, body_hash, opcode should be specified';

/** Transactions that received or sent messages. */
export function createTransactionsByMessage(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'transactionsByMessage',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions by message',
    description:
      'Each transaction once, by logical time, then by account; without `msg_hash` the logical time is that of the message.',
    parameters: {
      msg_hash: listParam(hashKind, { description: 'Hashes, normalized or not.', max: MAX_HASHES }),
      body_hash: hashParam({ description: 'Hash of the body.' }),
      opcode: opcodeParam({ description: 'First 32 bits of the body of a message that was received.' }),
      direction: choiceParam(['in', 'out'], { description: 'The transaction received it, or sent it.' }),
      source: addressOrNullParam({ description: 'Who sent it; `null` for messages from outside.' }),
      destination: addressOrNullParam({ description: 'Who is to get it; `null` for messages to outside.' }),
      exclude_externals: booleanParam({ description: 'Has no effect.' }),
      only_externals: booleanParam({ description: 'Has no effect.' }),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: transactionsSchema,
    cache: 'head',
    examples: [
      {
        title: 'By an empty body',
        params: { body_hash: EMPTY_BODY, direction: 'in', limit: 1 },
        varies: true,
        result: TRANSACTIONS_EXAMPLE,
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NOTHING_GIVEN } },
    ],
    handler: (params, call: V3Call) => {
      const { msg_hash: hashes, body_hash: bodyHash, opcode, direction, sort } = params;
      if (hashes.length === 0 && bodyHash === undefined && opcode === undefined)
        throw new Failure('invalid', NOTHING_GIVEN);
      const [source, destination] = [toAccount(params.source), toAccount(params.destination)];
      const filters = { hashes, bodyHash, opcode, direction, source, destination };
      const keys = byMessageOrder(filters, sort);
      const page = toPage(params, keys);
      return readIndex(call, async (db) => {
        const found = await readTransactionsByMessage(db, { filters, sort, page });
        noteNextCursor(call, keys, page, found);
        return loadTransactions(call, db, found);
      });
    },
  });
}

function toAccount(address: AddressOrNull | undefined): Buffer | null | undefined {
  if (address === 'null') return null;
  return address && toAccountBytes(address);
}

const NOT_FOUND = 'adjacent transactions not found';

/** Transactions that share a message with another. */
export function createAdjacentTransactions(): Operation<V3Call> {
  return defineOperation({
    name: 'adjacentTransactions',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions before and after another',
    description:
      'The transaction that sent what this one received, and those that received what it sent, by logical time.',
    parameters: {
      hash: hashParam({ description: 'Hash of the transaction.' }),
      direction: choiceParam(['in', 'out'], { description: 'Only the sender, or only the receivers.' }),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'there are none' }],
    cache: 'head',
    examples: [
      {
        title: 'The sender',
        params: { hash: TRANSACTIONS_EXAMPLE.transactions[0]!.hash, direction: 'in' },
        varies: true,
        result: TRANSACTIONS_EXAMPLE,
      },
      { title: 'Nothing given', params: {}, failure: { code: 404, text: NOT_FOUND } },
      {
        title: 'No direction',
        params: { direction: 'both' },
        failure: { code: 422, text: 'direction should be one of: in, out' },
      },
    ],
    handler: ({ hash, direction }, call: V3Call) =>
      readIndex(call, async (db) => {
        const found = hash === undefined ? [] : await readAdjacentTransactions(db, { hash, direction });
        if (found.length === 0) throw new Failure('not_found', NOT_FOUND);
        return loadTransactions(call, db, found);
      }),
  });
}

/** The answer of operations that list transactions. */
export const transactionsSchema = Type.Object({
  transactions: Type.Array(transactionSchema),
  ...addressBookFields,
});

/** The answer with the transactions of some keys, in their order. */
async function loadTransactions(
  call: V3Call,
  db: Kysely<Tables>,
  keys: readonly TransactionKey[],
): Promise<Static<typeof transactionsSchema>> {
  const whole = await readTransactionDetails(db, { keys });
  const transactions = whole.map((one) => toTransaction(one, call.bodies));
  return { transactions, ...(await loadAddressBookFields(call, db, accountsOfTransactions(whole))) };
}

const ACCOUNT = '-1:3333333333333333333333333333333333333333333333333333333333333333';
const CODE_HASH = 'dgTu3VcLHIC70qMzT4CXbIHWbTSvZKOVYWiPBsPfJ1k=';
const STATE = {
  hash: 'E1TvTjVBlpI0ZvaqNGm0xXY4hKkh6t5RhNzkJq4o4sU=',
  balance: '1000000000',
  extra_currencies: {},
  account_status: 'active',
  frozen_hash: null,
  data_hash: 'YYXihX8p3Pf5xrtWc0wXgcwVFgRMn6bD7Mr3sxlQZTg=',
  code_hash: CODE_HASH,
};

/** An answer with a transaction as examples show it. */
const TRANSACTIONS_EXAMPLE: Static<typeof transactionsSchema> = {
  transactions: [
    {
      account: ACCOUNT,
      hash: 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=',
      lt: '4000001',
      now: 1730000000,
      mc_block_seqno: 2,
      trace_id: 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=',
      prev_trans_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      prev_trans_lt: '0',
      orig_status: 'active',
      end_status: 'active',
      total_fees: '0',
      total_fees_extra_currencies: {},
      description: {
        type: 'tick_tock',
        aborted: false,
        destroyed: false,
        is_tock: false,
        storage_ph: { storage_fees_collected: '0', status_change: 'unchanged' },
        compute_ph: {
          skipped: false,
          success: true,
          msg_state_used: false,
          account_activated: false,
          gas_fees: '0',
          gas_used: '1314',
          gas_limit: '70000000',
          mode: 0,
          exit_code: 0,
          vm_steps: 35,
          vm_init_state_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
          vm_final_state_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
        },
      },
      block_ref: { workchain: -1, shard: '8000000000000000', seqno: 2 },
      in_msg: null,
      out_msgs: [],
      account_state_before: STATE,
      account_state_after: STATE,
      emulated: false,
      finality: 'finalized',
    },
  ],
  address_book: {
    [ACCOUNT]: {
      user_friendly: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
      domain: null,
      interfaces: null,
    },
  },
};
