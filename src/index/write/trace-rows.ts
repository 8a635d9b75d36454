import type { Selectable } from 'kysely';
import type { ClientBase } from 'pg';
import { ACCOUNT_BYTES } from '../../chain/address.ts';
import { createRowFormat } from '../../db/copy.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';
import { accountPrefix, hashPrefix, type Position, storedTime } from '../format/position.ts';
import { packTraceInfo } from '../format/trace-info.ts';
import { partitionStart } from '../partitions.ts';
import { type Trace, type TraceBatch, type WaitingMessage, wholeOf } from './assemble-traces.ts';
import { copyFormat } from './copy-in.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';

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
export const TRACES = createRowFormat<WholeTrace & { readonly width: number }>({
  trace8: (row, { trace }) => row.int8(hashPrefix(bytesOf(trace.id))),
  end_lt: (row, { trace }) => row.int8(trace.endLt),
  end_utime: (row, { trace }) => row.int4(storedTime(trace.endUtime)),
  mc_seqno_start: (row, { trace }) => row.int4(trace.mcSeqnoStart),
  mc_seqno_end: (row, { trace }) => row.int4(trace.mcSeqnoEnd),
  nodes: (row, { trace }) => row.int4(trace.nodes),
  info: (row, { trace, members, width }) => row.bytes(infoOf(trace, members, width)),
});

function infoOf(trace: Trace, members: readonly TraceMember[], width: number): Buffer {
  const { id, edges, startLt, startUtime, mcSeqnoStart, mcSeqnoEnd } = trace;
  // The first transaction may be dropped before the trace.
  const isDivided = partitionStart(mcSeqnoStart, width) !== partitionStart(mcSeqnoEnd, width);
  const hashes = {
    hash: optionalBytes(trace.externalHash) ?? null,
    norm: optionalBytes(trace.externalHashNorm) ?? null,
  };
  return packTraceInfo(trace, {
    traceId: bytesOf(id),
    edges,
    startLt,
    startUtime,
    positions: members.map(({ at }) => at),
    external: isDivided ? hashes : undefined,
  });
}

/** Rows of the accounts of complete traces, each once per trace. */
export const TRACE_ACCOUNTS = createRowFormat<{ readonly trace: Trace; readonly acc8: bigint }>({
  acc8: (row, { acc8 }) => row.int8(acc8),
  end_lt: (row, { trace }) => row.int8(trace.endLt),
  trace8: (row, { trace }) => row.int8(hashPrefix(bytesOf(trace.id))),
  end_utime: (row, { trace }) => row.int4(storedTime(trace.endUtime)),
  mc_seqno_end: (row, { trace }) => row.int4(trace.mcSeqnoEnd),
});

/** Complete traces as rows of the classification queue. */
export const UNCLASSIFIED_TRACES = createRowFormat<Trace>({
  trace_id: (row, { id }) => row.bytes(bytesOf(id)),
  mc_seqno_end: (row, { mcSeqnoEnd }) => row.int4(mcSeqnoEnd),
  nodes: (row, { nodes }) => row.int4(nodes),
});

/** Rows of traces with pending messages or without their first transaction. */
export const OPEN_TRACES = createRowFormat<Trace>({
  trace_id: (row, { id }) => row.bytes(bytesOf(id)),
  external_hash: (row, { externalHash }) => row.bytes(optionalBytes(externalHash)),
  external_hash_norm: (row, { externalHashNorm }) => row.bytes(optionalBytes(externalHashNorm)),
  mc_seqno_start: (row, { mcSeqnoStart }) => row.int4(mcSeqnoStart),
  mc_seqno_end: (row, { mcSeqnoEnd }) => row.int4(mcSeqnoEnd),
  start_lt: (row, { startLt }) => row.int8(startLt),
  start_utime: (row, { startUtime }) => row.int8(startUtime),
  end_lt: (row, { endLt }) => row.int8(endLt),
  end_utime: (row, { endUtime }) => row.int8(endUtime),
  nodes: (row, { nodes }) => row.int4(nodes),
  edges: (row, { edges }) => row.int4(edges),
  pending_edges: (row, { pending }) => row.int4(pending),
  broken: (row, { isBroken }) => row.bool(isBroken),
});

export const OPEN_MEMBERS = createRowFormat<TraceMember & { readonly trace: Trace }>({
  trace_id: (row, { trace }) => row.bytes(bytesOf(trace.id)),
  at: (row, { at }) => row.int8(at),
  acc8: (row, { acc8 }) => row.int8(acc8),
});

/** Rows of messages whose other end is missing, in `pending_messages` and `orphan_messages`. */
export const WAITING_MESSAGES = createRowFormat<readonly [HashKey, WaitingMessage]>({
  hash: (row, [hash]) => row.bytes(bytesOf(hash)),
  trace_id: (row, [, { trace }]) => row.bytes(bytesOf(wholeOf(trace).id)),
  mc_seqno: (row, [, { mcSeqno }]) => row.int4(mcSeqno),
});

/** Copies traces that are not complete, with their transactions. */
export async function copyOpenTraces(client: ClientBase, traces: readonly Trace[], members: TraceMembers) {
  const own = traces.flatMap((trace) => (members.get(trace) ?? []).map((one) => ({ ...one, trace })));
  return [
    await copyFormat(client, 'open_traces', OPEN_TRACES, traces),
    await copyFormat(client, 'open_members', OPEN_MEMBERS, own),
  ];
}

/** An indexed trace, to be continued. */
export function toTrace(row: Selectable<Tables['open_traces']>): Trace {
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

function optionalBytes(key: HashKey | undefined): Buffer | undefined {
  return key === undefined ? undefined : bytesOf(key);
}
