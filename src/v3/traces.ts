import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import { readAhead } from '../db/read-ahead.ts';
import type { Tables } from '../db/tables/tables.ts';
import {
  defineOperation,
  type Operation,
  type OperationError,
  type OperationExample,
  type ParameterValues,
} from '../http/operation.ts';
import { PlainText, RawJson } from '../http/serializer.ts';
import { type ClassificationState, readClassificationStates } from '../index/read/traces.ts';
import { mapInSlices } from '../lib/slices.ts';
import { createActionWriter } from './actions/action-json.ts';
import { actionOfTraceSchema } from './actions/action-schemas.ts';
import { readTraceActions } from './actions/read-actions.ts';
import { supportedTypes, supportedTypesParam } from './actions/supported-types.ts';
import { addressInfoFields, readAddressInfo, showAddressInfo, startAddressInfo } from './address-book.ts';
import { requireMasterchainBlock } from './blocks.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { TransactionReader } from './indexed-transactions.ts';
import {
  likelyTrace,
  listTraces,
  readExternalHashes,
  type StoredTrace,
  showTraces,
  startReading,
  type TraceFilters,
  type TraceHashes,
  traceOrder,
} from './list-traces.ts';
import {
  noteCursorAfter,
  type PageLimits,
  pageParams,
  sortParam,
  spanParams,
  toPage,
  toSpan,
} from './pages.ts';
import { addressParam, booleanParam, hashesParam, int32Param } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import type { TraceContent } from './trace-content.ts';
import { traceNodeSchema } from './trace-tree.ts';
import { createTransactionWriter, transactionSchema } from './transaction-json.ts';
import { formatHashOrNull, MapOf, Nullable, TextOf } from './values.ts';

/** Complete traces with their transactions. */
export function createTraces(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'traces',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Traces',
    description:
      'Ordered by their last logical time, or by end time if a time bound is given, then by id. A trace is listed once all its messages have arrived.',
    parameters: traceListParams(limits),
    result: Type.Object(
      { traces: Type.Array(traceSchema), ...addressInfoFields },
      { title: 'TracesResponse' },
    ),
    errors: [BLOCK_NOT_FOUND],
    cache: 'head',
    examples: [recordedExample('traces'), ...TRACE_REFUSALS],
    handler: (params, call: V3Call) => loadTraces(call, params),
  });
}

/** Traces under an older name, always with actions. */
export function createEvents(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'events',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Traces with actions (older name)',
    description: 'Use `traces` with `include_actions` instead.',
    parameters: traceListParams(limits),
    result: Type.Object(
      { events: Type.Array(traceSchema), ...addressInfoFields },
      { title: 'DeprecatedEventsResponse' },
    ),
    errors: [BLOCK_NOT_FOUND],
    cache: 'head',
    examples: [recordedExample('events'), ...TRACE_REFUSALS],
    handler: async (params, call: V3Call) => {
      const { traces, ...addressInfo } = await loadTraces(call, { ...params, include_actions: true });
      return { events: traces, ...addressInfo };
    },
  });
}

/** The parameters of lists of traces. */
function traceListParams(limits: PageLimits) {
  return {
    ...traceFilterParams(),
    include_actions: booleanParam({ description: 'Include the actions of each trace.', fallback: false }),
    ...supportedTypesParam(),
    ...pageParams(limits),
    sort: sortParam({ description: 'Sort direction.', fallback: 'desc' }),
  };
}

/** The parameter values of a request for traces. */
type TraceListValues = ParameterValues<ReturnType<typeof traceListParams>>;

const ONE_OF = 'only one of account, trace_id, tx_hash, msg_hash should be specified';

/** The parameters that select traces. */
function traceFilterParams() {
  return {
    account: addressParam({ description: 'An account with a transaction in the trace.' }),
    trace_id: hashesParam({ description: 'Trace ids.' }),
    tx_hash: hashesParam({ description: 'Hashes of transactions in the trace.' }),
    msg_hash: hashesParam({ description: 'Hashes of messages in the trace, normalized or not.' }),
    mc_seqno: int32Param({ description: 'Seqno of the masterchain block in which the trace ended.' }),
    ...spanParams({ utime: 'End time', lt: 'Last logical time' }),
  };
}

