import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../src/v3/operations.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import { createListClient, expectRefusals, type ListQuery, pageSizes } from './support/list-queries.ts';
import { possibleHashes } from './support/possible-hashes.ts';
import { messageValues, readSlowMessages, type SlowMessage } from './support/reference-messages.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

const LIMITS = { defaultLimit: 10, maxLimit: 1000 };

let test: TestDatabase;
let app: FastifyInstance;
let asker: ReturnType<typeof createListClient>;
let all: SlowMessage[];
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  asker = createListClient(app, 'messages');
  all = await readSlowMessages(test.database.primary);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

type Shown = { hash: string; in_msg_tx_hash?: string; out_msg_tx_hash?: string };
const toShown = ({ hash, in_msg_tx_hash, out_msg_tx_hash }: Shown) => ({
  hash,
  in_msg_tx_hash,
  out_msg_tx_hash,
});

describe('messages', () => {
  const LISTS: readonly (() => ListQuery)[] = [
    () => ({}),
    () => ({ direction: 'in' }),
    () => ({ start_utime: '0' }),
    () => ({ source: messageValues(all).source![1]! }),
    () => ({ destination: messageValues(all).destination![1]! }),
    () => ({ source: messageValues(all).source![1]!, start_utime: '1' }),
    () => ({ destination: messageValues(all).destination![1]!, end_utime: '4294967295' }),
    () => ({ opcode: messageValues(all).opcode![0]!, start_utime: '1' }),
    () => ({ msg_hash: all.slice(0, 12).map(({ hash }) => hash.toString('base64')) }),
  ];
  it.each(LISTS.map((query, at) => [at, query] as const))(
    'pages of list %i add up to the list',
    async (at, query) => {
      for (const sort of sampled([at % 2 === 0 ? 'asc' : 'desc'], ['asc', 'desc'])) {
        const asked = { ...query(), sort, x_no_address_book: '1', x_no_metadata: '1' };
        const whole = (await asker.rows(asked)).map(toShown);
        for (const limit of pageSizes(whole.length, at)) {
          expect((await asker.byOffset(asked, limit)).map(toShown)).toEqual(whole);
          expect((await asker.byCursor(asked, limit)).map(toShown)).toEqual(whole);
        }
      }
    },
  );

  it(`matches the contract${missingContract}`, async () => {
    const answer = await asker.ask({ limit: '1000' });
    expect(documentCheck()('messages', answer)).toBe('');
    if (missingContract === '') expect(contractCheck()('messages', answer)).toBe('');
  });

  it('returns messages whose content matches their hash', async () => {
    const rows = await asker.rows({});
    expect(rows).toHaveLength(all.length);
    // Addresses outside the chain are not shown, so messages to them cannot be rebuilt exactly.
    const inside = rows.filter(({ destination }) => destination !== null);
    expect(inside.filter((row) => !possibleHashes(row).includes(row.hash))).toEqual([]);
  });

  it('has sender and receiver in the address book', async () => {
    const { messages, address_book, metadata } = await asker.ask({ limit: '1000' });
    const ends = new Set(
      messages.flatMap(({ source, destination }: Record<string, string | null>) => [source, destination]),
    );
    ends.delete(null);
    expect(new Set(Object.keys(address_book))).toEqual(ends);
    expect(Object.keys(metadata).length).toBeGreaterThan(0);
    const bare = await asker.ask({ limit: '3', x_no_address_book: '1', x_no_metadata: '1' });
    expect([bare.address_book, bare.metadata]).toEqual([{}, {}]);
  });

  it('refuses both names of message hashes', async () => {
    const answer = await asker.inject({ hash: '0'.repeat(64), msg_hash: '1'.repeat(64) });
    const error = 'cannot use both legacy and new message hashes';
    expect([answer.statusCode, answer.json()]).toEqual([422, { code: 422, error }]);
  });

  it('refuses malformed values and names the parameter', async () => {
    const operation = createV3Operations(LIMITS).find(({ name }) => name === 'messages')!;
    const none = {
      hash: ['zz', 'AAAA'],
      address: ['0:12', 'x'],
      time: ['-1', 'x', ''],
      number: ['-1', '1.5'],
    };
    await expectRefusals(operation, asker, {
      msg_hash: none.hash,
      hash: none.hash,
      body_hash: [...none.hash, ''],
      source: [...none.address, 'NULL'],
      destination: [...none.address, ''],
      opcode: ['0xg', '0x123456789'],
      start_utime: none.time,
      end_utime: none.time,
      start_lt: none.number,
      end_lt: none.number,
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
