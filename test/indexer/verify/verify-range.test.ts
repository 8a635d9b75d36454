import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Verification, verifyRange } from '../../../src/indexer/verify/verify-range.ts';
import { sampled } from '../../support/long-run.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { openLocalnetApp, openReplayApp, type V2TestApp } from '../../v2/support/v2-app.ts';
import {
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from '../support/test-indexer.ts';
import { DAMAGES } from './damages.ts';

const TABLES = [
  'blocks',
  'shard_states',
  'transactions',
  'messages',
  'traces',
  'trace_accounts',
  'jetton_transfers',
  'jetton_burns',
  'nft_transfers',
];

/** The tests of both chains. */
function describeChain(open: () => Promise<V2TestApp>, damages: typeof DAMAGES): void {
  let chain: V2TestApp;
  let index: TestIndexer;
  let head: number;

  beforeAll(async () => {
    chain = await open();
    index = await openTestIndexer();
    head = chain.pool.head!.seqno;
    const detection = index.detection(chain.pool);
    const indexer = index.indexer(chain.pool, { lanes: 2, chunkSeqnos: 20, detection });
    indexer.start();
    await until(indexer, isComplete(head));
    await untilNothingIsMissing(index);
    await indexer.close();
  });
  afterAll(async () => {
    await index?.close();
    await chain?.close();
  });

  const verify = (from = 1, to = head): Promise<Verification> =>
    verifyRange({ db: index.database.primary, pool: chain.pool, check: { verify: true }, from, to });

  it('verifyRange finds no differences in the whole index', async () => {
    const { differences, differenceCount, compared } = await verify();
    expect(differences).toEqual([]);
    expect(differenceCount).toBe(0);
    for (const table of TABLES) {
      const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(
        index.database.primary,
      );
      expect(Number(rows[0]!.count), table).toBeGreaterThan(0);
      expect(compared.get(table), table).toBe(Number(rows[0]!.count));
    }
  });

  it('verifyRange finds no differences in parts of the index', async () => {
    const middle = Math.floor(head / 2);
    for (const [from, to] of [
      [1, 5],
      sampled([20, 23], [20, middle]),
      sampled([head - 3, head], [middle, head]),
    ] as const)
      expect((await verify(from, to)).differences).toEqual([]);
  });

  it.each(damages)('verifyRange finds $name', async ({ damages }) => {
    const undo: (() => Promise<void>)[] = [];
    try {
      for (const { damage } of damages) undo.unshift(await damage(index.database.primary));
      const { differences } = await verify();
      for (const { name, table, column } of damages) {
        const expected = expect.objectContaining(column === undefined ? { table } : { table, column });
        expect(differences, name).toContainEqual(expected);
      }
      expect(differences.length).toBeLessThan(4 * damages.length);
    } finally {
      for (const step of undo) await step();
    }
  });
}

describe.skipIf(missingNetwork !== '')(`the recorded network${missingNetwork}`, () => {
  describeChain(openReplayApp, []);
});

describe('a local chain with a demo', () => {
  describeChain(async () => {
    const chain = await openLocalnetApp({ demo: true, shards: 2, blockMs: 3_600_000 });
    // The chain makes one block when it starts, and no other by itself.
    const { seqno } = await chain.running.localnet.mine();
    await chain.pool.waitForSeqno(seqno, { timeoutMs: 30_000 });
    return chain;
  }, DAMAGES);
});
