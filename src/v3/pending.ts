import type { Kysely } from 'kysely';
import Type from 'typebox';
import type { ActionRow } from '../db/queries/actions.ts';
import { readArrivedMessages, readCompleteTraces } from '../db/queries/pending-traces.ts';
import type { TransactionDetails } from '../db/queries/transaction-details.ts';
import type { Tables } from '../db/tables.ts';
import { defineOperation, type Operation, type ParameterValues } from '../http/operation.ts';
import { written } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import type { PendingQuestion, PendingTrace, PendingTransaction } from '../pending/pending-traces.ts';
import {
  type ActionJson,
  byEndDescending,
  byStart,
  createActionWriter,
  filterKnownActions,
  toUnindexedAction,
  tracedActionSchema,
} from './actions/action-json.ts';
import { MAX_SHOWN_MESSAGES } from './actions/actions.ts';
import { supportedTypes, supportedTypesParam } from './actions/supported-types.ts';
import { addressInfoFields, loadAddressBookFields, loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { accountParam, accountsParam, booleanParam, hashKind } from './parameter-kinds.ts';
import { invalidParameter, listParam } from './parameters.ts';
import {
  FILTER_REQUIRED_EXAMPLE,
  PENDING_ACTIONS_EXAMPLE,
  PENDING_TRACES_EXAMPLE,
  PENDING_TRANSACTIONS_EXAMPLE,
} from './pending-examples.ts';
import { readIndex } from './read-index.ts';
import { buildTraceTree, type TraceJson, traceSchema, writeTraceTree } from './traces.ts';
import { accountsOfTransactions, type TransactionJson, toUnindexedTransaction } from './transaction-json.ts';
import { transactionsSchema } from './transactions.ts';
import { accountBytesOf, sortByLt, transactionRow } from './unindexed-rows.ts';
import { formatHash, Nullable } from './values.ts';

const MAX_HASHES = 1000;

/** Transactions that will happen, as far as that can be foreseen. */
export function createPendingTransactions(): Operation<V3Call> {
  return defineOperation({
    name: 'pendingTransactions',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions that are not in a block yet',
    description:
      'What messages that were sent will do at some accounts, as an emulation foresees it. Without order; at most 1000, those of newer messages first.',
    parameters: {
      account: accountsParam({
        description: 'Accounts of the transactions.',
        required: true,
        missingText: 'at least 1 account address required',
      }),
      trace_id: listParam(hashKind, {
        description: 'Ids of traces; only of those that have begun.',
        max: MAX_HASHES,
      }),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'Nothing is known for the accounts' }],
    cache: 'head',
    examples: [
      PENDING_TRANSACTIONS_EXAMPLE,
      {
        title: 'No account',
        params: {},
        failure: { code: 422, text: 'at least 1 account address required' },
      },
    ],
    handler: async ({ account: accounts, trace_id: ids }, call: V3Call) => {
      const found = (await findPending(call, { accounts })).filter((trace) => isOneOf(trace, ids));
      const foreseen = predictedAt(accounts, found);
      if (foreseen.length === 0) throw new Failure('not_found', 'emulated traces not found');
      return readIndex(call, async (db) => {
        const shown = await excludeIndexed(db, foreseen);
        const rows = shown.map(({ trace, transaction }) => toPendingRow(call, trace, transaction));
        const transactions = shown.map(({ trace, transaction }, at) =>
          toPendingTransaction(call, trace, transaction, rows[at]!),
        );
        return { transactions, ...(await loadAddressBookFields(call, db, accountsOfTransactions(rows))) };
      });
    },
  });
}

function isOneOf(trace: PendingTrace, ids: readonly Buffer[]): boolean {
  return ids.length === 0 || ids.some((id) => traceIdOf(trace)?.equals(id));
}

