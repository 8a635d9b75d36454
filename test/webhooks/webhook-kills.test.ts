import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../streaming/support/stream-clients.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../streaming/support/webhook-receiver.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { serveHere } from '../support/serve-here.ts';
import { localnetKeyOf, makeDataDir, type RunningTongate, startTongate } from '../support/tongate-process.ts';

/** A busy machine; nothing was done. */
const OVERLOADED = 503;
const KILLS = sampled(1, 20);
const TIMEOUT_MS = sampled(600_000, 1_200_000);
/** How often it is looked whether all has arrived, and how many looks pass between two ends of all leases. */
const MAX_LOOKS = 3000;
const LOOKS_PER_LEASE = 50;
const ADDRESSES = Array.from({ length: 8 }, (_, i) => {
  const hash = createHash('sha256').update(`deposit ${i}`).digest('hex').toUpperCase();
  return `0:${hash}`;
});

const dataDir = makeDataDir();
let database: TestDatabase;
let receiver: WebhookReceiver;
let chain: RunningTongate;
/** The first one is killed next; in a short run it is the only process, and is not replaced. */
let servers: RunningTongate[] = [];
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await openWebhookReceiver();
  chain = await serveHere({ ...settings(), WEBHOOKS: 'off', LOCALNET_BLOCK_MS: '300' });
  key = localnetKeyOf(dataDir.path);
  servers = [await startServer(), isLongRun ? await startServer() : await serveHere(settings(), 'serve')];
}, TIMEOUT_MS);
afterAll(async () => {
  for (const server of [...servers, chain]) await server?.end('SIGTERM');
  await receiver?.close();
  await database?.drop();
  await dataDir.remove();
});

function settings(): Record<string, string> {
  return { DATA_DIR: dataDir.path, DATABASE_URL: database.url, LOG_LEVEL: 'info' };
}

const startServer = () => startTongate(settings(), 'serve');

async function call(path: string, body?: object, server = chain): Promise<Json> {
  const response = await fetch(`${server.url}${path}`, {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === OVERLOADED) {
    await sleep(1000);
    return call(path, body, server);
  }
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** The hashes of all transactions of an address, oldest first. */
async function indexedOf(address: string): Promise<string[]> {
  const { transactions } = await call(
    `/api/v3/transactions?account=${encodeURIComponent(address)}&sort=asc&limit=1000`,
  );
  return transactions.map(({ hash }: Json) => hash);
}

/** Waits until so many transactions are indexed; returns those of each address. */
async function untilIndexed(count: number): Promise<ReadonlyMap<string, string[]>> {
  for (;;) {
    const indexed = new Map<string, string[]>();
    for (const address of ADDRESSES) indexed.set(address, await indexedOf(address));
    if ([...indexed.values()].flat().length === count) return indexed;
    await sleep(100);
  }
}

/** The hashes of the transactions that arrived for an address, without repeats. */
function deliveredOf(address: string): string[] {
  const bodies = receiver.accepted().map(({ body }) => JSON.parse(body) as Json);
  return bodies
    .filter((body) => body.address === address)
    .flatMap(({ transactions }) => transactions.map(({ hash }: Json) => hash));
}

/** What a killed process held is free at once instead of after half a minute. */
async function endLeases(): Promise<void> {
  await sql`update webhook_feeds set feeder_until = now()`.execute(database.database.primary);
  await sql`delete from webhook_feeders`.execute(database.database.primary);
  await sql`update webhook_queues set next_try = least(next_try, now())`.execute(database.database.primary);
  await sql`update webhooks set next_try = now() where waiting > 0`.execute(database.database.primary);
}

describe('webhooks while processes are killed', () => {
  it(
    'tell every deposit at least once, with ids that tell repeats, in order by address',
    async () => {
      await call(
        '/api/webhooks',
        { url: receiver.url, types: ['transactions'], addresses: ADDRESSES },
        servers[0],
      );
      let turn = 0;
      receiver.behave(() => {
        turn += 1;
        if (turn % 15 === 0) return 'hang';
        return turn % 2 === 0 ? 'refuse' : 'accept';
      });
      const traffic = new AbortController();
      let deposits = 0;
      const deposit = async (): Promise<void> => {
        while (!traffic.signal.aborted) {
          await call('/localnet/fund', { address: ADDRESSES[deposits % ADDRESSES.length], amount: '0.1' });
          deposits += 1;
        }
      };
      const running = deposit();
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(500 + Math.random() * sampled(500, 2000));
        const killed = servers.shift()!;
        await killed.end('SIGKILL');
        if (isLongRun) servers.push(await startServer());
        await endLeases();
      }
      traffic.abort();
      await running;
      receiver.behave(() => 'accept');
      expect(deposits).toBeGreaterThan(KILLS);
      const indexed = await untilIndexed(deposits);
      for (const address of ADDRESSES)
        for (let tries = 0; deliveredOf(address).length < indexed.get(address)!.length; tries++) {
          if (tries > MAX_LOOKS) throw new Error(`deposits of ${address} are missing`);
          // Not at every look: on a busy machine a process that is at work would lose its lease again and again.
          if (tries % LOOKS_PER_LEASE === 0) await endLeases();
          await sleep(100);
        }
      for (const address of ADDRESSES) expect(deliveredOf(address)).toEqual(indexed.get(address));
      // Repeats are the same events under the same ids.
      const bodies = new Map<string, string>();
      for (const { id, body } of receiver.received) {
        expect(bodies.get(id) ?? body).toBe(body);
        bodies.set(id, body);
      }
    },
    TIMEOUT_MS,
  );
});
