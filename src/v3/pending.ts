import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import { byLtAndAccount } from '../chain/logical-time.ts';
import { type Message, normalizedHash } from '../chain/tlb/message.ts';
import { type PlacedTransaction, readUnindexed, senderOf } from '../chain/tlb/placed-transaction.ts';
import type { Db } from '../db/tables/tables.ts';
import type { ParameterValues } from '../http/operation.ts';
import type { ActionRow } from '../index/action-row.ts';
import { readCompleteTraces } from '../index/read/stored-traces.ts';
import { type IndexedTransaction, TransactionReader } from '../index/read/transaction-reader.ts';
import { bytesKey, distinctBytes } from '../lib/bytes-key.ts';
import { Failure } from '../lib/errors.ts';
import type { PendingQuery, PendingTrace, PendingTransaction } from '../pending/pending-traces.ts';
import {
  byEndDescending,
  byStart,
  createActionWriter,
  filterSupportedActions,
  toUnindexedAction,
} from './action-json.ts';
import { ACTION_ROLES, wantedRole } from './action-roles.ts';
import type { ActionJson } from './action-schemas.ts';
import { supportedTypes, supportedTypesParam } from './action-types.ts';
import { actionsSchema, MAX_SHOWN_MESSAGES, ROLE_TEXT } from './actions.ts';
import { loadAddressBookFields, loadAddressInfoFields, withAddressInfo } from './address-book.ts';
import { defineV3Operation, emulatorVersionOf, type V3Call } from './operation.ts';
import { accountParam, accountsParam, booleanParam, choiceParam, hashesParam } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { linkOf, toTraceJson, traceContent, traceSchema } from './trace-json.ts';
import { accountsOfTransactions, type TransactionJson, toUnindexedTransaction } from './transaction-json.ts';
import { transactionsSchema } from './transactions.ts';
import { Nullable } from './values.ts';

export const createPendingTransactions = () =>
  defineV3Operation({
    name: 'pendingTransactions',
    predicts: true,
    tag: 'blockchain',
    summary: 'Pending transactions',
    description:
      'Transactions that are not in a block yet, predicted by emulating sent messages. At most 1000, those of newer messages first, otherwise in no order.',
    parameters: {
      account: accountsParam('Account addresses.', {
        required: true,
        missingText: 'at least 1 account address required',
      }),
      trace_id: hashesParam('Trace ids; only a trace with a real transaction has one.'),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'No pending transactions of the accounts are known' }],
    handler: async ({ account: accounts, trace_id: ids }, call) => {
      const matches = (await findPending(call, { accounts })).filter((trace) => isOneOf(trace, ids));
      const predicted = predictedAt(accounts, matches);
      if (predicted.length === 0) throw new Failure('not_found', 'emulated traces not found');
      return readIndex(call, async (db) => {
        const others = await excludeIndexed(db, predicted, call.signal);
        const shown = others.map(({ trace, transaction }) => showPending(call, trace, transaction));
        const accounts = accountsOfTransactions(shown.map(({ placed }) => placed));
        const transactions = shown.map(({ json }) => json);
        const book = await loadAddressBookFields(call, db, accounts);
        return { transactions, ...emulatorVersionOf(call), ...book };
      });
    },
  });

function isOneOf(trace: PendingTrace, ids: readonly Buffer[]): boolean {
  return ids.length === 0 || ids.some((id) => traceIdOf(trace)?.equals(id));
}

function predictedAt(accounts: readonly Buffer[], traces: readonly PendingTrace[]): TracedTransaction[] {
  const wanted = new Set(accounts.map(bytesKey));
  return traces
    .flatMap((trace) =>
      trace.transactions
        .toSorted(byLtAndAccount)
        .filter(({ emulated, account }) => emulated && wanted.has(bytesKey(toAccountBytes(account))))
        .map((transaction) => ({ trace, transaction })),
    )
    .slice(0, MAX_SHOWN_ITEMS);
}

