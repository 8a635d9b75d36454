import { writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import fc from 'fast-check';
import { fastify } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import type { Setting } from '../../src/config/setting.ts';
import { settingTable } from '../../src/config/setting-table.ts';
import {
  describeSettings,
  readSettings,
  type SettingName,
  SettingsError,
  settingNames,
} from '../../src/config/settings.ts';
import { sampled } from '../support/long-run.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('defaults of settings', () => {
  it('are what the design promises', () => {
    expect(readSettings({})).toEqual({
      network: 'localnet',
      tonConfig: undefined,
      coinName: 'TON',
      liteVerify: true,
      liteGroups: {},
      headMaxAge: 'off',
      localnetBlockMs: 1000,
      localnetMine: 'interval',
      localnetShards: 1,
      localnetSignedMs: 0,
      localnetDemo: true,
      localnetLiteHost: '127.0.0.1',
      localnetLitePort: 0,
      localnetControl: 'key',
      host: '127.0.0.1',
      port: 8081,
      pathPrefix: '',
      publicUrl: undefined,
      allowedHosts: [],
      trustProxy: false,
      cors: true,
      compress: true,
      receiveTimeoutMs: 30_000,
      drainMs: 0,
      stopTimeoutMs: 10_000,
      dataDir: resolve('data'),
      diskMinFreeMb: 100,
      databaseUrl: undefined,
      databasePassword: undefined,
      databaseReplicaUrls: [],
      databaseReplicaMaxLag: 5000,
      databaseCluster: 'auto',
      databaseShards: 16,
      databaseKeepPlans: true,
      databasePoolSize: 10,
      slowReads: 'auto',
      redisUrl: undefined,
      pendingRedisUrl: undefined,
      rateLimit: true,
      anonymousRps: 1,
      anonymousMaxOffset: 10_000,
      readMsPerRps: 100,
      usage: true,
      usageFlush: 10_000,
      usageRetention: 400 * 86_400,
      adminKey: undefined,
      grafanaUrl: undefined,
      responseKbPerRps: 'off',
      requestTimeoutMs: 10_000,
      maxBatch: 100,
      maxConnections: 'auto',
      workers: 1,
      strictParams: false,
      defaultLimit: 10,
      maxLimit: 1000,
      shedLoopDelayMs: 1000,
      shedHeapPercent: 95,
      index: true,
      indexFrom: 'genesis',
      indexKeep: 'all',
      indexLanes: 2,
      indexThreads: 'auto',
      v3Live: true,
      getMethods: 'auto',
      metadata: false,
      metadataConcurrency: 16,
      metadataIpfsGateway: ['https://ipfs.io/ipfs/'],
      metadataStorageGateway: undefined,
      mintlessDiskMb: 0,
      imgproxyUrl: undefined,
      imgproxyKey: undefined,
      imgproxySalt: undefined,
      vmThreads: 'auto',
      pending: true,
      pendingLimit: 10_000,
      pendingPerRps: 20,
      streaming: true,
      streamResume: 'all',
      streamAnonymousConnections: 1,
      streamAnonymousAddresses: 10,
      streamResumeEvents: 10_000,
      streamKeepaliveMs: 15_000,
      streamQueueMessages: 1000,
      streamQueueKb: 4096,
      streamMessagesPerSecond: 10,
      streamOpenOverLimit: false,
      streamTextDecimals: false,
      streamReferenceNames: false,
      webhooks: true,
      webhookPrivate: 'auto',
      webhooksPerKey: 10,
      webhookAddresses: 100_000,
      webhookAddressesPerRps: 1000,
      webhookEventsPerRps: 10,
      webhookRequests: 128,
      pendingFeedUrl: undefined,
      emulationThreads: 'auto',
      reindexPerRps: 1,
      vmMsPerRps: 50,
      logLevel: 'info',
      metricsPort: 'off',
      metricsHost: '127.0.0.1',
    });
  });

  it('apply to empty and blank variables, and are accepted as text', () => {
    const blank = Object.fromEntries(settingNames.map((name) => [name, ' ']));
    const written = settingNames.flatMap((name) => {
      const { default: text }: Setting = settingTable[name];
      return typeof text === 'string' ? [[name, text]] : [];
    });
    expect(readSettings(blank)).toEqual(readSettings({}));
    expect(readSettings(Object.fromEntries(written))).toEqual(readSettings({}));
  });

  it('of PENDING_REDIS_URL, INDEX_FROM and METRICS_HOST depend on REDIS_URL, NETWORK and HOST', () => {
    const [one, other] = ['redis://one', 'redis://other'];
    expect(readSettings({ REDIS_URL: one }).pendingRedisUrl).toBe(one);
    expect(readSettings({ REDIS_URL: one, PENDING_REDIS_URL: other }).pendingRedisUrl).toBe(other);
    expect(readSettings({ NETWORK: 'mainnet' }).indexFrom).toBe('now');
    expect(readSettings({ NETWORK: 'mainnet' }).coinName).toBe('GRAM');
    expect(readSettings({}).coinName).toBe('TON');
    expect(readSettings({ NETWORK: 'testnet' }).indexFrom).toBe('now');
    expect(readSettings({ NETWORK: 'custom', TON_CONFIG: 'c.json' }).indexFrom).toBe('genesis');
    expect(readSettings({ NETWORK: 'mainnet', INDEX_FROM: 'genesis' }).indexFrom).toBe('genesis');
    expect(readSettings({ HOST: '::' }).metricsHost).toBe('::');
    expect(readSettings({ HOST: '::', METRICS_HOST: '127.0.0.1' }).metricsHost).toBe('127.0.0.1');
  });
});

