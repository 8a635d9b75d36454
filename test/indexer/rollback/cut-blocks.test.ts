import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cutBlocks } from '../../../src/indexer/rollback/cut-blocks.ts';
import { readDiscarded } from '../../../src/indexer/rollback/discarded-blocks.ts';
import { createWriter, type Writer } from '../../../src/indexer/write/writer.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { readStoredTransactions } from '../../support/stored-transactions.ts';
import { beginIndex, putChunk } from '../support/index-tables.ts';
import { traceTables } from '../support/logical-index.ts';
import {
  expectedTraces,
  runSteps,
  SEQNOS,
  steps,
  type ToyTransaction,
  toySeqno,
} from '../support/toy-chain.ts';

/** Small, so that traces span several partitions. */
const WIDTH = 4;

const story = fc.record({
  steps,
  batches: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
  cuts: fc.array(fc.integer({ min: 1, max: SEQNOS - 1 }), { minLength: 1, maxLength: 3 }),
});

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

/** Writes the seqnos after the last one that is written. */
async function write(
  transactions: readonly ToyTransaction[],
  doneSeqno: number,
  batches: readonly number[],
): Promise<void> {
  await client.query(`update index_chunks set owner = 'test', last_seqno = ${SEQNOS}`);
  const claim = { firstSeqno: 1, lastSeqno: SEQNOS, doneSeqno, owner: 'test' };
  for (let next = doneSeqno + 1, turn = 0; next <= SEQNOS; turn++) {
    const end = Math.min(SEQNOS, next + batches[turn % batches.length]! - 1);
    const seqnos = Array.from({ length: end - next + 1 }, (_, at) =>
      toySeqno(
        next + at,
        transactions.filter(({ mcSeqno }) => mcSeqno === next + at),
      ),
    );
    await writer.write(claim, { seqnos, latest: [], earlier: [] });
    next = end + 1;
  }
}

async function cut(seqno: number): Promise<void> {
  await client.query('begin');
  await cutBlocks(client, seqno, await readDiscarded(client, seqno));
  await client.query('commit');
}

/** Compares transactions, messages and traces with those of a chain. */
async function expectIndexOf(transactions: readonly ToyTransaction[]): Promise<void> {
  const db = context.database.primary;
  expect(await traceTables(db)).toEqual(expectedTraces(transactions));
  const stored = await readStoredTransactions(db);
  expect(stored.map(({ hash }) => hash.toString('hex')).sort()).toEqual(
    transactions.map(({ hash }) => hash).sort(),
  );
}

it(
  'an index that was cut is that of the blocks up to the cut, and can be continued',
  async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ steps, batches, cuts }) => {
        const transactions = runSteps(steps);
        await beginIndex(context.database.primary, 1, WIDTH);
        await putChunk(context.database.primary, 1, SEQNOS);
        writer.reset();
        await write(transactions, 0, batches);
        for (const seqno of cuts) {
          await cut(seqno);
          await expectIndexOf(transactions.filter(({ mcSeqno }) => mcSeqno <= seqno));
          await write(transactions, seqno, batches.toReversed());
          await expectIndexOf(transactions);
        }
      }),
      { numRuns: sampled(4, 40) },
    );
  },
  sampled(120_000, 600_000),
);
