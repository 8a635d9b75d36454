import { ACCOUNT_BYTES } from '../../chain/address/account-key.ts';
import { CopyBuffer } from '../../db/copy/copy-buffer.ts';
import type { CopyRows } from '../../db/copy/copy-rows.ts';
import type { DecodedSeqno } from '../decode/decoded-seqno.ts';
import { bytesOf, type HashKey, keyAt } from '../hash-key.ts';
import { type Trace, wholeOf } from './trace.ts';
import type { TraceBatch, WaitingMessage } from './trace-batch.ts';

/** Columns of `traces` in the order of its COPY rows. */
export const TRACE_COLUMNS = [
  ...['trace_id', 'external_hash', 'external_hash_norm', 'mc_seqno_start', 'mc_seqno_end'],
  ...['start_lt', 'start_utime', 'end_lt', 'end_utime', 'nodes', 'edges'],
] as const;
/** Columns of `open_traces` in the order of its COPY rows. */
export const OPEN_TRACE_COLUMNS = [...TRACE_COLUMNS, 'pending_edges', 'broken'] as const;
/** Columns of `unclassified_traces` in the order of its COPY rows. */
export const UNCLASSIFIED_COLUMNS = ['trace_id', 'mc_seqno_end', 'nodes'] as const;
/** Columns of `trace_accounts` in the order of its COPY rows. */
export const TRACE_ACCOUNT_COLUMNS = ['account', 'end_lt', 'trace_id', 'mc_seqno_end', 'end_utime'] as const;
/** Columns of `pending_messages` and `orphan_messages` in the order of their COPY rows. */
export const WAITING_COLUMNS = ['hash', 'trace_id', 'mc_seqno'] as const;

/** Rows of complete traces. */
export function traceRows(traces: readonly Trace[]): CopyRows {
  const rows = new CopyBuffer();
  for (const trace of traces) writeTrace(rows.row(TRACE_COLUMNS.length), trace);
  return rows.rows();
}

/** Complete traces in the queue of those that must be classified. */
export function unclassifiedRows(traces: readonly Trace[]): CopyRows {
  const rows = new CopyBuffer();
  for (const { id, mcSeqnoEnd, nodes } of traces)
    rows.row(UNCLASSIFIED_COLUMNS.length).bytes(bytesOf(id)).int4(mcSeqnoEnd).int4(nodes);
  return rows.rows();
}

/** Rows of traces that wait for messages, or lack their beginning. */
export function openTraceRows(traces: readonly Trace[]): CopyRows {
  const rows = new CopyBuffer();
  for (const trace of traces)
    writeTrace(rows.row(OPEN_TRACE_COLUMNS.length), trace).int4(trace.pending).bool(trace.isBroken);
  return rows.rows();
}

/** Rows of messages that wait for their other end. */
export function waitingRows(messages: ReadonlyMap<HashKey, WaitingMessage>): CopyRows {
  const rows = new CopyBuffer();
  for (const [hash, { trace, mcSeqno }] of messages)
    rows
      .row(WAITING_COLUMNS.length)
      .bytes(bytesOf(hash))
      .bytes(bytesOf(wholeOf(trace).id))
      .int4(mcSeqno);
  return rows.rows();
}

/** The accounts of the traces that lie in a batch as a whole. */
export function traceAccountRows(
  seqnos: readonly Pick<DecodedSeqno, 'traces'>[],
  batch: TraceBatch,
): CopyRows {
  const accountsOf = new Map<Trace, Set<string>>(batch.complete.map((trace) => [trace, new Set()]));
  seqnos.forEach(({ traces: facts }, at) => {
    for (let i = 0; i < facts.count; i++)
      accountsOf
        .get(wholeOf(batch.traces[at]![i]!))
        ?.add(keyAt(facts.accounts, i * ACCOUNT_BYTES, ACCOUNT_BYTES));
  });
  const rows = new CopyBuffer();
  for (const [{ id, endLt, mcSeqnoEnd, endUtime }, accounts] of accountsOf)
    for (const account of accounts)
      rows
        .row(TRACE_ACCOUNT_COLUMNS.length)
        .bytes(bytesOf(account))
        .int8(endLt)
        .bytes(bytesOf(id))
        .int4(mcSeqnoEnd)
        .int8(endUtime);
  return rows.rows();
}

function writeTrace(rows: CopyBuffer, trace: Trace): CopyBuffer {
  const { externalHash, externalHashNorm } = trace;
  return rows
    .bytes(bytesOf(trace.id))
    .bytes(externalHash === undefined ? undefined : bytesOf(externalHash))
    .bytes(externalHashNorm === undefined ? undefined : bytesOf(externalHashNorm))
    .int4(trace.mcSeqnoStart)
    .int4(trace.mcSeqnoEnd)
    .int8(trace.startLt)
    .int8(trace.startUtime)
    .int8(trace.endLt)
    .int8(trace.endUtime)
    .int4(trace.nodes)
    .int4(trace.edges);
}
