import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey, createKeyDirectory, type KeyDirectory } from '../../src/access/keys.ts';
import { PLANS } from '../../src/access/plans.ts';
import { createAccess } from '../../src/access/plugin.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { readLimitsOf } from '../../src/cli/read-limits.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createV3Interface } from '../../src/v3/interface.ts';
import { createTestApp } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { NO_INDEX } from '../v3/support/build-app.ts';

let base: TestDatabase;
let keys: KeyDirectory;
beforeAll(async () => {
  base = await createTestDatabase();
  keys = createKeyDirectory({ database: base.database, log: createQuietLog() });
});
afterAll(async () => {
  await keys?.close();
  await base?.drop();
});

const metrics = { refused: () => {}, slowRead: () => {}, observeWaitingReads: () => {} };
const limitsWith = (settings: Record<string, string>) =>
  readLimitsOf(readSettings({ NETWORK: 'localnet', ...settings }), metrics);

async function openApp(settings: Record<string, string>) {
  return createTestApp({
    access: createAccess({
      keys,
      store: createMemoryRateStore(),
      network: 'localnet',
      anonymousRps: 1000,
      rateLimit: true,
      onRefused: () => {},
    }),
    overrides: {
      interfaces: [
        {
          prefix: '/api/v3',
          plugin: createV3Interface({
            ports: { ...NO_INDEX, database: base.database },
            limits: { defaultLimit: 10, maxLimit: 1000 },
            ...limitsWith(settings),
          }),
        },
      ],
    },
  });
}

it('an offset above that of the plan is refused with a text that names cursors', async () => {
  const app = await openApp({ ANONYMOUS_MAX_OFFSET: '5000' });
  const plans = [null, ...PLANS.map(({ name }) => name), 'localnet'];
  const bounds: (number | undefined)[] = [];
  for (const plan of plans) {
    const settings = { name: 'test', plan: plan!, rps: 1000, networks: [] };
    const key = plan === null ? undefined : (await createApiKey(base.database, settings)).key;
    const ask = (offset: number, cursor = '') =>
      app.inject({
        url: `/api/v3/blocks?offset=${offset}${cursor}`,
        headers: key ? { 'x-api-key': key } : {},
      });
    const refused = await ask(2_147_483_647);
    const found =
      /^offset is not allowed: 2147483647 > (\d+); continue with cursor, from X-Tongate-Next-Cursor of a page$/;
    const bound = found.exec(refused.json().error)?.[1];
    bounds.push(bound === undefined ? undefined : Number(bound));
    if (bound === undefined) {
      expect([plan, refused.statusCode]).toEqual(['localnet', 200]);
      continue;
    }
    expect(refused.json().code).toBe(422);
    expect(refused.statusCode).toBe(422);
    expect((await ask(Number(bound))).statusCode).toBe(200);
    expect((await ask(Number(bound) + 1)).statusCode).toBe(422);
  }
  expect(bounds[0]).toBe(5000);
  expect(bounds.at(-1)).toBeUndefined();
  const ofPlans = bounds.slice(1, -1) as number[];
  expect(ofPlans).toEqual(ofPlans.toSorted((a, b) => a - b));
  await app.close();
});

it('settings switch the limits off', () => {
  expect(limitsWith({ RATE_LIMIT: 'off' }).maxOffsetOf(null)).toBeUndefined();
  expect(limitsWith({ RATE_LIMIT: 'off' }).maxOffsetOf('free')).toBeUndefined();
  expect(limitsWith({ ANONYMOUS_MAX_OFFSET: 'off' }).maxOffsetOf(null)).toBeUndefined();
  expect(limitsWith({ RATE_LIMIT: 'off' }).reads.msPerRps).toBeUndefined();
  expect(limitsWith({ READ_MS_PER_RPS: 'off' }).reads.msPerRps).toBeUndefined();
  expect(limitsWith({ READ_MS_PER_RPS: '7' }).reads.msPerRps).toBe(7);
});

it('slow reads never get all connections', () => {
  const readsWith = (size: number, slow: string) => {
    const { connections, slowReads } = limitsWith({ DATABASE_POOL_SIZE: `${size}`, SLOW_READS: slow }).reads;
    return { connections, slowReads };
  };
  expect(readsWith(10, '3')).toEqual({ connections: 8, slowReads: 3 });
  expect(readsWith(10, '100')).toEqual({ connections: 8, slowReads: 7 });
  expect(readsWith(3, 'auto').slowReads).toBe(1);
});
