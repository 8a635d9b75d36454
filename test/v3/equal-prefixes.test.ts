import type { FastifyInstance } from 'fastify';
import { type Insertable, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { normalizedHash } from '../../src/chain/tlb/message.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { accountPrefix, hashPrefix } from '../../src/index/format/position.ts';
import { findLoneAccounts } from '../../src/index/read/lists.ts';
import { formatAccount } from '../../src/v3/values.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampleOf } from '../support/long-run.ts';
import { BUSY, makeBorderedChain, openBorderedIndex, RARE } from './support/bordered-index.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { createListClient, type ListQuery, someOrders } from './support/list-queries.ts';
import { listReferenceMessages, readSlowMessages, type SlowMessage } from './support/reference-messages.ts';

const BARE = { x_no_address_book: '1', x_no_metadata: '1' };
/** Lists have about sixty rows or one. */
const LIMIT = 23;
const b64 = (hash: Buffer) => hash.toString('base64');

/** Transactions that received an external message and sent a message. */
const senders = makeBorderedChain().filter(({ transaction }) => transaction.outMessages.length > 0);
const sentBy = (number: number) => senders[number]!.transaction.outMessages[0]!;
const receivedBy = (number: number) => senders[number]!.transaction.inMessage!;

let test: TestDatabase;
let app: FastifyInstance;
let slow: readonly SlowMessage[];
beforeEach(async () => {
  test = await openBorderedIndex();
  slow = await readSlowMessages(test.database.primary);
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterEach(async () => {
  await app?.close();
  await test?.drop();
});

/** Nobody can make equal prefixes for a test, so rows are given the prefixes of other values. */
async function put(
  table: 'messages' | 'transactions',
  column: string,
  value: bigint,
  where: ReturnType<typeof sql<boolean>>,
): Promise<void> {
  // Not by an update: on a cluster the column may decide where the row is.
  const { rows } = await sql<Insertable<Tables['messages']>>`
    delete from ${sql.table(table)} where ${where} returning *`.execute(test.database.primary);
  expect(rows.length).toBeGreaterThan(0);
  await test.database.primary
    .insertInto(table as 'messages')
    .values(rows.map((row) => ({ ...row, [column]: value })))
    .execute();
}

/** Expects lists of messages as they were before rows were changed, whole and in pages. */
async function expectMessages(...queries: readonly ListQuery[]): Promise<void> {
  const client = createListClient(app, 'messages');
  const hashesOf = (rows: readonly { readonly hash: string }[]) => rows.map(({ hash }) => hash);
  for (const query of someOrders(sampleOf(queries, 2))) {
    const expected = listReferenceMessages(slow, query).map(({ hash }) => hash!);
    expect(expected.length).toBeGreaterThan(0);
    const asked = { ...query, ...BARE };
    expect(hashesOf(await client.rows(asked)), JSON.stringify(query)).toEqual(expected);
    expect(hashesOf(await client.byOffset(asked, LIMIT)), JSON.stringify(query)).toEqual(expected);
    expect(hashesOf(await client.byCursor(asked, LIMIT)), JSON.stringify(query)).toEqual(expected);
  }
}

async function hashesByMessage(query: ListQuery): Promise<readonly string[]> {
  const { transactions } = await createListClient(app, 'transactionsByMessage').ask({ ...query, ...BARE });
  return transactions.map(({ hash }: { readonly hash: string }) => hash);
}

describe('rows with the prefix of another value are left out', () => {
  it('of transactions by hash', async () => {
    const [one, other] = senders;
    await put('transactions', 'hash8', hashPrefix(one!.hash), sql`hash8 = ${hashPrefix(other!.hash)}`);
    const found = await createListClient(app, 'transactions').rows({ hash: b64(one!.hash), ...BARE });
    expect(found.map(({ hash }) => hash)).toEqual([b64(one!.hash)]);
  });

  it('of messages by hash, and of their senders and receivers', async () => {
    const [one, other] = [sentBy(0), sentBy(1)].map(({ hash }) => hash) as [Buffer, Buffer];
    const before = await hashesByMessage({ msg_hash: b64(one) });
    expect(before).toHaveLength(2);
    await put('messages', 'hash8', hashPrefix(one), sql`hash8 = ${hashPrefix(other)}`);
    await put('transactions', 'in8', hashPrefix(one), sql`in8 = ${hashPrefix(other)}`);
    expect(await hashesByMessage({ msg_hash: b64(one) })).toEqual(before);
    await expectMessages({ msg_hash: b64(one) });
    const shown = await createListClient(app, 'messages').rows({ msg_hash: b64(one), ...BARE });
    expect([shown[0]!.out_msg_tx_hash, shown[0]!.in_msg_tx_hash].sort()).toEqual([...before].sort());
    // Both messages have the same logical time.
    const lt = `${slow.find(({ hash }) => hash.equals(one))!.lt}`;
    const ofTime = await createListClient(app, 'messages').rows({ start_lt: lt, end_lt: lt, ...BARE });
    expect(ofTime.map(({ hash }) => hash)).toEqual(expect.arrayContaining([b64(one), b64(other)]));
    expect(ofTime.find(({ hash }) => hash === b64(one))).toEqual(shown[0]);
  });

  it('of external messages by normalized hash', async () => {
    const packed = senders.map(({ transaction }) => transaction.inMessage!);
    const [one, other] = packed.filter((message) => !normalizedHash(message).equals(message.hash));
    const [prefix, wrong] = [one!, other!].map((message) => hashPrefix(normalizedHash(message)));
    await put('messages', 'src8', prefix!, sql`created_at is null and src8 = ${wrong}`);
    await put('messages', 'src8', prefix!, sql`src8 = ${accountPrefix(RARE)}`);
    await expectMessages({ msg_hash: b64(normalizedHash(one!)) });
    expect(await hashesByMessage({ msg_hash: b64(normalizedHash(one!)) })).toHaveLength(1);
  });

  it('of messages by sender and receiver', async () => {
    await put('messages', 'src8', accountPrefix(BUSY), sql`created_at is null and src8 is not null`);
    await put('messages', 'src8', accountPrefix(BUSY), sql`src8 = ${accountPrefix(RARE)}`);
    await put('messages', 'dst8', accountPrefix(BUSY), sql`dst8 = ${accountPrefix(RARE)}`);
    const busy = formatAccount(BUSY);
    await expectMessages(
      { source: busy },
      { destination: busy },
      { source: busy, start_utime: '1' },
      { source: busy, direction: 'in' },
      { destination: busy, only_externals: 'true' },
    );
  });

  it('of messages by body, and of their transactions', async () => {
    const [one, other] = [sentBy(0), sentBy(1)].map(({ bodyHash }) => bodyHash) as [Buffer, Buffer];
    const ask = (query: ListQuery) =>
      createListClient(app, 'transactionsByMessage', 'transactions').byOffset({ ...query, ...BARE }, LIMIT);
    const queries: readonly ListQuery[] = someOrders([
      { body_hash: b64(one) },
      { body_hash: b64(one), direction: 'out' },
      { body_hash: b64(one), opcode: '0x0' },
    ]);
    const before = await Promise.all(queries.map(ask));
    expect(one.equals(other)).toBe(false);
    await put('messages', 'body8', hashPrefix(one), sql`body8 = ${hashPrefix(other)}`);
    await put('messages', 'body8', hashPrefix(one), sql`body8 = ${hashPrefix(receivedBy(3).bodyHash)}`);
    await expectMessages({ body_hash: b64(one) }, { body_hash: b64(one), start_utime: '1' });
    for (const [at, query] of queries.entries()) expect(await ask(query)).toEqual(before[at]);
  });
});

describe('findLoneAccounts', () => {
  it('finds accounts with a state whose prefix no other account has', async () => {
    const db = test.database.primary;
    const like = (account: Buffer, byte: number) => {
      const other = Buffer.from(account);
      other[byte]! ^= 1;
      return other;
    };
    const elsewhere = Buffer.from(BUSY);
    elsewhere[0] = 0xff;
    // The last bit of the eighth byte of a hash is not in the prefix.
    const twins = [RARE, like(RARE, 8)];
    const known = [BUSY, like(BUSY, 7), elsewhere, ...twins];
    const state = {
      status: 'active',
      balance: '1',
      last_trans_lt: '1',
      timestamp: '1',
      mc_seqno: 1,
    } as const;
    const hashes = { hash: Buffer.alloc(32), last_trans_hash: Buffer.alloc(32) };
    await db
      .insertInto('latest_account_states')
      .values(known.map((account) => ({ account, ...state, ...hashes })))
      .execute();
    const unknown = like(BUSY, 32);
    const found = await findLoneAccounts(db, [...known, unknown]);
    expect(found.map(formatAccount).sort()).toEqual(
      [BUSY, like(BUSY, 7), elsewhere].map(formatAccount).sort(),
    );
    expect(await findLoneAccounts(db, [])).toEqual([]);
  });
});
