import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Verification, verifyRange } from '../../../src/indexer/verify/verify-range.ts';
import type { LitePool } from '../../../src/lite/pool.ts';
import type { TestDatabase } from '../../support/database.ts';
import { isTestCluster } from '../../support/database.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { openReplayApp } from '../../v2/support/v2-app.ts';
import { openIndexedDemo, startDemoChain } from '../../v3/support/indexed-demo.ts';
import { openChainPool } from '../support/index-tables.ts';
import { openRecordedIndex } from '../support/recorded-index.ts';
import { CLUSTER_DAMAGES, DAMAGES, expectFound } from './damages.ts';

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

/** A chain and its index. */
interface IndexedChain {
  readonly pool: LitePool;
  readonly index: TestDatabase;
  close(): Promise<unknown>;
}

/** The tests of both chains. */
function describeChain(open: () => Promise<IndexedChain>, damages: typeof DAMAGES, isWhole: boolean): void {
  let chain: IndexedChain;
  let index: TestDatabase;
  let head: number;

  beforeAll(async () => {
    chain = await open();
    index = chain.index;
    head = chain.pool.head!.seqno;
  });
  afterAll(async () => {
    await index?.drop();
    await chain?.close();
  });

  const verify = (from = 1, to = head): Promise<Verification> =>
    verifyRange({ db: index.database.primary, pool: chain.pool, check: { verify: true }, from, to });

  it.runIf(isWhole)('verifyRange finds no differences in the whole index', async () => {
    const { differences, differenceCount, compared } = await verify();
    expect(differences).toEqual([]);
    expect(differenceCount).toBe(0);
    for (const table of [...TABLES, 'tx_pages', ...(isTestCluster() ? ['hash_places'] : [])]) {
      // Pages are compared slot by slot.
      const count = table === 'tx_pages' ? sql`sum(count)` : sql`count(*)`;
      const { rows } = await sql<{
        count: string;
      }>`select ${count} as count from ${sql.table(table)}`.execute(index.database.primary);
      expect(Number(rows[0]!.count), table).toBeGreaterThan(0);
      expect(compared.get(table), table).toBe(Number(rows[0]!.count));
    }
  });

  it('verifyRange finds no differences in parts of the index', async () => {
    const middle = Math.floor(head / 2);
    // On the recorded network, around its split.
    const early = Math.floor(head / 6);
    for (const [from, to] of [
      [1, 5],
      sampled([early, early + 9], [early, middle]),
      sampled([head - 3, head], [middle, head]),
    ] as const)
      expect((await verify(from, to)).differences).toEqual([]);
  });

  it.each(damages)('verifyRange finds $name', async ({ damages }) => {
    await expectFound(index.database.primary, damages, verify);
  });
}

describe.skipIf(missingNetwork !== '')(`the recorded network${missingNetwork}`, () => {
  describeChain(
    async () => {
      const { pool, close } = await openReplayApp();
      return { pool, close, index: await openRecordedIndex() };
    },
    [],
    isLongRun,
  );
});

describe('a local chain with a demo', () => {
  describeChain(
    async () => {
      const running = await startDemoChain();
      const pool = await openChainPool(running.globalConfigPath, createQuietLog());
      await pool.waitForSeqno(running.localnet.store.head.seqno, { timeoutMs: 120_000 });
      const close = async () => {
        await pool.close();
        await running.stop();
      };
      return { pool, close, index: await openIndexedDemo() };
    },
    isTestCluster() ? CLUSTER_DAMAGES : DAMAGES,
    true,
  );
});
