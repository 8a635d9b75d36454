import type { Static } from 'typebox';
import Type from 'typebox';
import { readTraceActions } from '../db/queries/actions.ts';
import { hasMasterchainBlock } from '../db/queries/blocks.ts';
import {
  type ClassificationState,
  readClassificationStates,
  readTraces,
  readTraceTransactions,
  type TraceFilters,
  type TraceHashes,
  type TraceRow,
  traceOrder,
} from '../db/queries/traces.ts';
import type { TransactionDetails } from '../db/queries/transaction-details.ts';
import {
  defineOperation,
  type Operation,
  type OperationError,
  type OperationExample,
  type ParameterValues,
} from '../http/operation.ts';
import { PlainText, Written, written } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import { actionOfTraceSchema, createActionWriter } from './actions/action-json.ts';
import { supportedTypes, supportedTypesParam } from './actions/supported-types.ts';
import { addressInfoFields, loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import {
  noteNextCursor,
  type PageLimits,
  pageParams,
  sortParam,
  spanParams,
  toPage,
  toSpan,
} from './pages.ts';
import { addressParam, booleanParam, hashKind, int32Param } from './parameter-kinds.ts';
import { invalidParameter, listParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { accountsOfTransactions, toTransaction, transactionSchema } from './transaction-json.ts';
import { formatHash, formatHashOrNull, MapOf, Nullable, toAccountBytes } from './values.ts';

/** Traces that are complete, with their transactions. */
export function createTraces(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'traces',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Traces',
    description:
      'By the greatest logical time in them, or by the time of their end when a time is given, then by id. A trace is listed when all its messages have arrived.',
    parameters: traceListParams(limits),
    result: Type.Object({ traces: Type.Array(traceSchema), ...addressInfoFields }),
    errors: [BLOCK_NOT_FOUND],
    cache: 'head',
    examples: [traceExample('traces'), ...TRACE_REFUSALS],
    handler: (params, call: V3Call) => loadTraces(call, params),
  });
}

/** Traces under their older name, always with actions. */
export function createEvents(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'events',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Traces with their actions, under an older name',
    description: 'Use `traces` with `include_actions`.',
    parameters: traceListParams(limits),
    result: Type.Object({ events: Type.Array(traceSchema), ...addressInfoFields }),
    errors: [BLOCK_NOT_FOUND],
    cache: 'head',
    examples: [traceExample('events'), ...TRACE_REFUSALS],
    handler: async (params, call: V3Call) => {
      const { traces, ...books } = await loadTraces(call, { ...params, include_actions: true });
      return { events: traces, ...books };
    },
  });
}

/** The parameters of lists of traces. */
function traceListParams(limits: PageLimits) {
  return {
    ...traceFilterParams(),
    include_actions: booleanParam({ description: 'Show the actions of each trace.', fallback: false }),
    ...supportedTypesParam(),
    ...pageParams(limits),
    sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
  };
}

/** What a request for traces said. */
type TraceListValues = ParameterValues<ReturnType<typeof traceListParams>>;

const MAX_HASHES = 1000;
const ONE_OF = 'only one of account, trace_id, tx_hash, msg_hash should be specified';

/** The parameters that choose traces. */
function traceFilterParams() {
  return {
    account: addressParam({ description: 'An account that has a transaction in the trace.' }),
    trace_id: listParam(hashKind, { description: 'Ids of traces.', max: MAX_HASHES }),
    tx_hash: listParam(hashKind, { description: 'Hashes of transactions in the trace.', max: MAX_HASHES }),
    msg_hash: listParam(hashKind, {
      description: 'Hashes of messages in the trace, normalized or not.',
      max: MAX_HASHES,
    }),
    mc_seqno: int32Param({ description: 'The masterchain block in which the trace ended.' }),
    ...spanParams({ utime: 'Time of the last transaction', lt: 'Greatest logical time of a transaction' }),
  };
}

/** What a request wants of traces. */
function toTraceFilters(params: ParameterValues<ReturnType<typeof traceFilterParams>>): TraceFilters {
  const lists: readonly TraceHashes[] = [
    { of: 'traces', values: params.trace_id },
    { of: 'transactions', values: params.tx_hash },
    { of: 'messages', values: params.msg_hash },
  ];
  const [hashes, ...others] = lists.filter(({ values }) => values.length > 0);
  if (others.length > 0 || (hashes && params.account)) throw invalidParameter('account', ONE_OF);
  return {
    account: params.account && toAccountBytes(params.account),
    hashes,
    mcSeqno: params.mc_seqno,
    span: toSpan(params),
  };
}

