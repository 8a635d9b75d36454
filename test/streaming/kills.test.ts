import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { localnetKeyOf, makeDataDir, startTongate, type TongateProcess } from '../support/tongate-process.ts';
import { openResumingClient, type ResumingClient } from './support/resuming-client.ts';
import { type Json, waitFor } from './support/stream-clients.ts';

const KILLS = sampled(2, 20);
const DROPS = sampled(20, 200);
const CLIENTS = 6;
const TIMEOUT_MS = sampled(600_000, 1_200_000);
const TYPES = ['transactions', 'actions', 'account_state_change'];

const data = makeDataDir();
let database: TestDatabase;
let chain: TongateProcess;
let settings: Record<string, string>;
let key: string;
const servers: (TongateProcess | undefined)[] = [undefined, undefined];
const clients: ResumingClient[] = [];
const accounts = Array.from({ length: 4 }, () => `0:${randomBytes(32).toString('hex').toUpperCase()}`);

beforeAll(async () => {
  database = await createTestDatabase();
  settings = {
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    LOCALNET_BLOCK_MS: '250',
    SHED_LOOP_DELAY_MS: '0',
    PENDING: 'off',
  };
  chain = await startTongate(settings);
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
async function startServer(): Promise<TongateProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await startTongate(settings, 'serve');
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

const urls = () => servers.flatMap((server) => server?.url ?? []);

async function get(path: string): Promise<Json> {
  const response = await fetch(`${chain.url}${path}`, { headers: { 'x-api-key': key } });
  return response.json();
}

async function fund(address: string): Promise<void> {
  await fetch(`${chain.url}/localnet/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, amount: '0.01' }),
  }).catch(() => {});
}

it(
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
        clients[Math.floor(Math.random() * clients.length)]!.drop();
      }
    })();
    await Promise.all([kills, drops]);
    isOver = true;
    await traffic;
    expect(sent).toBeGreaterThan(20);
    const expected = await untilComplete();
    for (const client of clients) {
      expect(client.gaps).toEqual([]);
      const ids = client.events.map(({ id }) => id);
      expect(new Set(ids).size, 'no event twice').toBe(ids.length);
      expect(shownBy(client)).toEqual(expected);
      expectOrder(client.events);
    }
    expect(clients.reduce((sum, client) => sum + client.reconnects(), 0)).toBeGreaterThanOrEqual(DROPS / 2);
  },
  TIMEOUT_MS,
);

/** What each account has in the index. */
interface Shown {
  readonly transactions: readonly string[];
  readonly actions: readonly string[];
  readonly states: readonly string[];
}

/** Waits until nothing is on its way, and every client has what the index has. */
async function untilComplete(): Promise<Shown> {
  const endMs = performance.now() + 240_000;
  for (;;) {
    await sleep(1000);
    const expected = await fromIndex();
    const text = JSON.stringify(expected);
    if (clients.every((client) => JSON.stringify(shownBy(client)) === text)) return expected;
    if (performance.now() > endMs) return expected;
  }
}

async function fromIndex(): Promise<Shown> {
  const shown = { transactions: [] as string[], actions: [] as string[], states: new Set<string>() };
  for (const account of accounts) {
    for (let offset = 0; ; offset += 500) {
      const page = `account=${account}&limit=500&offset=${offset}&sort=asc`;
      const { transactions } = await get(`/api/v3/transactions?${page}`);
      const { actions } = await get(`/api/v3/actions?${page}`);
      for (const one of transactions) {
        shown.transactions.push(one.hash);
        shown.states.add(`${account} ${one.account_state_after.hash} ${one.mc_block_seqno}`);
      }
      for (const one of actions) shown.actions.push(one.action_id);
      if (transactions.length < 500 && actions.length < 500) break;
    }
  }
  // Of several transactions in a block only the last state is known.
  const states = [...shown.states]
    .map((text) => text.split(' '))
    .map(([account, , seqno]) => `${account} ${seqno}`);
  return {
    transactions: shown.transactions.sort(),
    actions: [...new Set(shown.actions)].sort(),
    states: [...new Set(states)].sort(),
  };
}

function shownBy({ events }: ResumingClient): Shown {
  const of = (type: string) => events.filter((event) => event.type === type);
  return {
    transactions: of('transactions')
      .flatMap(({ transactions }) => transactions.map(({ hash }: Json) => hash))
      .sort(),
    actions: of('actions')
      .flatMap(({ actions }) => actions.map((one: Json) => one.action_id))
      .sort(),
    states: of('account_state_change')
      .map(({ account, id }) => `${account} ${id.split('-')[0]}`)
      .sort(),
  };
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
