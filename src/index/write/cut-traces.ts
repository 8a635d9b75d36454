import type { ClientBase } from 'pg';
import { normalizedUnlessSame } from '../../chain/tlb/message.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { anyOf, databaseOf } from '../../db/driver.ts';
import { bytesKey, bytesOf, type HashKey } from '../../lib/bytes-key.ts';
import type { OpenPage } from '../format/page.ts';
import {
  accountPrefix,
  hashPrefix,
  type Position,
  pageNumber,
  pageOf,
  positionOf,
  slotOf,
  unixTime,
} from '../format/position.ts';
import { type TraceInfo, unpackTraceInfo } from '../format/trace-info.ts';
import { readPagesOf } from '../read/transaction-pages.ts';
import type { Trace, WaitingMessage } from './assemble-traces.ts';
import type { DiscardedBlocks } from './changed-accounts.ts';
import { copyFormat } from './copy-in.ts';
import { copyOpenTraces, type TraceMember, WAITING_MESSAGES } from './trace-rows.ts';
import { takeMembers, takeOpen } from './write-traces.ts';

/** A trace with transactions in discarded blocks, as it was taken from the index. */
interface CutTrace {
  readonly trace: Trace;
  readonly members: readonly CutMember[];
  /** What the row of a complete trace held; undefined for an open one. */
  readonly ended: TraceInfo | undefined;
}

/** A transaction of such a trace. */
interface CutMember {
  readonly at: Position;
  /** Only the members of open traces tell it. */
  readonly acc8: bigint | undefined;
}

interface KeptTransaction extends TraceMember {
  readonly mcSeqno: number;
  readonly transaction: Transaction;
}

interface KeptPart {
  readonly transactions: readonly KeptTransaction[];
  /** Also those in dropped pages. */
  readonly members: readonly TraceMember[];
  /** Whether the accounts of some members are not known. */
  readonly hasUnknown: boolean;
}

const WAITING_TABLES = ['pending_messages', 'orphan_messages'] as const;

/**
 * Removes the traces of discarded blocks. Those that begin before them wait again for the messages that were received
 * there. Must be called before the pages are cut; returns the lowest logical time at which a removed trace ended.
 */
export async function cutTraces(client: ClientBase, seqno: number, discarded: DiscardedBlocks) {
  const ended = await takeEnded(client, seqno);
  const cut = [...ended, ...(await takeDiscarded(client, discarded))];
  const db = databaseOf(client);
  for (const table of WAITING_TABLES) await db.deleteFrom(table).where('mc_seqno', '>', seqno).execute();
  const kept = await readKept(client, seqno, cut);
  const firstEndLt = await deleteAccounts(client, seqno, { ended, kept, discarded });
  const isGone = (one: CutTrace) => kept.get(one)!.transactions.length === 0;
  await forget(client, cut.filter(isGone));
  await reopen(
    client,
    cut.filter((one) => !isGone(one)),
    kept,
    discarded,
  );
  return firstEndLt;
}

async function takeEnded(client: ClientBase, seqno: number): Promise<CutTrace[]> {
  const ended = databaseOf(client).deleteFrom('traces').where('mc_seqno_end', '>', seqno);
  const rows = await ended.returningAll().execute();
  return rows.map((row) => {
    const ended = unpackTraceInfo(row);
    const trace: Trace = {
      id: bytesKey(ended.traceId),
      into: undefined,
      hasRoot: true,
      isBroken: false,
      externalHash: undefined,
      externalHashNorm: undefined,
      mcSeqnoStart: row.mc_seqno_start,
      startLt: ended.startLt,
      startUtime: ended.startUtime,
      mcSeqnoEnd: row.mc_seqno_end,
      endLt: BigInt(row.end_lt),
      endUtime: unixTime(row.end_utime),
      nodes: row.nodes,
      edges: ended.edges,
      pending: 0,
    };
    return { trace, members: ended.positions.map((at) => ({ at, acc8: undefined })), ended };
  });
}

/** Removes the open traces that discarded blocks have transactions of. */
async function takeDiscarded(client: ClientBase, { traces }: DiscardedBlocks): Promise<CutTrace[]> {
  const open = await takeOpen(client, traces.keys());
  const members = await takeMembers(client, traces.keys());
  return open.map((trace) => ({ trace, members: members.get(trace.id) ?? [], ended: undefined }));
}

type KeptParts = ReadonlyMap<CutTrace, KeptPart>;

/** Reads the transactions of traces up to a seqno, in their order. */
async function readKept(client: ClientBase, seqno: number, traces: readonly CutTrace[]): Promise<KeptParts> {
  const end = positionOf(pageNumber(seqno + 1, 0), 0);
  const earlier = ({ members }: CutTrace) => members.filter(({ at }) => at < end).sort((a, b) => a.at - b.at);
  const pages = await readPagesOf(
    client,
    traces.flatMap(earlier).map(({ at }) => at),
  );
  return new Map(traces.map((one) => [one, keptPartOf(earlier(one), pages, seqno)]));
}

function keptPartOf(earlier: readonly CutMember[], pages: ReadonlyMap<number, OpenPage>, seqno: number) {
  const transactions: KeptTransaction[] = [];
  const members: CutMember[] = [];
  for (const { at, acc8 } of earlier) {
    const page = pages.get(pageOf(at));
    const slot = slotOf(at);
    if (page === undefined) {
      members.push({ at, acc8 });
      continue;
    }
    const { mcSeqno } = page.place(slot);
    if (mcSeqno > seqno) continue;
    const kept = { at, acc8: accountPrefix(page.account(slot)) };
    members.push(kept);
    transactions.push({ ...kept, mcSeqno, transaction: page.transaction(slot) });
  }
  // A trace must keep all its positions, but nobody sees whose transactions were dropped.
  const anyAccount = transactions[0]?.acc8 ?? 0n;
  return {
    transactions,
    members: members.map(({ at, acc8 = anyAccount }) => ({ at, acc8 })),
    hasUnknown: members.some(({ acc8 }) => acc8 === undefined),
  };
}

