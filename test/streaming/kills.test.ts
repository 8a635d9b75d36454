import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isLongRun } from '../support/long-run.ts';
import { serveHere } from '../support/serve-here.ts';
import { localnetKeyOf, makeDataDir, type RunningTongate, startTongate } from '../support/tongate-process.ts';
import { openResumingClient, type ResumingClient } from './support/resuming-client.ts';
import { readShown, type Shown, shownBy } from './support/shown-events.ts';
import { type Json, waitFor } from './support/stream-clients.ts';

const KILLS = 20;
const DROPS = 200;
const CLIENTS = 6;
const BLOCK_MS = 250;
const MIN_SENT = 20;
const TIMEOUT_MS = 1_200_000;
const TYPES = ['transactions', 'actions', 'account_state_change'];

const data = makeDataDir();
let database: TestDatabase;
let chain: RunningTongate;
let settings: Record<string, string>;
let key: string;
const servers: (RunningTongate | undefined)[] = [undefined, undefined];
const clients: ResumingClient[] = [];
const accounts = Array.from({ length: 4 }, () => `0:${randomBytes(32).toString('hex').toUpperCase()}`);

beforeAll(async () => {
  if (!isLongRun) return;
  database = await createTestDatabase();
  settings = {
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    LOCALNET_BLOCK_MS: `${BLOCK_MS}`,
    SHED_LOOP_DELAY_MS: '0',
    PENDING: 'off',
  };
  chain = await serveHere(settings);
  key = localnetKeyOf(data.path);
  for (const at of servers.keys()) servers[at] = await startServer();
}, TIMEOUT_MS);
afterAll(async () => {
  for (const client of clients) await client.close();
  for (const server of [...servers, chain]) await server?.end('SIGTERM');
  await database?.drop();
  await data.remove();
});

/** Starts a server as a supervisor does: on a busy machine a start may fail. */
async function startServer(): Promise<RunningTongate> {
  for (let tries = 1; ; tries++) {
    try {
      return await startTongate(settings, 'serve');
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

const urls = () => servers.flatMap((server) => server?.url ?? []);

async function fund(address: string): Promise<void> {
  await fetch(`${chain.url}/localnet/fund`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ address, amount: '0.01' }),
  }).catch(() => {});
}

// In a short run `workers.test.ts` kills a worker that has streams.
it.runIf(isLongRun)(
  `loses and repeats nothing over ${KILLS} kills and ${DROPS} reconnects`,
  async () => {
    const subscription = { addresses: accounts, types: TYPES };
    for (let at = 0; at < CLIENTS; at++)
      clients.push(openResumingClient({ transport: at % 2 === 0 ? 'sse' : 'ws', urls, key, subscription }));
    await waitFor(() => clients.every((client) => client.hasCursor()));
    let isOver = false;
    let sent = 0;
    const traffic = (async () => {
      while (!isOver) await fund(accounts[sent++ % accounts.length]!);
    })();
    const kills = (async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(1000 + Math.random() * 1000);
        const at = kill % servers.length;
        const victim = servers[at]!;
        servers[at] = undefined;
        await victim.end('SIGKILL');
        servers[at] = await startServer();
      }
    })();
    const drops = (async () => {
      for (let drop = 0; drop < DROPS; drop++) {
        await sleep(100 + Math.random() * 200);
        await clients[Math.floor(Math.random() * clients.length)]!.drop();
      }
    })();
    await Promise.all([kills, drops]);
    isOver = true;
    await traffic;
    expect(sent).toBeGreaterThan(MIN_SENT);
    const expected = await untilComplete();
    for (const client of clients) {
      expect(client.gaps).toEqual([]);
      const ids = client.events.map(({ id }) => id);
      expect(new Set(ids).size, 'no event twice').toBe(ids.length);
      expect(shownBy(client)).toEqual(expected);
      expectOrder(client.events);
    }
    expect(clients.reduce((sum, client) => sum + client.reconnects(), 0)).toBeGreaterThanOrEqual(
      DROPS - CLIENTS,
    );
  },
  TIMEOUT_MS,
);

/** Waits until nothing is on its way, and every client has what the index has. */
async function untilComplete(): Promise<Shown> {
  const endMs = performance.now() + 240_000;
  for (;;) {
    await sleep(200);
    const expected = await readShown({ url: chain.url, key, accounts });
    const text = JSON.stringify(expected);
    if (clients.every((client) => JSON.stringify(shownBy(client)) === text)) return expected;
    if (performance.now() > endMs) return expected;
  }
}

/** Events of an account come in the order of the chain. */
function expectOrder(events: readonly Json[]): void {
  const last = new Map<string, bigint>();
  for (const { type, transactions } of events) {
    if (type !== 'transactions') continue;
    for (const { account, lt } of transactions.toReversed()) {
      expect(BigInt(lt) > (last.get(account) ?? 0n)).toBe(true);
      last.set(account, BigInt(lt));
    }
  }
}
