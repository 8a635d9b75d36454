import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/connection.ts';
import { createTestDatabase, isTestCluster, type TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { MadeChain, type MadeMessage, type MadeTransaction } from '../support/made-chain.ts';
import { putOrigin, seqnosOf, storeSeqnos } from '../support/store-transactions.ts';
import { borderAccount } from './support/bordered-index.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { createListClient, type ListQuery, someOrders } from './support/list-queries.ts';

const BARE = { x_no_address_book: '1', x_no_metadata: '1' };
const [SEQNOS, PER_SEQNO, WIDTH, STEP_LT, FIRST_UTIME] = [10, 60, 4, 1_000_000n, 1_700_000_000];
/** Offsets around those from which on skipped messages are not read. */
const OFFSETS = sampled([1000, 1001], [999, 1000, 1001, 1100, 1203]);
const ACCOUNTS = ['one', 'two', 'masterchain one', 'three', 'four'].map(borderAccount);
const BODY = { opcode: 7, bytes: Buffer.from('the same in all messages') };

/**
 * In each seqno accounts receive an external message, and send two messages with the same body, one of which arrives in
 * the next seqno and the other one never.
 */
function makeChain(): MadeTransaction[] {
  const chain = new MadeChain();
  const made: MadeTransaction[] = [];
  let waiting: { readonly to: Buffer; readonly message: MadeMessage }[] = [];
  for (let mcSeqno = 1; mcSeqno <= SEQNOS; mcSeqno++) {
    const now = FIRST_UTIME + mcSeqno;
    const put = (parts: Pick<Parameters<MadeChain['transaction']>[0], 'account' | 'lt' | 'in' | 'out'>) =>
      made.push(chain.transaction({ ...parts, now, mcSeqno }));
    // Several accounts have the same logical time.
    const ltOf = (number: number) =>
      BigInt(mcSeqno) * STEP_LT + BigInt(Math.floor(number / ACCOUNTS.length)) * 100n;
    for (const [number, { to, message }] of waiting.entries())
      put({ account: to, lt: ltOf(number) + 50n, in: message });
    waiting = [];
    for (let number = 0; number < PER_SEQNO; number++) {
      const from = ACCOUNTS[number % ACCOUNTS.length]!;
      const to = ACCOUNTS[(number * 3 + mcSeqno) % ACCOUNTS.length]!;
      const lt = ltOf(number);
      const [arriving, lost] = [1n, 2n].map((step) =>
        chain.internal({ from, to, lt: lt + step, at: now, value: step, body: BODY }),
      );
      waiting.push({ to, message: arriving! });
      put({ account: from, lt, in: chain.external({ to: from, body: BODY }), out: [arriving!, lost!] });
    }
  }
  return made;
}

let test: TestDatabase;
/** Rows that were fetched from the database. */
let fetched = 0;
let app: FastifyInstance;
let bodyHash: string;
beforeAll(async () => {
  test = await createTestDatabase();
  const chain = makeChain();
  bodyHash = chain.at(-1)!.transaction.outMessages[0]!.bodyHash.toString('base64');
  await putOrigin(test.database.primary, 1, WIDTH);
  await storeSeqnos(test, seqnosOf(chain, { first: 1, last: SEQNOS }));
  const counting: Database['read'] = (work) =>
    test.database.read((db) =>
      work(
        db.withPlugin({
          transformQuery: ({ node }) => node,
          async transformResult({ result }) {
            fetched += result.rows.length;
            return result;
          },
        }),
      ),
    );
  app = await buildV3App({ ports: { ...NO_INDEX, database: { read: counting } } });
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

/** Expects the rows behind offsets to be those of the list when it is read by cursors. */
async function expectDeepPages(
  name: 'messages' | 'transactionsByMessage',
  queries: readonly ListQuery[],
): Promise<void> {
  const client = createListClient(app, name, name === 'messages' ? 'messages' : 'transactions');
  for (const query of someOrders(queries)) {
    const asked = { ...query, ...BARE };
    const keyOf = (row: Record<string, string>) => `${row.hash} ${row.in_msg_tx_hash ?? ''}`;
    const whole = (await client.byCursor(asked, 400)).map(keyOf);
    expect(whole.length, JSON.stringify(query)).toBeGreaterThan(1100);
    for (const offset of OFFSETS) {
      const rest: Record<string, string>[] = await client.rows({ ...asked, offset: `${offset}` });
      expect(rest.map(keyOf), JSON.stringify({ ...query, offset })).toEqual(whole.slice(offset));
    }
  }
}

it('messages behind a deep offset follow those before it', async () => {
  await expectDeepPages(
    'messages',
    sampleOf<ListQuery>([{ body_hash: bodyHash }, { direction: 'in' }, { opcode: '0x7' }], 1),
  );
});

it('transactions by message behind a deep offset follow those before it', async () => {
  await expectDeepPages(
    'transactionsByMessage',
    sampleOf<ListQuery>(
      [{ body_hash: bodyHash }, { body_hash: bodyHash, direction: 'in' }, { opcode: '0x7' }],
      1,
    ),
  );
});

it.skipIf(isTestCluster())('transactions of a shard are skipped by the database', async () => {
  const client = createListClient(app, 'transactions');
  const query = { workchain: '-1', shard: '8000000000000000', ...BARE };
  const whole = (await client.byCursor(query, 100)).map(({ hash }) => hash);
  const page = async (offset: number) => {
    fetched = 0;
    const { transactions } = await client.ask({ ...query, limit: '5', offset: `${offset}` });
    expect(transactions.map(({ hash }: { hash: string }) => hash)).toEqual(whole.slice(offset, offset + 5));
    return fetched;
  };
  expect(whole.length).toBeGreaterThan(200);
  // The pages of the transactions are others.
  expect(await page(200)).toBeLessThan((await page(0)) + 10);
});
