import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findApiKeyByHash,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  touchApiKeys,
} from '../../src/access/stored-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const hashOf = (key: string) => createHash('sha256').update(key).digest();

function add(key: string, more: { networks?: string[]; rps?: number } = {}) {
  const row = { hash: hashOf(key), name: `name of ${key}`, plan: 'free', networks: [], rps: 10, ...more };
  return insertApiKey(test.database.primary, row);
}

describe('api key queries', () => {
  it('find an inserted key by hash', async () => {
    const before = Math.floor(Date.now() / 1000);
    const key = await add('find', { networks: ['mainnet', 'testnet'], rps: 25 });
    expect(key).toMatchObject({
      name: 'name of find',
      plan: 'free',
      networks: ['mainnet', 'testnet'],
      rps: 25,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(key.id).toMatch(/^\d+$/);
    expect(key.createdAt).toBeGreaterThanOrEqual(before - 1);
    expect(await findApiKeyByHash(test.database.primary, { hash: hashOf('find') })).toEqual(key);
    expect(await findApiKeyByHash(test.database.primary, { hash: hashOf('other') })).toBeUndefined();
  });

  it('list keys in the order of creation', async () => {
    const made = [await add('list 1'), await add('list 2'), await add('list 3')];
    const listed = await listApiKeys(test.database.primary);
    expect(listed.slice(-3)).toEqual(made);
  });

  it('keep revoked keys with the time of the first revocation', async () => {
    const { id } = await add('revoke');
    const revoked = await revokeApiKey(test.database.primary, { id });
    expect(revoked?.revokedAt).toEqual(expect.any(Number));
    expect(await revokeApiKey(test.database.primary, { id })).toEqual(revoked);
    expect(await findApiKeyByHash(test.database.primary, { hash: hashOf('revoke') })).toEqual(revoked);
  });

  it.each(['999999', 'abc', '', '-1', '99999999999999999999'])('find no key with id "%s"', async (id) => {
    expect(await revokeApiKey(test.database.primary, { id })).toBeUndefined();
  });

  it('store the latest use of many keys at once', async () => {
    const [a, b, c] = [await add('touch a'), await add('touch b'), await add('touch c')];
    const uses = [
      { id: a.id, usedAt: 1_700_000_500 },
      { id: a.id, usedAt: 1_700_000_900 },
      { id: b.id, usedAt: 1_700_000_600 },
      { id: '987654321', usedAt: 1 },
    ];
    await touchApiKeys(test.database.primary, { uses });
    await touchApiKeys(test.database.primary, { uses: [{ id: b.id, usedAt: 1_600_000_000 }] });
    await touchApiKeys(test.database.primary, { uses: [] });
    const times = new Map((await listApiKeys(test.database.primary)).map((key) => [key.id, key.lastUsedAt]));
    expect([a, b, c].map((key) => times.get(key.id))).toEqual([1_700_000_900, 1_700_000_600, null]);
  });

  it('store parallel uses of the same keys', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, (_, at) => add(`busy ${at}`)));
    const rounds = Array.from({ length: 30 }, (_, round) => {
      const uses = keys.map(({ id }) => ({ id, usedAt: 1_700_000_000 + round }));
      return touchApiKeys(test.database.primary, { uses: round % 2 ? uses : uses.toReversed() });
    });
    await Promise.all(rounds);
    const last = await findApiKeyByHash(test.database.primary, { hash: hashOf('busy 0') });
    expect(last?.lastUsedAt).toBe(1_700_000_029);
  });

  it('reject a second key with the same hash, a malformed hash and a limit below one', async () => {
    await add('twice');
    await expect(add('twice')).rejects.toMatchObject({ code: '23505' });
    await expect(add('none', { rps: 0 })).rejects.toMatchObject({ constraint: 'api_keys_rps_positive' });
    const short = { hash: Buffer.from('ab'), name: '', plan: '', networks: [], rps: 1 };
    await expect(insertApiKey(test.database.primary, short)).rejects.toMatchObject({ code: '23514' });
  });
});
