import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/connection.ts';
import { query } from '../support/embedded.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { startReplicatedPair } from '../support/replicated-pair.ts';
import { serveHere } from '../support/serve-here.ts';
import { localnetKeyOf, makeDataDir, type RunningTongate } from '../support/tongate-process.ts';
import { until } from '../support/until.ts';
import { openResumingClient, type ResumingClient } from './support/resuming-client.ts';
import { readShown, type Shown, shownBy } from './support/shown-events.ts';
import { openStreamApp, type StreamApp } from './support/stream-app.ts';
import { waitFor } from './support/stream-clients.ts';

const NEVER_MS = '3600000';
const TYPES = ['transactions', 'actions', 'account_state_change'];
const ACCOUNTS = Array.from({ length: 2 }, () => `0:${randomBytes(32).toString('hex').toUpperCase()}`);

const data = makeDataDir();
const cleanups: (() => unknown)[] = [];
let pair: Awaited<ReturnType<typeof startReplicatedPair>>;
let chain: RunningTongate;
let deposits = 0;

beforeAll(async () => {
  pair = await startReplicatedPair();
  chain = await serveHere({
    DATA_DIR: data.path,
    DATABASE_URL: pair.primary.url,
    LOCALNET_BLOCK_MS: NEVER_MS,
    LOG_LEVEL: 'info',
    SHED_LOOP_DELAY_MS: '0',
    PENDING: 'off',
  });
  await deposit();
});
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await chain?.end('SIGTERM');
  await pair?.clean();
  await data.remove();
});

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(chain.url + path, {
    method: 'POST',
    headers: { 'x-api-key': localnetKeyOf(data.path), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

/** Pays every account, and waits until the primary has it, classified; returns what it has. */
async function deposit(): Promise<Shown> {
  for (const address of ACCOUNTS) await post('/localnet/fund', { address, amount: '0.01' });
  await post('/localnet/mine', { count: 7 });
  deposits += ACCOUNTS.length;
  let shown: Shown | undefined;
  await until(async () => {
    shown = await readShown({ url: chain.url, key: localnetKeyOf(data.path), accounts: ACCOUNTS });
    return shown.transactions.length === deposits && shown.actions.length === deposits;
  });
  return shown!;
}

/** Streams that read from some servers in turn, however far these are behind. */
async function openApp(replicaUrls: readonly string[]): Promise<StreamApp> {
  const database = createDatabase({
    url: pair.primary.url,
    replicaUrls: [...replicaUrls],
    poolSize: 4,
    log: createQuietLog(),
  });
  cleanups.push(() => database.close());
  const app = await openStreamApp(database);
  cleanups.push(() => app.close());
  return app;
}

function open({ url, beginning }: StreamApp, transport: 'sse' | 'ws', key: string): ResumingClient {
  const client = openResumingClient({
    transport,
    urls: () => [url],
    key,
    subscription: { addresses: ACCOUNTS, types: TYPES },
    startAt: beginning(),
  });
  cleanups.push(() => client.close());
  return client;
}

it('streams neither show too early nor lose what a replica has late', async () => {
  // One reads from the standby alone, the other one in turns from a server that is behind and from one that is not.
  const [behind, mixed] = [
    await openApp([pair.standby.url]),
    await openApp([pair.standby.url, pair.primary.url]),
  ];
  const key = await behind.key();
  await until(async () => {
    const [found] = await query(pair.standby.url, 'select count(*)::integer as keys from api_keys');
    const [all] = await query(pair.primary.url, 'select count(*)::integer as keys from api_keys');
    return found!.keys === all!.keys;
  });
  const late = open(behind, 'ws', key);
  const clients = [open(mixed, 'sse', key), open(mixed, 'ws', key)];
  const before = await deposit();
  for (const client of [late, ...clients]) await waitFor(() => isComplete(client, before));

  await query(pair.standby.url, 'select pg_wal_replay_pause()');
  await deposit();
  const hidden = await deposit();
  // Also those that resume again and again, which asks both servers.
  for (let drop = 0; drop < sampled(4, 20); drop++) {
    const client = clients[drop % clients.length]!;
    const { length } = client.events;
    const reconnects = client.reconnects();
    await client.drop();
    await waitFor(() => client.reconnects() > reconnects);
    expect(client.events.length).toBeGreaterThanOrEqual(length);
  }
  for (const client of clients) await waitFor(() => isComplete(client, hidden));
  expect(shownBy(late)).toEqual(before);

  await query(pair.standby.url, 'select pg_wal_replay_resume()');
  const all = await deposit();
  for (const client of [late, ...clients]) {
    await waitFor(() => isComplete(client, all));
    expect(shownBy(client)).toEqual(all);
    expect(client.gaps).toEqual([]);
    expect(new Set(client.events.map(({ id }) => id)).size).toBe(client.events.length);
  }
});

function isComplete(client: ResumingClient, expected: Shown): boolean {
  return shownBy(client).actions.length >= expected.actions.length;
}