/** A page of traces with their transactions, and what is to be said of the addresses in them. */
async function loadTraces(call: V3Call, params: TraceListValues) {
  const [filters, { sort, include_actions }] = [toTraceFilters(params), params];
  const { mcSeqno: seqno } = filters;
  const supported = supportedTypes(call, params);
  const types = { shown: supported, hiding: supported };
  const keys = traceOrder({ filters, sort });
  const page = toPage(params, keys);
  return readIndex(call, async (db) => {
    if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
      throw new Failure('not_found', `masterchain block ${seqno} not found`);
    const rows = await readTraces(db, { filters, sort, page });
    noteNextCursor(call, keys, page, rows);
    const { shown, omitted } = selectShownTraces(rows);
    const transactions = await readTraceTransactions(db, { traces: shown });
    const states = await readClassificationStates(db, { traces: rows });
    const writer = createActionWriter(call);
    const actions = include_actions ? await readTraceActions(db, { traces: shown, types }) : undefined;
    const traces = rows.map((row) => {
      const id = row.trace_id.toString('hex');
      const content = omitted.get(row) ?? transactions.get(id) ?? [];
      return {
        ...toTrace(row, states.get(id) ?? 'unclassified', content, call.bodies),
        ...(actions && { actions: (actions.get(id) ?? []).map(writer.write) }),
      };
    });
    const accounts = [...[...transactions.values()].flatMap(accountsOfTransactions), ...writer.accounts];
    return { traces, ...(await loadAddressInfoFields(call, db, accounts)) };
  });
}

/** More transactions than this are not shown of a trace. */
const MAX_TRACE_TRANSACTIONS = 4000;
/** Nor of all traces of an answer: with the most traces of the most transactions it would have millions. */
const MAX_ANSWER_TRANSACTIONS = 20_000;

type Omission = 'trace is too large' | 'answer is too large';

/** Which traces of a page are shown with their transactions, and why the others are not. */
export function selectShownTraces<T extends Pick<TraceRow, 'nodes'>>(
  rows: readonly T[],
): { readonly shown: readonly T[]; readonly omitted: ReadonlyMap<T, Omission> } {
  const shown: T[] = [];
  const omitted = new Map<T, Omission>();
  let left = MAX_ANSWER_TRANSACTIONS;
  for (const row of rows) {
    if (row.nodes > MAX_TRACE_TRANSACTIONS) omitted.set(row, 'trace is too large');
    else if (row.nodes > left) omitted.set(row, 'answer is too large');
    else {
      shown.push(row);
      left -= row.nodes;
    }
  }
  return { shown, omitted };
}

/** A transaction of a trace with those that its messages led to. */
export const traceNodeSchema = Type.Object({
  tx_hash: PlainText(),
  in_msg_hash: Type.Optional(PlainText({ description: 'Absent when no message came in.' })),
  children: Nullable(
    Type.Array(Type.Unknown(), {
      description: 'Nodes of this form; null when messages were sent and none of them led to a transaction.',
    }),
  ),
});

/** The schema does not nest, nodes do. */
interface TraceNode extends Omit<Static<typeof traceNodeSchema>, 'children'> {
  children: TraceNode[] | null;
}

interface TraceTree {
  /** Undefined for a trace without transactions. */
  readonly root: TraceNode | undefined;
  /** Whether transactions came of messages that no other one sent. */
  readonly isMissingNodes: boolean;
}

/** Makes the tree of a trace out of its transactions in the order of lt: each is below the one that sent its message. */
export function buildTraceTree(transactions: readonly TransactionDetails[]): TraceTree {
  const senders = new Map<string, TraceNode>();
  let root: TraceNode | undefined;
  let isMissingNodes = false;
  for (const { row, inMessage, outMessages } of transactions) {
    const node: TraceNode = {
      tx_hash: formatHash(row.hash),
      ...(inMessage && { in_msg_hash: formatHash(inMessage.hash) }),
      children: outMessages.length === 0 ? [] : null,
    };
    const sender = inMessage && senders.get(inMessage.hash.toString('latin1'));
    if (sender !== undefined) {
      sender.children ??= [];
      sender.children.push(node);
    } else if (root === undefined) root = node;
    else isMissingNodes = true;
    for (const { hash } of outMessages) senders.set(hash.toString('latin1'), node);
  }
  return { root, isMissingNodes };
}

/** Writes a tree as JSON, which may nest thousands of times: none of it is done by a call within a call. */
export function writeTraceTree(root: TraceNode): string {
  let json = '';
  const left: (TraceNode | string)[] = [root];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string') {
      json += next;
      continue;
    }
    const { children, ...hashes } = next;
    json += `${JSON.stringify(hashes).slice(0, -1)},"children":${children === null ? 'null}' : '['}`;
    if (children !== null)
      left.push(
        ']}',
        ...children
          .flatMap((child) => [child, ','])
          .slice(0, -1)
          .reverse(),
      );
  }
  return json;
}

