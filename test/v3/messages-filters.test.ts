import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import { createListClient, filterPairs } from './support/list-queries.ts';
import { listReferenceMessages, messageValues, readSlowMessages } from './support/reference-messages.ts';

let test: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

describe('messages', () => {
  it('match a naive evaluation for every pair of filters and both orders', async () => {
    const asker = createListClient(app, 'messages');
    const all = await readSlowMessages(test.database.primary);
    // The older parameter `hash` cannot be given with `msg_hash`.
    const queries = filterPairs(messageValues(all)).filter(
      (query) => !('hash' in query && 'msg_hash' in query),
    );
    let found = 0;
    for (const query of queries) {
      const rows = await asker.rows({ ...query, x_no_address_book: '1', x_no_metadata: '1' });
      const shown = rows.map(({ hash, in_msg_tx_hash, out_msg_tx_hash }) => ({
        hash,
        in_msg_tx_hash,
        out_msg_tx_hash,
      }));
      expect(shown, JSON.stringify(query)).toEqual(listReferenceMessages(all, query));
      if (rows.length > 0) found++;
    }
    expect(found).toBeGreaterThan(sampled(10, 200));
  });
});
