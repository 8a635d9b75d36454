import { expect, it } from 'vitest';
import { openPage } from '../../../src/index/format/page.ts';
import { cutPages } from '../../../src/index/write/roll-back.ts';
import { putChunk } from '../../ingest/support/index-tables.ts';
import { ToyChain, type ToyTransaction } from '../../ingest/support/toy-chain.ts';
import { useToyIndex, writeChunk } from '../../ingest/support/toy-index.ts';
import { readStoredKeys } from '../../support/stored-transactions.ts';

const index = useToyIndex();

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

/** The hashes in each page. */
async function pages(): Promise<{ last: number; hashes: string[] }[]> {
  const rows = await index.db.selectFrom('tx_pages').selectAll().orderBy('page').execute();
  return rows.map(({ page: number, count, last_seqno, traces, body }) => {
    const page = openPage(Number(number), body);
    expect([page.count, traces.length >= page.count]).toEqual([count, true]);
    const slots = Array.from({ length: count }, (_, slot) => page.transaction(slot).hash.toString('hex'));
    return { last: last_seqno, hashes: slots };
  });
}

const hashesOf = (...seqnos: number[]) =>
  TRANSACTIONS.filter(({ mcSeqno }) => seqnos.includes(mcSeqno)).map(({ hash }) => hash);

it('removes later pages and the later slots of the page that the cut goes through', async () => {
  const { db, client } = index;
  await index.begin(100);
  await writeChunk(index.writers[0]!, await putChunk(db, 1, SEQNOS), TRANSACTIONS, [2, 4, 3]);
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
