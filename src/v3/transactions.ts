import type { Static } from 'typebox';
import Type from 'typebox';
import type { Db } from '../db/tables/tables.ts';
import type { ParameterValues } from '../http/operation.ts';
import { asItem } from '../http/serializer.ts';
import {
  compareTransactions,
  type FoundTransaction,
  type IndexedTransaction,
  TransactionReader,
} from '../index/read/transaction-reader.ts';
import { listTransactions, type TransactionFilters, transactionOrder } from '../index/read/transactions.ts';
import {
  type ByMessageFilters,
  byMessageOrder,
  listByMessage,
} from '../index/read/transactions-by-message.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { Failure } from '../lib/errors.ts';
import { loadAddressBookFields, withAddressBook } from './address-book.ts';
import { seqnoParam } from './blocks.ts';
import {
  noteCursorAfter,
  type SortOrder,
  sortedWindowParams,
  spanParams,
  toSpan,
  toWindow,
  type WindowParams,
} from './list-parameters.ts';
import { defineV3Operation, type ListLimits, type V3Call } from './operation.ts';
import {
  accountsParam,
  addressOrNullParam,
  booleanParam,
  choiceParam,
  hashesParam,
  hashParam,
  int32Param,
  opcodeParam,
  shardParam,
  toAccountOrNull,
  uint64Param,
} from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex, requireMasterchainBlock } from './read-index.ts';
import { createTransactionWriter, type TransactionJson, transactionSchema } from './transaction-json.ts';
import { EmulatorVersion } from './values.ts';

