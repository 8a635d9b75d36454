import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assembleTraces,
  joinTraces,
  messagesFromBefore,
  type Trace,
  type TraceBatch,
  wholeOf,
} from '../../../src/index/write/assemble-traces.ts';
import { IN_INTERNAL, type TraceFacts } from '../../../src/index/write/decoded-seqno.ts';
import { bytesKey, bytesOf } from '../../../src/lib/bytes-key.ts';
import {
  expectedTraces,
  runSteps,
  SEQNOS,
  steps,
  ToyChain,
  type ToyTransaction,
  toySeqno,
} from '../../ingest/support/toy-chain.ts';
import { sampled } from '../../support/long-run.ts';

const hex = (name: string) => bytesOf(name).toString('hex');
/** The result of a batch without earlier messages, in the shape of the tables. */
function summary({ complete, open, sent, orphans }: TraceBatch) {
  const row = (trace: Trace) => ({ traceId: hex(trace.id), nodes: trace.nodes, edges: trace.edges });
  const waiting = (messages: TraceBatch['sent']) =>
    [...messages].map(([hash, { trace }]) => `${hex(hash)} ${hex(wholeOf(trace).id)}`).sort();
  return {
    complete: complete.map(row).sort((a, b) => (a.traceId < b.traceId ? -1 : 1)),
    open: open
      .map((trace) => ({ ...row(trace), pendingEdges: trace.pending, broken: trace.isBroken }))
      .sort((a, b) => (a.traceId < b.traceId ? -1 : 1)),
    sent: waiting(sent),
    orphans: waiting(orphans),
  };
}

function expectedSummary(transactions: readonly ToyTransaction[]) {
  const tables = expectedTraces(transactions);
  const row = ({
    traceId,
    nodes,
    edges,
  }: Pick<(typeof tables.traces)[number], 'traceId' | 'nodes' | 'edges'>) => ({
    traceId,
    nodes,
    edges,
  });
  const waiting = (rows: typeof tables.pending_messages) => rows.map((one) => `${one.hash} ${one.trace_id}`);
  return {
    complete: tables.traces.map(row),
    open: tables.open_traces.map(({ pendingEdges, broken, ...trace }) => ({
      ...row(trace),
      pendingEdges,
      broken,
    })),
    sent: waiting(tables.pending_messages),
    orphans: waiting(tables.orphan_messages),
  };
}

describe('assembled traces', () => {
  it('do not depend on the order of seqnos', () => {
    fc.assert(
      fc.property(
        steps,
        fc.shuffledSubarray([...Array(SEQNOS).keys()], { minLength: SEQNOS }),
        (story, order) => {
          const transactions = runSteps(story);
          const seqnos = order.map((at) =>
            toySeqno(
              at + 1,
              transactions.filter(({ mcSeqno }) => mcSeqno === at + 1),
            ),
          );
          expect(summary(assembleTraces(seqnos, new Map()))).toEqual(expectedSummary(transactions));
        },
      ),
      { numRuns: sampled(30, 100) },
    );
  });

  it('continue traces of known messages', () => {
    const { seqnos, message } = receiver();
    expect(messagesFromBefore(seqnos)).toEqual([message]);
    const batch = assembleTraces(seqnos, new Map([[message, { traceId: ROOT, mcSeqno: 1 }]]));
    expect(batch.senderSeqnos).toEqual([Int32Array.of(1)]);
    expect(batch.open).toMatchObject([{ id: ROOT, nodes: 1, edges: 1, pending: 0 }]);
    expect([...batch.received.keys()]).toEqual([message]);
    expect(batch.orphans.size).toBe(0);
  });

  it('are rejected if the continued trace is not in the index', () => {
    const { seqnos, message } = receiver();
    const known = new Map([[message, { traceId: ROOT, mcSeqno: 1 }]]);
    const pending = new Map([[message, ROOT]]);
    const nothing = { pending: new Map(), orphans: new Map(), open: [] };
    expect(() => joinTraces(assembleTraces(seqnos, known), nothing)).toThrow(/not in the index/);
    expect(() => joinTraces(assembleTraces(seqnos, known), { ...nothing, pending })).toThrow(
      /not in the index/,
    );
  });

  it('may be very long', () => {
    const count = 30_000;
    // Each message is found after its receiver, so every trace is joined to the next one.
    const seqnos = [{ ...toySeqno(1, []), traces: backwardChain(count) }];
    const batch = assembleTraces(seqnos, new Map());
    expect(batch.open).toMatchObject([{ id: hashAt(0, 't'), nodes: count, edges: count - 1, pending: 1 }]);
    expect(new Set(batch.traces[0]!.map((trace) => wholeOf(trace).id)).size).toBe(1);
  });
});

const ROOT = bytesKey(Buffer.alloc(32, 7));

/** A transaction that receives a message of another batch and sends one. */
function receiver() {
  const chain = new ToyChain();
  const [sent] = chain.transaction({ mcSeqno: 1, account: 'a', lt: 10, to: ['b'] }).sent;
  const received = chain.transaction({ mcSeqno: 1, account: 'b', lt: 20, in: sent, to: ['a'] });
  return { seqnos: [toySeqno(1, [received])], message: bytesKey(sent!.made.hash) };
}

const hashAt = (at: number, kind: string) => bytesKey(numbered(at, kind));

function numbered(at: number, kind: string): Buffer {
  const hash = Buffer.alloc(32, kind);
  hash.writeUInt32BE(at);
  return hash;
}

/** The facts of transactions of which each sends a message to the one before it; too many to be made of cells. */
function backwardChain(count: number): TraceFacts {
  const places = Array.from({ length: count }, (_, at) => count - 1 - at);
  const all = (read: (place: number) => Buffer) => Buffer.concat(places.map(read));
  return {
    count,
    hashes: all((place) => numbered(place, 't')),
    accounts: Buffer.alloc(count * 33),
    lts: BigUint64Array.from(places, BigInt),
    nows: new Float64Array(count),
    inKinds: new Uint8Array(count).fill(IN_INTERNAL),
    inHashes: all((place) => numbered(place, 'm')),
    normHashes: Buffer.alloc(count * 32),
    outFrom: Uint32Array.from({ length: count + 1 }, (_, at) => at),
    outHashes: all((place) => numbered(place + 1, 'm')),
    logs: new Uint16Array(count),
  };
}