const accepted: [SettingName, string, unknown][] = [
  ['TON_CONFIG', 'https://ton.org/global.config.json', 'https://ton.org/global.config.json'],
  ['TON_CONFIG', 'conf/global.json', resolve('conf/global.json')],
  ['LITE_GROUPS', 'pro=/etc/pro.json', { pro: '/etc/pro.json' }],
  [
    'LITE_GROUPS',
    ' plus = conf/plus.json , pro=https://u:p@example.org/c?a=b,',
    { plus: resolve('conf/plus.json'), pro: 'https://u:p@example.org/c?a=b' },
  ],
  ['VM_THREADS', '3', 3],
  ['EMULATION_THREADS', '2', 2],
  ['PENDING', 'off', false],
  ['PENDING_FEED_URL', 'https://u:p@example.org/feed', 'https://u:p@example.org/feed'],
  ['HOST', 'api.example.org', 'api.example.org'],
  ['HOST', '::1', '::1'],
  ['PORT', '0', 0],
  ['PORT', ' 65535\r', 65535],
  ['DATABASE_URL', 'postgresql:///ton?host=/run/postgresql', 'postgresql:///ton?host=/run/postgresql'],
  ['DATABASE_REPLICA_MAX_LAG', '750ms', 750],
  ['DATABASE_REPLICA_MAX_LAG', '60m', 3_600_000],
  ['REDIS_URL', 'rediss://:p@cache:6380/1', 'rediss://:p@cache:6380/1'],
  ['DATA_DIR', '/var/lib/tongate/', '/var/lib/tongate'],
  ['INDEX_FROM', '44900000', 44_900_000],
  ['INDEX_KEEP', 'all', 'all'],
  ['INDEX_KEEP', '30d', 30 * 86_400],
  ['INDEX_KEEP', '36h', 36 * 3600],
  ['INDEX_THREADS', '2', 2],
  ['INDEX_LANES', '0', 0],
  ['METRICS_PORT', '0', 0],
  ['METRICS_PORT', '9100', 9100],
  ['PATH_PREFIX', '/ton/v1', '/ton/v1'],
  ['SHED_HEAP_PERCENT', '0', 0],
  ['SHED_HEAP_PERCENT', '50', 50],
  ['CORS', 'off', false],
  ['TRUST_PROXY', 'off', false],
  ['TRUST_PROXY', 'on', true],
  ['TRUST_PROXY', '2', 2],
  ['TRUST_PROXY', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
];

const refused: [SettingName, string][] = [
  ['NETWORK', 'Mainnet'],
  ['TON_CONFIG', 'ftp://example.org/config'],
  ['LITE_GROUPS', '/etc/pro.json'],
  ['LITE_GROUPS', '=/etc/pro.json'],
  ['LITE_GROUPS', 'pro='],
  ['LITE_GROUPS', 'pro=ftp://example.org/c'],
  ['LITE_GROUPS', 'pro=/a.json,pro=/b.json'],
  ['LITE_GROUPS', '__proto__=/a.json'],
  ['VM_THREADS', '0'],
  ['HOST', '127.0.0.256'],
  ['HOST', 'http://localhost'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.0'],
  ['PORT', '1e3'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['DATABASE_URL', 'postgres:host'],
  ['DATABASE_REPLICA_MAX_LAG', '5'],
  ['DATABASE_REPLICA_MAX_LAG', '0s'],
  ['DATABASE_REPLICA_MAX_LAG', '61m'],
  ['REDIS_URL', 'localhost:6379'],
  ['DATA_DIR', 'file:///tmp'],
  ['INDEX_FROM', '0'],
  ['INDEX_FROM', 'latest'],
  ['INDEX_KEEP', '0d'],
  ['INDEX_KEEP', '30'],
  ['INDEX_KEEP', '999999w'],
  ['INDEX_THREADS', '0'],
  ['ANONYMOUS_RPS', '0'],
  ['ANONYMOUS_RPS', '1000001'],
  ['DATABASE_POOL_SIZE', '501'],
  ['PATH_PREFIX', 'ton'],
  ['PATH_PREFIX', '/'],
  ['PATH_PREFIX', '/ton/'],
  ['PATH_PREFIX', '/../ton'],
  ['SHED_HEAP_PERCENT', '49'],
  ['CORS', 'true'],
  ['TRUST_PROXY', '0'],
  ['TRUST_PROXY', '33'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
  ['TRUST_PROXY', 'proxy.local'],
  ['REQUEST_TIMEOUT_MS', '99'],
  ['RECEIVE_TIMEOUT_MS', '999'],
  ['HEAD_MAX_AGE', '60'],
  ['DRAIN_MS', '600001'],
  ['STOP_TIMEOUT_MS', '60001'],
  ['MAX_BATCH', '1001'],
];

describe('values of settings', () => {
  it.each(accepted)('%s accepts %j', (name, text, value) => {
    expect(Object.values(readSettings({ [name]: text }))).toContainEqual(value);
  });

  it.each(refused)('%s rejects %j', (name, text) => {
    const [fault, ...others] = problemsOf({ [name]: text });
    expect(others).toEqual([]);
    expect(fault).toMatch(new RegExp(`^${name} .*: expected `));
  });

  it('of DATA_DIR and TON_CONFIG do not depend on a later change of the working directory', () => {
    const { dataDir, tonConfig } = readSettings({ DATA_DIR: './x', TON_CONFIG: '../c.json' });
    expect([dataDir, tonConfig].every((path) => isAbsolute(path ?? ''))).toBe(true);
  });

  it('of DATABASE_REPLICA_URLS are split at commas', () => {
    const urls = readSettings({
      DATABASE_URL: 'postgres://a/x',
      DATABASE_REPLICA_URLS: 'postgres://b/x, postgres://c/x,',
    }).databaseReplicaUrls;
    expect(urls).toEqual(['postgres://b/x', 'postgres://c/x']);
  });

  it('of TRUST_PROXY are accepted by Fastify', () => {
    const bits = (most: number) => fc.integer({ min: 0, max: most + 1 }).map((n) => `/${n}`);
    const range = fc.oneof(
      fc.tuple(fc.ipV4(), fc.option(bits(32), { nil: '' })),
      fc.tuple(fc.ipV6(), fc.option(bits(128), { nil: '' })),
    );
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 4 }), (ranges) => {
        const text = ranges.map((parts) => parts.join('')).join(',');
        fc.pre(problemsOf({ TRUST_PROXY: text }).length === 0);
        fastify({ trustProxy: readSettings({ TRUST_PROXY: text }).trustProxy as string[] });
      }),
      { numRuns: sampled(10, 30) },
    );
  });
});

