import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { CopyBuffer, type CopyRows } from '../../../src/db/copy.ts';
import { TRANSACTION_COLUMNS } from '../../../src/db/copy-columns.ts';
import {
  type DecodedSeqno,
  IN_EXTERNAL,
  IN_INTERNAL,
  IN_NONE,
  IN_SYSTEM,
  type TraceFacts,
} from '../../../src/indexer/decode/decoded-seqno.ts';
import { SlotCollector, type SlotList } from '../../../src/pages/slot-list.ts';

/** A transaction with the fields that traces need. */
export interface ToyTransaction {
  readonly mcSeqno: number;
  readonly account: string;
  readonly lt: number;
  readonly hash: string;
  readonly inKind: number;
  readonly inHash?: string;
  readonly normHash?: string;
  /** Hashes of internal messages. */
  readonly outs: readonly string[];
  readonly logs: number;
}

const ZEROS = Buffer.alloc(32);
/** A hash derived from a name, in hex. */
export const toyHash = (name: string): string => createHash('sha256').update(name).digest('hex');
/** An account derived from a name, in hex. */
export const toyAccount = (name: string): string => `00${toyHash(name)}`;
const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** A decoded seqno with these transactions; rows have only their required columns. */
export function toySeqno(
  mcSeqno: number,
  transactions: readonly ToyTransaction[],
  more: Partial<DecodedSeqno> = {},
): DecodedSeqno {
  const rows = new CopyBuffer();
  const fields = transactions.map((transaction) => writeTransaction(rows, transaction));
  return {
    mcSeqno,
    genUtime: utimeOf(mcSeqno),
    blockCount: 1,
    hasKeyBlock: false,
    blocks: blockRow(mcSeqno, transactions.length),
    shardStates: new CopyBuffer()
      .row(4)
      .int4(mcSeqno)
      .int4Array([-1])
      .int8Array([0])
      .int4Array([mcSeqno])
      .rows(),
    transactions: rows.rows(),
    messages: { bytes: Buffer.alloc(0), count: 0 },
    contents: [],
    codes: [],
    traces: factsOf(
      transactions,
      fields.map(({ traceIdAt }) => traceIdAt),
    ),
    slots: slotsOf(transactions),
    positions: {
      transactions: Uint32Array.from(fields, ({ positionAt }) => positionAt),
      messageFrom: new Uint32Array(transactions.length + 1),
      messages: new Uint32Array(),
    },
    accounts: [],
    events: [],
    ...more,
  };
}

/** The time of a transaction. */
const utimeOf = (mcSeqno: number): number => 1_700_000_000 + mcSeqno;

function factsOf(transactions: readonly ToyTransaction[], traceIdAt: readonly number[]): TraceFacts {
  let sum = 0;
  const outFrom = [0, ...transactions.map(({ outs }) => (sum += outs.length))];
  const all = (read: (transaction: ToyTransaction) => Buffer) => Buffer.concat(transactions.map(read));
  return {
    count: transactions.length,
    hashes: all(({ hash }) => bytes(hash)),
    accounts: all(({ account }) => bytes(account)),
    lts: BigUint64Array.from(transactions, ({ lt }) => BigInt(lt)),
    nows: Float64Array.from(transactions, ({ mcSeqno }) => utimeOf(mcSeqno)),
    inKinds: Uint8Array.from(transactions, ({ inKind }) => inKind),
    inHashes: all(({ inHash }) => (inHash === undefined ? ZEROS : bytes(inHash))),
    normHashes: all(({ normHash }) => (normHash === undefined ? ZEROS : bytes(normHash))),
    outFrom: Uint32Array.from(outFrom),
    outHashes: all(({ outs }) => Buffer.concat(outs.map(bytes))),
    logs: Uint16Array.from(transactions, ({ logs }) => logs),
    traceIdAt: Uint32Array.from(traceIdAt),
  };
}

