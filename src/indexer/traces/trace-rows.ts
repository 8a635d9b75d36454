import { ACCOUNT_BYTES } from '../../chain/address.ts';
import { CopyBuffer, type CopyRows } from '../../db/copy.ts';
import { bytesKey, bytesOf, type HashKey, keyAt } from '../../lib/bytes-key.ts';
import type { DecodedSeqno } from '../decode/decoded-seqno.ts';
import { type Trace, type TraceBatch, type WaitingMessage, wholeOf } from './assemble-traces.ts';

/** Columns of `traces` in the order of its COPY rows. */
export const TRACE_COLUMNS = [
  'trace_id',
  'external_hash',
  'external_hash_norm',
  'mc_seqno_start',
  'mc_seqno_end',
  'start_lt',
  'start_utime',
  'end_lt',
  'end_utime',
  'nodes',
  'edges',
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

/** Complete traces as rows of the classification queue. */
export function unclassifiedRows(traces: readonly Trace[]): CopyRows {
  const rows = new CopyBuffer();
  for (const { id, mcSeqnoEnd, nodes } of traces)
    rows.row(UNCLASSIFIED_COLUMNS.length).bytes(bytesOf(id)).int4(mcSeqnoEnd).int4(nodes);
  return rows.rows();
}

/** Rows of traces with pending messages or without their first transaction. */
export function openTraceRows(traces: readonly Trace[]): CopyRows {
  const rows = new CopyBuffer();
  for (const trace of traces)
    writeTrace(rows.row(OPEN_TRACE_COLUMNS.length), trace).int4(trace.pending).bool(trace.isBroken);
  return rows.rows();
}

/** Rows of messages whose other end is missing. */
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

/** The accounts of the traces that lie entirely in a batch. */
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

/** A row of `open_traces` as pg reads it. */
export interface OpenTraceRow {
  readonly trace_id: Buffer;
  readonly external_hash: Buffer | null;
  readonly external_hash_norm: Buffer | null;
  readonly mc_seqno_start: number;
  readonly mc_seqno_end: number;
  readonly start_lt: string;
  readonly start_utime: string;
  readonly end_lt: string;
  readonly end_utime: string;
  readonly nodes: number;
  readonly edges: number;
  readonly pending_edges: number;
  readonly broken: boolean;
}

/** An indexed trace, to be continued. */
export function toTrace(row: OpenTraceRow): Trace {
  return {
    id: bytesKey(row.trace_id),
    into: undefined,
    hasRoot: true,
    isBroken: row.broken,
    externalHash: optionalKey(row.external_hash),
    externalHashNorm: optionalKey(row.external_hash_norm),
    mcSeqnoStart: row.mc_seqno_start,
    mcSeqnoEnd: row.mc_seqno_end,
    startLt: BigInt(row.start_lt),
    startUtime: Number(row.start_utime),
    endLt: BigInt(row.end_lt),
    endUtime: Number(row.end_utime),
    nodes: row.nodes,
    edges: row.edges,
    pending: row.pending_edges,
  };
}

function optionalKey(hash: Buffer | null): HashKey | undefined {
  return hash === null ? undefined : bytesKey(hash);
}