describe('errors of settings', () => {
  it('are listed in one message', () => {
    const env = { PORT: 'abc', LOG_LEVEL: 'loud', DEFAULT_LIMIT: '20', MAX_LIMIT: '10', NETWORK: 'custom' };
    expect(() => readSettings(env)).toThrow(
      [
        '4 invalid settings:',
        '  PORT is "abc": expected an integer from 0 to 65535',
        '  LOG_LEVEL is "loud": expected trace, debug, info, warn, error, fatal or silent',
        '  TON_CONFIG is not set: expected the path or URL of a global config, because NETWORK is custom',
        '  DEFAULT_LIMIT is "20": expected at most MAX_LIMIT, which is 10',
      ].join('\n'),
    );
  });

  it('between settings name the setting to change', () => {
    expect(problemsOf({ METRICS_PORT: '8081' })).toEqual([
      'METRICS_PORT is "8081": expected a port other than PORT',
    ]);
    expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
    expect(problemsOf({ DATABASE_REPLICA_URLS: 'postgres://b/x' })).toEqual([
      'DATABASE_URL is not set: expected the database of which DATABASE_REPLICA_URLS are replicas',
    ]);
    expect(problemsOf({ IMGPROXY_KEY: 'c0ffee' })).toEqual([
      'IMGPROXY_SALT is not set: expected both or none of IMGPROXY_KEY and IMGPROXY_SALT',
    ]);
  });

  it('of hex bytes do not show the value', () => {
    for (const wrong of ['c0ffe', 'secret', '0x00'])
      expect(problemsOf({ IMGPROXY_KEY: wrong, IMGPROXY_SALT: '00' })).toEqual([
        'IMGPROXY_KEY is invalid (value hidden): expected 1 to 256 bytes in hex',
      ]);
    const { imgproxyKey } = readSettings({ IMGPROXY_KEY: 'C0ffee', IMGPROXY_SALT: '00' });
    expect(imgproxyKey).toEqual(Buffer.from([0xc0, 0xff, 0xee]));
  });

  it('are not repeated for a default that depends on an invalid setting', () => {
    expect(problemsOf({ HOST: '1.2.3' })).toHaveLength(1);
    expect(problemsOf({ NETWORK: 'moon' })).toHaveLength(1);
  });

  it('never show a secret, even in the wrong variable', () => {
    const secret = 'S3cretPassw0rd';
    const url = `mysql://user:${secret}@host/db`;
    for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'REDIS_URL', 'PENDING_FEED_URL'] as const) {
      expect(problemsOf({ [name]: secret }).join()).not.toContain(secret);
    }
    for (const name of settingNames) expect(problemsOf({ [name]: url }).join()).not.toContain(secret);
    expect(problemsOf({ HOST: `postgres://u:${secret.repeat(20)}@host` }).join()).not.toContain(secret);
  });

  it('are the only errors of readSettings, whatever the environment contains', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.integer().map(String),
      fc.constantFrom('on', 'off', 'now', '/', 'postgres://', 'redis://[', '10.0.0.0/8', '__proto__'),
    );
    const env = fc.dictionary(fc.constantFrom(...settingNames, '__proto__', 'PATH'), value);
    fc.assert(
      fc.property(env, (variables) => {
        for (const fault of problemsOf(variables)) expect(fault).toMatch(/^[A-Z0-9_]+ .*: expected /);
      }),
      { numRuns: sampled(15, 500) },
    );
  });
});