/** Slots with the hash in place of the cells. */
function slotsOf(transactions: readonly ToyTransaction[]): SlotList {
  const slots = new SlotCollector();
  const place = { workchain: 0, shard: 0n, hasExtraFlags: true };
  for (const { mcSeqno, hash } of transactions)
    slots.add(
      { ...place, mcSeqno, blockSeqno: mcSeqno },
      { after: undefined, before: undefined },
      bytes(hash),
    );
  return slots.finish();
}

function writeTransaction(rows: CopyBuffer, { mcSeqno, account, lt, hash }: ToyTransaction) {
  rows.row(TRANSACTION_COLUMNS.length);
  const traceIdAt = rows.reserve(32);
  const positionAt = rows.reserve(8);
  rows.bytes(bytes(account)).int8(lt).bytes(bytes(hash)).int4(mcSeqno).int8(0).int4(mcSeqno);
  rows
    .bytes(ZEROS)
    .int8(0)
    .int8(utimeOf(mcSeqno))
    .text('ord')
    .text('active')
    .text('active')
    .numeric(0n)
    .null();
  rows.bytes(ZEROS).bytes(ZEROS);
  for (let at = 18; at < TRANSACTION_COLUMNS.length; at++) rows.null();
  return { traceIdAt, positionAt };
}

function blockRow(mcSeqno: number, txCount: number): CopyRows {
  const row = new CopyBuffer().row(30).int4(mcSeqno).int4(-1).int8(0).int4(mcSeqno);
  row.bytes(bytes(toyHash(`root ${mcSeqno}`))).bytes(bytes(toyHash(`file ${mcSeqno}`)));
  row.int8(utimeOf(mcSeqno)).int8(mcSeqno).int8(mcSeqno).int4(-239).int8(0).int2(0);
  for (let flag = 0; flag < 7; flag++) row.bool(false);
  row.int4(0);
  for (let number = 0; number < 5; number++) row.int8(0);
  row.bytes(ZEROS).bytes(ZEROS).int4(txCount);
  return row
    .int8Array([0])
    .int4Array([mcSeqno - 1])
    .rows();
}

/** The expected content of the tables, computed naively from all transactions at once. */
export function expectedTraces(transactions: readonly ToyTransaction[]) {
  const senders = new Map<string, ToyTransaction>();
  for (const transaction of transactions) for (const out of transaction.outs) senders.set(out, transaction);
  const receivers = new Map<string, ToyTransaction>();
  for (const transaction of transactions)
    if (transaction.inKind === IN_INTERNAL) receivers.set(transaction.inHash!, transaction);

  const rootOf = (transaction: ToyTransaction): ToyTransaction => {
    const isSent = transaction.inKind === IN_INTERNAL && senders.has(transaction.inHash!);
    return isSent ? rootOf(senders.get(transaction.inHash!)!) : transaction;
  };
  const members = Map.groupBy(transactions, rootOf);
  const traces = [...members].map(([root, parts]) => {
    const waiting = parts.flatMap(({ outs }) => outs).filter((out) => !receivers.has(out));
    const sent = parts.reduce((sum, { outs }) => sum + outs.length, 0);
    const logs = parts.reduce((sum, part) => sum + part.logs, 0);
    const broken = root.inKind === IN_INTERNAL;
    const hasRootMessage = root.inKind !== IN_NONE && !broken;
    return {
      traceId: root.hash,
      ...(hasRootMessage ? { externalHash: root.inHash! } : {}),
      ...(root.inKind === IN_EXTERNAL && root.normHash ? { externalHashNorm: root.normHash } : {}),
      mcSeqnoStart: root.mcSeqno,
      mcSeqnoEnd: Math.max(...parts.map(({ mcSeqno }) => mcSeqno)),
      startLt: String(root.lt),
      startUtime: utimeOf(root.mcSeqno),
      endLt: String(Math.max(...parts.map(({ lt }) => lt))),
      endUtime: Math.max(...parts.map(({ mcSeqno }) => utimeOf(mcSeqno))),
      nodes: parts.length,
      edges: sent - waiting.length + logs + (hasRootMessage ? 1 : 0),
      pendingEdges: waiting.length,
      broken,
      accounts: [...new Set(parts.map(({ account }) => account))].sort(),
    };
  });
  const isOpen = (trace: (typeof traces)[number]) => trace.broken || trace.pendingEdges > 0;
  const traceIds = transactions
    .map((transaction) => ({ hash: transaction.hash, traceId: rootOf(transaction).hash }))
    .sort(by('hash'));
  return {
    trace_ids: traceIds,
    trace_ids_in_pages: traceIds,
    traces: traces
      .filter((trace) => !isOpen(trace))
      .map(({ pendingEdges, broken, ...trace }) => trace)
      .sort(by('traceId')),
    open_traces: traces
      .filter(isOpen)
      .map(({ accounts, ...trace }) => trace)
      .sort(by('traceId')),
    pending_messages: [...senders]
      .filter(([hash]) => !receivers.has(hash))
      .map(([hash, sender]) => ({ hash, trace_id: rootOf(sender).hash, mc_seqno: sender.mcSeqno }))
      .sort(by('hash')),
    orphan_messages: [...receivers]
      .filter(([hash]) => !senders.has(hash))
      .map(([hash, receiver]) => ({ hash, trace_id: receiver.hash, mc_seqno: receiver.mcSeqno }))
      .sort(by('hash')),
  };
}

