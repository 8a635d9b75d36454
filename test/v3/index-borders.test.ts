import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/chain/tlb/message.ts';
import { accountKeyOf } from '../../src/chain/tlb/msg-address.ts';
import { dropPartitionsBefore } from '../../src/index/partitions.ts';
import { formatAccount } from '../../src/v3/values.ts';
import { classifyAll } from '../classify/support/classifying.ts';
import type { TestDatabase } from '../support/database.ts';
import { isLongRun, sampled, sampleOf } from '../support/long-run.ts';
import { MadeChain, type MadeTransaction } from '../support/made-chain.ts';
import { seqnosOf, storeSeqnos } from '../support/store-transactions.ts';
import { readStoredTraces } from '../support/stored-traces.ts';
import {
  BUSY,
  borderedSeqnos,
  makeBorderedChain,
  openBorderedIndex,
  openEmptyBorderedIndex,
  RARE,
  SEQNOS,
  VANISHED_SHARD,
  WIDTH,
} from './support/bordered-index.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { bothOrders, createListClient, type ListQuery, someOrders } from './support/list-queries.ts';
import { listReferenceMessages, readSlowMessages, type SlowMessage } from './support/reference-messages.ts';
import { listReferenceTraces, readSlowTraces, type SlowTrace } from './support/reference-traces.ts';
import {
  listReferenceTransactions,
  readSlowTransactions,
  type SlowTransaction,
} from './support/reference-transactions.ts';

/** An index, and lists of it that are evaluated by the server and naively. */
interface Context extends TestDatabase {
  readonly app: FastifyInstance;
  readonly lists: Readonly<Record<'transactions' | 'messages' | 'traces', ComparedList>>;
  close(): Promise<void>;
}

interface ComparedList {
  readonly client: ReturnType<typeof createListClient>;
  readonly idOf: (row: Record<string, string>) => string;
  readonly expected: (query: ListQuery) => readonly string[];
}

const BARE = { x_no_address_book: '1', x_no_metadata: '1' };
const b64 = (hash: Buffer) => hash.toString('base64');

async function openContext(test: TestDatabase): Promise<Context> {
  const db = test.database.primary;
  const app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  const transactions: SlowTransaction[] = await readSlowTransactions(db);
  const messages: SlowMessage[] = await readSlowMessages(db);
  const traces: SlowTrace[] = await readSlowTraces(db);
  return {
    ...test,
    app,
    lists: {
      transactions: {
        client: createListClient(app, 'transactions'),
        idOf: ({ hash }) => hash!,
        expected: (query) => listReferenceTransactions(transactions, query),
      },
      messages: {
        client: createListClient(app, 'messages'),
        idOf: ({ hash }) => hash!,
        expected: (query) => listReferenceMessages(messages, query).map(({ hash }) => hash!),
      },
      traces: {
        client: createListClient(app, 'traces'),
        idOf: ({ trace_id }) => trace_id!,
        expected: (query) => listReferenceTraces(traces, query),
      },
    },
    async close() {
      await app.close();
      await test.drop();
    },
  };
}

/** Expects a list whole and page by page; returns how many rows it has. A sample reads pages in one way per order. */
async function expectList(
  { client, idOf, expected }: ComparedList,
  query: ListQuery,
  limit: number,
): Promise<number> {
  const whole = expected(query);
  const asked = { ...query, ...BARE };
  const text = JSON.stringify({ ...query, limit });
  expect((await client.rows(asked)).map(idOf), text).toEqual(whole);
  const isAscending = query.sort === 'asc';
  if (isLongRun || isAscending) expect((await client.byOffset(asked, limit)).map(idOf), text).toEqual(whole);
  if (isLongRun || !isAscending) expect((await client.byCursor(asked, limit)).map(idOf), text).toEqual(whole);
  return whole.length;
}

