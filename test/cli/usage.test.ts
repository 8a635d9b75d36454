import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/access/keys.ts';
import { readUsage, type UsageSum } from '../../src/access/stored-usage.ts';
import { readPresentCursor } from '../../src/streaming/follow-index.ts';
import { openSse, openWs, waitFor } from '../streaming/support/stream-clients.ts';
import { openWebhookReceiver } from '../streaming/support/webhook-receiver.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { serveHere } from '../support/serve-here.ts';
import { localnetKeyOf, makeDataDir, type RunningTongate, startTongate } from '../support/tongate-process.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 300_000;
const SOON = { timeout: 120_000 };
const ROUNDS = sampled(1, 60);
const PARALLEL = 8;

let base: TestDatabase;
let data: ReturnType<typeof makeDataDir>;
/** The one that the test has not ended. */
let running: RunningTongate | undefined;
beforeAll(async () => {
  base = await createTestDatabase();
  data = makeDataDir();
});
afterEach(async () => {
  // The data directory is for one at a time, also after a test that failed.
  await running?.end('SIGTERM');
  running = undefined;
});
afterAll(async () => {
  await base?.drop();
  await data?.remove();
});

const settings = () => ({
  DATA_DIR: data.path,
  DATABASE_URL: base.url,
  LOCALNET_BLOCK_MS: '3600000',
  SHED_LOOP_DELAY_MS: '0',
});

const stored = (): Promise<UsageSum[]> =>
  base.database.write((db) =>
    readUsage(db, { from: '2000-01-01', to: '2100-01-01', by: ['key', 'operation'], limit: 1000 }),
  );
const clear = () => base.database.primary.deleteFrom('key_usage').execute();

async function makeKey(rps: number) {
  const { key, row } = await createApiKey(base.database, { name: 'test', plan: 'pro', rps, networks: [] });
  return { headers: { 'x-api-key': key }, id: row.id };
}

/** Counts by key, operation and outcome. */
type Tally = Map<string, number>;

function add(tally: Tally, key: string | null, operation: string, status: number, count = 1): void {
  const outcome = status < 400 ? 'ok' : status === 429 ? 'limited' : status < 500 ? 'rejected' : 'failed';
  const name = `${key} ${operation} ${outcome}`;
  if (count > 0) tally.set(name, (tally.get(name) ?? 0) + count);
}

function tallyOf(rows: readonly UsageSum[]): Tally {
  const tally: Tally = new Map();
  for (const { keyId, operation, requests, limited, rejected, failed } of rows) {
    const name = operation!;
    add(tally, keyId, name, 200, requests - limited - rejected - failed);
    add(tally, keyId, name, 429, limited);
    add(tally, keyId, name, 422, rejected);
    add(tally, keyId, name, 500, failed);
  }
  return tally;
}

/** Those above the rate are not all in the log, and events of streams and webhooks are no requests. */
const isLogged = (name: string): boolean => !/ limited$| (stream|webhook) /.test(name);

/** An account that gets TON while streams are open. */
const FUNDED = `0:${'5'.repeat(64)}`;
const SUBSCRIPTION = {
  types: ['account_state_change'],
  addresses: [FUNDED],
  min_finality: 'finalized',
};
const STREAMS = sampled(2, 20);
const TRANSFERS = sampled(2, 5);

/** Opens streams of both transports and a webhook, sends TON to an account, and adds what was opened and received. */
async function useStreams(
  url: string,
  key: Awaited<ReturnType<typeof makeKey>>,
  expected: Tally,
): Promise<void> {
  const { headers, id } = key;
  const receiver = await openWebhookReceiver();
  let refusals = 0;
  receiver.behave(() => (refusals++ === 0 ? 'refuse' : 'accept'));
  const post = async (path: string, keyed: Record<string, string>, body: object) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...keyed, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.status;
  };
  const send = async (path: string, operation: string, body: object) => {
    const status = await post(path, headers, body);
    add(expected, id, operation, status);
    return status;
  };
  const hook = { url: receiver.url, types: SUBSCRIPTION.types, addresses: SUBSCRIPTION.addresses };
  expect(await send('/api/webhooks', 'create', hook)).toBe(201);
  expect(await send('/api/webhooks', 'create', { url: 'nonsense' })).toBe(422);
  expect(await send('/api/streaming/v2/sse', 'sse', { types: [] })).toBe(400);
  const sse = await Promise.all(
    Array.from({ length: STREAMS }, () => openSse(url, SUBSCRIPTION, { headers })),
  );
  const ws = await Promise.all(Array.from({ length: STREAMS }, () => openWs(url, '', headers)));
  await Promise.all(ws.map((client) => client.ask({ operation: 'subscribe', ...SUBSCRIPTION })));
  add(expected, id, 'sse', 200, STREAMS);
  add(expected, id, 'ws', 200, STREAMS);

  const chainKey = { 'x-api-key': localnetKeyOf(data.path) };
  for (let transfer = 0; transfer < TRANSFERS; transfer++)
    expect(await post('/localnet/fund', chainKey, { address: FUNDED, amount: '1' })).toBe(200);
  const clients = [...sse, ...ws];
  await waitFor(() => clients.every((client) => client.events().length >= TRANSFERS));
  await waitFor(() => receiver.accepted().length >= TRANSFERS);
  for (const client of clients) client.close();
  await Promise.all([...sse.map(({ ended }) => ended), ...ws.map(({ closed }) => closed)]);
  for (const client of clients) add(expected, id, 'stream', 200, client.events().length);
  for (const { isAccepted } of receiver.received) add(expected, id, 'webhook', isAccepted ? 200 : 500);
  await receiver.close();
}

