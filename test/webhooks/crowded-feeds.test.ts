import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createApiKey } from '../../src/access/keys.ts';
import { bytesKey } from '../../src/lib/bytes-key.ts';
import { type Cursor, cursorAfter, endOf, formatCursor } from '../../src/streaming/cursor.ts';
import type { EventReader } from '../../src/streaming/event-reader.ts';
import { stateEvent } from '../../src/streaming/events.ts';
import { createWebhookFeeder } from '../../src/webhooks/feeder.ts';
import { findWebhook } from '../../src/webhooks/stored-webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { until } from '../support/until.ts';
import { storeWebhook } from './support/webhook-rows.ts';

const NETWORK = 'abcdef01';
const TYPES = ['account_state_change'];
const [BUSY, CALM] = [1, 2].map((byte) => Buffer.alloc(33, byte)) as [Buffer, Buffer];

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  await sql`truncate webhooks, webhook_addresses, webhook_events, webhook_queues`.execute(
    test.database.primary,
  );
});
afterAll(() => test.drop());

/** Stores a webhook of a key of its own. */
async function storeHook(account: Buffer): Promise<string> {
  const { row } = await createApiKey(test.database, { name: 'x', plan: 'free', rps: 10, networks: [] });
  const hook = { url: 'http://127.0.0.1:9/', keyId: row.id, addresses: [account], types: TYPES };
  return (await storeWebhook(test.database, hook)).id;
}

const found = (id: string) => test.database.write((db) => findWebhook(db, { id }));

/** A feeder of seqnos from 1 on, in each of which the busy account has so many events and the calm one has one. */
function openFeeder(newest: number, ofBusy: number) {
  /** How many seqnos were read at a time. */
  const reads: number[] = [];
  const end = cursorAfter(newest);
  const reader: EventReader = {
    async next(from, interest, limit) {
      const last = Math.min(newest, limit.blocks.seqno, from.blocks.seqno + 16);
      if (last <= from.blocks.seqno) return undefined;
      await interest.lookUp?.([BUSY, CALM]);
      reads.push(last - from.blocks.seqno);
      const to: Cursor = { blocks: endOf(last), traces: endOf(last) };
      const seqnos = Array.from({ length: last - from.blocks.seqno }, (_, i) => from.blocks.seqno + 1 + i);
      const events = seqnos.flatMap((seqno) => [
        ...Array.from({ length: ofBusy }, (_, index) => eventOf(BUSY, seqno, index)),
        eventOf(CALM, seqno, ofBusy),
      ]);
      return { to, lane: 'blocks', events };
    },
  };
  const feeder = createWebhookFeeder({
    database: test.database,
    follower: { network: () => NETWORK, history: () => '1', position: () => end, watch: () => () => {} },
    reader,
    log: createQuietLog(),
    onQueued: () => {},
    claimMs: 50,
    maxWaiting: 10_000,
  });
  return { feeder, reads };
}

function eventOf(account: Buffer, seqno: number, index: number) {
  return stateEvent(
    {
      finality: 'finalized',
      at: { lane: 'blocks', place: { seqno, index }, mark: '00000000' },
    },
    { key: bytesKey(account), members: `"seqno":${seqno}`, extended: '' },
  );
}

async function startAll(cursor: Cursor): Promise<void> {
  const text = formatCursor(cursor, NETWORK);
  await sql`update webhook_feeds set cursor = ${text}, feeder = null`.execute(test.database.primary);
}

it('a seqno with very many events of one key delays those of others no longer', async () => {
  const [busy, calm] = [await storeHook(BUSY), await storeHook(CALM)];
  await startAll(cursorAfter(0));
  const { feeder } = openFeeder(1, 1200);
  await until(async () => (await found(calm))?.waiting === 1);
  const { rows } = await sql`select own_cursor from webhooks where id = ${busy}`.execute(
    test.database.primary,
  );
  await feeder.close();
  // It is fed by itself from there on.
  expect(rows).toEqual([{ own_cursor: formatCursor(cursorAfter(0), NETWORK) }]);
});

it('a webhook that is behind is read not much more than it is told of', async () => {
  const seqnos = 20;
  const busy = await storeHook(BUSY);
  await startAll(cursorAfter(seqnos));
  await sql`update webhooks set own_cursor = ${formatCursor(cursorAfter(0), NETWORK)}`.execute(
    test.database.primary,
  );
  // Two seqnos have as many events as are told at once.
  const { feeder, reads } = openFeeder(seqnos, 100);
  await until(async () => (await found(busy))?.waiting === seqnos * 100);
  await feeder.close();
  expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(3 * seqnos);
});