describe('lists over several partitions', () => {
  let context: Context;
  beforeAll(async () => {
    context = await openContext(await openBorderedIndex());
  });
  afterAll(() => context?.close());

  it('have the right rows at the end of deep offsets without a filter, and none behind it', async () => {
    for (const { client, idOf, expected } of Object.values(context.lists))
      for (const query of bothOrders([{}])) {
        const whole = expected(query);
        expect(whole.length).toBeGreaterThan(150);
        for (const offset of [100, whole.length - 3, whole.length, whole.length + 1, 2 ** 31 - 1]) {
          const page = await client.inject({ ...query, ...BARE, limit: '10', offset: `${offset}` });
          expect(Object.values<Record<string, string>[]>(page.json())[0]!.map(idOf)).toEqual(
            whole.slice(offset, offset + 10),
          );
        }
      }
  });

  it('have the transactions of a shard that no longer exists', async () => {
    const list = context.lists.transactions;
    for (const query of bothOrders([{ workchain: '0', shard: VANISHED_SHARD }]))
      expect(await expectList(list, query, 17)).toBeGreaterThan(50);
    for (const query of someOrders([
      { workchain: '0', shard: VANISHED_SHARD, account: formatAccount(BUSY) },
      { workchain: '0', shard: VANISHED_SHARD, start_utime: '1700000150' },
      { workchain: '0', shard: VANISHED_SHARD, seqno: '30' },
    ]))
      expect(await expectList(list, query, 7)).toBeGreaterThan(0);
    expect(await expectList(list, { workchain: '0', shard: '1000000000000000' }, 5)).toBe(0);
  });

  it('of rare and busy accounts are complete in both orders', async () => {
    const [rare, busy] = [RARE, BUSY].map(formatAccount) as [string, string];
    const { transactions, messages, traces } = context.lists;
    for (const query of someOrders([{ account: rare }])) {
      expect(await expectList(transactions, query, 1)).toBe(3);
      expect(await expectList(traces, query, 1)).toBe(3);
    }
    for (const query of someOrders([{ account: busy }, { account: [rare, busy] }]))
      expect(await expectList(transactions, query, 25)).toBeGreaterThanOrEqual(SEQNOS);
    for (const query of someOrders([{ account: busy }, { account: busy, start_utime: '1' }]))
      expect(await expectList(traces, query, 25)).toBeGreaterThan(SEQNOS - 10);
    for (const query of someOrders([{ source: rare }, { destination: rare }]))
      expect(await expectList(messages, query, 2)).toBe(3);
  });

  it('continue correctly where a page ends between rows of the same logical time', async () => {
    const { transactions, messages, traces } = context.lists;
    // The border of a partition is in the middle.
    for (const query of bothOrders([{ start_lt: '28000', end_lt: '31500' }])) {
      expect(await expectList(transactions, query, 4)).toBeGreaterThan(12);
      expect(await expectList(messages, query, 2)).toBeGreaterThan(8);
      expect(await expectList(traces, query, 5)).toBeGreaterThan(8);
    }
    expect(await expectList(transactions, {}, 50)).toBeGreaterThan(5 * SEQNOS);
    expect(await expectList(messages, { sort: 'asc' }, 61)).toBeGreaterThan(5 * SEQNOS);
    expect(await expectList(traces, { sort: 'asc' }, 37)).toBeGreaterThan(2 * SEQNOS);
    for (const query of someOrders([{ mc_seqno: '30' }, { lt: '30000' }]))
      for (const limit of [1, 2]) expect(await expectList(transactions, query, limit)).toBeGreaterThan(2);
  });

  it('have only complete traces', async () => {
    const ids = new Set(context.lists.traces.expected({}));
    const unfinished = makeBorderedChain().filter(
      ({ mcSeqno, lt }) => mcSeqno === SEQNOS && lt % 1000n === 0n,
    );
    const chain = new MadeChain();
    const [account, lt] = [RARE, 900_000n];
    const open = chain.transaction({
      account,
      lt,
      now: 1_700_001_000,
      mcSeqno: SEQNOS + 1,
      in: chain.external({ to: account }),
      out: [chain.internal({ from: account, to: BUSY, lt: lt + 1n, at: 1_700_001_000 })],
    });
    await storeSeqnos(context, [{ mcSeqno: SEQNOS + 1, transactions: [open] }]);
    const { client } = context.lists.traces;
    for (const name of ['trace_id', 'tx_hash'])
      expect(await client.rows({ [name]: b64(open.hash), ...BARE })).toEqual([]);
    expect(await client.rows({ mc_seqno: `${SEQNOS + 1}`, ...BARE })).toEqual([]);
    const shown = await context.lists.transactions.client.rows({ hash: b64(open.hash), ...BARE });
    expect(shown.map(({ trace_id }) => trace_id)).toEqual([b64(open.hash)]);
    for (const { hash } of unfinished) expect(ids).toContain(b64(hash));
  });

  it('have an external message that was received twice once per transaction', async () => {
    const chain = new MadeChain();
    const external = chain.external({ to: RARE, importFee: 1n, body: { bytes: Buffer.from('again') } });
    const received = [SEQNOS + 2, SEQNOS + 3].map((mcSeqno) =>
      chain.transaction({
        account: RARE,
        lt: BigInt(mcSeqno) * 20_000n,
        now: 1_700_002_000,
        mcSeqno,
        in: external,
      }),
    );
    await storeSeqnos(
      context,
      received.map((one) => ({ mcSeqno: one.mcSeqno, transactions: [one] })),
    );
    const hashes = received.map(({ hash }) => b64(hash));
    const ofMessage = { msg_hash: b64(external.hash), sort: 'asc', ...BARE };
    const messages = await context.lists.messages.client.rows(ofMessage);
    expect(messages.map(({ in_msg_tx_hash }) => in_msg_tx_hash)).toEqual(hashes);
    const traces = await context.lists.traces.client.rows(ofMessage);
    expect(traces.map(({ trace_id }) => trace_id)).toEqual(hashes);
    const { transactions } = await createListClient(context.app, 'transactionsByMessage').ask(ofMessage);
    expect(transactions.map(({ hash }: { hash: string }) => hash)).toEqual(hashes);
  });
});