export const createPendingTraces = () =>
  defineV3Operation({
    name: 'pendingTraces',
    predicts: true,
    tag: 'actions',
    summary: 'Pending traces',
    description:
      'Traces that are not complete yet: transactions that have happened, and those predicted by emulation. Traces of newer messages first, up to 1000 transactions in total.',
    parameters: pendingParams(),
    result: withAddressInfo('PendingTracesResponse', {
      traces: Nullable(Type.Array(traceSchema, { description: 'Null if there are none.' })),
    }),
    handler: async (params, call) => {
      const supported = new Set(supportedTypes(call, params));
      const traces = limitTransactions(await findPending(call, toPendingQuery(params)));
      if (traces.length === 0) return { traces: null, address_book: {}, metadata: {} };
      return readIndex(call, async (db) => {
        const writer = createActionWriter(call);
        const shown = traces.map((trace) => {
          const actions = filterSupportedActions(trace.classification.actions, supported).sort(byStart);
          const traceInfo = { ...trace, traceId: traceIdOf(trace) };
          const { json, placed } = toPendingTrace(call, trace);
          return {
            placed,
            json: {
              ...json,
              ...emulatorVersionOf(call),
              actions: actions.map((row) => toUnindexedAction(writer, traceInfo, row)),
            },
          };
        });
        const accounts = [
          ...accountsOfTransactions(shown.flatMap(({ placed }) => placed)),
          ...writer.accounts,
        ];
        return {
          traces: shown.map(({ json }) => json),
          ...(await loadAddressInfoFields(call, db, accounts)),
        };
      });
    },
  });

export const createPendingActions = () =>
  defineV3Operation({
    name: 'pendingActions',
    predicts: true,
    tag: 'actions',
    summary: 'Pending actions',
    description:
      'Actions of traces that are not complete yet. Ordered by the last logical time of their trace, the latest first, then by their own. At most 1000; with `include_transactions`, those of traces with up to 1000 transactions in total.',
    parameters: {
      ...pendingParams(),
      role: choiceParam(ACTION_ROLES, `${ROLE_TEXT} Needs \`account\`.`),
      include_transactions: booleanParam('Include the transactions of each action.', { fallback: false }),
    },
    result: actionsSchema,
    handler: async (params, call) => {
      const supported = new Set(supportedTypes(call, params));
      const { account, role, include_transactions: isFull } = params;
      if (role !== undefined && account === undefined)
        throw invalidParameter('role', 'role can be specified only with account');
      const wanted = account && wantedRole(account, role);
      const isOfAccount = (row: ActionRow, { transactions: [first] }: PendingTrace) =>
        account === undefined ||
        (row.accounts.some((other) => other.equals(account)) &&
          wanted?.isWanted(row, toAccountBytes(first!.account)) !== false);
      const matches = (await findPending(call, toPendingQuery(params))).toSorted(byEnd);
      const chosen = (isFull ? limitTransactions(matches) : matches)
        .flatMap((trace) =>
          filterSupportedActions(trace.classification.actions, supported)
            .filter((row) => isOfAccount(row, trace))
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
        const info = await loadAddressInfoFields(call, db, writer.accounts);
        return { actions, ...emulatorVersionOf(call), ...info };
      });
    },
  });

/** Compares traces by their last transaction, the latest first. */
function byEnd(a: PendingTrace, b: PendingTrace): number {
  const [ofA, ofB] = [endOf(a), endOf(b)];
  return ofA === ofB ? 0 : ofA < ofB ? 1 : -1;
}

function endOf({ transactions }: PendingTrace): bigint {
  return transactions.reduce((latest, { lt }) => (lt > latest ? lt : latest), 0n);
}

