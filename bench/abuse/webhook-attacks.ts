import { randomBytes } from 'node:crypto';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '../../src/access/keys.ts';
import { findPlan } from '../../src/access/plans.ts';
import { openWebhooks } from '../../src/cli/open-webhooks.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createDatabase, type Database } from '../../src/db/connection.ts';
import type { Attack, Attacker } from './attacks.ts';
import { BUSY_ACCOUNTS } from './webhook-victim.ts';

const PLAN = findPlan('free')!;
const TYPES = ['transactions', 'actions', 'account_state_change', 'jettons_change'];
const HOOKS_PER_KEY = 10;
const IDLE_KEYS = 30;
const IDLE_ADDRESSES = 100;
/** Nobody is there; no event of these webhooks ever happens. */
const NOWHERE = 'http://127.0.0.1:9/';
/** Less than the time that a receiver has. */
const SLOW_MS = 9500;
const CHANGED_ADDRESSES = 5000;
const REFUSED_PAUSE_MS = 10;
const QUIET = { info() {}, warn: console.error, error: console.error };

/** Attackers with free keys of their own and webhooks. The bench passes the database, where their keys are made. */
export const WEBHOOK_ATTACKS: readonly Attack[] = [
  {
    name: 'idle-webhooks',
    what: `${IDLE_KEYS * HOOKS_PER_KEY} webhooks of ${IDLE_ADDRESSES} addresses where nothing happens, by ${IDLE_KEYS} free keys`,
    hasEvents: true,
    leadMs: 12_000,
    run: (attacker) =>
      withDatabase(async (database) => {
        for (let key = 0; key < IDLE_KEYS; key++)
          await createHooks(database, NOWHERE, () => Array.from({ length: IDLE_ADDRESSES }, randomAddress));
        await stopped(attacker);
      }),
  },
  {
    name: 'slow-webhooks',
    what: `${HOOKS_PER_KEY} webhooks of a free key at busy addresses, each request answered after ${SLOW_MS / 1000} s`,
    hasEvents: true,
    leadMs: 12_000,
    run: (attacker) =>
      withDatabase(async (database) => {
        const server = await startSlowReceiver(attacker);
        const { port } = server.address() as AddressInfo;
        await createHooks(database, `http://127.0.0.1:${port}/`, () => BUSY_ACCOUNTS.map(addressText));
        await stopped(attacker);
        server.closeAllConnections();
        server.close();
      }),
  },
  {
    name: 'address-changes',
    what: `${CHANGED_ADDRESSES} addresses of a webhook of a free key replaced in each request, again when answered`,
    hasEvents: true,
    leadMs: 3000,
    run: (attacker) =>
      withDatabase(async (database) => {
        const { key, ids } = await createHooks(database, NOWHERE, () => []);
        await changeAddresses(attacker, key, ids[0]!);
      }),
  },
];

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const url = process.env.ABUSE_DATABASE_URL;
  if (url === undefined) throw new Error('ABUSE_DATABASE_URL is not set');
  const database = createDatabase({ url, replicaUrls: [], poolSize: 2, log: QUIET });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

/** Creates a free key with as many webhooks as it may have. */
async function createHooks(database: Database, url: string, addresses: () => string[]) {
  const { name: plan, rps } = PLAN;
  const { key, row } = await createApiKey(database, { name: 'attacker', plan, rps, networks: [] });
  const webhooks = openWebhooks(readSettings({ NETWORK: 'localnet' }), database);
  const ids: string[] = [];
  for (let hook = 0; hook < HOOKS_PER_KEY; hook++) {
    const { state } = await webhooks.create(row.id, { url, types: TYPES, addresses: addresses() });
    ids.push(state.webhook.id);
  }
  return { key, ids };
}

async function startSlowReceiver({ count }: Attacker): Promise<Server> {
  const server = createServer((received, response) => {
    received.resume();
    setTimeout(() => {
      response.writeHead(204).end();
      count(204);
    }, SLOW_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function changeAddresses(attacker: Attacker, key: string, id: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const lists = [0, 1].map(() => Array.from({ length: CHANGED_ADDRESSES }, randomAddress));
  for (let round = 0; attacker.isRunning(); round++) {
    const [add, remove] = [lists[round % 2], lists[(round + 1) % 2]];
    const outcome = await post(attacker, agent, {
      path: `/api/webhooks/${id}/addresses`,
      key,
      body: JSON.stringify({ add, remove }),
    });
    attacker.count(outcome);
    if (outcome !== 200) await sleep(REFUSED_PAUSE_MS);
  }
  agent.destroy();
}

function post(
  { host, port, localAddress }: Attacker,
  agent: Agent,
  { path, key, body }: { readonly path: string; readonly key: string; readonly body: string },
): Promise<number | 'error'> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const sent = request({ host, port, localAddress, method: 'POST', path, headers, agent }, (response) => {
      response.resume();
      response.on('error', () => resolve('error'));
      response.on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', () => resolve('error'));
    sent.end(body);
  });
}

function randomAddress(): string {
  return `0:${randomBytes(32).toString('hex')}`;
}

function addressText(account: Buffer): string {
  return `0:${account.toString('hex', 1)}`;
}

async function stopped({ isRunning }: Attacker): Promise<void> {
  while (isRunning()) await sleep(100);
}