describe('lists at the border of history that was dropped', () => {
  const FIRST = 30;
  let context: Context;
  const chain = makeBorderedChain();
  const keptTransactions = chain.filter(({ mcSeqno }) => mcSeqno >= FIRST);
  beforeAll(async () => {
    const test = await openBorderedIndex();
    await dropPartitionsBefore(test.database.primary, { seqno: FIRST, width: WIDTH });
    context = await openContext(test);
  });
  afterAll(() => context?.close());

  /** Messages that were sent before the border and received behind it. */
  const crossing = keptTransactions
    .map((receiver) => ({ receiver, message: receiver.transaction.inMessage! }))
    .filter(({ message }) =>
      chain.some(
        ({ mcSeqno, transaction }) =>
          mcSeqno < FIRST && transaction.outMessages.some(({ hash }) => hash.equals(message.hash)),
      ),
    );

  it('have messages whose sender was dropped, as received ones', async () => {
    expect(crossing).toHaveLength(9);
    const { client } = context.lists.messages;
    for (const { receiver, message } of crossing) {
      const of = { msg_hash: b64(message.hash), ...BARE };
      for (const query of [of, { ...of, direction: 'in' }]) {
        const found = await client.rows(query);
        expect(found.map(({ in_msg_tx_hash }) => in_msg_tx_hash)).toEqual([b64(receiver.hash)]);
        expect(found[0]).not.toHaveProperty('out_msg_tx_hash');
      }
      expect(await client.rows({ ...of, direction: 'out' })).toEqual([]);
    }
    const ends = (name: 'source' | 'destination') => [
      ...new Set(crossing.map(({ message: { info } }) => formatAccount(endOf(info, name)))),
    ];
    for (const query of someOrders([
      {},
      { start_utime: '1' },
      { body_hash: b64(crossing[0]!.message.bodyHash) },
      ...ends('source').map((source) => ({ source })),
      ...ends('destination').map((destination) => ({ destination })),
    ]))
      expect(await expectList(context.lists.messages, query, 40)).toBeGreaterThan(0);
  });

  it('have traces whose first transaction was dropped, by id and by the hashes that are left', async () => {
    const kept = await readStoredTraces(context.database.primary);
    const cut = kept.filter(({ mcSeqnoStart }) => mcSeqnoStart < FIRST);
    expect(cut.map(({ traceId }) => b64(traceId)).sort()).toEqual(
      crossing.map(({ message }) => b64(rootOf(message.hash).hash)).sort(),
    );
    const { client } = context.lists.traces;
    for (const { message, receiver } of crossing) {
      const root = rootOf(message.hash);
      const external = root.transaction.inMessage!;
      const queries: ListQuery[] = [
        { trace_id: b64(root.hash) },
        { tx_hash: b64(receiver.hash) },
        { msg_hash: b64(message.hash) },
      ];
      for (const query of queries) {
        const [trace, ...others] = await client.rows({ ...query, ...BARE });
        expect(others).toEqual([]);
        expect(trace).toMatchObject({
          trace_id: b64(root.hash),
          external_hash: b64(external.hash),
          transactions_order: [b64(receiver.hash)],
        });
      }
      const dropped: ListQuery[] = [{ tx_hash: b64(root.hash) }, { msg_hash: b64(external.hash) }];
      for (const query of dropped) expect(await client.rows({ ...query, ...BARE })).toEqual([]);
    }
    for (const query of bothOrders([{ account: formatAccount(BUSY) }]))
      expect(await expectList(context.lists.traces, query, 29)).toBeGreaterThan(20);
    expect(await expectList(context.lists.traces, { start_utime: '1' }, 60)).toBeGreaterThan(20);
  });

  const rootOf = (message: Buffer) =>
    chain.find(({ transaction }) => transaction.outMessages.some(({ hash }) => hash.equals(message)))!;
});