/** Converts the parameters of a request to filters. */
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

/** Loads a page of traces with their transactions, address book and metadata. */
async function loadTraces(call: V3Call, params: TraceListValues) {
  const { sort, include_actions } = params;
  const filters = toTraceFilters(params);
  const keys = traceOrder({ sort });
  const page = toPage(params, keys);
  return readIndex(call, async (snapshot) => {
    const db = startLikelyTrace(call, snapshot, { ...filters, hasActions: include_actions });
    await requireMasterchainBlock(db, { seqno: filters.mcSeqno });
    const reader = new TransactionReader(db, call.signal, call.shown);
    const { items: found, next } = await listTraces(db, reader, { filters, sort, page }, call.traces);
    noteCursorAfter(call, keys, next);
    const { shown, omitted } = selectShownTraces(found);
    call.large?.require(shown.reduce((sum, { nodes }) => sum + nodes, 0));
    const options = { writer: createTransactionWriter(call.bodies), cache: call.traces, signal: call.signal };
    const [contents, states] = await Promise.all([
      showTraces(reader, shown, options),
      readClassificationStates(db, { traces: found }),
    ]);
    const externals = await readExternalHashes(reader, found, contents);
    const writer = createActionWriter(call);
    const supported = include_actions ? supportedTypes(call, params) : [];
    const types = { shown: supported, hiding: supported };
    const actions = include_actions ? await readTraceActions(db, { traces: shown, types }) : undefined;
    const traces: TraceJson[] = [];
    for (const trace of found) {
      const id = trace.traceId.toString('hex');
      const content = omitted.get(trace) ?? contents.get(trace)!;
      const ownActions = actions && (await mapInSlices(actions.get(id) ?? [], writer.write, call.signal));
      const summary = toTraceSummary(trace, externals.get(trace)!, states.get(id) ?? 'unclassified');
      traces.push({
        ...toTraceJson(summary, content),
        ...(ownActions && { actions: ownActions }),
      });
    }
    const ofTransactions = [...contents.values()].flatMap((one) => one.accounts);
    const accounts = [...ofTransactions, ...writer.accounts];
    const info = await readAddressInfo(call, db, accounts);
    if (found.length === 1 && !include_actions) call.traces?.noteOthers(found[0]!, info.others);
    return { traces, ...(await showAddressInfo(call, info)) };
  });
}

/** Most requests for a trace are repeated, so all that the last one needed is asked for at once. */
function startLikelyTrace(
  call: V3Call,
  db: Kysely<Tables>,
  { hashes, hasActions }: Pick<TraceFilters, 'hashes'> & { readonly hasActions: boolean },
): Kysely<Tables> {
  const { traces: cache } = call;
  const likely = hashes && cache && likelyTrace(hashes, cache);
  if (likely === undefined) return db;
  return readAhead(db, (ahead) => [
    ...startReading(ahead, hashes!, likely),
    // Actions add accounts of their own.
    ...(hasActions ? [] : startAddressInfo(call, ahead, likely)),
  ]);
}

function toTraceSummary(
  trace: StoredTrace,
  externalHash: Buffer | null,
  classification: ClassificationState,
): TraceSummary {
  return {
    traceId: trace.traceId,
    externalHash,
    mcSeqnoStart: trace.mcSeqnoStart,
    mcSeqnoEnd: trace.mcSeqnoEnd,
    startLt: `${trace.startLt}`,
    startUtime: trace.startUtime,
    endLt: `${trace.endLt}`,
    endUtime: trace.endUtime,
    state: 'complete',
    messages: trace.edges,
    transactions: trace.nodes,
    pendingMessages: 0,
    classification,
    isIncomplete: false,
  };
}

/** A trace with more transactions is shown without them. */
const MAX_TRACE_TRANSACTIONS = 4000;
/** Limit for all traces of a response: a full page of large traces would have millions of transactions. */
const MAX_RESPONSE_TRANSACTIONS = 20_000;

type Omission = 'trace is too large' | 'answer is too large';

