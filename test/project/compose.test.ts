import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createRedisRateStore } from '../../src/access/rate-limit.ts';
import type { Setting } from '../../src/config/setting.ts';
import { settingTable } from '../../src/config/setting-table.ts';
import { readSettings, type Settings } from '../../src/config/settings.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { noOwnRedis, startRedis } from '../support/redis.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly user?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly stop_grace_period?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file?: string }>>;
  readonly configs: Readonly<Record<string, { readonly file?: string }>>;
}

/** The file with the defaults of its variables. */
const compose = parse(
  read('docker-compose.yml').replace(/\$\{[A-Z_]+:-([^}]*)\}/g, (_, fallback: string) => fallback),
  { merge: true },
) as Compose;
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
/** Connections of the workers of one server with `WORKERS=auto`. */
const MAX_OF_WORKERS = 80;
/** Connections of an indexer besides its lanes and its pool: three to write, one to announce, three to classify. */
const OTHERS_OF_INDEXER = 7;
const SECRET_PATH = '/run/secrets/postgres-password';

describe('every service of docker-compose.yml', () => {
  test.each(services)('%s has no rights that it does not need', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[gm]$/),
      pids_limit: expect.any(Number),
    });
    expect(service.cap_add).toBeUndefined();
    // The image of tongate has its own user.
    if (service.build === undefined) expect(service.user).toMatch(/^(postgres|redis)$/);
  });

  test.each(services)('%s has a health check', (_, { build, healthcheck }) => {
    if (build === undefined) expect(healthcheck?.test[0]).toBe('CMD');
    else expect(read('Dockerfile')).toContain('HEALTHCHECK');
  });

  test.each(services)('%s has an image of an exact version', (_, { image }) => {
    expect(image).toMatch(/^[a-z]+(\/[a-z]+)?:\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });

  test.each(services)('%s has its secrets in files', (_, { environment = {}, secrets = [] }) => {
    for (const [name, value] of Object.entries(environment)) {
      expect(value).not.toMatch(/:\/\/[^/@]*:[^/@]*@/);
      if (!name.endsWith('_FILE')) continue;
      expect(secrets).toContain(value.replace('/run/secrets/', ''));
      const setting = settingTable[name.slice(0, -'_FILE'.length) as keyof typeof settingTable];
      if (!name.startsWith('POSTGRES_')) expect((setting as Setting).secret).toBeDefined();
    }
    for (const secret of secrets) expect(compose.secrets[secret]?.file).toBeDefined();
  });
});

// Measured: a container that was stopped in the first second of its start was killed after its grace period.
test.each(ours)('%s ends when it is stopped before it listens to signals', (_, service) => {
  expect(service.init).toBe(true);
});

test('docker-compose.yml puts only files into containers that are read-only', () => {
  for (const source of Object.values(compose.configs))
    expect(existsSync(join(root, source.file!))).toBe(true);
  for (const source of Object.values(compose.secrets)) expect(Object.keys(source)).toEqual(['file']);
});

test('docker-compose.yml starts the database that a profile names, and no other', () => {
  for (const [, { depends_on: needed = {} }] of ours)
    for (const name of ['postgres', 'citus-cluster']) expect(needed[name]?.required).toBe(false);
  expect(compose.services.postgres!.profiles).toEqual(['postgres']);
  expect(compose.services['citus-coordinator']!.profiles).toEqual(['citus']);
  // Only these run without a profile, so that `down` and `logs` would act on them alone.
  const always = services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name);
  expect(always).toEqual(['redis-limits', 'redis-pending']);
  const active = /^COMPOSE_PROFILES=(.+)$/m.exec(read('deploy/compose.env'))![1]!.split(',');
  const known = new Set(services.flatMap(([, { profiles = [] }]) => profiles));
  expect(active.filter((name) => !known.has(name))).toEqual([]);
  expect(active).toContain('postgres');
});

test.each(ours)('%s has settings of its network, and a place for files', (name, service) => {
  const [network] = name.split('-');
  expect(service.env_file).toEqual([
    { path: 'tongate.env', required: false },
    { path: `${network}.env`, required: false },
  ]);
  expect(service.volumes).toContain('./config:/config:ro');
  const [, port] = /:(\d+):8081$/.exec(service.ports?.[0] ?? '') ?? [];
  // The banner names the port outside of the container.
  expect(service.environment!.PUBLIC_URL).toBe(port && `http://127.0.0.1:${port}`);
});