function by(...keys: string[]) {
  const keyOf = (row: object) => keys.map((key) => (row as Record<string, unknown>)[key]).join();
  return (a: object, b: object) => (keyOf(a) < keyOf(b) ? -1 : 1);
}

/** Number of seqnos, from 1. */
export const SEQNOS = 12;

/** Creates transactions one by one; `pick` selects the pending message that is received. */
const step = fc.record({
  kind: fc.constantFrom(
    'internal',
    'internal',
    'internal',
    'internal',
    'external',
    'tick',
    'system',
    'foreign',
  ),
  pick: fc.nat(20),
  hops: fc.constantFrom(0, 0, 1, 2),
  sends: fc.constantFrom(0, 1, 1, 2, 3),
  logs: fc.constantFrom(0, 0, 1, 2),
  account: fc.nat(8),
  repeats: fc.boolean(),
});

/** Random steps of a chain. */
export const steps = fc.array(step, { minLength: 1, maxLength: 60 });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Random transactions in which no message is received before it is sent. */
export function runSteps(steps: readonly Step[]): ToyTransaction[] {
  const waiting: { hash: string; mcSeqno: number }[] = [];
  return steps.map(({ kind, pick, hops, sends, logs, account, repeats }, lt) => {
    const [message] = kind === 'internal' ? waiting.splice(pick % Math.max(waiting.length, 1), 1) : [];
    const earliest = message?.mcSeqno ?? 1 + (pick % SEQNOS);
    const mcSeqno = Math.min(SEQNOS, earliest + hops);
    const outs = Array.from({ length: sends }, (_, at) => toyHash(`message ${lt}.${at}`));
    waiting.push(...outs.map((hash) => ({ hash, mcSeqno })));
    return {
      mcSeqno,
      account: toyAccount(String(account)),
      lt,
      hash: toyHash(`transaction ${lt}`),
      ...inbound(
        message === undefined && kind === 'internal' ? 'external' : kind,
        lt,
        repeats,
        message?.hash,
      ),
      outs,
      logs,
    };
  });
}

function inbound(kind: Step['kind'], lt: number, repeats: boolean, hash: string | undefined) {
  if (kind === 'tick') return { inKind: IN_NONE };
  if (kind === 'system') return { inKind: IN_SYSTEM, inHash: toyHash(`system ${lt}`) };
  if (kind === 'foreign') return { inKind: IN_INTERNAL, inHash: toyHash(`foreign ${lt}`) };
  if (hash !== undefined) return { inKind: IN_INTERNAL, inHash: hash };
  // Externals may be executed several times.
  const inHash = toyHash(repeats ? 'the same' : `external ${lt}`);
  return { inKind: IN_EXTERNAL, inHash, ...(repeats ? { normHash: toyHash('the same, normal') } : {}) };
}