/** Decides which traces of a page are shown with their transactions, and why the others are not. */
export function selectShownTraces<T extends Pick<StoredTrace, 'nodes'>>(
  rows: readonly T[],
): { readonly shown: readonly T[]; readonly omitted: ReadonlyMap<T, Omission> } {
  const shown: T[] = [];
  const omitted = new Map<T, Omission>();
  let left = MAX_RESPONSE_TRANSACTIONS;
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

const traceInfoSchema = Type.Object(
  {
    trace_state: TextOf(['complete', 'pending']),
    messages: Type.Integer(),
    transactions: Type.Integer(),
    pending_messages: Type.Integer(),
    classification_state: TextOf(['unclassified', 'ok', 'failed']),
  },
  { title: 'TraceMeta' },
);

/** A trace. */
export const traceSchema = Type.Object(
  {
    trace_id: Nullable(
      PlainText({ description: 'Hash of the first transaction; null while that is predicted.' }),
    ),
    external_hash: Nullable(
      PlainText({ description: 'Hash of the external message that started the trace.' }),
    ),
    mc_seqno_start: PlainText(),
    mc_seqno_end: PlainText(),
    start_lt: PlainText(),
    start_utime: Type.Integer(),
    end_lt: PlainText(),
    end_utime: Type.Integer(),
    trace_info: traceInfoSchema,
    is_incomplete: Type.Boolean({
      description: 'True if the trace is too large to show its transactions, or emulation stopped early.',
    }),
    warning: Type.Optional(Type.String()),
    actions: Type.Optional(
      Type.Array(actionOfTraceSchema, {
        description: 'Ordered by start; with `include_actions`.',
      }),
    ),
    trace: Type.Optional(RawJson(traceNodeSchema)),
    transactions_order: Type.Optional(Type.Array(PlainText())),
    transactions: Type.Optional(MapOf(transactionSchema)),
  },
  { title: 'Trace' },
);

export type TraceJson = Static<typeof traceSchema>;

/** What a response says about a trace apart from its transactions and actions. */
interface TraceSummary {
  /** Null while the first transaction is predicted. */
  readonly traceId: Buffer | null;
  readonly externalHash: Buffer | null;
  readonly mcSeqnoStart: number;
  readonly mcSeqnoEnd: number;
  readonly startLt: string;
  readonly startUtime: number;
  readonly endLt: string;
  readonly endUtime: number;
  readonly state: 'complete' | 'pending';
  readonly messages: number;
  readonly transactions: number;
  readonly pendingMessages: number;
  readonly classification: string;
  readonly isIncomplete: boolean;
}

/** Writes a trace with its transactions in the order of lt, or with the reason why they are left out. */
export function toTraceJson(summary: TraceSummary, content: TraceContent | Omission): TraceJson {
  const head = {
    trace_id: formatHashOrNull(summary.traceId),
    external_hash: formatHashOrNull(summary.externalHash),
    mc_seqno_start: String(summary.mcSeqnoStart),
    mc_seqno_end: String(summary.mcSeqnoEnd),
    start_lt: summary.startLt,
    start_utime: summary.startUtime,
    end_lt: summary.endLt,
    end_utime: summary.endUtime,
    trace_info: {
      trace_state: summary.state,
      messages: summary.messages,
      transactions: summary.transactions,
      pending_messages: summary.pendingMessages,
      classification_state: summary.classification,
    },
  };
  if (typeof content === 'string') return { ...head, is_incomplete: true, warning: content };
  return {
    ...head,
    is_incomplete: summary.isIncomplete,
    ...(content.isMissingNodes && { warning: 'missing node in trace found' }),
    ...content.members,
  };
}

const TRACE = 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=';

const BLOCK_NOT_FOUND: OperationError = { code: 404, when: 'The masterchain block is not in the index' };

const TRACE_REFUSALS: readonly OperationExample<never>[] = [
  {
    title: 'A transaction and a message',
    params: { tx_hash: [TRACE], msg_hash: [TRACE] },
    failure: { code: 422, text: ONE_OF },
  },
  {
    title: 'An unknown block',
    params: { mc_seqno: 2147483647 },
    failure: { code: 404, text: 'masterchain block 2147483647 not found' },
  },
];
