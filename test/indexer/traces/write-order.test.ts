import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWriter, type Writer } from '../../../src/indexer/write/writer.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
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
  cuts: fc.uniqueArray(fc.integer({ min: 2, max: SEQNOS }), { maxLength: 5 }),
  batches: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
});

describe('indexed traces', () => {
  let context: TestDatabase;
  const writers: Writer[] = [];
  beforeAll(async () => {
    context = await createTestDatabase();
    for (let at = 0; at < 2; at++) writers.push(createWriter({ url: context.url, log: createQuietLog() }));
  });
  afterAll(async () => {
    for (const writer of writers) await writer.close();
    await context?.drop();
  });

  interface Chunk {
    readonly first: number;
    readonly last: number;
  }

  function chunksOf(cuts: readonly number[]): Chunk[] {
    const firsts = [1, ...cuts.toSorted((a, b) => a - b)];
    return firsts.map((first, at) => ({ first, last: (firsts[at + 1] ?? SEQNOS + 1) - 1 }));
  }

  async function write(
    writer: Writer,
    transactions: readonly ToyTransaction[],
    { first, last }: Chunk,
    batches: readonly number[],
  ) {
    const claim = await putChunk(context.database.primary, first, last);
    for (let next = first, turn = 0; next <= last; turn++) {
      const end = Math.min(last, next + batches[turn % batches.length]! - 1);
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

  async function expectTables(transactions: readonly ToyTransaction[]) {
    expect(await traceTables(context.database.primary)).toEqual(expectedTraces(transactions));
  }

  it.each(['ascending', 'descending'])(
    'are correct after every chunk, %s',
    async (order) => {
      await fc.assert(
        fc.asyncProperty(story, async ({ steps, cuts, batches }) => {
          const transactions = runSteps(steps);
          await beginIndex(context.database.primary, 1, WIDTH);
          for (const writer of writers) writer.reset();
          const chunks = chunksOf(cuts);
          if (order === 'descending') chunks.reverse();
          const written = new Set<number>();
          for (const chunk of chunks) {
            await write(writers[0]!, transactions, chunk, batches);
            for (let seqno = chunk.first; seqno <= chunk.last; seqno++) written.add(seqno);
            await expectTables(transactions.filter(({ mcSeqno }) => written.has(mcSeqno)));
          }
        }),
        { numRuns: sampled(2, 15) },
      );
    },
    sampled(120_000, 600_000),
  );

  it(
    'are correct after two concurrent writers',
    async () => {
      await fc.assert(
        fc.asyncProperty(story, fc.boolean(), async ({ steps, cuts, batches }, isOne) => {
          const transactions = runSteps(steps);
          await beginIndex(context.database.primary, 1, WIDTH);
          for (const writer of writers) writer.reset();
          const chunks = chunksOf(cuts);
          const work = async (writer: Writer) => {
            for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop())
              await write(writer, transactions, chunk, batches);
          };
          await Promise.all([work(writers[0]!), work(writers[isOne ? 0 : 1]!)]);
          await expectTables(transactions);
        }),
        { numRuns: sampled(2, 20) },
      );
    },
    sampled(120_000, 600_000),
  );
});