/** Removes the accounts of complete traces, which are found by account and the end of the trace. */
async function deleteAccounts(
  client: ClientBase,
  seqno: number,
  { ended, kept, discarded }: { ended: readonly CutTrace[]; kept: KeptParts; discarded: DiscardedBlocks },
): Promise<bigint | undefined> {
  const first = ended.reduce<bigint | undefined>(
    (lt, { trace }) => (lt === undefined || trace.endLt < lt ? trace.endLt : lt),
    undefined,
  );
  if (first === undefined) return undefined;
  const accounts = new Set([...discarded.accounts.keys()].map((account) => accountPrefix(bytesOf(account))));
  for (const one of ended) for (const { acc8 } of kept.get(one)!.members) accounts.add(acc8);
  const later = databaseOf(client).deleteFrom('trace_accounts').where('mc_seqno_end', '>', seqno);
  await later
    .where('acc8', '=', anyOf(Array.from(accounts, String)))
    .where('end_lt', '>=', String(first))
    .execute();
  // There is no index for this, but traces seldom outlive the partition that they began in.
  const unknown = ended.filter((one) => kept.get(one)!.hasUnknown);
  const prefixes = unknown.map(({ trace }) => String(hashPrefix(bytesOf(trace.id))));
  if (unknown.length > 0) await later.where('trace8', '=', anyOf(prefixes)).execute();
  return first;
}

/** Removes what waits for traces of which nothing is left, perhaps because their beginning was dropped. */
async function forget(client: ClientBase, gone: readonly CutTrace[]): Promise<void> {
  const ids = gone.map(({ trace }) => bytesOf(trace.id));
  const db = databaseOf(client);
  for (const table of WAITING_TABLES) await db.deleteFrom(table).where('trace_id', '=', anyOf(ids)).execute();
}

/** Writes the kept parts of traces, and the messages that they wait for again. */
async function reopen(
  client: ClientBase,
  cut: readonly CutTrace[],
  kept: KeptParts,
  discarded: DiscardedBlocks,
): Promise<void> {
  const pending = new Map<HashKey, WaitingMessage>();
  const members = new Map<Trace, readonly TraceMember[]>();
  const waiting = await countPending(client, cut);
  const traces = cut.map((one) => {
    const own = kept.get(one)!;
    const trace = keptTrace(one, own, discarded);
    members.set(trace, own.members);
    trace.pending = waiting.get(trace.id) ?? 0;
    for (const { mcSeqno, transaction } of own.transactions)
      for (const { hash, info } of transaction.outMessages) {
        if (info.kind !== 'internal' || !discarded.received.has(bytesKey(hash))) continue;
        pending.set(bytesKey(hash), { trace, mcSeqno });
        trace.pending++;
      }
    return trace;
  });
  await copyOpenTraces(client, traces, members);
  await copyFormat(client, 'pending_messages', WAITING_MESSAGES, pending);
}

async function countPending(client: ClientBase, cut: readonly CutTrace[]): Promise<Map<HashKey, number>> {
  const ids = cut.map(({ trace }) => bytesOf(trace.id));
  const waiting = databaseOf(client).selectFrom('pending_messages').where('trace_id', '=', anyOf(ids));
  const counts = waiting.select(['trace_id', (eb) => eb.fn.countAll<string>().as('count')]);
  const rows = await counts.groupBy('trace_id').execute();
  return new Map(rows.map(({ trace_id, count }) => [bytesKey(trace_id), Number(count)]));
}

/**
 * A trace without its discarded transactions. Each of them had added an edge for the message that it received, and one
 * for each external message that it sent.
 */
function keptTrace(
  { trace, ended }: CutTrace,
  { transactions, members }: KeptPart,
  discarded: DiscardedBlocks,
): Trace {
  const { nodes, logs } = discarded.traces.get(trace.id) ?? { nodes: 0, logs: 0 };
  const end = { mcSeqnoEnd: 0, endLt: 0n, endUtime: 0 };
  for (const { mcSeqno, transaction } of transactions) {
    end.mcSeqnoEnd = Math.max(end.mcSeqnoEnd, mcSeqno);
    end.endUtime = Math.max(end.endUtime, transaction.now);
    if (transaction.lt > end.endLt) end.endLt = transaction.lt;
  }
  return {
    ...trace,
    ...end,
    ...(ended && externalHashes(trace.id, ended, transactions)),
    nodes: members.length,
    edges: trace.edges - nodes - logs,
  };
}

/** The hashes of the message that a complete trace begins with: in its row, or in its first transaction. */
function externalHashes(id: HashKey, { external }: TraceInfo, kept: readonly KeptTransaction[]) {
  const keyOf = (hash: Buffer | null | undefined) => (hash ? bytesKey(hash) : undefined);
  if (external !== undefined)
    return { externalHash: keyOf(external.hash), externalHashNorm: keyOf(external.norm) };
  const first = kept.find(({ transaction }) => bytesKey(transaction.hash) === id)?.transaction.inMessage;
  return { externalHash: keyOf(first?.hash), externalHashNorm: keyOf(first && normalizedUnlessSame(first)) };
}
