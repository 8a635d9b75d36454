import { ACCOUNT_BYTES } from '../../chain/address.ts';
import { CopyBuffer, type CopyRows } from '../../db/copy.ts';
import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';
import { accountPrefix, hashPrefix, type Position, storedTime } from '../format/position.ts';
import { packTraceInfo } from '../format/trace-info.ts';
import { partitionStart } from '../partitions.ts';
import { type Trace, type TraceBatch, type WaitingMessage, wholeOf } from './assemble-traces.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';

/** Columns of `traces` in the order of its COPY rows. */
export const TRACE_COLUMNS = [
  'trace8',
  'end_lt',
  'end_utime',
  'mc_seqno_start',
  'mc_seqno_end',
  'nodes',
  'info',
] as const;
/** Columns of `open_traces` in the order of its COPY rows. */
export const OPEN_TRACE_COLUMNS = [
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
  'pending_edges',
  'broken',
] as const;
/** Columns of `open_members` in the order of its COPY rows. */
export const OPEN_MEMBER_COLUMNS = ['trace_id', 'at', 'acc8'] as const;
/** Columns of `unclassified_traces` in the order of its COPY rows. */
export const UNCLASSIFIED_COLUMNS = ['trace_id', 'mc_seqno_end', 'nodes'] as const;
/** Columns of `trace_accounts` in the order of its COPY rows. */
export const TRACE_ACCOUNT_COLUMNS = ['acc8', 'end_lt', 'trace8', 'end_utime', 'mc_seqno_end'] as const;
/** Columns of `pending_messages` and `orphan_messages` in the order of their COPY rows. */
export const WAITING_COLUMNS = ['hash', 'trace_id', 'mc_seqno'] as const;

/** A transaction of a trace: its position, and the prefix of its account. */
export interface TraceMember {
  readonly at: Position;
  readonly acc8: bigint;
}

/** The transactions of traces. */
export type TraceMembers = ReadonlyMap<Trace, readonly TraceMember[]>;

/** Groups the transactions of a batch by trace; `positions` are theirs, by seqno. */
export function membersOf(
  seqnos: readonly Pick<DecodedSeqno, 'traces'>[],
  positions: readonly Float64Array[],
  { traces }: TraceBatch,
): TraceMembers {
  const members = new Map<Trace, TraceMember[]>();
  seqnos.forEach(({ traces: facts }, seqno) => {
    for (let i = 0; i < facts.count; i++) {
      const account = facts.accounts.subarray(i * ACCOUNT_BYTES, (i + 1) * ACCOUNT_BYTES);
      addMember(members, wholeOf(traces[seqno]![i]!), {
        at: positions[seqno]![i]!,
        acc8: accountPrefix(account),
      });
    }
  });
  return members;
}

/** The transactions of some traces after these were merged into others. */
export function regroup(traces: readonly Trace[], members: TraceMembers): TraceMembers {
  const merged = new Map<Trace, TraceMember[]>();
  for (const trace of traces)
    for (const one of members.get(trace) ?? []) addMember(merged, wholeOf(trace), one);
  return merged;
}

function addMember(members: Map<Trace, TraceMember[]>, trace: Trace, member: TraceMember): void {
  const known = members.get(trace);
  if (known === undefined) members.set(trace, [member]);
  else known.push(member);
}

/** A complete trace with all its transactions. */
export interface WholeTrace {
  readonly trace: Trace;
  /** In the order of their positions. */
  readonly members: readonly TraceMember[];
}

/** Puts the transactions of a complete trace in order. */
export function toWhole(trace: Trace, members: readonly TraceMember[]): WholeTrace {
  if (members.length !== trace.nodes)
    throw new Error(
      `Trace ${bytesOf(trace.id).toString('hex')} has ${trace.nodes} transactions, found ${members.length}`,
    );
  return { trace, members: [...members].sort((a, b) => a.at - b.at) };
}

/** Rows of complete traces; `width` is the number of seqnos per partition. */
export function traceRows(traces: readonly WholeTrace[], width: number): CopyRows {
  const rows = new CopyBuffer();
  for (const { trace, members } of traces) {
    const { id, endLt, endUtime, mcSeqnoStart, mcSeqnoEnd } = trace;
    const traceId = bytesOf(id);
    // The first transaction may be dropped before the trace.
    const isDivided = partitionStart(mcSeqnoStart, width) !== partitionStart(mcSeqnoEnd, width);
    const hashes = { hash: optionalBytes(trace.externalHash), norm: optionalBytes(trace.externalHashNorm) };
    rows
      .row(TRACE_COLUMNS.length)
      .int8(hashPrefix(traceId))
      .int8(endLt)
      .int4(storedTime(endUtime))
      .int4(mcSeqnoStart)
      .int4(mcSeqnoEnd)
      .int4(trace.nodes)
      .bytes(
        packTraceInfo(trace, {
          traceId,
          edges: trace.edges,
          startLt: trace.startLt,
          startUtime: trace.startUtime,
          positions: members.map(({ at }) => at),
          external: isDivided ? hashes : undefined,
        }),
      );
  }
  return rows.rows();
}

/** The accounts of complete traces, each once per trace. */
export function traceAccountRows(traces: readonly WholeTrace[]): CopyRows {
  const rows = new CopyBuffer();
  for (const { trace, members } of traces) {
    const trace8 = hashPrefix(bytesOf(trace.id));
    for (const acc8 of new Set(members.map((member) => member.acc8)))
      rows
        .row(TRACE_ACCOUNT_COLUMNS.length)
        .int8(acc8)
        .int8(trace.endLt)
        .int8(trace8)
        .int4(storedTime(trace.endUtime))
        .int4(trace.mcSeqnoEnd);
  }
  return rows.rows();
}

/** Complete traces as rows of the classification queue. */
export function unclassifiedRows(traces: readonly WholeTrace[]): CopyRows {
  const rows = new CopyBuffer();
  for (const { trace } of traces)
    rows.row(UNCLASSIFIED_COLUMNS.length).bytes(bytesOf(trace.id)).int4(trace.mcSeqnoEnd).int4(trace.nodes);
  return rows.rows();
}

/** Rows of traces with pending messages or without their first transaction. */
export function openTraceRows(traces: readonly Trace[]): CopyRows {
  const rows = new CopyBuffer();
  for (const trace of traces)
    rows
      .row(OPEN_TRACE_COLUMNS.length)
      .bytes(bytesOf(trace.id))
      .bytes(optionalBytes(trace.externalHash) ?? undefined)
      .bytes(optionalBytes(trace.externalHashNorm) ?? undefined)
      .int4(trace.mcSeqnoStart)
      .int4(trace.mcSeqnoEnd)
      .int8(trace.startLt)
      .int8(trace.startUtime)
      .int8(trace.endLt)
      .int8(trace.endUtime)
      .int4(trace.nodes)
      .int4(trace.edges)
      .int4(trace.pending)
      .bool(trace.isBroken);
  return rows.rows();
}

/** Rows of the transactions of open traces. */
export function openMemberRows(traces: readonly Trace[], members: TraceMembers): CopyRows {
  const rows = new CopyBuffer();
  for (const trace of traces)
    for (const { at, acc8 } of members.get(trace) ?? [])
      rows.row(OPEN_MEMBER_COLUMNS.length).bytes(bytesOf(trace.id)).int8(at).int8(acc8);
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

function optionalBytes(key: HashKey | undefined): Buffer | null {
  return key === undefined ? null : bytesOf(key);
}
