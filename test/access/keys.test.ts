import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey, ensureApiKey, generateKey } from '../../src/access/keys.ts';
import { DEFAULT_PLAN, findPlan, PLANS } from '../../src/access/plans.ts';
import { listApiKeys, revokeApiKey } from '../../src/access/stored-keys.ts';
import { createTestDatabase } from '../support/database.ts';

let base: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  base = await createTestDatabase();
});
afterAll(() => base?.drop());

const settings = { name: 'bot', plan: 'plus', rps: 70, networks: ['mainnet'] };

test('generateKey returns 256 random bits behind a recognisable prefix', () => {
  const keys = Array.from({ length: 100 }, generateKey);
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^tg_[A-Za-z0-9_-]{43}$/);
});

test('createApiKey stores the SHA-256 of the key only', async () => {
  const { key, row } = await createApiKey(base.database, settings);
  expect(row).toMatchObject({ ...settings, lastUsedAt: null, revokedAt: null });
  expect(row.hash).toEqual(createHash('sha256').update(key).digest());
  expect(JSON.stringify(await base.database.write((db) => listApiKeys(db)))).not.toContain(key);
});

test('ensureApiKey stores a key once, even if several processes start at the same time', async () => {
  const key = generateKey();
  const rows = await Promise.all(
    Array.from({ length: 5 }, () => ensureApiKey(base.database, { key, ...settings })),
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
  expect(rows[0]).toMatchObject(settings);
  const id = rows[0]?.id ?? '';
  await base.database.write((db) => revokeApiKey(db, { id }));
  const again = await ensureApiKey(base.database, { key, ...settings, rps: 1 });
  expect(again).toMatchObject({ id, rps: 70 });
  expect(again.revokedAt).not.toBeNull();
});

test('plans are in ascending order, and the default is one of them', () => {
  const rates = PLANS.map(({ rps }) => rps);
  expect(rates).toEqual([...rates].sort((a, b) => a - b));
  expect(findPlan(DEFAULT_PLAN)).toBe(PLANS[0]);
  expect(findPlan('gold')).toBeUndefined();
});
