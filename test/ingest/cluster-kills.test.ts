import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LitePool } from '../../src/lite/pool.ts';
import type { RunningLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { noCitus, onNode } from '../support/citus.ts';
import { type ClusterDatabase, createClusterDatabase } from '../support/cluster-database.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { verifyIndex } from '../support/verify-index.ts';
import { PARTITION_SEQNOS, startDemoChain } from '../v3/support/indexed-demo.ts';
import { openChainPool } from './support/index-tables.ts';
import {
  dumpIndex,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from './support/test-indexer.ts';

const PROGRAM = fileURLToPath(new URL('./support/index-process.ts', import.meta.url));
const KILLS = sampled(3, 20);
/** Every round has something to write. */
const BLOCKS_PER_ROUND = 24;
const MAX_DELAY_MS = 100;
const TIMEOUT_MS = sampled(600_000, 1_200_000);

describe.skipIf(noCitus)(
  `a cluster that is killed${noCitus === undefined ? '' : ` (skipped: ${noCitus})`}`,
  () => {
    let chain: RunningLocalnet;
    let pool: LitePool;
    let head: number;
    let test: ClusterDatabase;
    const opened: { close(): Promise<unknown> }[] = [];
    const children: ChildProcess[] = [];

    beforeAll(async () => {
      const log = createQuietLog();
      chain = await startDemoChain(log);
      opened.push({ close: () => chain.stop() });
      head = chain.localnet.store.head.seqno;
      pool = await openChainPool(chain.globalConfigPath, log);
      opened.push(pool);
      await pool.waitForSeqno(head, { timeoutMs: 120_000 });
      test = await createClusterDatabase({ shards: 2 });
    }, TIMEOUT_MS);
    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL');
      for (const one of opened.reverse()) await one.close();
    });

    async function indexed(): Promise<number> {
      try {
        const { rows } = await onNode(
          test.url,
          'select coalesce(sum(done_seqno - first_seqno + 1), 0)::integer as seqnos from index_chunks',
        );
        return rows[0].seqnos;
      } catch {
        return 0;
      }
    }

    async function indexAll(context: TestIndexer): Promise<void> {
      const indexer = context.indexer(pool, {
        detection: context.detection(pool),
        chunkSeqnos: 4,
        partitionSeqnos: PARTITION_SEQNOS,
      });
      indexer.start();
      await until(indexer, isComplete(head));
      await untilNothingIsMissing(context);
    }

    it(
      'has everything exactly once, wherever it was killed',
      async () => {
        const { cluster } = test;
        const nodes = [cluster.coordinator, ...cluster.workers];
        /** Kills of something that had work to do; there are two in a round. */
        let interrupted = 0;
        for (let i = 0; i < KILLS; i++) {
          head = (await chain.localnet.mine(BLOCKS_PER_ROUND)).seqno;
          const child = fork(PROGRAM, [chain.globalConfigPath, test.url, String(PARTITION_SEQNOS)], {
            stdio: 'ignore',
          });
          children.push(child);
          const ended = once(child, 'exit');
          const before = await indexed();
          const wanted = Math.min(head, before + 1);
          for (const end = Date.now() + 60_000; Date.now() < end && (await indexed()) < wanted; )
            await sleep(10);
          await sleep(Math.random() * MAX_DELAY_MS);
          const node = nodes[i % nodes.length]!;
          await node.kill();
          if (node !== cluster.coordinator && (await indexed()) < head) interrupted++;
          await sleep(Math.random() * MAX_DELAY_MS);
          await node.start();
          await sleep(Math.random() * MAX_DELAY_MS);
          child.kill('SIGKILL');
          await ended;
          if ((await indexed()) < head) interrupted++;
        }
        expect(interrupted).toBeGreaterThan(KILLS / 2);
        const context = await openTestIndexer(test);
        opened.push(context);
        await indexAll(context);
        const { differences, differenceCount } = await verifyIndex(chain.globalConfigPath, {
          db: test.database.primary,
          from: 1,
          to: head,
        });
        expect(differences).toEqual([]);
        expect(differenceCount).toBe(0);

        // Everything is shown in the end, and nothing is left prepared.
        await expect
          .poll(
            async () =>
              (await sql`select 1 from announced_writes`.execute(test.database.primary)).rows.length,
            { timeout: 120_000 },
          )
          .toBe(0);
        for (const url of test.urls)
          expect((await onNode(url, 'select gid from pg_prepared_xacts')).rows).toEqual([]);

        const undisturbed = await openTestIndexer();
        opened.push(undisturbed);
        await indexAll(undisturbed);
        expect(await dumpIndex(test)).toEqual(await dumpIndex(undisturbed));
      },
      TIMEOUT_MS,
    );
  },
);
