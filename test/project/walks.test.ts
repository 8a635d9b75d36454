import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWebhookSender } from '../../src/webhooks/sender.ts';
import { createWebhookSlots } from '../../src/webhooks/slots.ts';
import { queueEvents } from '../../src/webhooks/stored-feeds.ts';
import { createWebhooks } from '../../src/webhooks/webhooks.ts';
import { openWebhookReceiver } from '../streaming/support/webhook-receiver.ts';
import { createTestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { serveHere } from '../support/serve-here.ts';
import { localnetKeyOf, makeDataDir, type RunningTongate } from '../support/tongate-process.ts';
import { until } from '../support/until.ts';

const LAYOUT = readFileSync(new URL('../../docs/design/layout.md', import.meta.url), 'utf8');
const ROUNDS = 30;
/** What runs beside requests all the time, cells and helpers. */
const BESIDE = /^(?:chain|lib|localnet|streaming|cli|ingest|pending|index\/read\/stream\.ts|db\/embedded)/;

const data = makeDataDir();
const address = `0:${randomBytes(32).toString('hex')}`;
const session = new Session();
let server: RunningTongate;

beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  server = await serveHere({
    NETWORK: 'localnet',
    DATA_DIR: data.path,
    LOCALNET_BLOCK_MS: '3600000',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
    SHED_LOOP_DELAY_MS: '0',
  });
  for (let i = 0; i < 3; i++) {
    await post('/localnet/fund', { address, amount: '0.01' });
    await post('/localnet/mine', { count: 2 });
  }
  await until(async () => (await get(`/api/v3/traces?account=${address}`)).traces.length === 3);
});
afterAll(async () => {
  session.disconnect();
  await server?.end('SIGTERM');
  await data.remove();
});

async function post(path: string, body: object): Promise<void> {
  const { status } = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'x-api-key': localnetKeyOf(data.path), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
}

async function get(path: string) {
  const response = await fetch(server.url + path);
  expect(response.status).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: a parsed response
  return (await response.json()) as any;
}

/** The files of src with functions that were called while something was done. */
async function filesOf(work: () => Promise<unknown>): Promise<Set<string>> {
  // What was counted until now.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called = result.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges[0]!.startOffset > 0 && ranges[0]!.count > 0),
  );
  const paths = called.flatMap(({ url }) => /\/src\/(.+\.ts)$/.exec(url)?.[1] ?? []);
  return new Set(paths.filter((path) => !BESIDE.test(path)));
}

/** Those of every one of several rounds: what happened beside one of them is not part of the walk. */
async function walk(work: () => Promise<unknown>): Promise<string[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let files = await filesOf(work);
  for (let round = 1; round < ROUNDS; round++) {
    const others = await filesOf(work);
    files = new Set([...files].filter((path) => others.has(path)));
  }
  await session.post('Profiler.stopPreciseCoverage');
  return [...files].sort();
}

/** The number of files that the layout tells for a walk. */
function toldFor(name: string): number {
  return Number(
    new RegExp(`\\*\\*${name.replace('?', '\\?')}.*\\*\\* passes at most (\\d+) files`).exec(LAYOUT)![1],
  );
}

test.each([
  ['A `getTransactions` request', () => get(`/api/v2/getTransactions?address=${address}&limit=${limit++}`)],
  ['A `traces?account=` request', () => get(`/api/v3/traces?account=${address}&limit=${limit++}`)],
])('%s passes no more files than the layout tells', async (name, work) => {
  const files = await walk(work);
  expect(files, files.join('\n')).toSatisfy(({ length }: string[]) => length > 20 && length <= toldFor(name));
});
let limit = 3;

test('a webhook delivery passes no more files than the layout tells', async () => {
  const { database, drop } = await createTestDatabase();
  const receiver = await openWebhookReceiver();
  const transport = {
    names: { resolve: async () => ['127.0.0.1'], close() {} },
    isPublic: () => true,
    allowsPrivate: true,
    timeoutMs: 60_000,
  };
  const slots = createWebhookSlots(4);
  const webhooks = createWebhooks({
    database,
    transport,
    slots,
    limits: { perKey: 1, addresses: 1 },
    startCursor: async () => '0',
  });
  const { state } = await webhooks.create('operator', {
    url: receiver.url,
    types: ['transactions'],
    addresses: [address],
  });
  const sender = createWebhookSender({
    database,
    transport,
    slots,
    log: createQuietLog(),
    onAttempt: () => {},
    pollMs: 20,
  });
  try {
    let sent = 0;
    const files = await walk(async () => {
      const { id: webhookId } = state.webhook;
      const event = { webhookId, account: Buffer.alloc(33, sent), eventId: `${sent}`, body: '{}' };
      const fed = { feeds: [Number(webhookId) % 16] };
      await queueEvents(database.primary, { fed, from: `${sent}`, to: `${++sent}`, events: [event] });
      sender.wake();
      await until(() => receiver.accepted().length === sent);
    });
    expect(files, files.join('\n')).toSatisfy(
      ({ length }: string[]) => length > 5 && length <= toldFor('A webhook delivery'),
    );
  } finally {
    await sender.close();
    await receiver.close();
    await drop();
  }
});