/** Predicted transactions of some accounts. */
function predictedAt(accounts: readonly Buffer[], traces: readonly PendingTrace[]): TracedTransaction[] {
  const asked = new Set(accounts.map((account) => account.toString('latin1')));
  return traces
    .flatMap((trace) =>
      sortByLt(trace.transactions)
        .filter((one) => one.emulated && asked.has(accountBytesOf(one).toString('latin1')))
        .map((transaction) => ({ trace, transaction })),
    )
    .slice(0, MAX_SHOWN_ITEMS);
}

/** Traces that have not ended, or not begun. */
export function createPendingTraces(): Operation<V3Call> {
  return defineOperation({
    name: 'pendingTraces',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Traces that are not complete yet',
    description:
      'What messages that were sent do and will do: transactions that have happened, and those that an emulation foresees. Without order; those of newer messages first, as many as have 1000 transactions together.',
    parameters: pendingParams(),
    result: Type.Object({
      traces: Nullable(Type.Array(traceSchema, { description: 'Null when there is none.' })),
      ...addressInfoFields,
    }),
    cache: 'head',
    examples: [PENDING_TRACES_EXAMPLE, FILTER_REQUIRED_EXAMPLE],
    handler: async (params, call: V3Call) => {
      const known = new Set(supportedTypes(call, params));
      const traces = limitTransactions(await findPending(call, toPendingQuery(params)));
      if (traces.length === 0) return { traces: null, address_book: {}, metadata: {} };
      return readIndex(call, async (db) => {
        const writer = createActionWriter(call);
        const shown = traces.map((trace) => {
          const actions = filterKnownActions(trace.classification.actions, known).sort(byStart);
          const standing = { ...trace, traceId: traceIdOf(trace) };
          const { json, rows } = toPendingTrace(call, trace);
          return {
            rows,
            json: { ...json, actions: actions.map((row) => toUnindexedAction(writer, standing, row)) },
          };
        });
        const accounts = [...shown.flatMap(({ rows }) => accountsOfTransactions(rows)), ...writer.accounts];
        return {
          traces: shown.map(({ json }) => json),
          ...(await loadAddressInfoFields(call, db, accounts)),
        };
      });
    },
  });
}

/** What will happen, in words. */
export function createPendingActions(): Operation<V3Call> {
  return defineOperation({
    name: 'pendingActions',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Actions of traces that are not complete yet',
    description:
      'What messages that were sent do and will do, in words. By the greatest logical time in their trace, the latest first, then by their own. At most 1000; with their transactions, those of as many traces as have 1000 together.',
    parameters: {
      ...pendingParams(),
      include_transactions: booleanParam({
        description: 'Show the transactions of each action.',
        fallback: false,
      }),
    },
    result: Type.Object({ actions: Type.Array(tracedActionSchema), ...addressInfoFields }),
    cache: 'head',
    examples: [PENDING_ACTIONS_EXAMPLE, FILTER_REQUIRED_EXAMPLE],
    handler: async (params, call: V3Call) => {
      const known = new Set(supportedTypes(call, params));
      const { account, include_transactions: isFull } = params;
      const isOf = ({ accounts }: ActionRow) =>
        account === undefined || accounts.some((one) => one.equals(account));
      const found = (await findPending(call, toPendingQuery(params))).toSorted(byEnd);
      const chosen = (isFull ? limitTransactions(found) : found)
        .flatMap((trace) =>
          filterKnownActions(trace.classification.actions, known)
            .filter(isOf)
            .sort(byEndDescending)
            .map((row) => ({ trace, row })),
        )
        .slice(0, MAX_SHOWN_ITEMS);
      return readIndex(call, async (db) => {
        const writer = createActionWriter(call);
        const plain = chosen.map(({ trace, row }) =>
          toUnindexedAction(writer, { ...trace, traceId: traceIdOf(trace) }, row),
        );
        const actions = isFull ? withTransactions(call, chosen, plain) : plain;
        return { actions, ...(await loadAddressInfoFields(call, db, writer.accounts)) };
      });
    },
  });
}

/** The trace with the latest transaction first. */
function byEnd(a: PendingTrace, b: PendingTrace): number {
  const [ofA, ofB] = [endOf(a), endOf(b)];
  return ofA === ofB ? 0 : ofA < ofB ? 1 : -1;
}