describe('traces and actions over a gap of history', () => {
  const [GAP_FROM, GAP_TO] = [21, 40];
  const chain = makeBorderedChain();

  it('appear when the gap is filled', async () => {
    const test = await openEmptyBorderedIndex();
    for (const [first, last] of [
      [41, SEQNOS],
      [1, 20],
    ] as const)
      await storeSeqnos(test, borderedSeqnos(first, last, chain));
    await classifyAll(test);
    let context = await openContext(test);
    const isInGap = (seqno: number) => seqno >= GAP_FROM && seqno <= GAP_TO;
    const traces = tracesOf(chain);
    const whole = traces.filter((trace) => trace.every(({ mcSeqno }) => !isInGap(mcSeqno)));
    const torn = traces.filter(
      (trace) =>
        trace.some(({ mcSeqno }) => isInGap(mcSeqno)) && trace.some(({ mcSeqno }) => !isInGap(mcSeqno)),
    );
    expect([whole.length, torn.length]).toEqual([111, 18]);
    await expectTraces(context, whole, torn);

    await storeSeqnos(test, borderedSeqnos(GAP_FROM, GAP_TO, chain));
    await classifyAll(test);
    await context.app.close();
    context = await openContext(test);
    await expectTraces(context, traces, []);
    await context.close();
  });

  /** Expects the traces and actions of `shown` and none of `hidden`. */
  async function expectTraces(context: Context, shown: MadeTransaction[][], hidden: MadeTransaction[][]) {
    const idsOf = (traces: MadeTransaction[][]) => traces.map(([root]) => b64(root!.hash)).sort();
    expect([...context.lists.traces.expected({})].sort()).toEqual(idsOf(shown));
    expect(await expectList(context.lists.traces, { account: formatAccount(BUSY) }, 40)).toBeGreaterThan(20);
    const actions = createListClient(context.app, 'actions');
    const found: { trace_id: string }[] = await actions.byCursor({ ...BARE, sort: 'asc' }, 100);
    expect([...new Set(found.map(({ trace_id }) => trace_id))].sort()).toEqual(idsOf(shown));
    const ofBusy = shown.filter((trace) => trace.some(({ account }) => account.equals(BUSY)));
    const busy: { trace_id: string }[] = await actions.byOffset(
      { ...BARE, account: formatAccount(BUSY) },
      50,
    );
    expect([...new Set(busy.map(({ trace_id }) => trace_id))].sort()).toEqual(idsOf(ofBusy));
    for (const [root, last] of sampleOf(hidden, 6)) {
      for (const { hash } of [root!, last!]) {
        expect(await actions.rows({ ...BARE, tx_hash: b64(hash) })).toEqual([]);
        expect(await context.lists.traces.client.rows({ ...BARE, tx_hash: b64(hash) })).toEqual([]);
      }
    }
  }
});