const traceInfoSchema = Type.Object({
  trace_state: PlainText(),
  messages: Type.Integer(),
  transactions: Type.Integer(),
  pending_messages: Type.Integer(),
  classification_state: PlainText(),
});

/** A trace: the transactions that one began, and how they are connected. */
export const traceSchema = Type.Object({
  trace_id: Nullable(
    PlainText({ description: 'The hash of the first transaction; null as long as that is only predicted.' }),
  ),
  external_hash: Nullable(PlainText({ description: 'The hash of the message that began it.' })),
  mc_seqno_start: PlainText(),
  mc_seqno_end: PlainText(),
  start_lt: PlainText(),
  start_utime: Type.Integer(),
  end_lt: PlainText(),
  end_utime: Type.Integer(),
  trace_info: traceInfoSchema,
  is_incomplete: Type.Boolean({ description: 'True when it is too large for its transactions to be shown.' }),
  warning: Type.Optional(Type.String()),
  actions: Type.Optional(
    Type.Array(actionOfTraceSchema, {
      description: 'In the order in which they began, where they were asked for.',
    }),
  ),
  trace: Type.Optional(Written(traceNodeSchema)),
  transactions_order: Type.Optional(Type.Array(PlainText())),
  transactions: Type.Optional(MapOf(transactionSchema)),
});

export type TraceJson = Static<typeof traceSchema>;

/** Writes a trace with its transactions, or with the reason why they are not shown. */
function toTrace(
  row: TraceRow,
  state: ClassificationState,
  transactions: readonly TransactionDetails[] | string,
  bodies: DecodedBodies,
): TraceJson {
  const facts = {
    trace_id: formatHash(row.trace_id),
    external_hash: formatHashOrNull(row.external_hash),
    mc_seqno_start: String(row.mc_seqno_start),
    mc_seqno_end: String(row.mc_seqno_end),
    start_lt: row.start_lt,
    start_utime: Number(row.start_utime),
    end_lt: row.end_lt,
    end_utime: Number(row.end_utime),
    trace_info: {
      trace_state: 'complete',
      messages: row.edges,
      transactions: row.nodes,
      pending_messages: 0,
      classification_state: state,
    },
  };
  if (typeof transactions === 'string') return { ...facts, is_incomplete: true, warning: transactions };
  const { root, isMissingNodes } = buildTraceTree(transactions);
  const shown = transactions.map((transaction) => toTransaction(transaction, bodies));
  return {
    ...facts,
    is_incomplete: false,
    ...(isMissingNodes && { warning: 'missing node in trace found' }),
    ...(root && { trace: written(writeTraceTree(root)) }),
    transactions_order: shown.map(({ hash }) => hash),
    transactions: Object.fromEntries(shown.map((transaction) => [transaction.hash, transaction])),
  };
}

const TRACE = 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=';

/** The refusal of a masterchain block that is not in the index. */
const BLOCK_NOT_FOUND: OperationError = { code: 404, when: 'The masterchain block is not in the index' };

/** A call for one trace; the answer has it under the given name. */
function traceExample<K extends string>(name: K): OperationExample<never> {
  const trace = {
    trace_id: TRACE,
    external_hash: 'YYXihX8p3Pf5xrtWc0wXgcwVFgRMn6bD7Mr3sxlQZTg=',
    mc_seqno_start: '41000000',
    mc_seqno_end: '41000321',
    start_lt: '50000000000001',
    start_utime: 1730000000,
    end_lt: '50000300000005',
    end_utime: 1730000900,
    trace_info: {
      trace_state: 'complete',
      messages: 9213,
      transactions: 4607,
      pending_messages: 0,
      classification_state: 'unclassified',
    },
    is_incomplete: true,
    warning: 'trace is too large',
    actions: [],
  };
  return {
    title: 'A trace with more transactions than are shown',
    params: { trace_id: [TRACE], include_actions: true },
    varies: true,
    result: { [name]: [trace], address_book: {}, metadata: {} },
  };
}

/** Calls that are refused. */
const TRACE_REFUSALS: readonly OperationExample<never>[] = [
  {
    title: 'A transaction and a message',
    params: { tx_hash: [TRACE], msg_hash: [TRACE] },
    failure: { code: 422, text: 'only one of account, trace_id, tx_hash, msg_hash should be specified' },
  },
  {
    title: 'A block that is not there',
    params: { mc_seqno: 2147483647 },
    failure: { code: 404, text: 'masterchain block 2147483647 not found' },
  },
];