function endOf({ transactions }: PendingTrace): bigint {
  return transactions.reduce((latest, { lt }) => (lt > latest ? lt : latest), 0n);
}

/** Actions with their transactions by logical time, each of which is read once; as many as an answer can bear. */
function withTransactions(
  call: V3Call,
  chosen: readonly { readonly trace: PendingTrace; readonly row: ActionRow }[],
  plain: readonly ActionJson[],
): ActionJson[] {
  const read = new Map<string, TransactionJson>();
  const full: ActionJson[] = [];
  let left = MAX_SHOWN_MESSAGES;
  for (const [at, { trace, row }] of chosen.entries()) {
    const wanted = new Set(row.tx_hashes.map((hash) => hash.toString('latin1')));
    const transactions_full = sortByLt(trace.transactions).flatMap((one) => {
      const key = one.hash.toString('latin1');
      if (!wanted.has(key)) return [];
      const shown = read.get(key) ?? toPendingTransaction(call, trace, one, toPendingRow(call, trace, one));
      read.set(key, shown);
      return [shown];
    });
    for (const { out_msgs } of transactions_full) left -= 1 + out_msgs.length;
    if (left < 0) break;
    full.push({ ...plain[at]!, transactions_full });
  }
  return full;
}

/** The parameters that choose pending traces, and the vocabulary of the caller. */
function pendingParams() {
  return {
    account: accountParam({ description: 'An account that has part in the trace.' }),
    ext_msg_hash: listParam(hashKind, {
      description: 'Hashes of messages from outside, normalized or not. The account counts if there is one.',
      max: MAX_HASHES,
    }),
    ...supportedTypesParam(),
  };
}

/** The traces that a request asks for. */
function toPendingQuery({
  account,
  ext_msg_hash: messages,
}: Pick<ParameterValues<ReturnType<typeof pendingParams>>, 'account' | 'ext_msg_hash'>): PendingQuestion {
  if (account !== undefined) return { accounts: [account] };
  if (messages.length === 0) throw invalidParameter('account', 'account or ext_msg_hash should be specified');
  return { messages };
}

/** The traces that a caller asks for, those of newer messages first. An operator may have switched them off. */
async function findPending(
  { ports }: Pick<V3Call, 'ports'>,
  question: PendingQuestion,
): Promise<readonly PendingTrace[]> {
  if (ports.pending === undefined)
    throw new Failure('lite_server', 'emulatedTracesRepository is not initialized');
  const found = await ports.pending.find(question);
  return found.toSorted((a, b) => b.acceptedAt - a.acceptedAt);
}

/** What an answer shows at most: transactions that are read from their cells, or actions. More would hold up everybody. */
const MAX_SHOWN_ITEMS = 1000;

/** As many traces, from the first on, as have together no more transactions than an answer may show. */
function limitTransactions(traces: readonly PendingTrace[]): PendingTrace[] {
  let left = MAX_SHOWN_ITEMS;
  return traces.filter(({ transactions }) => {
    if (transactions.length > left) return false;
    left -= transactions.length;
    return true;
  });
}

/** A transaction together with its trace. */
interface TracedTransaction {
  readonly trace: PendingTrace;
  readonly transaction: PendingTransaction;
}

/** Transactions without those that the index shows already: with their whole trace, or with their message alone. */
async function excludeIndexed(
  db: Kysely<Tables>,
  found: readonly TracedTransaction[],
): Promise<readonly TracedTransaction[]> {
  const traces = [...new Set(found.map(({ trace }) => trace))];
  const complete = await readCompleteTraces(db, {
    hashes: traces.map(({ normalizedHash }) => normalizedHash),
    // A message may be sent again whose earlier trace is in the index since long.
    seqnos: traces.map(({ transactions }) => transactions[0]!.mcSeqno),
  });
  const arrived = await readArrivedMessages(db, {
    hashes: found.map(({ transaction }) => transaction.inMessageHash),
    seqnos: found.map(({ transaction }) => transaction.mcSeqno),
  });
  const [isComplete, hasArrived] = [isAmong(complete), isAmong(arrived)];
  return found.filter(
    ({ trace, transaction }) => !isComplete(trace.normalizedHash) && !hasArrived(transaction.inMessageHash),
  );
}

