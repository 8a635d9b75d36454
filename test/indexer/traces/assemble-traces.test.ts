import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IN_EXTERNAL, IN_INTERNAL } from '../../../src/indexer/decode/decoded-seqno.ts';
import {
  assembleTraces,
  joinTraces,
  messagesFromBefore,
  type Trace,
  type TraceBatch,
  wholeOf,
} from '../../../src/indexer/traces/assemble-traces.ts';
import { bytesKey, bytesOf } from '../../../src/lib/bytes-key.ts';
import {
  expectedTraces,
  runSteps,
  SEQNOS,
  steps,
  type ToyTransaction,
  toyAccount,
  toyHash,
  toySeqno,
} from '../support/toy-chain.ts';

const key = (hex: string) => bytesKey(Buffer.from(hex, 'hex'));
const hex = (name: string) => bytesOf(name).toString('hex');
const one = (more: Partial<ToyTransaction>): ToyTransaction => ({
  mcSeqno: 1,
  account: toyAccount('a'),
  lt: 1,
  hash: toyHash('t'),
  outs: [],
  logs: 0,
  inKind: IN_EXTERNAL,
  inHash: toyHash('external'),
  ...more,
});

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
    );
  });

  it('continue traces of known messages', () => {
    const seqnos = [toySeqno(1, [one({ inKind: IN_INTERNAL, inHash: toyHash('m'), outs: [toyHash('n')] })])];
    expect(messagesFromBefore(seqnos)).toEqual([key(toyHash('m'))]);
    const batch = assembleTraces(seqnos, new Map([[key(toyHash('m')), key(toyHash('root'))]]));
    expect(batch.open).toMatchObject([{ id: key(toyHash('root')), nodes: 1, edges: 1, pending: 0 }]);
    expect([...batch.received.keys()]).toEqual([key(toyHash('m'))]);
    expect(batch.orphans.size).toBe(0);
  });

  it('are rejected if the continued trace is not in the index', () => {
    const seqnos = [toySeqno(1, [one({ inKind: IN_INTERNAL, inHash: toyHash('m') })])];
    const known = new Map([[key(toyHash('m')), key(toyHash('root'))]]);
    const nothing = { pending: new Map(), orphans: new Map(), open: [] };
    expect(() => joinTraces(assembleTraces(seqnos, known), nothing)).toThrow(/not in the index/);
    expect(() => joinTraces(assembleTraces(seqnos, known), { ...nothing, pending: known })).toThrow(
      /not in the index/,
    );
  });

  it('may be very long', () => {
    const count = 30_000;
    const chain = Array.from({ length: count }, (_, at) =>
      one({
        lt: at,
        hash: toyHash(`t${at}`),
        inKind: IN_INTERNAL,
        inHash: toyHash(`m${at}`),
        outs: [toyHash(`m${at + 1}`)],
      }),
    );
    // Each message is found after its receiver, so every trace is joined to the next one.
    const seqnos = [toySeqno(1, chain.reverse())];
    const batch = assembleTraces(seqnos, new Map());
    expect(batch.open).toMatchObject([
      { id: key(toyHash('t0')), nodes: count, edges: count - 1, pending: 1 },
    ]);
    expect(new Set(batch.traces[0]!.map((trace) => wholeOf(trace).id)).size).toBe(1);
  });
});
