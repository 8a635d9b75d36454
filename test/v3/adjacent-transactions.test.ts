import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../src/v3/operations.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { deliveriesOf, readStoredTransactions } from '../support/stored-transactions.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import { bothOrders, createListClient, expectRefusals, type ListQuery } from './support/list-queries.ts';
import {
  listReferenceTransactions,
  readSlowTransactions,
  type SlowTransaction,
} from './support/reference-transactions.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

const BARE = { x_no_address_book: '1' };

let test: TestDatabase;
let app: FastifyInstance;
let adjacent: ReturnType<typeof createListClient>;
let ofBlock: ReturnType<typeof createListClient>;
let all: SlowTransaction[];
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  adjacent = createListClient(app, 'adjacentTransactions', 'transactions');
  ofBlock = createListClient(app, 'transactionsByMasterchainBlock', 'transactions');
  all = await readSlowTransactions(test.database.primary);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const hashesOf = (rows: readonly { readonly hash: string }[]) => rows.map(({ hash }) => hash);
const operationOf = (wanted: string) =>
  createV3Operations({ defaultLimit: 10, maxLimit: 1000 }).find(({ name }) => name === wanted)!;

describe('adjacentTransactions', () => {
  const NOT_FOUND = [404, { code: 404, error: 'adjacent transactions not found' }];

  it('returns the sender of the in message and the receivers of the out messages', async () => {
    const byHash = new Map(all.map((one) => [one.hash, one]));
    const stored = await readStoredTransactions(test.database.primary);
    const sides = deliveriesOf(stored).flatMap(({ message, sentBy, receivedBy }) =>
      [sentBy, receivedBy].flatMap((side) => {
        if (side === undefined) return [];
        const transaction = byHash.get(side.hash.toString('base64'))!;
        return { transaction, isIn: side === receivedBy, message: message.hash.toString('base64') };
      }),
    );
    let found = 0;
    for (const one of sampleOf(all, 30)) {
      for (const direction of [undefined, 'in', 'out']) {
        const own = sides.filter(
          ({ transaction, isIn }) =>
            transaction === one && (direction === undefined || isIn === (direction === 'in')),
        );
        const expected = new Set(
          sides
            .filter(({ message, isIn }) => own.some((each) => each.message === message && each.isIn !== isIn))
            .map(({ transaction }) => transaction),
        );
        const answer = await adjacent.inject({ hash: one.hash, ...(direction && { direction }), ...BARE });
        if (expected.size === 0) expect([answer.statusCode, answer.json()]).toEqual(NOT_FOUND);
        else
          expect(hashesOf(answer.json().transactions)).toEqual(
            listReferenceTransactions([...expected], { sort: 'asc' }),
          );
        found += expected.size;
      }
    }
    expect(found).toBeGreaterThan(sampled(15, 100));
  });

  it(`matches the contract and refuses malformed values${missingContract}`, async () => {
    for (const one of all) {
      const answer = await adjacent.inject({ hash: one.hash });
      if (answer.statusCode !== 200) continue;
      expect(documentCheck()('adjacentTransactions', answer.json())).toBe('');
      if (missingContract === '') expect(contractCheck()('adjacentTransactions', answer.json())).toBe('');
      break;
    }
    const unknown = await adjacent.inject({ hash: Buffer.alloc(32).toString('hex') });
    expect([unknown.statusCode, unknown.json()]).toEqual(NOT_FOUND);
    expect((await adjacent.inject({})).json()).toEqual({ code: 422, error: 'hash is required' });
    await expectRefusals(
      operationOf('adjacentTransactions'),
      adjacent,
      { hash: ['zz', ''], direction: ['both', 'IN'] },
      { hash: Buffer.alloc(32).toString('hex') },
    );
  });
});

describe('transactionsByMasterchainBlock', () => {
  it('returns the transactions of a block in both orders and page by page', async () => {
    const seqnos = [...new Set(all.map(({ mcSeqno }) => `${mcSeqno}`))];
    for (const seqno of sampleOf(seqnos, 8)) {
      for (const query of bothOrders([{ seqno, ...BARE }])) {
        const whole = listReferenceTransactions(
          all.filter(({ mcSeqno }) => `${mcSeqno}` === seqno),
          { sort: query.sort! },
        );
        expect(hashesOf(await ofBlock.rows(query))).toEqual(whole);
        expect(hashesOf(await ofBlock.byOffset(query, 7))).toEqual(whole);
        expect(hashesOf(await ofBlock.byCursor(query, 5))).toEqual(whole);
      }
    }
  });

  it(`matches the contract and refuses malformed values${missingContract}`, async () => {
    const answer = await ofBlock.ask({ seqno: `${all[0]!.mcSeqno}`, limit: '1000' });
    expect(documentCheck()('transactionsByMasterchainBlock', answer)).toBe('');
    if (missingContract === '') expect(contractCheck()('transactionsByMasterchainBlock', answer)).toBe('');
    const missing = await ofBlock.inject({ seqno: '0' });
    const error = 'masterchain block 0 not found';
    expect([missing.statusCode, missing.json()]).toEqual([404, { code: 404, error }]);
    const given = { ...ofBlock, inject: (query: ListQuery) => ofBlock.inject({ seqno: '3', ...query }) };
    await expectRefusals(operationOf('transactionsByMasterchainBlock'), given, {
      seqno: ['x', '1.5'],
      limit: ['0'],
      offset: ['-1'],
      sort: ['up'],
      cursor: ['x'],
    });
  });
});