/** Adds transactions by logical time, each parsed once; stops at the actions that exceed the message limit. */
function withTransactions(
  call: V3Call,
  chosen: readonly { readonly trace: PendingTrace; readonly row: ActionRow }[],
  plain: readonly ActionJson[],
): ActionJson[] {
  const written = new Map<string, TransactionJson>();
  const full: ActionJson[] = [];
  let left = MAX_SHOWN_MESSAGES;
  for (const [at, { trace, row }] of chosen.entries()) {
    const wanted = new Set(row.tx_hashes.map(bytesKey));
    const transactions_full = trace.transactions.toSorted(byLtAndAccount).flatMap((transaction) => {
      const key = bytesKey(transaction.hash);
      if (!wanted.has(key)) return [];
      const shown = written.get(key) ?? showPending(call, trace, transaction).json;
      written.set(key, shown);
      return [shown];
    });
    for (const { out_msgs } of transactions_full) left -= 1 + out_msgs.length;
    if (left < 0) break;
    full.push({ ...plain[at]!, transactions_full });
  }
  return full;
}

function pendingParams() {
  return {
    account: accountParam('An account that takes part in the trace.'),
    ext_msg_hash: hashesParam('External message hashes, normalized or not. Ignored if `account` is given.'),
    ...supportedTypesParam(),
  };
}

type PendingParams = ParameterValues<ReturnType<typeof pendingParams>>;

function toPendingQuery({ account, ext_msg_hash: messages }: PendingParams): PendingQuery {
  if (account !== undefined) return { accounts: [account] };
  if (messages.length === 0) throw invalidParameter('account', 'account or ext_msg_hash should be specified');
  return { messages };
}

/** Finds pending traces, those of newer messages first. The operator may have switched them off. */
async function findPending(
  { ports }: Pick<V3Call, 'ports'>,
  question: PendingQuery,
): Promise<readonly PendingTrace[]> {
  if (ports.pending === undefined)
    throw new Failure('lite_server', 'emulatedTracesRepository is not initialized');
  const matches = await ports.pending.find(question);
  return matches.toSorted((a, b) => b.acceptedAt - a.acceptedAt);
}

/** Transactions or actions in a response. Transactions are parsed from cells here: more would block the event loop. */
const MAX_SHOWN_ITEMS = 1000;

/** The traces, from the first on, that fit into the limit of transactions together. */
function limitTransactions(traces: readonly PendingTrace[]): PendingTrace[] {
  let left = MAX_SHOWN_ITEMS;
  return traces.filter(({ transactions }) => {
    if (transactions.length > left) return false;
    left -= transactions.length;
    return true;
  });
}

interface TracedTransaction {
  readonly trace: PendingTrace;
  readonly transaction: PendingTransaction;
}

/** Leaves out transactions that the index has: their whole trace, or at least their in message. */
async function excludeIndexed(
  db: Db,
  matches: readonly TracedTransaction[],
  signal: AbortSignal,
): Promise<readonly TracedTransaction[]> {
  const reader = new TransactionReader(db, { signal });
  const seqnos = matches.flatMap(({ trace, transaction }) => [firstSeqno(trace), transaction.mcSeqno]);
  const hashes = matches.flatMap(({ trace, transaction }) => [
    trace.normalizedHash,
    transaction.inMessageHash,
  ]);
  const received = new Map<string, IndexedTransaction[]>();
  for (const one of await reader.readByMessage(distinctBytes(hashes), Math.min(...seqnos))) {
    const { inMessage } = one.transaction;
    if (inMessage === undefined) continue;
    for (const hash of distinctBytes([inMessage.hash, normalizedHash(inMessage)]))
      received.set(bytesKey(hash), [...(received.get(bytesKey(hash)) ?? []), one]);
  }
  // The same message may have been sent long ago, and that trace is in the index.
  const receivedSince = (hash: Buffer, seqno: number) =>
    received.get(bytesKey(hash))?.filter(({ mcSeqno }) => mcSeqno >= seqno) ?? [];
  const rootsOf = (trace: PendingTrace) => receivedSince(trace.normalizedHash, firstSeqno(trace));
  const traces = [...new Set(matches.map(({ trace }) => trace))].flatMap(rootsOf);
  const complete = await readCompleteTraces(db, {
    traces: traces.map(({ traceId, mcSeqno }) => ({ traceId, mcSeqnoStart: mcSeqno })),
  });
  const isComplete = isAmong(complete);
  return matches.filter(
    ({ trace, transaction }) =>
      !rootsOf(trace).some(({ traceId }) => isComplete(traceId)) &&
      receivedSince(transaction.inMessageHash, transaction.mcSeqno).length === 0,
  );
}