describe('accounts that begin with the same bytes', () => {
  const twin = Buffer.from(BUSY);
  twin[32] = twin[32]! ^ 1;
  const elsewhere = Buffer.from(BUSY);
  elsewhere[0] = 0xff;
  const accounts = [BUSY, twin, elsewhere];
  const LAST = 12;

  /** In each seqno every account pays the next one, all at the same logical time. */
  function makeChain(): MadeTransaction[] {
    const chain = new MadeChain();
    const made: MadeTransaction[] = [];
    for (let mcSeqno = 1; mcSeqno <= LAST; mcSeqno++)
      for (const [turn, from] of accounts.entries()) {
        const to = accounts[(turn + 1) % accounts.length]!;
        const [lt, now] = [BigInt(mcSeqno) * 1000n, 1_700_000_000 + mcSeqno];
        const external = chain.external({ to: from, body: { bytes: Buffer.from(`${mcSeqno}`) } });
        const sent = chain.internal({ from, to, lt: lt + 1n, at: now, value: 1n, bounce: false });
        made.push(
          chain.transaction({ account: from, lt, now, mcSeqno, in: external, out: [sent] }),
          chain.transaction({ account: to, lt: lt + 10n, now, mcSeqno, in: sent }),
        );
      }
    return made;
  }

  it.runIf(isLongRun)('have lists of their own', async () => {
    const test = await openEmptyBorderedIndex();
    const chain = makeChain();
    await storeSeqnos(test, seqnosOf(chain, { first: 1, last: LAST }));
    await classifyAll(test);
    const context = await openContext(test);
    const { transactions, messages, traces } = context.lists;
    const actions = createListClient(context.app, 'actions');
    for (const [turn, account] of accounts.entries()) {
      const raw = formatAccount(account);
      const [sort, limit] = [turn % 2 === 0 ? 'asc' : 'desc', sampled(11, 5)];
      expect(await expectList(transactions, { account: raw, sort }, limit)).toBe(2 * LAST);
      expect(await expectList(transactions, { account: raw, sort, start_utime: '1700000003' }, limit)).toBe(
        20,
      );
      expect(await expectList(transactions, { exclude_account: raw, sort }, 13)).toBe(4 * LAST);
      expect(await expectList(messages, { source: raw, sort }, limit)).toBe(LAST);
      expect(await expectList(messages, { destination: raw, sort }, limit)).toBe(2 * LAST);
      expect(await expectList(traces, { account: raw, sort }, limit)).toBe(2 * LAST);
      expect(await expectList(traces, { account: raw, sort, start_utime: '1700000003' }, limit)).toBe(20);
      expect(await expectList(traces, { account: raw, sort, mc_seqno: '3' }, 1)).toBe(2);
      const own = tracesOf(chain).filter((trace) => trace.some((one) => one.account.equals(account)));
      const found: { trace_id: string }[] = await actions.byCursor({ ...BARE, account: raw }, limit);
      expect(new Set(found.map(({ trace_id }) => trace_id))).toEqual(
        new Set(own.map(([root]) => b64(root!.hash))),
      );
    }
    const pair = [BUSY, twin].map(formatAccount);
    expect(await expectList(transactions, { account: pair }, 7)).toBe(4 * LAST);
    await context.close();
  });
});

/** Transactions by trace, each trace from its first transaction on. */
function tracesOf(chain: readonly MadeTransaction[]): MadeTransaction[][] {
  const roots = new Map<string, MadeTransaction>();
  for (const one of chain)
    for (const { hash } of one.transaction.outMessages) roots.set(hash.toString('hex'), one);
  return [
    ...Map.groupBy(
      chain,
      (one) => roots.get(one.transaction.inMessage!.hash.toString('hex')) ?? one,
    ).values(),
  ];
}

function endOf(info: Message['info'], name: 'source' | 'destination'): Buffer {
  return accountKeyOf(name === 'source' ? info.src : info.dest)!;
}
