import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPrefix } from '../../src/index/format/position.ts';
import { createV3Operations } from '../../src/v3/operations.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { enlargeTrace } from '../support/stored-traces.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { openIndexedDemo } from './support/indexed-demo.ts';
import {
  createListClient,
  expectRefusals,
  filterPairs,
  type ListQuery,
  pageSizes,
  someOrders,
} from './support/list-queries.ts';
import {
  listReferenceTraces,
  readSlowTraces,
  type SlowTrace,
  traceValues,
} from './support/reference-traces.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

const BARE = { x_no_address_book: '1', x_no_metadata: '1' };
const ONLY_ONE = ['account', 'trace_id', 'tx_hash', 'msg_hash'];

let test: TestDatabase;
let app: FastifyInstance;
let asker: ReturnType<typeof createListClient>;
let all: SlowTrace[];
beforeAll(async () => {
  test = await openIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  asker = createListClient(app, 'traces');
  all = await readSlowTraces(test.database.primary);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const idsOf = (traces: readonly { trace_id: string }[]) => traces.map(({ trace_id }) => trace_id);

describe('traces', () => {
  it('match a naive evaluation for every pair of filters and both orders', async () => {
    let found = 0;
    const limit = sampled(10, 1000);
    for (const query of filterPairs(traceValues(all))) {
      const isRefused = ONLY_ONE.filter((name) => name in query).length > 1;
      const answer = await asker.inject({ ...query, ...BARE, limit: `${limit}` });
      expect(answer.statusCode, JSON.stringify(query)).toBe(isRefused ? 422 : 200);
      if (isRefused) continue;
      const ids = idsOf(answer.json().traces);
      expect(ids, JSON.stringify(query)).toEqual(listReferenceTraces(all, query).slice(0, limit));
      if (ids.length > 0) found++;
    }
    expect(found).toBeGreaterThan(sampled(12, 100));
  });

  const LISTS: readonly (() => ListQuery)[] = [
    () => ({}),
    () => ({ start_utime: '1' }),
    () => ({ account: traceValues(all).account![0]! }),
    () => ({ account: traceValues(all).account![0]!, end_utime: '4294967295' }),
    () => ({ tx_hash: all.slice(0, 10).flatMap(({ transactions }) => [...transactions]) }),
    () => ({ mc_seqno: traceValues(all).mc_seqno![0]! }),
  ];
  it.each(LISTS.map((query, at) => [at, query] as const))(
    'pages of list %i add up to the list',
    async (at, query) => {
      for (const sort of sampled([at % 2 === 0 ? 'asc' : 'desc'], ['asc', 'desc'])) {
        const asked = { ...query(), ...BARE, sort };
        const whole = idsOf(await asker.rows(asked));
        for (const limit of pageSizes(whole.length, at)) {
          expect(idsOf(await asker.byOffset(asked, limit))).toEqual(whole);
          expect(idsOf(await asker.byCursor(asked, limit))).toEqual(whole);
        }
      }
    },
  );

  it(`match the contract${missingContract}`, async () => {
    for (const include_actions of ['false', 'true']) {
      const answer = await asker.ask({ include_actions, limit: '1000' });
      expect(documentCheck()('traces', answer)).toBe('');
      if (missingContract === '') expect(contractCheck()('traces', answer)).toBe('');
    }
  });

  it('are trees in which the parent sent the in message of each transaction', async () => {
    const traces = await asker.rows(BARE);
    expect(traces.length).toBe(all.length);
    for (const trace of traces) {
      const seen: string[] = [];
      const walk = (node: Node, parent: Node | undefined) => {
        seen.push(node.tx_hash);
        const { in_msg, out_msgs } = trace.transactions[node.tx_hash];
        expect(node.in_msg_hash).toBe(in_msg?.hash);
        const sent: { hash: string }[] = parent ? trace.transactions[parent.tx_hash].out_msgs : [];
        if (parent) expect(sent.map(({ hash }) => hash)).toContain(in_msg.hash);
        if (out_msgs.length === 0) expect(node.children).toEqual([]);
        else if (out_msgs.every(({ destination }: { destination: unknown }) => destination === null))
          expect(node.children).toBeNull();
        for (const child of node.children ?? []) walk(child, node);
      };
      walk(trace.trace, undefined);
      expect(trace.trace.tx_hash).toBe(trace.trace_id);
      expect(seen.toSorted()).toEqual(trace.transactions_order.toSorted());
      expect(trace.trace_info.transactions).toBe(seen.length);
      expect(trace).toMatchObject({
        is_incomplete: false,
        trace_info: { classification_state: 'ok' },
      });
      expect(trace).not.toHaveProperty('warning');
      expect(trace).not.toHaveProperty('actions');
    }
  });

  it('list transactions by logical time, then by account', async () => {
    for (const { transactions, transactions_order } of await asker.rows(BARE)) {
      const keys = transactions_order.map((hash: string) => transactions[hash]);
      const sorted = keys.toSorted((a: Key, b: Key) =>
        a.lt === b.lt ? (a.account < b.account ? -1 : 1) : Number(BigInt(a.lt) - BigInt(b.lt)),
      );
      expect(keys).toEqual(sorted);
      expect(Object.keys(transactions).toSorted()).toEqual(transactions_order.toSorted());
    }
  });

  it('are returned without transactions if they are too large', async () => {
    const db = test.database.primary;
    const [one, other] = [all[1]!, all[2]!];
    const undo = await enlargeTrace(db, one.traceId, 4001);
    const trace_id = [one, other].map(({ traceId }) => traceId.toString('base64'));
    for (const include_actions of ['true', 'false']) {
      const traces = await asker.rows({ trace_id, include_actions });
      const large = traces.find((trace) => trace.trace_id === trace_id[0]);
      expect(large).toMatchObject({ is_incomplete: true, warning: 'trace is too large' });
      expect(large.actions).toEqual(include_actions === 'true' ? [] : undefined);
      for (const key of ['trace', 'transactions', 'transactions_order'])
        expect(large).not.toHaveProperty(key);
      expect(traces.find((trace) => trace !== large)).toMatchObject({ is_incomplete: false });
    }
    await undo();
  });

  it('are exact where ids begin with the same bytes', async () => {
    const db = test.database.primary;
    const one = all.toSorted((a, b) => Number(a.endLt - b.endLt))[Math.floor(all.length / 2)]!;
    const [account] = [...one.accounts];
    // Copies of a trace, with the same prefix and the same end.
    const copies = [1, 2, 3].map((number) => Buffer.concat([one.traceId.subarray(0, 31), Buffer.of(number)]));
    const trace8 = `${hashPrefix(one.traceId)}`;
    const row = await db
      .selectFrom('traces')
      .selectAll()
      .where('trace8', '=', trace8)
      .executeTakeFirstOrThrow();
    const places = await db.selectFrom('trace_accounts').selectAll().where('trace8', '=', trace8).execute();
    for (const id of copies) {
      const info = Buffer.concat([id.subarray(8), row.info.subarray(24)]);
      await db
        .insertInto('traces')
        .values({ ...row, info })
        .execute();
      await db.insertInto('trace_accounts').values(places).execute();
    }
    const withCopies = [...all, ...copies.map((traceId) => ({ ...one, traceId }))];
    for (const query of someOrders([
      {},
      { start_utime: '1' },
      { account: account! },
      { account: account!, start_utime: '1' },
      { mc_seqno: `${one.mcSeqnoEnd}` },
      { mc_seqno: `${one.mcSeqnoEnd}`, account: account! },
      { trace_id: copies.map((id) => id.toString('base64')) },
    ])) {
      const asked = { ...query, ...BARE };
      const whole = listReferenceTraces(withCopies, query);
      expect(idsOf(await asker.rows(asked)), JSON.stringify(query)).toEqual(whole);
      const at = Math.max(0, whole.indexOf(copies[1]!.toString('base64')) - 5);
      // Pages begin and end between the copies.
      for (const limit of [at + 5, at + 6])
        expect(idsOf(await asker.byCursor(asked, limit)), JSON.stringify({ ...query, limit })).toEqual(whole);
    }
    await db.deleteFrom('traces').where('trace8', '=', trace8).execute();
    await db.deleteFrom('trace_accounts').where('trace8', '=', trace8).execute();
    await db.insertInto('traces').values(row).execute();
    await db.insertInto('trace_accounts').values(places).execute();
  });

  it('are returned by events too, with actions', async () => {
    const query = { limit: '5', sort: 'asc' };
    const events = createListClient(app, 'events');
    const answer = await events.ask(query);
    const { traces, ...books } = await asker.ask({ ...query, include_actions: 'true' });
    expect(answer).toEqual({ events: traces, ...books });
    for (const { actions } of traces) expect(actions).toEqual(expect.any(Array));
    if (missingContract === '') expect(contractCheck()('events', answer)).toBe('');
  });

  it('refuse malformed values and name the parameter', async () => {
    const operation = createV3Operations({ defaultLimit: 10, maxLimit: 1000 }).find(
      ({ name }) => name === 'traces',
    )!;
    const [hash, time, number] = [
      ['zz', 'AAAA'],
      ['-1', 'x', ''],
      ['-1', '1.5'],
    ];
    await expectRefusals(operation, asker, {
      account: ['0:12', 'x', '', 'null'],
      trace_id: hash,
      tx_hash: hash,
      msg_hash: hash,
      mc_seqno: ['x', '99999999999'],
      start_utime: time,
      end_utime: time,
      start_lt: number,
      end_lt: number,
      include_actions: ['yes'],
      supported_action_types: ['\0'],
      limit: ['0', '1001', 'x'],
      offset: ['-1'],
      sort: ['up'],
      cursor: ['x', 'W10'],
    });
    const missing = await asker.inject({ mc_seqno: '4000' });
    expect([missing.statusCode, missing.json().error]).toEqual([404, 'masterchain block 4000 not found']);
  });
});

interface Node {
  tx_hash: string;
  in_msg_hash?: string;
  children: Node[] | null;
}

interface Key {
  lt: string;
  account: string;
}
