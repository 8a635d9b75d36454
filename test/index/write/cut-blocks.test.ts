import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDiscarded } from '../../../src/index/write/changed-accounts.ts';
import { cutBlocks } from '../../../src/index/write/roll-back.ts';
import { putChunk } from '../../ingest/support/index-tables.ts';
import { traceTables } from '../../ingest/support/logical-index.ts';
import {
  expectedTraces,
  runSteps,
  SEQNOS,
  steps,
  type ToyTransaction,
} from '../../ingest/support/toy-chain.ts';
import { useToyIndex, writeChunk } from '../../ingest/support/toy-index.ts';
import { sampled } from '../../support/long-run.ts';
import { readStoredTransactions } from '../../support/stored-transactions.ts';

/** Small, so that traces span several partitions. */
const WIDTH = 4;

const story = fc.record({
  steps,
  batches: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
  cuts: fc.array(fc.integer({ min: 1, max: SEQNOS - 1 }), { minLength: 1, maxLength: 3 }),
});

const index = useToyIndex();

/** Writes the seqnos after the last one that is written. */
async function write(
  transactions: readonly ToyTransaction[],
  doneSeqno: number,
  batches: readonly number[],
): Promise<void> {
  await index.client.query(`update index_chunks set owner = 'test', last_seqno = ${SEQNOS}`);
  const claim = { firstSeqno: 1, lastSeqno: SEQNOS, doneSeqno, owner: 'test' };
  await writeChunk(index.writers[0]!, claim, transactions, batches);
}

async function cut(seqno: number): Promise<void> {
  const { client } = index;
  await client.query('begin');
  await cutBlocks(client, seqno, await readDiscarded(client, seqno));
  await client.query('commit');
}

/** Compares transactions, messages and traces with those of a chain. */
async function expectIndexOf(transactions: readonly ToyTransaction[]): Promise<void> {
  const { db } = index;
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
        await index.begin(WIDTH);
        await putChunk(index.db, 1, SEQNOS);
        await write(transactions, 0, batches);
        for (const seqno of cuts) {
          await cut(seqno);
          await expectIndexOf(transactions.filter(({ mcSeqno }) => mcSeqno <= seqno));
          await write(transactions, seqno, batches.toReversed());
          await expectIndexOf(transactions);
        }
      }),
      { numRuns: sampled(2, 40) },
    );
  },
  sampled(600_000, 600_000),
);
