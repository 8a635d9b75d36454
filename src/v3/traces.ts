import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import { readAhead } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import type { OperationError, ParameterValues } from '../http/operation.ts';
import { readTraceActions } from '../index/read/actions.ts';
import {
  likelyTrace,
  readClassificationStates,
  type StoredTrace,
  startReading,
  type TraceHashes,
} from '../index/read/stored-traces.ts';
import {
  listTraces,
  readExternalHashes,
  type TraceFilters,
  traceOrder,
  writeTraces,
} from '../index/read/traces.ts';
import { TransactionReader } from '../index/read/transaction-reader.ts';
import { mapInSlices } from '../lib/slices.ts';
import { createActionWriter } from './action-json.ts';
import { supportedTypes, supportedTypesParam } from './action-types.ts';
import { readAddressInfo, showAddressInfo, startAddressInfo, withAddressInfo } from './address-book.ts';
import { noteCursorAfter, sortedWindowParams, spanParams, toSpan, toWindow } from './list-parameters.ts';
import { defineV3Operation, type ListLimits, type V3Call } from './operation.ts';
import { addressParam, booleanParam, hashesParam, int32Param } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex, requireMasterchainBlock } from './read-index.ts';
import {
  createTraceWriter,
  type Omission,
  type TraceJson,
  toTraceJson,
  traceSchema,
  writtenTraceContent,
} from './trace-json.ts';

export const createTraces = (limits: ListLimits) =>
  defineV3Operation({
    name: 'traces',
    tag: 'actions',
    summary: 'Traces',
    description:
      'Ordered by their last logical time, or by end time if a time bound is given, then by id. A trace is listed once all its messages have arrived.',
    parameters: traceListParams(limits),
    result: withAddressInfo('TracesResponse', { traces: Type.Array(traceSchema) }),
    errors: [BLOCK_NOT_FOUND],
    handler: (params, call) => loadTraces(call, params),
  });

export const createEvents = (limits: ListLimits) =>
  defineV3Operation({
    name: 'events',
    tag: 'actions',
    summary: 'Traces with actions (older name)',
    description: 'Use `traces` with `include_actions` instead.',
    parameters: traceListParams(limits),
    result: withAddressInfo('DeprecatedEventsResponse', { events: Type.Array(traceSchema) }),
    errors: [BLOCK_NOT_FOUND],
    handler: async (params, call) => {
      const { traces, ...addressInfo } = await loadTraces(call, { ...params, include_actions: true });
      return { events: traces, ...addressInfo };
    },
  });

function traceListParams(limits: ListLimits) {
  return {
    ...traceFilterParams(),
    include_actions: booleanParam('Include the actions of each trace.', { fallback: false }),
    ...supportedTypesParam(),
    ...sortedWindowParams(limits),
  };
}

type TraceListValues = ParameterValues<ReturnType<typeof traceListParams>>;

function traceFilterParams() {
  return {
    account: addressParam('An account with a transaction in the trace.'),
    trace_id: hashesParam('Trace ids.'),
    tx_hash: hashesParam('Hashes of transactions in the trace.'),
    msg_hash: hashesParam('Hashes of messages in the trace, normalized or not.'),
    mc_seqno: int32Param('Seqno of the masterchain block in which the trace ended.'),
    ...spanParams({ utime: 'End time', lt: 'Last logical time' }),
  };
}

function toTraceFilters(params: ParameterValues<ReturnType<typeof traceFilterParams>>): TraceFilters {
  const lists: readonly TraceHashes[] = [
    { of: 'traces', values: params.trace_id },
    { of: 'transactions', values: params.tx_hash },
    { of: 'messages', values: params.msg_hash },
  ];
  const [hashes, ...others] = lists.filter(({ values }) => values.length > 0);
  if (others.length > 0 || (hashes && params.account))
    throw invalidParameter('account', 'only one of account, trace_id, tx_hash, msg_hash should be specified');
  return {
    account: params.account && toAccountBytes(params.account),
    hashes,
    mcSeqno: params.mc_seqno,
    span: toSpan(params),
  };
}

async function loadTraces(call: V3Call, params: TraceListValues) {
  const { sort, include_actions } = params;
  const filters = toTraceFilters(params);
  const keys = traceOrder({ sort });
  const page = toWindow(params, keys);
  return readIndex(call, async (snapshot) => {
    const db = startLikelyTrace(call, snapshot, { ...filters, hasActions: include_actions });
    await requireMasterchainBlock(db, { seqno: filters.mcSeqno });
    const reader = new TransactionReader(db, call);
    const { items, next } = await listTraces(reader, { filters, sort, page });
    noteCursorAfter(call, keys, next);
    const { shown, omitted } = selectShownTraces(items);
    call.reads?.requireTurn(shown.reduce((sum, { nodes }) => sum + nodes, 0));
    const [contents, states] = await Promise.all([
      writeTraces(reader, shown, createTraceWriter(call.bodies)),
      readClassificationStates(db, { traces: items }),
    ]);
    const externals = await readExternalHashes(reader, items, contents);
    const writer = include_actions ? createActionWriter(call) : undefined;
    const actions = writer && (await readActionsOf(db, shown, supportedTypes(call, params)));
    const traces: TraceJson[] = [];
    for (const trace of items) {
      const id = trace.traceId.toString('hex');
      const content = omitted.get(trace) ?? writtenTraceContent(contents.get(trace)!);
      const ownActions = actions && (await mapInSlices(actions.get(id) ?? [], writer!.write, call.signal));
      const summary = {
        ...trace,
        externalHash: externals.get(trace)!,
        state: 'complete' as const,
        pendingMessages: 0,
        classification: states.get(id) ?? 'unclassified',
        isIncomplete: false,
      };
      traces.push({ ...toTraceJson(summary, content), ...(ownActions && { actions: ownActions }) });
    }
    const ofTransactions = [...contents.values()].flatMap((one) => one.accounts);
    const accounts = [...ofTransactions, ...(writer?.accounts ?? [])];
    const info = await readAddressInfo(call, db, accounts);
    if (items.length === 1 && !include_actions) call.cache?.traces.noteOthers(items[0]!, info.others);
    return { traces, ...(await showAddressInfo(call, info)) };
  });
}

function readActionsOf(db: Db, traces: readonly StoredTrace[], supported: readonly string[]) {
  return readTraceActions(db, { traces, types: { shown: supported, hiding: supported } });
}

/** Most requests for a trace are repeated, so all that the last one needed is asked for at once. */
function startLikelyTrace(
  call: V3Call,
  db: Db,
  { hashes, hasActions }: Pick<TraceFilters, 'hashes'> & { readonly hasActions: boolean },
): Db {
  const likely = hashes && call.cache && likelyTrace(hashes, call.cache.traces);
  if (likely === undefined) return db;
  return readAhead(db, (ahead) => [
    ...startReading(ahead, hashes!, likely),
    // Actions add accounts of their own.
    ...(hasActions ? [] : startAddressInfo(call, ahead, likely)),
  ]);
}

/** A trace with more transactions is shown without them. */
const MAX_TRACE_TRANSACTIONS = 4000;
/** Limit for all traces of a response: a full page of large traces would have millions of transactions. */
const MAX_RESPONSE_TRANSACTIONS = 20_000;

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

const BLOCK_NOT_FOUND: OperationError = { code: 404, when: 'The masterchain block is not in the index' };
