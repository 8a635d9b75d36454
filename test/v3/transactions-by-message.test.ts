import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../src/v3/operations.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import {
  bothOrders,
  combinations,
  common,
  createListClient,
  expectRefusals,
  type ListQuery,
  pageSizes,
  type ValuesToTry,
} from './support/list-queries.ts';
import {
  listReferenceByMessage,
  type MessageSide,
  readMessageSides,
} from './support/reference-by-message.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

const LIMITS = { defaultLimit: 10, maxLimit: 1000 };
const BARE = { x_no_address_book: '1' };

let test: TestDatabase;
let app: FastifyInstance;
let asker: ReturnType<typeof createListClient>;
let all: MessageSide[];
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  asker = createListClient(app, 'transactionsByMessage', 'transactions');
  all = await readMessageSides(test.database.primary);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const b64 = (hash: Buffer) => hash.toString('base64');
const hashesOf = (rows: readonly { readonly hash: string }[]) => rows.map(({ hash }) => hash);

/** The requested transactions; an opcode is that of a received message unless a direction is given. */
function listSlowly(query: ListQuery): string[] {
  const isReceived = 'opcode' in query && !('direction' in query);
  return listReferenceByMessage(all, isReceived ? { ...query, direction: 'in' } : query);
}

const isAddress = (text: string) => text !== 'null';

function valuesOf(): ValuesToTry {
  const external = all.find(({ message }) => message.normalizedHash !== undefined)!.message;
  const opcodes = common(
    all.filter(({ isReceived }) => isReceived).flatMap(({ message }) => message.opcode ?? []),
  );
  return {
    msg_hash: [
      [b64(all[40]!.message.hash), b64(external.normalizedHash!), b64(external.hash)],
      [b64(Buffer.alloc(32))],
    ],
    body_hash: common(all.map(({ message }) => b64(message.bodyHash))).slice(0, 3),
    opcode: opcodes.slice(0, 3).map((opcode) => `0x${opcode.toString(16)}`),
    direction: ['in', 'out'],
    source: [
      'null',
      ...common(all.map(({ source }) => source))
        .filter(isAddress)
        .slice(0, 3),
    ],
    destination: [
      'null',
      ...common(all.map(({ destination }) => destination))
        .filter(isAddress)
        .slice(0, 3),
    ],
    exclude_externals: ['true'],
    only_externals: ['true'],
    account: common(all.map(({ transaction }) => transaction.account)).slice(0, 2),
    end_lt: [`${all[(all.length / 2) | 0]!.transaction.lt}`],
  };
}

/** One or two of the required filters, with each of the others and with some pairs of them. */
function queries(): readonly ListQuery[] {
  const values = valuesOf();
  const wanted = ['msg_hash', 'body_hash', 'opcode'];
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !wanted.includes(name)));
  const firsts = combinations(Object.fromEntries(wanted.map((name) => [name, values[name]!]))).slice(1);
  const more = firsts.flatMap((first, at) =>
    combinations(others)
      .filter((query, place) => Object.keys(query).length < 2 || (at + place) % 10 === 0)
      .map((query) => ({ ...first, ...query })),
  );
  return sampleOf(bothOrders(more), 30);
}

describe('transactionsByMessage', () => {
  it('matches a naive evaluation for all filters and both orders', async () => {
    const asked = queries();
    expect(asked.length).toBeGreaterThan(sampled(25, 500));
    let found = 0;
    for (const query of asked) {
      const { transactions } = await asker.ask({ ...query, ...BARE, limit: '12' });
      expect(hashesOf(transactions), JSON.stringify(query)).toEqual(listSlowly(query).slice(0, 12));
      if (transactions.length > 0) found++;
    }
    expect(found).toBeGreaterThan(sampled(2, 60));
  });

  const LISTS: readonly (() => ListQuery)[] = [
    () => ({ body_hash: valuesOf().body_hash![0]! }),
    () => ({ body_hash: valuesOf().body_hash![0]!, direction: 'out' }),
    () => ({ body_hash: valuesOf().body_hash![0]!, source: valuesOf().source![1]! }),
    () => ({ opcode: valuesOf().opcode![0]! }),
    () => ({ msg_hash: all.slice(0, 12).map(({ message }) => b64(message.hash)) }),
  ];
  it.each(LISTS.map((query, at) => [at, query] as const))(
    'pages of list %i add up to the list without repeated transactions',
    async (at, query) => {
      for (const asked of sampleOf(bothOrders([{ ...query(), ...BARE }]), 1, at)) {
        const whole = listSlowly(asked);
        expect(whole.length).toBeGreaterThan(0);
        for (const limit of pageSizes(whole.length, at)) {
          expect(hashesOf(await asker.byOffset(asked, limit))).toEqual(whole);
          expect(hashesOf(await asker.byCursor(asked, limit))).toEqual(whole);
        }
      }
    },
    300_000,
  );

  it('lists a transaction with two matching messages once', async () => {
    const sameBody = Map.groupBy(
      all,
      ({ message, transaction }) => `${transaction.hash} ${b64(message.bodyHash)}`,
    );
    const twice = [...sameBody.values()].filter((messages) => messages.length > 1);
    expect(twice.length).toBeGreaterThan(0);
    for (const [{ message, transaction }] of twice.slice(0, 10) as [MessageSide][]) {
      const rows = hashesOf(await asker.rows({ body_hash: b64(message.bodyHash), ...BARE }));
      expect(rows.filter((hash) => hash === transaction.hash)).toHaveLength(1);
    }
  });

  it(`matches the contract${missingContract}`, async () => {
    const answer = await asker.ask({ body_hash: valuesOf().body_hash![0]!, limit: '100' });
    expect(documentCheck()('transactionsByMessage', answer)).toBe('');
    if (missingContract === '') expect(contractCheck()('transactionsByMessage', answer)).toBe('');
  });

  it('requires one of three filters', async () => {
    const error = 'at least one of msg_hash, body_hash, opcode should be specified';
    const without: ListQuery[] = [{}, { direction: 'in' }, { source: 'null', msg_hash: '' }];
    for (const query of without) {
      const answer = await asker.inject(query);
      expect([answer.statusCode, answer.json()]).toEqual([422, { code: 422, error }]);
    }
  });

  it('refuses malformed values and names the parameter', async () => {
    const operation = createV3Operations(LIMITS).find(({ name }) => name === 'transactionsByMessage')!;
    const given = { ...asker, inject: (query: ListQuery) => asker.inject({ opcode: '0', ...query }) };
    await expectRefusals(operation, given, {
      msg_hash: ['zz', 'AAAA'],
      body_hash: ['zz', 'AAAA', ''],
      opcode: ['0xg', '0x123456789', ''],
      source: ['0:12', 'NULL'],
      destination: ['x', ''],
      direction: ['inn', 'IN'],
      exclude_externals: ['yes'],
      only_externals: ['2'],
      limit: ['0', '-1', '1001', 'x'],
      offset: ['-1', 'x'],
      sort: ['up'],
      cursor: ['x', 'W10', 'e30'],
    });
  });
});
