import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cutPages } from '../../../src/indexer/rollback/cut-pages.ts';
import { createWriter, type Writer } from '../../../src/indexer/write/writer.ts';
import { openPage } from '../../../src/pages/page.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { readStoredKeys } from '../../support/stored-transactions.ts';
import { beginIndex, putChunk } from '../support/index-tables.ts';
import { ToyChain, type ToyTransaction, toySeqno } from '../support/toy-chain.ts';

let context: TestDatabase;
let client: pg.Client;
let writer: Writer;
beforeAll(async () => {
  context = await createTestDatabase();
  client = new pg.Client({ connectionString: context.url });
  await client.connect();
  writer = createWriter({ url: context.url, log: createQuietLog() });
});
afterAll(async () => {
  await writer?.close();
  await client?.end();
  await context?.drop();
});

const SEQNOS = 9;
/** Two transactions per seqno: one trace through all seqnos, and another trace in each. */
const TRANSACTIONS = makeTransactions();

function makeTransactions(): ToyTransaction[] {
  const chain = new ToyChain();
  const made: ToyTransaction[] = [];
  let message = chain.external('a', 'external');
  for (let mcSeqno = 1; mcSeqno <= SEQNOS; mcSeqno++) {
    const lt = 100 * mcSeqno;
    const long = chain.transaction({ mcSeqno, account: 'a', lt, in: message, to: ['a'] });
    const other = chain.external('a', `external ${mcSeqno}`);
    made.push(long, chain.transaction({ mcSeqno, account: 'a', lt: lt + 50, in: other }));
    message = long.sent[0]!;
  }
  return made;
}

const transactionsOf = (seqno: number) => TRANSACTIONS.filter(({ mcSeqno }) => mcSeqno === seqno);

/** The hashes in each page. */
async function pages(): Promise<{ last: number; hashes: string[] }[]> {
  const rows = await context.database.primary.selectFrom('tx_pages').selectAll().orderBy('page').execute();
  return rows.map(({ page: number, count, last_seqno, traces, body }) => {
    const page = openPage(Number(number), body);
    expect([page.count, traces.length >= page.count]).toEqual([count, true]);
    const slots = Array.from({ length: count }, (_, slot) => page.transaction(slot).hash.toString('hex'));
    return { last: last_seqno, hashes: slots };
  });
}

const hashesOf = (...seqnos: number[]) => seqnos.flatMap(transactionsOf).map(({ hash }) => hash);

it('removes later pages and the later slots of the page that the cut goes through', async () => {
  const db = context.database.primary;
  await beginIndex(db, 1, 100);
  const claim = await putChunk(db, 1, SEQNOS);
  const write = (...seqnos: number[]) =>
    writer.write(claim, {
      seqnos: seqnos.map((seqno) => toySeqno(seqno, transactionsOf(seqno))),
      latest: [],
      earlier: [],
    });
  await write(1, 2);
  await write(3, 4, 5, 6);
  await write(7, 8, 9);
  expect(await pages()).toEqual([
    { last: 2, hashes: hashesOf(1, 2) },
    { last: 6, hashes: hashesOf(3, 4, 5, 6) },
    { last: 9, hashes: hashesOf(7, 8, 9) },
  ]);
  const traceIds = async (last: number) =>
    (await readStoredKeys(db))
      .filter(({ hash }) => kept(last).has(hash.toString('hex')))
      .map(({ hash, traceId }) => ({ hash, traceId }));
  const kept = (last: number) => new Set(hashesOf(...Array.from({ length: last }, (_, at) => at + 1)));
  const before = await traceIds(4);

  await cutPages(client, 6);
  expect((await pages()).map(({ last }) => last)).toEqual([2, 6]);
  await cutPages(client, 4);
  expect(await pages()).toEqual([
    { last: 2, hashes: hashesOf(1, 2) },
    { last: 4, hashes: hashesOf(3, 4) },
  ]);
  await db.deleteFrom('transactions').where('mc_seqno', '>', 4).execute();
  expect(await traceIds(4)).toEqual(before);
  await cutPages(client, 2);
  expect(await pages()).toEqual([{ last: 2, hashes: hashesOf(1, 2) }]);
});
