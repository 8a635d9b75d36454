import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readIndex } from '../../src/v3/read-index.ts';
import { readRequestOptions } from '../../src/v3/request.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { NO_INDEX } from './support/build-app.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const callWith = (timeout: string) => ({
  ports: { ...NO_INDEX, database: test.database },
  options: readRequestOptions({ 'x-timeout': timeout }, { origin: 'query', values: new Map() }),
});

describe('readIndex', () => {
  it('returns the result of the work or throws its error', async () => {
    expect(await readIndex(callWith('3000'), async () => 5)).toBe(5);
    const bad = readIndex(callWith('3000'), (db) => sql`select nothing`.execute(db));
    await expect(bad).rejects.toThrow('nothing');
  });

  it('times out after the timeout of the caller', async () => {
    const slow = readIndex(callWith('50'), (db) => sql`select pg_sleep(0.5)`.execute(db));
    await expect(slow).rejects.toMatchObject({
      kind: 'timeout',
      message: 'timeout: context deadline exceeded',
    });
  });
});
