import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { TokenKind } from '../../../src/db/tables/tables.ts';
import { requestMetadata } from '../../../src/index/read/address-info.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const account = Buffer.alloc(33, 7);
const HOUR = 3600;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.database.primary.deleteFrom('token_metadata').execute());
afterAll(() => test.drop());

interface Given {
  readonly valid: boolean | null;
  /** Seconds from now, as below. */
  readonly nextTry: number | null;
  readonly updatedAt?: number;
  readonly expiresAt?: number;
  readonly priority?: number;
}

async function put(
  { valid, nextTry, updatedAt, expiresAt, priority = 0 }: Given,
  kind: TokenKind = 'nft_items',
) {
  const at = (seconds: number | undefined) =>
    seconds === undefined ? sql`null` : sql`extract(epoch from now())::bigint + ${seconds}::integer`;
  await sql`
    insert into token_metadata (account, kind, source_hash, valid, next_try, updated_at, expires_at, priority)
    values (${account}, ${kind}::token_kind, '', ${valid}, now() + ${nextTry}::integer * interval '1 second',
      ${at(updatedAt)}, ${at(expiresAt)}, ${priority})`.execute(test.database.primary);
}

async function read() {
  const { rows } = await sql<{ priority: number; wait: number | null }>`
    select priority, round(extract(epoch from next_try - now()) / 3600)::integer as wait from token_metadata
    order by kind`.execute(test.database.primary);
  return rows;
}

const ask = (kind: TokenKind = 'nft_items') =>
  requestMetadata(test.database.primary, { tokens: [{ account, kind }] });

it.each<[string, Given]>([
  ['one that waits', { valid: null, nextTry: -10 }],
  ['one that waits and is shown from the chain', { valid: true, nextTry: -10 }],
  ['one that was not to be had', { valid: false, nextTry: 20 * HOUR, updatedAt: -4 * HOUR }],
  ['one that is too old', { valid: true, nextTry: null, updatedAt: -200 * HOUR, expiresAt: -HOUR }],
])('requestMetadata prioritises %s', async (_, given) => {
  await put(given);
  await ask();
  expect(await read()).toEqual([{ priority: 3, wait: expect.closeTo(0) }]);
});

it.each<[string, Given, number | null]>([
  ['one that is being fetched', { valid: null, nextTry: HOUR }, 1],
  ['one that was just tried in vain', { valid: null, nextTry: HOUR, updatedAt: -20 }, 1],
  ['one that was given up a moment ago', { valid: false, nextTry: 24 * HOUR, updatedAt: -60 }, 24],
  ['one that is good', { valid: true, nextTry: 24 * HOUR, updatedAt: -HOUR, expiresAt: 24 * HOUR }, 24],
  [
    'one that is too old and was just tried in vain',
    { valid: true, nextTry: HOUR, updatedAt: -60, expiresAt: -HOUR },
    1,
  ],
  ['one with nothing to fetch', { valid: false, nextTry: null }, null],
  ['one that the chain tells all of', { valid: true, nextTry: null }, null],
])('requestMetadata leaves %s unchanged', async (_, given, wait) => {
  await put(given);
  await ask();
  expect(await read()).toEqual([{ priority: 0, wait }]);
});

it('requestMetadata only changes the requested kind, and accepts repeated tokens', async () => {
  await put({ valid: null, nextTry: -1 }, 'jetton_masters');
  await put({ valid: null, nextTry: -1 });
  const one = { account, kind: 'nft_items' as const };
  const unknown = { account: Buffer.alloc(33), kind: 'nft_items' as const };
  await requestMetadata(test.database.primary, { tokens: [one, unknown, one] });
  expect((await read()).map(({ priority }) => priority)).toEqual([0, 3]);
  await requestMetadata(test.database.primary, { tokens: [] });
});