describe('settings in files', () => {
  const folder = makeTemporaryDirectory('secrets');
  afterAll(() => removeTemporaryDirectory(folder));
  const fileWith = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('are read without the line break at their end', () => {
    const settings = readSettings({
      DATABASE_URL_FILE: fileWith('url', 'postgres://u:p@db/ton\n'),
      IMGPROXY_KEY_FILE: fileWith('key', 'c0ffee\r\n'),
      IMGPROXY_SALT: '00',
    });
    expect(settings.databaseUrl).toBe('postgres://u:p@db/ton');
    expect(settings.imgproxyKey).toEqual(Buffer.from('c0ffee', 'hex'));
  });

  it('are all secrets, and no others', () => {
    const path = fileWith('other', '1234');
    const problems = problemsOf(Object.fromEntries(settingNames.map((name) => [`${name}_FILE`, path])));
    const secrets = settingNames.filter((name) => (settingTable[name] as Setting).secret !== undefined);
    const named = problems.flatMap((problem) => /in the file of (\w+)_FILE/.exec(problem)?.[1] ?? []);
    // Any text is a password, and these digits are a key.
    const fit = ['ADMIN_KEY', 'DATABASE_PASSWORD', 'IMGPROXY_KEY', 'IMGPROXY_SALT'];
    expect([...named, ...fit].sort()).toEqual([...secrets].sort());
    expect(readSettings({ PORT_FILE: path }).port).toBe(8081);
  });

  it('are refused if the variable is set too', () => {
    const path = fileWith('twice', 'redis://one');
    expect(problemsOf({ REDIS_URL: 'redis://other', REDIS_URL_FILE: path })).toEqual([
      'REDIS_URL and REDIS_URL_FILE are both set: expected one of them',
    ]);
    expect(readSettings({ REDIS_URL: ' ', REDIS_URL_FILE: path }).redisUrl).toBe('redis://one');
    expect(readSettings({ REDIS_URL: 'redis://other', REDIS_URL_FILE: '' }).redisUrl).toBe('redis://other');
  });

  it('are refused if the file cannot be read, with its path', () => {
    const problemOf = (path: string) => problemsOf({ REDIS_URL_FILE: path });
    const expected = (path: string, problem: string) => [
      `REDIS_URL_FILE is ${JSON.stringify(path)}: expected a file with the secret, ${problem}`,
    ];
    const [missing, empty] = [join(folder, 'missing'), fileWith('empty', '\n')];
    const long = fileWith('long', 'x'.repeat(70_000));
    expect(problemOf(missing)).toEqual(expected(missing, 'there is none'));
    expect(problemOf(folder)).toEqual(expected(folder, 'this is not a file'));
    expect(problemOf('/dev/zero')).toEqual(expected('/dev/zero', 'this is not a file'));
    expect(problemOf(empty)).toEqual(expected(empty, 'this one is empty'));
    expect(problemOf(long)).toEqual(expected(long, 'this one has 70000 bytes, more than 65536'));
  });

  it('are not shown if they are wrong', () => {
    expect(problemsOf({ DATABASE_URL_FILE: fileWith('wrong', 'mysql://u:hunter2@db') })).toEqual([
      'DATABASE_URL in the file of DATABASE_URL_FILE is invalid (value hidden): expected a URL that starts with postgres:// or postgresql://',
    ]);
  });
});

