import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/connection.ts';
import { takeDueTokens } from '../../src/metadata/metadata-queue.ts';
import { isTestCluster } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { createTcpGate } from '../support/tcp-gate.ts';
import { createDocumentServer, createTestNames, type DocumentServer } from './support/document-server.ts';
import { createMetadataTestContext, foundToken, type MetadataTestContext } from './support/metadata-test.ts';

let context: MetadataTestContext;
let server: DocumentServer;

beforeAll(async () => {
  context = await createMetadataTestContext();
});
beforeEach(async () => {
  server = await createDocumentServer();
});
afterEach(async () => {
  await context.clear();
  await server.close();
});
afterAll(() => context.close());

const item = (name: string, content: Record<string, string>) => foundToken('nft_items', name, content);

const several = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`);

it('two metadata fetchers fetch each document once', async () => {
  const paths = several(60);
  for (const path of paths) server.serve(path, { name: path });
  await context.put(paths.map((path) => item(path, { uri: server.at(path) })));
  const counts: string[] = [];
  const metrics = { count: (outcome: string) => counts.push(outcome) };
  context.start({ metrics, settings: { perHost: 100 } });
  context.start({ metrics, settings: { perHost: 100 } });
  for (const path of paths)
    expect(await context.readUntil(path, ({ valid }) => valid === true)).toMatchObject({ name: path });
  expect(server.requests.toSorted()).toEqual(paths.toSorted());
  expect(counts).toEqual(paths.map(() => 'fetched'));
});

it('the metadata queue serves requested tokens first, then masters, collections and items', async () => {
  const kinds = {
    item: 'nft_items',
    collection: 'nft_collections',
    master: 'jetton_masters',
    requested: 'nft_items',
  } as const;
  for (const name of Object.keys(kinds)) server.serve(`/${name}`, { name });
  await context.put(
    Object.entries(kinds).map(([name, kind]) => foundToken(kind, name, { uri: server.at(`/${name}`) })),
  );
  const db = context.test.database.primary;
  const { account } = item('requested', {});
  await db.updateTable('token_metadata').set({ priority: 3 }).where('account', '=', account).execute();
  context.start({ settings: { concurrency: 1 } });
  await context.settle();
  expect(server.requests).toEqual(['/requested', '/master', '/collection', '/item']);
  expect(await context.read('requested')).toMatchObject({ priority: 0 });
});

it('a metadata fetcher limits requests per host and continues with other hosts', async () => {
  let most = 0;
  let now = 0;
  const responses: (() => void)[] = [];
  const paths = several(20);
  for (const path of paths)
    server.on(path, (_, response) => {
      most = Math.max(most, ++now);
      responses.push(() => {
        now -= 1;
        response.end('{"name": "slow"}');
      });
    });
  server.serve('/other', { name: 'other' });
  const names = createTestNames({ 'slow.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] });
  await context.put(paths.map((path) => item(path, { uri: server.at(path, 'slow.test') })));
  await context.put([item('other', { uri: server.at('/other', 'other.test') })]);
  context.start({ settings: { perHost: 3, concurrency: 5 }, environment: { names } });
  await context.readUntil('other', ({ valid }) => valid === true);
  expect(most).toBe(3);
  const late = await Promise.all(paths.map((path) => context.read(path)));
  expect(late.filter((token) => token!.wait! > 0 && token!.wait! < 60).length).toBeGreaterThan(2);
  for (const token of late) expect(token).toMatchObject({ tries: 0, valid: null });
  for (const respond of responses) respond();
});

it('a closed metadata fetcher returns its tokens', async () => {
  server.on('/a', () => {});
  await context.put([item('i', { uri: server.at('/a') })]);
  const first = context.start();
  await context.readUntil('i', ({ wait }) => wait! > 60);
  while (server.requests.length === 0) await sleep(5);
  await first.close();
  expect(await context.read('i')).toMatchObject({ tries: 0, valid: null });
  expect((await context.read('i'))!.wait).toBeLessThanOrEqual(0);
  server.serve('/a', { name: 'A' });
  context.start();
  expect(await context.readUntil('i', ({ valid }) => valid === true)).toMatchObject({ name: 'A' });
});

it('tokens of a dead process are taken again after the lease', async () => {
  server.serve('/a', { name: 'A' });
  await context.put([item('i', { uri: server.at('/a') })]);
  const db = context.test.database.primary;
  expect(await takeDueTokens(db, 10)).toHaveLength(1);
  expect(await takeDueTokens(db, 10)).toHaveLength(0);
  const { wait } = (await context.read('i'))!;
  expect(wait).toBeGreaterThan(60);
  expect(wait).toBeLessThan(180);
});

it('a metadata fetcher survives a database outage', async () => {
  const gate = await createTcpGate(context.test.url);
  const database = createDatabase({
    url: gate.url,
    replicaUrls: [],
    poolSize: 5,
    isCluster: isTestCluster(),
    log: createQuietLog(),
  });
  const responses: (() => void)[] = [];
  server.on('/a', (_, response) => responses.push(() => response.end('{"name": "A"}')));
  server.serve('/b', { name: 'B' });
  await context.put([item('a', { uri: server.at('/a') })]);
  const fetcher = context.start({ db: database.primary, pollMs: 10 });
  try {
    while (responses.length === 0) await sleep(5);
    await gate.shut();
    for (const respond of responses) respond();
    await context.put([item('b', { uri: server.at('/b') })]);
    await sleep(300);
    await gate.open();
    // Documents fetched during the outage are not lost.
    expect(await context.readUntil('a', ({ valid }) => valid === true)).toMatchObject({
      name: 'A',
      tries: 0,
    });
    await context.readUntil('b', ({ valid }) => valid === true);
    expect(server.requests).toEqual(['/a', '/b']);
  } finally {
    await fetcher.close();
    await database.close();
    await gate.close();
  }
});

it('a disabled metadata fetcher does nothing', async () => {
  await context.put([item('i', { uri: server.at('/a') })]);
  const fetcher = context.start({ settings: { isOn: false } });
  await sleep(50);
  await fetcher.close();
  expect(server.requests).toEqual([]);
  expect((await context.read('i'))!.wait).toBeLessThanOrEqual(0);
});
