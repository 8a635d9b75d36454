import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatements } from '../support/counted-statements.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import {
  bothOrders,
  combinations,
  common,
  createListClient,
  type ListQuery,
  pageSizes,
  type ValuesToTry,
} from './support/list-queries.ts';
import {
  listReferenceByMessage,
  type MessageSide,
  readMessageSides,
} from './support/reference-by-message.ts';

const BARE = { x_no_address_book: '1' };

let test: TestDatabase;
let app: FastifyInstance;
let asker: ReturnType<typeof createListClient>;
let all: MessageSide[];
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  asker = createListClient(app, 'transactions');
  all = await readMessageSides(test.database.primary);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const b64 = (hash: Buffer) => hash.toString('base64');
const hashesOf = (rows: readonly { readonly hash: string }[]) => rows.map(({ hash }) => hash);
const hex = (opcode: number) => `0x${opcode.toString(16)}`;

/** Values of filters on messages; `direction` goes with some of them only. */
function messageValues(): ValuesToTry {
  const ends = (end: 'source' | 'destination') => {
    const accounts = common(all.map((side) => side[end])).filter((text) => text !== 'null');
    return ['null', ...accounts.slice(0, 3)];
  };
  return {
    msg_hash: [[b64(all[40]!.message.hash), b64(all[90]!.message.hash)], b64(Buffer.alloc(32))],
    body_hash: common(all.map(({ message }) => b64(message.bodyHash))).slice(0, 3),
    opcode: common(all.flatMap(({ message }) => message.opcode ?? []))
      .slice(0, 4)
      .map(hex),
    source: ends('source'),
    destination: ends('destination'),
  };
}

/** Values of filters on transactions. */
function transactionValues(): ValuesToTry {
  const rows = all.map(({ transaction }) => transaction).toSorted((a, b) => Number(a.lt - b.lt));
  const at = (part: number) => rows[Math.floor(part * (rows.length - 1))]!;
  const [first, second, third] = common(rows.map(({ account }) => account));
  return {
    direction: ['in', 'out'],
    workchain: ['0', '-1'],
    mc_seqno: [`${at(0.5).mcSeqno}`],
    account: [first!, second!, [second!, third!]],
    exclude_account: [first!],
    hash: [rows.slice(0, 20).map(({ hash }) => hash)],
    lt: [`${at(0.5).lt}`],
    start_utime: [`${at(0.4).now}`],
    end_utime: [`${at(0.7).now}`],
    start_lt: [`${at(0.3).lt}`],
    end_lt: [`${at(0.6).lt}`],
  };
}

const isAnswered = (query: ListQuery) => !('direction' in query) || 'opcode' in query || 'msg_hash' in query;

