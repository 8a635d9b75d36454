import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../support/database.ts';
import { buildV3App, NO_INDEX } from '../build-app.ts';
import { filterPairs } from '../support/filter-pairs.ts';
import { openIndexedDemo } from '../support/indexed-demo.ts';
import { createListAsker } from '../support/list-asker.ts';
import { listSlowly, messageValues, readSlowMessages } from './slow-messages.ts';

let test: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  test = await openIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
}, 120_000);
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

describe('messages', () => {
  it('are those that a slow evaluation finds, for every pair of filters and both orders', async () => {
    const asker = createListAsker(app, 'messages');
    const all = await readSlowMessages(test.database.primary);
    // The old name of the hash counts only without the new one.
    const queries = filterPairs(messageValues(all)).filter(
      (query) => !('hash' in query && 'msg_hash' in query),
    );
    let found = 0;
    for (const query of queries) {
      const rows = await asker.rows({ ...query, x_no_address_book: '1', x_no_metadata: '1' });
      const shown = rows.map(({ hash, in_msg_tx_hash, out_msg_tx_hash }) => ({
        ...{ hash, in_msg_tx_hash, out_msg_tx_hash },
      }));
      expect(shown, JSON.stringify(query)).toEqual(listSlowly(all, query));
      if (rows.length > 0) found++;
    }
    expect(found).toBeGreaterThan(200);
  }, 60_000);
});