const sorted = (tally: Tally) => [...tally].sort(([a], [b]) => (a < b ? -1 : 1));

/** Calls that count, from the log; those above the rate are not all in it. */
function tallyOfLog(output: string): Tally {
  const tally: Tally = new Map();
  for (const line of output.split('\n')) {
    if (!/"msg":"(Request (completed|failed)|Stream opened)"/.test(line)) continue;
    const { keyId, interface: name, operation, status, calls = 1 } = JSON.parse(line);
    if (name === 'none' || status === 429) continue;
    add(tally, keyId, calls > 1 ? 'batch' : operation, status, calls);
  }
  return tally;
}

describe('usage of a server', () => {
  test('equals what was called, over all outcomes and transports', { timeout: PATIENCE_MS }, async () => {
    const server = await serveHere({ ...settings(), LOG_LEVEL: 'info', USAGE_FLUSH: '1s' });
    running = server;
    const [fast, slow] = [await makeKey(100_000), await makeKey(3)];
    const expected: Tally = new Map();

    async function get(path: string, operation: string | undefined, from?: typeof fast) {
      const { status } = await fetch(server.url + path, { headers: from?.headers ?? {} });
      if (operation !== undefined) add(expected, from?.id ?? null, operation, status);
    }
    async function rpc(methods: readonly string[], from: typeof fast) {
      const body = methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: {} }));
      const answer = await fetch(`${server.url}/api/v2/jsonRPC`, {
        method: 'POST',
        headers: { ...from.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body.length === 1 ? body[0] : body),
      });
      const results: { ok: boolean; code: number }[] = [await answer.json()].flat() as never;
      for (const [at, { ok, code }] of results.entries())
        add(expected, from.id, methods[at]!, ok ? 200 : code);
    }

    const wrongKey = { headers: { 'x-api-key': 'tg_wrong' }, id: '' };
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (let round = 0; round < ROUNDS; round++) {
          await get('/api/v2/getMasterchainInfo', 'getMasterchainInfo', fast);
          await get('/api/v2/getAddressBalance?address=nothing', 'getAddressBalance', fast);
          await get('/api/v3/masterchainInfo', 'masterchainInfo', slow);
          await get('/api/v3/blocks?limit=x', 'blocks', fast);
          await get('/api/v2/getMasterchainInfo', 'getMasterchainInfo');
          await get('/api/v3/nothing', undefined, fast);
          await get('/healthz', undefined);
          await rpc(['getMasterchainInfo'], fast);
          if (round % 10 === 0) {
            await rpc(['getMasterchainInfo', 'getConsensusBlock', 'getAddressBalance'], fast);
            const { status } = await fetch(`${server.url}/api/v2/getShards`, wrongKey);
            add(expected, null, 'getShards', status);
          }
        }
      }),
    );
    // A slow machine may not have indexed the first block yet.
    await until(async () => (await base.database.write(readPresentCursor)) !== undefined);
    await useStreams(server.url, fast, expected);
    await expect.poll(async () => sorted(tallyOf(await stored())), SOON).toEqual(sorted(expected));

    // A last one that only the end of the process writes.
    await get('/api/v2/getMasterchainInfo', 'getMasterchainInfo', fast);
    running = undefined;
    expect(await server.end('SIGTERM')).toBe(0);
    const counted = tallyOf(await stored());
    expect(sorted(counted)).toEqual(sorted(expected));
    const logged = tallyOfLog(server.output());
    const count = (tally: Tally) =>
      [...tally].reduce((all, [name, calls]) => all + (isLogged(name) ? calls : 0), 0);
    expect(count(counted)).toBe(count(logged));
    expect(count(logged)).toBeGreaterThan(30 * ROUNDS);
  });

  // The start is what takes long; other tests kill servers.
  test.runIf(isLongRun)(
    'loses no more than the last interval by SIGKILL',
    { timeout: PATIENCE_MS },
    async () => {
      await clear();
      const key = await makeKey(100_000);
      const server = await startTongate({ ...settings(), USAGE_FLUSH: '300ms' });
      running = server;
      const call = () =>
        fetch(`${server.url}/api/v2/getMasterchainInfo`, key).then((answer) => answer.text());
      const total = async () => (await stored()).reduce((all, { requests }) => all + requests, 0);
      for (let calls = 0; calls < 50; calls++) await call();
      await expect.poll(total, SOON).toBe(50);
      for (let calls = 0; calls < 10; calls++) await call();
      running = undefined;
      expect(await server.end('SIGKILL')).toBe('SIGKILL');
      const left = await total();
      expect(left).toBeGreaterThanOrEqual(50);
      expect(left).toBeLessThanOrEqual(60);
    },
  );
});
