import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isLongRun } from '../support/long-run.ts';
import { serveHere } from '../support/serve-here.ts';
import { localnetKeyOf, makeDataDir, type RunningTongate, startIndexer } from '../support/tongate-process.ts';
import { until } from '../support/until.ts';
import { openResumingClient, type ResumingClient } from './support/resuming-client.ts';
import { readShown, shownBy } from './support/shown-events.ts';
import { type Json, waitFor } from './support/stream-clients.ts';

const MISSED_BLOCKS = 100;
const TYPES = ['transactions', 'actions', 'account_state_change'];
const NEVER_MS = '3600000';

const data = makeDataDir();
const accounts = Array.from({ length: 3 }, () => `0:${randomBytes(32).toString('hex').toUpperCase()}`);
const clients: ResumingClient[] = [];
let database: TestDatabase;
let chain: RunningTongate;
let server: RunningTongate;
let indexer: ReturnType<typeof startIndexer> | undefined;
let settings: Record<string, string>;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  settings = {
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'info',
    SHED_LOOP_DELAY_MS: '0',
    PENDING: 'off',
  };
  chain = await serveHere({ ...settings, INDEX: 'off', LOCALNET_BLOCK_MS: NEVER_MS });
  key = localnetKeyOf(data.path);
  server = await serveHere(settings, 'serve');
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await indexer?.end('SIGTERM');
  for (const one of [server, chain]) await one?.end('SIGTERM');
  await database?.drop();
  await data.remove();
});

async function post(path: string, body: object): Promise<Json> {
  const response = await fetch(chain.url + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Json;
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.result;
}

/** Pays every account, and makes blocks; returns the newest. */
async function deposit(blocks: number): Promise<number> {
  for (const address of accounts) await post('/localnet/fund', { address, amount: '0.01' });
  return (await post('/localnet/mine', { count: blocks })).seqno;
}

/** Waits until the index has so many deposits, classified. */
async function untilIndexed(deposits: number): Promise<void> {
  await until(async () => {
    const { transactions, actions } = await readShown({ url: server.url, key, accounts });
    return transactions.length === deposits && actions.length === deposits;
  });
}

/** Waits until the server has streamed a seqno with its actions: who subscribes later does not get it. */
async function untilStreamed(seqno: number): Promise<void> {
  await until(async () => {
    const { streaming } = (await (await fetch(`${server.url}/status`)).json()) as Json;
    return streaming?.last_trace_seqno >= seqno;
  });
}

// In a short run, test/streaming/kills.test.ts ends a process.
it.runIf(isLongRun)(
  'streams what an indexer that was killed catches up with, and nothing that it backfills',
  async () => {
    const history = await deposit(10);
    indexer = startIndexer({ ...settings, INDEX_FROM: String(history) });
    let deposits = accounts.length;
    const first = await deposit(10);
    await untilIndexed(deposits);
    await untilStreamed(first);
    for (const transport of ['sse', 'ws'] as const)
      clients.push(
        openResumingClient({
          transport,
          urls: () => [server.url],
          key,
          subscription: { addresses: accounts, types: TYPES },
        }),
      );
    await waitFor(() => clients.every((client) => client.hasCursor()));
    await indexer.end('SIGKILL');
    for (let last = first; last < first + MISSED_BLOCKS; deposits += accounts.length) last = await deposit(7);
    // The new one also has the history to fill that the first one left out.
    indexer = startIndexer({ ...settings, INDEX_FROM: 'genesis' });
    await untilIndexed(deposits + accounts.length);
    // What comes now is behind everything that the backfill could have brought.
    await deposit(7);
    await untilIndexed(deposits + 2 * accounts.length);
    const expected = await readShown({ url: server.url, key, accounts, afterSeqno: first });
    expect(expected.transactions).toHaveLength(deposits);
    for (const client of clients) {
      await waitFor(() => shownBy(client).actions.length >= expected.actions.length);
      expect(shownBy(client)).toEqual(expected);
      expect(client.gaps).toEqual([]);
      expect(client.reconnects()).toBe(0);
      const places = client.events.map(({ id }) => id.split(/[-.]/).map(Number));
      for (const [at, place] of places.slice(1).entries())
        for (const lane of [0, 2]) expect(place[lane]).toBeGreaterThanOrEqual(places[at]![lane]!);
      expect(new Set(client.events.map(({ id }) => id)).size).toBe(places.length);
    }
  },
);
