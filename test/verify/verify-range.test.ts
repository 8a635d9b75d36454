import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GlobalConfig } from '../../src/lite/global-config.ts';
import type { Verification } from '../../src/verify/verify-range.ts';
import { openRecordedIndex } from '../ingest/support/recorded-index.ts';
import type { TestDatabase } from '../support/database.ts';
import { isTestCluster } from '../support/database.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { missingNetwork } from '../support/recorded-network.ts';
import { openVerifier } from '../support/verify-index.ts';
import { openReplayApp } from '../v2/support/v2-app.ts';
import { openIndexedDemo, startDemoChain } from '../v3/support/indexed-demo.ts';
import { CLUSTER_DAMAGES, DAMAGES, expectFound, SOME_DAMAGES } from './damages.ts';

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
  readonly config: GlobalConfig | string;
  readonly head: number;
  readonly index: TestDatabase;
  close(): Promise<unknown>;
}

/** The tests of both chains. */
function describeChain(open: () => Promise<IndexedChain>, damages: typeof DAMAGES, isWhole: boolean): void {
  let chain: IndexedChain;
  let index: TestDatabase;
  let head: number;
  let verifier: Awaited<ReturnType<typeof openVerifier>>;

  beforeAll(async () => {
    chain = await open();
    index = chain.index;
    head = chain.head;
    verifier = await openVerifier(chain.config);
  });
  afterAll(async () => {
    await verifier?.close();
    await index?.drop();
    await chain?.close();
  });

  const verify = (from = 1, to = head): Promise<Verification> =>
    verifier.verify({ db: index.database.primary, from, to });

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

  it.runIf(isLongRun || !isWhole)('verifyRange finds no differences in parts of the index', async () => {
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
      const { pool, config, close } = await openReplayApp();
      return { config, head: pool.head!.seqno, close, index: await openRecordedIndex() };
    },
    [],
    isLongRun,
  );
});

describe('a local chain with a demo', () => {
  describeChain(
    async () => {
      const { globalConfigPath: config, localnet, stop: close } = await startDemoChain();
      return { config, head: localnet.store.head.seqno, close, index: await openIndexedDemo() };
    },
    isTestCluster() ? CLUSTER_DAMAGES : sampled(SOME_DAMAGES, DAMAGES),
    true,
  );
});