function firstSeqno({ transactions }: PendingTrace): number {
  return transactions[0]!.mcSeqno;
}

function isAmong(hashes: readonly Buffer[]): (hash: Buffer) => boolean {
  const keys = new Set(hashes.map(bytesKey));
  return (hash) => keys.has(bytesKey(hash));
}

/** Writes a pending trace: its real and its predicted transactions. */
function toPendingTrace(call: V3Call, trace: PendingTrace) {
  const ordered = trace.transactions.toSorted(byLtAndAccount);
  const shown = ordered.map((transaction) => showPending(call, trace, transaction));
  const placed = shown.map((one) => one.placed);
  const first = placed[0]!;
  const json = toTraceJson(
    {
      traceId: traceIdOf(trace) ?? null,
      externalHash: trace.externalHash,
      mcSeqnoStart: first.mcSeqno,
      mcSeqnoEnd: Math.max(...placed.map(({ mcSeqno }) => mcSeqno)),
      startLt: first.transaction.lt,
      startUtime: first.transaction.now,
      endLt: placed.at(-1)!.transaction.lt,
      endUtime: Math.max(...placed.map(({ transaction }) => transaction.now)),
      state: 'pending',
      edges: countMessages(placed),
      nodes: placed.length,
      pendingMessages: countMessages(placed.filter((_, at) => ordered[at]!.emulated)),
      classification: trace.classification.state,
      isIncomplete: trace.bound !== undefined,
    },
    traceContent(shown.map((one) => ({ link: linkOf(one.placed), shown: one.json }))),
  );
  return { json, placed };
}

/** Counts each message once: out messages where they were sent, external messages where they came in. */
function countMessages(placed: readonly PlacedTransaction[]): number {
  const isFromOutside = (message: Message | undefined) =>
    message !== undefined && senderOf(message) === undefined;
  return placed.reduce(
    (sum, { transaction: { inMessage, outMessages } }) =>
      sum + outMessages.length + (isFromOutside(inMessage) ? 1 : 0),
    0,
  );
}

/** The hash of the first transaction of a trace; undefined while that is predicted. */
export function traceIdOf({ transactions }: Pick<PendingTrace, 'transactions'>): Buffer | undefined {
  const first = transactions[0]!;
  return first.emulated ? undefined : first.hash;
}

export function readPending(
  { ports }: Pick<V3Call, 'ports'>,
  trace: PendingTrace,
  { account, boc, mcSeqno, block }: PendingTransaction,
): PlacedTransaction {
  const traceId = trace.transactions[0]!.hash;
  return readUnindexed(
    { workchain: account.workchain, boc, mcSeqno, block, traceId },
    ports.networkVersion(),
  );
}

export function toPendingTransaction(
  { bodies }: Pick<V3Call, 'bodies'>,
  trace: PendingTrace,
  { emulated, finality }: PendingTransaction,
  placed: PlacedTransaction,
): TransactionJson {
  const hasTraceId = traceIdOf(trace) !== undefined;
  return toUnindexedTransaction(
    placed,
    { externalHash: trace.externalHash, hasTraceId, emulated, finality },
    bodies,
  );
}

function showPending(call: V3Call, trace: PendingTrace, transaction: PendingTransaction) {
  const placed = readPending(call, trace, transaction);
  return { placed, json: toPendingTransaction(call, trace, transaction, placed) };
}
