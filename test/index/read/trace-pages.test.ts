import { describe, expect, it } from 'vitest';
import type { ListWindow } from '../../../src/index/read/lists.ts';
import { listTraces, type TraceFilters } from '../../../src/index/read/traces.ts';
import { TransactionReader } from '../../../src/index/read/transaction-reader.ts';
import {
  BUSY,
  inMiddle,
  MIDDLE_LTS as lts,
  makeMiddle,
  messageHash,
  openFilledIndex,
  QUIET,
  readToEnd,
  MIDDLE_TIMES as times,
  transactionHash,
} from '../../db/support/filled-index.ts';
import { usePlans } from '../../db/support/query-plan.ts';
import { sampled } from '../../support/long-run.ts';

const FEW = {
  /** Out of about 20 000 transactions and 7 000 traces. */
  rows: 1250,
  /** Bounds, the reach of the page, bounds of that, and the page. */
  statements: 8,
  small: /^(?:index_origin|account_states)/,
};

const index = usePlans(openFilledIndex);

const TRACES: readonly (readonly [string, TraceFilters])[] = [
  ['nothing', { span: {} }],
  ['time', { span: times }],
  ['lt', { span: lts }],
  ['time and lt', { span: { startUtime: 0n, ...lts } }],
  ['id', { hashes: { of: 'traces', values: [transactionHash(10000)] }, span: {} }],
  ['transaction', { hashes: { of: 'transactions', values: [transactionHash(10002)] }, span: times }],
  ['message', { hashes: { of: 'messages', values: [messageHash(10002)] }, span: {} }],
  ['block', { mcSeqno: 2000, span: {} }],
  ...([BUSY, QUIET] as const).flatMap((account) => {
    const who = account === BUSY ? 'busy' : 'quiet';
    return [
      [`a ${who} account`, { account, span: {} }],
      [`a ${who} account and lt`, { account, span: lts }],
      [`a ${who} account and time`, { account, span: times }],
      [`a ${who} account and all times`, { account, span: { startUtime: 0n } }],
      [`a ${who} account and block`, { account, mcSeqno: 2000, span: times }],
    ] as const;
  }),
];

/** Both orders; in a sample, every other case has the other one. */
const ordersOf = (at: number) => sampled([(['asc', 'desc'] as const)[at % 2]!], ['asc', 'desc'] as const);

describe.each(TRACES.map((one, at) => [...one, at] as const))('traces by %s', (_, filters, at) => {
  it.each(ordersOf(at))('are read from an index, %s', async (sort) => {
    const { db } = index;
    const read = (page: ListWindow) => listTraces(new TransactionReader(db), { filters, sort, page });
    const { items: whole } = await read({ limit: 40, offset: 0 });
    const { result: found } = await index.expectFewRows(() => read({ limit: 10, offset: 20 }), FEW);
    expect(found.items).toEqual(whole.slice(20, 30));
    const { next: after } = await read({ limit: 5, offset: 0 });
    const { result: behind } = await index.expectFewRows(() => read({ limit: 10, offset: 0, after }), FEW);
    expect(behind.items).toEqual(whole.slice(after ? 5 : 0, after ? 15 : 10));
    const positions = found.items.flatMap((trace) => trace.positions);
    await index.expectFewRows(() => new TransactionReader(db).read(positions), { ...FEW, statements: 6 });
  });
});

describe('pages in the order of time that differs from the order of lt', () => {
  const chain = makeMiddle();

  it.each(['asc', 'desc'] as const)('contain exactly the right traces of an account, %s', async (sort) => {
    const traces = chain
      .filter((_, at) => at % 3 === 0)
      .map((root, at) => ({ hash: root.hash, transactions: chain.slice(at * 3, at * 3 + 3) }))
      .filter(({ transactions }) => transactions.some(({ account }) => account.equals(BUSY)))
      .map(({ hash, transactions }) => ({
        hash,
        time: Math.max(...transactions.map(({ transaction }) => transaction.now)),
      }));
    const expected = inMiddle(traces, sort);
    expect(expected.length).toBeGreaterThan(200);
    const query = { filters: { account: BUSY, span: times }, sort };
    const { db } = index;
    const read = (page: ListWindow) => listTraces(new TransactionReader(db), { ...query, page });
    const found = await readToEnd(read, 50);
    expect(found.map(({ traceId }) => traceId)).toEqual(expected.map(({ hash }) => hash));
  });
});
