import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Writer } from '../../../src/index/write/writer.ts';
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

/** Small, so that traces span several partitions. */
const WIDTH = 4;

const story = fc.record({
  steps,
  cuts: fc.uniqueArray(fc.integer({ min: 2, max: SEQNOS }), { maxLength: 5 }),
  batches: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
});

describe('indexed traces', () => {
  const index = useToyIndex({ writers: 2 });
  const { writers } = index;

  interface Chunk {
    readonly first: number;
    readonly last: number;
  }

  function chunksOf(cuts: readonly number[]): Chunk[] {
    const firsts = [1, ...cuts.toSorted((a, b) => a - b)];
    return firsts.map((first, at) => ({ first, last: (firsts[at + 1] ?? SEQNOS + 1) - 1 }));
  }

  async function expectTables(transactions: readonly ToyTransaction[]) {
    expect(await traceTables(index.db)).toEqual(expectedTraces(transactions));
  }

  it.each(['ascending', 'descending'])(
    'are correct after every chunk, %s',
    async (order) => {
      await fc.assert(
        fc.asyncProperty(story, async ({ steps, cuts, batches }) => {
          const transactions = runSteps(steps);
          await index.begin(WIDTH);
          const chunks = chunksOf(cuts);
          if (order === 'descending') chunks.reverse();
          const written = new Set<number>();
          for (const chunk of chunks) {
            const claim = await putChunk(index.db, chunk.first, chunk.last);
            await writeChunk(writers[0]!, claim, transactions, batches);
            for (let seqno = chunk.first; seqno <= chunk.last; seqno++) written.add(seqno);
            await expectTables(transactions.filter(({ mcSeqno }) => written.has(mcSeqno)));
          }
        }),
        { numRuns: sampled(2, 15) },
      );
    },
    sampled(600_000, 600_000),
  );

  it(
    'are correct after two concurrent writers',
    async () => {
      await fc.assert(
        fc.asyncProperty(story, fc.boolean(), async ({ steps, cuts, batches }, isOne) => {
          const transactions = runSteps(steps);
          await index.begin(WIDTH);
          const chunks = chunksOf(cuts);
          const work = async (writer: Writer) => {
            for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) {
              const claim = await putChunk(index.db, chunk.first, chunk.last);
              await writeChunk(writer, claim, transactions, batches);
            }
          };
          await Promise.all([work(writers[0]!), work(writers[isOne ? 0 : 1]!)]);
          await expectTables(transactions);
        }),
        { numRuns: sampled(2, 20) },
      );
    },
    sampled(600_000, 600_000),
  );
});