function isAmong(hashes: readonly Buffer[]): (hash: Buffer) => boolean {
  const known = new Set(hashes.map((hash) => hash.toString('latin1')));
  return (hash) => known.has(hash.toString('latin1'));
}

/** A pending trace as it is shown, and the rows that it was made of. */
interface ShownTrace {
  readonly json: TraceJson;
  readonly rows: readonly TransactionDetails[];
}

/** Writes a pending trace: what has happened of it, and what is foreseen. */
function toPendingTrace(call: V3Call, trace: PendingTrace): ShownTrace {
  const ordered = sortByLt(trace.transactions);
  const rows = ordered.map((transaction) => toPendingRow(call, trace, transaction));
  const shown = ordered.map((transaction, at) => toPendingTransaction(call, trace, transaction, rows[at]!));
  const { root, isMissingNodes } = buildTraceTree(rows);
  const [id, first] = [traceIdOf(trace), rows[0]!.row];
  const messages = (counted: readonly TransactionDetails[]) =>
    counted.reduce((sum, row) => sum + messagesOf(row), 0);
  const json: TraceJson = {
    trace_id: id === undefined ? null : formatHash(id),
    external_hash: formatHash(trace.externalHash),
    mc_seqno_start: String(first.mc_seqno),
    mc_seqno_end: String(Math.max(...rows.map(({ row }) => row.mc_seqno))),
    start_lt: first.lt,
    start_utime: Number(first.now),
    end_lt: rows.at(-1)!.row.lt,
    end_utime: Math.max(...rows.map(({ row }) => Number(row.now))),
    trace_info: {
      trace_state: 'pending',
      messages: messages(rows),
      transactions: rows.length,
      pending_messages: messages(rows.filter((_, at) => ordered[at]!.emulated)),
      classification_state: trace.classification.state,
    },
    is_incomplete: trace.bound !== undefined,
    ...(isMissingNodes && { warning: 'missing node in trace found' }),
    ...(root && { trace: written(writeTraceTree(root)) }),
    transactions_order: shown.map(({ hash }) => hash),
    transactions: Object.fromEntries(shown.map((transaction) => [transaction.hash, transaction])),
  };
  return { json, rows };
}

/** Each message once: those that a transaction sent, and the one from outside where it came in. */
function messagesOf({ inMessage, outMessages }: TransactionDetails): number {
  return outMessages.length + (inMessage !== undefined && inMessage.peer === null ? 1 : 0);
}

/** The hash of the first transaction of a trace, unless that is a prediction. */
function traceIdOf({ transactions }: Pick<PendingTrace, 'transactions'>): Buffer | undefined {
  const first = transactions[0]!;
  return first.emulated ? undefined : first.hash;
}

/** Reads a transaction of a trace. */
function toPendingRow(
  { ports }: Pick<V3Call, 'ports'>,
  trace: PendingTrace,
  { account, boc, mcSeqno, block }: PendingTransaction,
): TransactionDetails {
  const traceId = trace.transactions[0]!.hash;
  return transactionRow(
    { workchain: account.workchain, boc, mcSeqno, block, traceId },
    ports.networkVersion(),
  );
}

/** Writes a transaction of a trace that was read before. */
function toPendingTransaction(
  { bodies }: Pick<V3Call, 'bodies'>,
  trace: PendingTrace,
  { emulated, finality }: PendingTransaction,
  whole: TransactionDetails,
): TransactionJson {
  const hasTraceId = traceIdOf(trace) !== undefined;
  return toUnindexedTransaction(
    whole,
    { externalHash: trace.externalHash, hasTraceId, emulated, finality },
    bodies,
  );
}