describe('DATABASE_PASSWORD', () => {
  it('completes URLs without a password', () => {
    const settings = readSettings({
      DATABASE_URL: 'postgres://ton@db/ton',
      DATABASE_REPLICA_URLS: 'postgres://ton@one/ton,postgres://ton:own@two/ton',
      DATABASE_PASSWORD: 'p@ss/w%rd',
    });
    expect(settings.databaseUrl).toBe('postgres://ton:p%40ss%2Fw%25rd@db/ton');
    expect(settings.databaseReplicaUrls).toEqual([
      'postgres://ton:p%40ss%2Fw%25rd@one/ton',
      'postgres://ton:own@two/ton',
    ]);
    expect(describeSettings(settings)).toMatchObject({
      DATABASE_URL: 'postgres://ton:***@db/ton',
      DATABASE_PASSWORD: '***',
    });
  });

  it('needs a database and a user', () => {
    expect(problemsOf({ DATABASE_PASSWORD: 'x' })).toEqual([
      'DATABASE_URL is not set: expected the database to which DATABASE_PASSWORD belongs',
    ]);
    expect(problemsOf({ DATABASE_PASSWORD: 'x', DATABASE_URL: 'postgres://db/ton' })).toEqual([
      'DATABASE_URL has no user: expected the user to whom DATABASE_PASSWORD belongs',
    ]);
  });
});

describe('describeSettings', () => {
  it('hides credentials and omits unset settings', () => {
    const described = describeSettings(
      readSettings({
        DATABASE_URL: 'postgres://ton:pw@db/ton?sslpassword=pw&sslmode=require',
        DATABASE_REPLICA_URLS: 'postgres://token@replica/ton,postgres://replica/ton',
        TON_CONFIG: 'https://example.org/config?token=pw',
        LITE_GROUPS: 'plus=/etc/plus.json,pro=https://u:pw@example.org/config',
        TRUST_PROXY: '1',
        CORS: 'off',
        IMGPROXY_KEY: 'c0ffee',
        IMGPROXY_SALT: '00',
      }),
    );
    expect(described).toMatchObject({
      DATABASE_URL: 'postgres://ton:***@db/ton?sslpassword=***&sslmode=require',
      DATABASE_REPLICA_URLS: ['postgres://***@replica/ton', 'postgres://replica/ton'],
      TON_CONFIG: 'https://example.org/config?token=***',
      LITE_GROUPS: { plus: '/etc/plus.json', pro: 'https://u:***@example.org/config' },
      TRUST_PROXY: 1,
      CORS: 'off',
      IMGPROXY_KEY: '***',
      IMGPROXY_SALT: '***',
      LOG_LEVEL: 'info',
    });
    expect(described).not.toHaveProperty('REDIS_URL');
  });

  it('never shows a password', () => {
    const password = fc.string({ minLength: 1 }).map((text) => `pw<${text}>wp`);
    fc.assert(
      fc.property(password, (text) => {
        const encoded = encodeURIComponent(text);
        const url = `postgres://user:${encoded}@host/db?password=${encoded}`;
        const shown = JSON.stringify(describeSettings(readSettings({ DATABASE_URL: url })));
        expect(shown).not.toContain(encoded);
      }),
    );
  });
});