test('the Dockerfile needs no other image: its syntax is that of the builder', () => {
  expect(read('Dockerfile')).not.toMatch(/^# *syntax *=/m);
});

test('the Dockerfile uses the Node of the tests', () => {
  const version = JSON.parse(read('node_modules/node/package.json')).version as string;
  const images = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(images.length).toBeGreaterThan(1);
  expect(new Set(images)).toEqual(new Set([`node:${version}-slim`]));
});

describe('the settings of docker-compose.yml', () => {
  /** What a service of tongate reads in its container. */
  function settingsOf({ environment = {} }: Service): Settings {
    const folder = makeTemporaryDirectory('compose');
    const secret = join(folder, 'password');
    writeFileSync(secret, 'hunter2\n');
    const env = Object.entries(environment).map(([name, value]) => [
      name,
      value === SECRET_PATH ? secret : value,
    ]);
    try {
      return readSettings(Object.fromEntries(env));
    } finally {
      void removeTemporaryDirectory(folder);
    }
  }

  test.each(ours)('of %s are valid', (_, service) => {
    const { network, databaseUrl } = settingsOf(service);
    expect(databaseUrl).toBe(`postgres://tongate:hunter2@postgres:5432/tongate_${network}`);
    expect(read('deploy/databases.sql')).toContain(`CREATE DATABASE tongate_${network};`);
  });

  test.each(ours)('of %s leave time to drain and to stop', (_, service) => {
    const { drainMs, stopTimeoutMs } = settingsOf(service);
    const graceMs = Number(/^(\d+)s$/.exec(service.stop_grace_period!)?.[1]) * 1000;
    expect(graceMs).toBeGreaterThan(drainMs + stopTimeoutMs);
  });

  test('leave connections to PostgreSQL for all networks side by side, and for indexers that are scaled', () => {
    const opened = ours.map(([name, service]) => {
      const { databasePoolSize, workers, indexLanes } = settingsOf(service);
      const ofIndexer = indexLanes + OTHERS_OF_INDEXER;
      if (name.endsWith('-indexer')) return 3 * (databasePoolSize + ofIndexer);
      const ofServer = workers === 'auto' ? MAX_OF_WORKERS : workers * databasePoolSize;
      return service.command?.includes('start') ? ofServer + ofIndexer : ofServer;
    });
    const allowed = /^max_connections=(\d+)$/;
    for (const name of ['postgres', 'citus-coordinator']) {
      const options = compose.services[name]!.command!.filter((option) => allowed.test(option));
      expect(Number(allowed.exec(options[0] ?? '')?.[1])).toBeGreaterThan(
        opened.reduce((sum, one) => sum + one),
      );
    }
    expect(compose.services.postgres!.pids_limit).toBeGreaterThan(300);
  });

  test.each(ours)('of %s keep counters and pending messages in services of their own', (_, service) => {
    const { redisUrl, pendingRedisUrl } = settingsOf(service);
    const [limits, pending] = [redisUrl, pendingRedisUrl].map((url) => new URL(url!).hostname);
    expect(compose.services[limits!]!.command).toContain('noeviction');
    expect(compose.services[pending!]!.command).toContain('volatile-ttl');
  });
});

/** The options of a Redis of docker-compose.yml, with little memory. */
function redisOptions(name: string): string[] {
  const [program, ...options] = compose.services[name]!.command!;
  expect(program).toBe('redis-server');
  return options.map((option) => (/^\d+mb$/.test(option) ? '4mb' : option));
}

test.skipIf(noOwnRedis)(
  'rate counters survive pending messages that fill the memory of their Redis',
  async () => {
    const [limits, pending] = await Promise.all(
      ['redis-limits', 'redis-pending'].map((name) => startRedis(redisOptions(name))),
    );
    const client = new Redis(pending!.url);
    const store = await createRedisRateStore({ url: limits!.url, log: createQuietLog(), onError: () => {} });
    // Longer than the test takes.
    const count = () =>
      new Promise((resolve) => store.incr('key', (_, counted) => resolve(counted?.current), 600_000, 10));
    try {
      for (let i = 1; i <= 10; i++) expect(await count()).toBe(i);
      const trace = Buffer.alloc(20_000, 1);
      for (let i = 0; i < 500; i++) await client.set(`tongate:pending:${i}`, trace, 'PX', 3_600_000 + i);
      expect(await client.info('stats')).toMatch(/^evicted_keys:[1-9]/m);
      expect(await count()).toBe(11);
    } finally {
      await store.close();
      client.disconnect();
      await Promise.all([limits!.kill(), pending!.kill()]);
    }
  },
);