describe('transactions by their messages', () => {
  it('match a naive evaluation for all filters and both orders', async () => {
    const others = combinations(transactionValues());
    const queries = combinations(messageValues())
      .slice(1)
      .flatMap((query, at) =>
        others
          .filter((other, place) => Object.keys(other).length < 2 || (at + place) % 10 === 0)
          .map((other) => ({ ...other, ...query })),
      )
      .filter(isAnswered);
    const asked = sampleOf(bothOrders(queries), 45);
    let found = 0;
    for (const query of asked) {
      const { transactions } = await asker.ask({ ...query, ...BARE, limit: '12' });
      const expected = listReferenceByMessage(all, query).slice(0, 12);
      expect(hashesOf(transactions), JSON.stringify(query)).toEqual(expected);
      if (expected.length > 0) found++;
    }
    expect(found).toBeGreaterThan(sampled(5, 200));
  });

  const LISTS: readonly (() => ListQuery)[] = [
    () => ({ opcode: messageValues().opcode![0]! }),
    () => ({ opcode: messageValues().opcode![0]!, account: transactionValues().account![0]! }),
    () => ({ opcode: messageValues().opcode![1]!, account: transactionValues().account![2]! }),
    () => ({ source: messageValues().source![1]!, end_lt: transactionValues().end_lt![0]! }),
    () => ({ body_hash: messageValues().body_hash![0]!, hash: transactionValues().hash![0]! }),
  ];
  it.each(LISTS.map((query, at) => [at, query] as const))(
    'pages of list %i add up to the list without repeated transactions',
    async (at, query) => {
      for (const asked of sampleOf(bothOrders([{ ...query(), ...BARE }]), 1, at)) {
        const whole = listReferenceByMessage(all, asked);
        for (const limit of pageSizes(whole.length, at)) {
          if (!('hash' in asked)) expect(hashesOf(await asker.byOffset(asked, limit))).toEqual(whole);
          expect(hashesOf(await asker.byCursor(asked, limit))).toEqual(whole);
        }
      }
    },
    30_000,
  );

  it('are listed once if several of their messages have the opcode', async () => {
    const several = Map.groupBy(
      all.filter(({ message }) => message.opcode !== undefined),
      ({ message, transaction }) => `${transaction.hash} ${message.opcode}`,
    );
    const twice = [...several.values()].find((sides) => sides.length > 1)!;
    const { message, transaction } = twice[0]!;
    const query = { opcode: hex(message.opcode!), account: transaction.account, ...BARE };
    const rows = hashesOf(await asker.rows(query));
    expect(rows.filter((hash) => hash === transaction.hash)).toHaveLength(1);
    expect(rows).toEqual(listReferenceByMessage(all, query));
  });

  it('of a shard are those of its blocks', async () => {
    const [opcode] = common(all.flatMap(({ message }) => message.opcode ?? [])).map(hex);
    const query = { opcode: opcode!, direction: 'in', ...BARE };
    const rows = await asker.rows(query);
    const shards = [...new Set(rows.map(({ block_ref }) => block_ref.shard))];
    expect([rows.length > 16, shards.length > 1]).toEqual([true, true]);
    for (const shard of shards) {
      const own = rows.filter(({ block_ref }) => block_ref.shard === shard && block_ref.workchain === 0);
      expect(hashesOf(await asker.rows({ ...query, workchain: '0', shard }))).toEqual(hashesOf(own));
    }
  });

  it('are not read to find out that rows tell they do not fit', async () => {
    const { database, statements } = countStatements(test.database);
    const counted = await buildV3App({ ports: { ...NO_INDEX, database } });
    const statementsOf = async (query: ListQuery) => {
      const before = statements();
      const rows = await createListClient(counted, 'transactions').rows({ ...query, ...BARE });
      return { rows, statements: statements() - before };
    };
    const ofBasechain = common(
      all
        .filter(({ transaction }) => transaction.account.startsWith('0:'))
        .flatMap(({ message }) => message.opcode ?? []),
    );
    const isOfMasterchain = (opcode: number) =>
      all.some(
        ({ message, transaction }) => message.opcode === opcode && transaction.account.startsWith('-1:'),
      );
    const opcode = hex(ofBasechain.find((one) => !isOfMasterchain(one))!);
    const nothing = { opcode: '0x12345678', workchain: '-1' };
    expect(await statementsOf({ opcode, workchain: '-1' })).toEqual(await statementsOf(nothing));
    await counted.close();
  });

  it('need a direction of something', async () => {
    const lone = 'direction can be specified only with msg_hash or opcode';
    const refusals: [ListQuery, string][] = [
      [{ direction: 'in' }, lone],
      [{ direction: 'out', body_hash: messageValues().body_hash![0]! }, lone],
      [{ direction: 'both', opcode: '1' }, 'direction should be one of: in, out'],
      [{ direction: 'both' }, 'direction should be one of: in, out'],
      [
        { opcode: 'zz', msg_hash: 'zz', direction: 'both' },
        'failed to decode: schema: error converting value for index 0 of "msg_hash" (and 2 other errors)',
      ],
    ];
    for (const [query, error] of refusals) {
      const answer = await asker.inject(query);
      expect([answer.statusCode, answer.json()]).toEqual([422, { code: 422, error }]);
    }
  });

  it('have ends that may be missing, but must be accounts otherwise', async () => {
    for (const none of ['null', 'addr_none', ' addr_none '])
      expect(hashesOf(await asker.rows({ source: none, ...BARE }))).toEqual(
        listReferenceByMessage(all, { source: 'null' }).slice(0, 1000),
      );
    for (const [name, value] of [
      ['source', 'ext$8:FF'],
      ['destination', 'var$0:12:ABC0'],
      ['account', 'addr_none'],
      ['exclude_account', 'ext$0:'],
    ] as const) {
      const answer = await asker.inject({ [name]: value });
      expect([answer.statusCode, answer.json().error]).toEqual([422, `${name} must be a standard address`]);
    }
    expect((await asker.inject({ source: 'ext$8:FFFF' })).json().error).toBe(
      'failed to decode: schema: error converting value for "source"',
    );
  });
});