export const createTransactions = (limits: ListLimits) =>
  defineV3Operation({
    name: 'transactions',
    tag: 'blockchain',
    summary: 'Transactions',
    description:
      'Ordered by logical time, then by account. With a time bound by time first; with hashes by hash as it is shown, and `offset` has no effect; with `lt` by account. Filters on messages (`msg_hash`, `source`, `destination`, `body_hash`, `opcode`, `direction`) hold for one and the same message that the transaction received or sent. With them each transaction is listed once, in the same order if there are hashes, a block or `lt`, otherwise by the logical time of its first such message; messages that took more than a day to arrive may be missing with time or lt bounds.',
    parameters: {
      ...transactionFilterParams(),
      ...messageFilterParams(),
      ...sortedWindowParams(limits),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    handler: (params, call) => {
      const filters = toByMessageFilters(params);
      if (params.direction !== undefined && filters.hashes.length === 0 && params.opcode === undefined)
        throw invalidParameter('direction', 'direction can be specified only with msg_hash or opcode');
      return loadPage(call, filters, params);
    },
  });

/** Lists transactions, by their messages if those are filtered. */
function loadPage(
  call: V3Call,
  filters: ByMessageFilters,
  params: WindowParams & { readonly sort: SortOrder },
) {
  const { sort } = params;
  const { transactions } = filters;
  const isByMessage = hasMessageFilters(filters);
  const keys = isByMessage ? byMessageOrder(filters, sort) : transactionOrder(transactions, sort);
  const page = toWindow(params, keys);
  return readIndex(call, async (db) => {
    await requireMasterchainBlock(db, { seqno: transactions.mcSeqno });
    const reader = new TransactionReader(db, call);
    const { items, next } = isByMessage
      ? await listByMessage(reader, { filters, sort, page })
      : await listTransactions(reader, { filters: transactions, sort, page });
    noteCursorAfter(call, keys, next);
    return showTransactions(call, db, reader, items);
  });
}

function messageFilterParams() {
  return {
    msg_hash: hashesParam('Message hashes, normalized or not.'),
    body_hash: hashParam('Hash of the body.'),
    opcode: opcodeParam('First 32 bits of the body.'),
    direction: choiceParam(
      ['in', 'out'],
      'Transactions that received the message (`in`) or sent it (`out`).',
    ),
    source: addressOrNullParam('Sender; `null` or `addr_none` for external messages.'),
    destination: addressOrNullParam('Receiver; `null` or `addr_none` for messages to outside the chain.'),
  };
}

function hasMessageFilters({ hashes, bodyHash, opcode, source, destination }: ByMessageFilters): boolean {
  return hashes.length > 0 || [bodyHash, opcode, source, destination].some((one) => one !== undefined);
}

function toByMessageFilters(
  params: ParameterValues<
    ReturnType<typeof transactionFilterParams> & ReturnType<typeof messageFilterParams>
  >,
): ByMessageFilters {
  return {
    hashes: params.msg_hash,
    bodyHash: params.body_hash,
    opcode: params.opcode,
    direction: params.direction,
    source: toAccountOrNull(params.source),
    destination: toAccountOrNull(params.destination),
    transactions: toTransactionFilters(params),
  };
}

function transactionFilterParams() {
  return {
    workchain: int32Param('Workchain of the block.'),
    shard: shardParam('Shard of the block, as hex or signed decimal.'),
    seqno: int32Param('Seqno of the block in its shard.'),
    mc_seqno: int32Param('Seqno of the masterchain block that committed the transaction.'),
    account: accountsParam('Account addresses.'),
    exclude_account: accountsParam('Accounts to leave out.'),
    hash: hashesParam('Transaction hashes.'),
    lt: uint64Param('Logical time.'),
    root_hash: hashParam('Ignored.'),
    file_hash: hashParam('Ignored.'),
    ...spanParams({ utime: 'Transaction time', lt: 'Logical time' }),
  };
}

function toTransactionFilters(
  params: ParameterValues<ReturnType<typeof transactionFilterParams>>,
): TransactionFilters {
  const { workchain, shard, seqno, lt } = params;
  return {
    workchain,
    shard,
    seqno,
    mcSeqno: params.mc_seqno,
    accounts: params.account,
    excluded: params.exclude_account,
    hashes: params.hash,
    lt,
    span: toSpan(params),
  };
}

export const createTransactionsByMasterchainBlock = (limits: ListLimits) =>
  defineV3Operation({
    name: 'transactionsByMasterchainBlock',
    tag: 'blockchain',
    summary: 'Transactions of a masterchain block',
    description:
      'Transactions of the masterchain block and of the shard blocks that are new since the previous one, ordered by logical time, then by account.',
    parameters: {
      seqno: seqnoParam(),
      ...sortedWindowParams(limits),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    handler: (params, call) => {
      const transactions = { mcSeqno: params.seqno, accounts: [], excluded: [], hashes: [], span: {} };
      return loadPage(call, { hashes: [], transactions }, params);
    },
  });

export const createTransactionsByMessage = (limits: ListLimits) =>
  defineV3Operation({
    name: 'transactionsByMessage',
    tag: 'blockchain',
    summary: 'Transactions by message',
    description:
      'Transactions by the messages that they received or sent, each once: `transactions` with at least one of `msg_hash`, `body_hash` and `opcode`. Without `direction`, `opcode` is that of a received message.',
    parameters: {
      ...messageFilterParams(),
      exclude_externals: booleanParam('Ignored.'),
      only_externals: booleanParam('Ignored.'),
      ...transactionFilterParams(),
      ...sortedWindowParams(limits),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    handler: (params, call) => {
      const filters = toByMessageFilters(params);
      const { hashes, bodyHash, opcode } = filters;
      if (hashes.length === 0 && bodyHash === undefined && opcode === undefined)
        throw new Failure('invalid', 'at least one of msg_hash, body_hash, opcode should be specified');
      const direction = filters.direction ?? (opcode === undefined ? undefined : 'in');
      return loadPage(call, { ...filters, direction }, params);
    },
  });

export const createAdjacentTransactions = () =>
  defineV3Operation({
    name: 'adjacentTransactions',
    tag: 'blockchain',
    summary: 'Adjacent transactions',
    description:
      'The transaction that sent the in message of the given one, and those that received its out messages, ordered by logical time.',
    parameters: {
      hash: hashParam('Transaction hash.', { required: true }),
      direction: choiceParam(
        ['in', 'out'],
        'Only the sender of the in message (`in`), or only the receivers of the out messages (`out`).',
      ),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'There are none' }],
    handler: ({ hash, direction }, call) =>
      readIndex(call, async (db) => {
        const reader = new TransactionReader(db, call);
        const matches = await readAdjacent(reader, hash, direction);
        if (matches.length === 0) throw new Failure('not_found', 'adjacent transactions not found');
        return showTransactions(call, db, reader, matches);
      }),
  });

export const transactionsSchema = withAddressBook('TransactionsResponse', {
  transactions: Type.Array(transactionSchema),
  emulator_version: EmulatorVersion('Of pending transactions: the version of the TVM that predicted them.'),
});

/**
 * Reads the transactions on the other side of the messages of a transaction: the sender of its in message and the
 * receivers of its out messages, in the order of logical time and account.
 */
async function readAdjacent(
  reader: TransactionReader,
  hash: Buffer,
  direction: 'in' | 'out' | undefined,
): Promise<IndexedTransaction[]> {
  const [own] = await reader.readByHash([hash]);
  if (own === undefined) return [];
  const { inMessage, outMessages } = own.transaction;
  const received = direction !== 'out' && inMessage !== undefined ? [inMessage.hash] : [];
  const sent = direction !== 'in' ? outMessages.map((message) => message.hash) : [];
  const fromIn = new Set(received.map(bytesKey));
  const fromOut = new Set(sent.map(bytesKey));
  const matches = await reader.readByMessage([...received, ...sent]);
  return matches
    .filter(
      ({ transaction }) =>
        (transaction.inMessage !== undefined && fromOut.has(bytesKey(transaction.inMessage.hash))) ||
        transaction.outMessages.some((message) => fromIn.has(bytesKey(message.hash))),
    )
    .sort(compareTransactions);
}

async function showTransactions(
  call: V3Call,
  db: Db,
  reader: TransactionReader,
  matches: readonly FoundTransaction[],
): Promise<Static<typeof transactionsSchema>> {
  const shown = await reader.show(matches, createTransactionWriter(call.bodies));
  const accounts = shown.flatMap((one) => one.accounts);
  return {
    transactions: shown.map(({ text }) => asItem<TransactionJson>(text)),
    ...(await loadAddressBookFields(call, db, accounts)),
  };
}
