import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isLongRun } from '../support/long-run.ts';
import { localnetKeyOf, makeDataDir, startTongate, type TongateProcess } from '../support/tongate-process.ts';
import { openResumingClient, type ResumingClient } from './support/resuming-client.ts';
import { readShown, shownBy } from './support/shown-events.ts';
import { waitFor } from './support/stream-clients.ts';

const IDLE = 5000;
const WARM_UP = 1000;
const ACTIVE = 100;
const ADDRESSES_PER_CONNECTION = 20;
const DEPOSITS = 100;
const MAX_IDLE_BYTES = 50 * 1024;
const AT_A_TIME = 50;
const PROGRAM = fileURLToPath(new URL('./support/stream-process.ts', import.meta.url));
const TIMEOUT_MS = 600_000;

const data = makeDataDir();
const accounts = Array.from({ length: 4 }, () => randomAddress());
const idle: { destroy(): void }[] = [];
const active: ResumingClient[] = [];
let database: TestDatabase;
let chain: TongateProcess;
let child: ChildProcess;
let server: { readonly url: string; readonly key: string };

beforeAll(async () => {
  if (!isLongRun) return;
  database = await createTestDatabase();
  chain = await startTongate({
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    LOCALNET_BLOCK_MS: '250',
    SHED_LOOP_DELAY_MS: '0',
    PENDING: 'off',
  });
  child = fork(PROGRAM, [database.url], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  [server] = (await once(child, 'message')) as [typeof server];
}, TIMEOUT_MS);
afterAll(async () => {
  for (const client of active) await client.close();
  for (const one of idle) one.destroy();
  child?.disconnect();
  await chain?.end('SIGTERM');
  await database?.drop();
  await data.remove();
});

function randomAddress(): string {
  return `0:${randomBytes(32).toString('hex').toUpperCase()}`;
}

async function memory(): Promise<NodeJS.MemoryUsage> {
  child.send('memory');
  const [answer] = (await once(child, 'message')) as [{ readonly memory: NodeJS.MemoryUsage }];
  return answer.memory;
}

const idleSubscription = () =>
  JSON.stringify({
    operation: 'subscribe',
    types: ['transactions', 'actions', 'account_state_change'],
    addresses: Array.from({ length: ADDRESSES_PER_CONNECTION }, randomAddress),
  });

/** Opens a stream of server-sent events on a bare socket, which costs this process little. */
async function openIdleSse(): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const body = idleSubscription();
  socket.write(
    `POST /api/streaming/v2/sse HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${server.key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => {
      if (String(chunk).includes('subscribed')) resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
  return socket;
}

async function openIdleWs(): Promise<{ destroy(): void }> {
  const url = `${server.url.replace('http', 'ws')}/api/streaming/v2/ws?api_key=${server.key}`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => socket.send(idleSubscription()));
    socket.once('message', () => resolve());
    socket.once('error', reject);
  });
  return { destroy: () => socket.terminate() };
}

async function openIdle(count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += AT_A_TIME)
    idle.push(
      ...(await Promise.all(
        Array.from({ length: AT_A_TIME }, (_, at) => (at % 2 === 0 ? openIdleSse() : openIdleWs())),
      )),
    );
}

async function fund(address: string): Promise<void> {
  const response = await fetch(`${chain.url}/localnet/fund`, {
    method: 'POST',
    headers: { 'x-api-key': localnetKeyOf(data.path), 'content-type': 'application/json' },
    body: JSON.stringify({ address, amount: '0.01' }),
  });
  expect(response.status).toBe(200);
}

it.runIf(isLongRun)(
  `holds ${IDLE} idle connections in little memory while ${ACTIVE} others get every event`,
  async () => {
    // Code is compiled, caches are filled and the heap gets its size by the first ones.
    await openIdle(WARM_UP);
    const before = await memory();
    await openIdle(IDLE);
    const after = await memory();
    const bytes = (after.rss - before.rss) / IDLE;
    const perConnection = (['rss', 'heapTotal', 'heapUsed', 'external'] as const).map(
      (part) => `${part} ${Math.round((after[part] - before[part]) / IDLE)}`,
    );
    console.log(`Bytes of an idle connection: ${perConnection.join(', ')}`);
    expect(bytes).toBeLessThan(MAX_IDLE_BYTES);
    const subscription = { addresses: accounts, types: ['transactions', 'actions', 'account_state_change'] };
    for (let at = 0; at < ACTIVE; at++)
      active.push(
        openResumingClient({
          transport: at % 2 === 0 ? 'sse' : 'ws',
          urls: () => [server.url],
          key: server.key,
          subscription,
        }),
      );
    await waitFor(() => active.every((client) => client.hasCursor()));
    for (let sent = 0; sent < DEPOSITS; sent++) await fund(accounts[sent % accounts.length]!);
    const source = { url: chain.url, key: localnetKeyOf(data.path), accounts };
    await expect
      .poll(
        async () => {
          const expected = JSON.stringify(await readShown(source));
          return active.filter((client) => JSON.stringify(shownBy(client)) !== expected).length;
        },
        { timeout: TIMEOUT_MS / 4, interval: 1000 },
      )
      .toBe(0);
    for (const client of active) expect(client.reconnects()).toBe(0);
    expect(active[0]!.events.length).toBeGreaterThan(DEPOSITS);
  },
  TIMEOUT_MS,
);
