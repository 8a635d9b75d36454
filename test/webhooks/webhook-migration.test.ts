import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { MIGRATIONS, migrateToLatest } from '../../src/db/migrations.ts';
import { feedOf } from '../../src/webhooks/stored-feeds.ts';
import { listWebhooks } from '../../src/webhooks/stored-webhooks.ts';
import { createEmptyTestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';

const NAME = '0015-webhook-feeds';

it('webhooks of the time before feeds go on where each of them was', async () => {
  const { database, drop } = await createEmptyTestDatabase();
  try {
    const before = Object.entries(MIGRATIONS).filter(([name]) => name < NAME);
    await migrateToLatest(database.primary, createQuietLog(), Object.fromEntries(before));
    // Two webhooks of one feed, at different places.
    const cursors = { 16: '200-5.90-16777216.0a0b0c0d', 32: '100-16777216.95-3.0a0b0c0d' };
    for (const [id, cursor] of Object.entries(cursors))
      await sql`insert into webhooks (id, url, secret, types, include_address_book, include_metadata, cursor)
        overriding system value values (${id}, 'https://example.com', '', '{actions}', false, false, ${cursor})`.execute(
        database.primary,
      );
    await sql`insert into webhook_addresses (webhook_id, account) values (16, 'a'), (16, 'b'), (32, 'a')`.execute(
      database.primary,
    );
    await sql`insert into webhook_events (webhook_id, account, event_id, body) values (32, 'a', '1', '{}')`.execute(
      database.primary,
    );
    await sql`insert into webhook_queues (webhook_id, account) values (32, 'a')`.execute(database.primary);
    await migrateToLatest(database.primary, createQuietLog());
    const feeds = await database.primary.selectFrom('webhook_feeds').selectAll().execute();
    expect(feeds).toHaveLength(16);
    expect(feeds.find(({ number }) => number === feedOf('16'))).toMatchObject({
      cursor: '99-0.89-0.0a0b0c0d',
      types: ['actions'],
    });
    expect(feeds.filter(({ cursor }) => cursor !== null)).toHaveLength(1);
    expect((await listWebhooks(database.primary)).map(({ webhook }) => webhook)).toMatchObject([
      { id: '16', startCursor: cursors[16], addresses: 2, waiting: 0 },
      { id: '32', startCursor: cursors[32], addresses: 1, waiting: 1 },
    ]);
    const { rows } = await sql`select id from webhooks where next_try <= now()`.execute(database.primary);
    expect(rows).toEqual([{ id: '32' }]);
  } finally {
    await drop();
  }
});
