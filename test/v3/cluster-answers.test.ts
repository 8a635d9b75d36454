import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, PARTITIONED_TABLES } from '../../src/db/partitions.ts';
import { UNPARTITIONED_TABLES } from '../../src/db/queries/index-sizes.ts';
import { createTestApp } from '../support/app.ts';
import { noCitus } from '../support/citus.ts';
import { type ClusterDatabase, createClusterDatabase } from '../support/cluster-database.ts';
import { isTestCluster, type TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { EMPTY_CHAIN } from './support/build-app.ts';
import { openIndexedDemo, PARTITION_SEQNOS } from './support/indexed-demo.ts';
import { createMadePending } from './support/made-pending.ts';
import { putValidators } from './support/made-validators.ts';
import { askApp } from './support/walk-app.ts';
import { demoCases, type WalkCase, walkRequests } from './support/walk-cases.ts';

/** Of each operation; all in a long run. */
const REQUESTS = 15;
/** Responses with a result that are compared at least. */
const MIN_FOUND = sampled(100, 2000);
const TABLES = [...PARTITIONED_TABLES, ...UNPARTITIONED_TABLES, 'index_origin', 'index_chunks'];

const reason = noCitus ?? (isTestCluster() ? 'the other tests run on a cluster' : undefined);

/** The same rows on one server and on a cluster. */
describe.skipIf(reason)(
  `responses of a cluster${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let single: TestDatabase;
    let cluster: ClusterDatabase;
    let apps: readonly FastifyInstance[];
    let cases: Readonly<Record<string, WalkCase>>;

    beforeAll(async () => {
      single = await openIndexedDemo();
      await putValidators(single);
      cluster = await createClusterDatabase({ shards: 4 });
      await copyIndex(single, cluster);
      cases = await demoCases(single.database.primary);
      apps = await Promise.all(
        [single, cluster].map(({ database }) =>
          createTestApp({
            v3: {
              database,
              metadataQueue: { add: () => {} },
              live: EMPTY_CHAIN,
              pending: createMadePending(),
            },
          }),
        ),
      );
    }, 600_000);
    afterAll(async () => {
      for (const app of apps ?? []) await app.close();
      await single?.drop();
      await cluster?.drop();
    });

    it('are those of a single server, byte for byte', async () => {
      let found = 0;
      for (const [name, one] of Object.entries(cases)) {
        // Depends on the time.
        if (name.startsWith('pending')) continue;
        for (const params of sampleOf(walkRequests(one), REQUESTS)) {
          const [expected, answer] = await Promise.all(apps.map((app) => askApp(app, { name, params })));
          const what = `${name} ${JSON.stringify(params)}`;
          expect(answer!.statusCode, what).toBe(expected!.statusCode);
          expect(answer!.body, what).toBe(expected!.body);
          if (answer!.statusCode === 200) found++;
        }
      }
      expect(found).toBeGreaterThan(MIN_FOUND);
    }, 1_200_000);

    it('that need a worker that is stopped are 503, others go on, and it comes back by itself', async () => {
      const [, app] = apps as [FastifyInstance, FastifyInstance];
      const askAll = async () => {
        const found = new Set<string>();
        for (let seqno = 1; seqno <= 20; seqno++) {
          const answer = await askApp(app, { name: 'masterchainBlockShards', params: { seqno } });
          const { error } = answer.json<{ error?: string }>();
          found.add(`${answer.statusCode} ${error ?? ''} ${answer.headers['retry-after'] ?? ''}`.trim());
        }
        return [...found].sort();
      };
      expect(await askAll()).toEqual(['200']);
      const [worker] = cluster.cluster.workers;
      await worker!.kill();
      try {
        expect(await askAll()).toEqual(['200', '503 Part of the database is not available 1']);
      } finally {
        await worker!.start();
      }
      await expect.poll(askAll, { timeout: 120_000 }).toEqual(['200']);
    });
  },
);

async function copyIndex(source: TestDatabase, target: TestDatabase): Promise<void> {
  const [reader, writer] = [source, target].map(({ url }) => new pg.Client({ connectionString: url }));
  await reader!.connect();
  await writer!.connect();
  const { rows } = await reader!.query('select max(done_seqno) as last from index_chunks');
  await ensurePartitions(writer!, { from: 0, to: rows[0].last, width: PARTITION_SEQNOS });
  for (const table of TABLES) {
    const output = reader!.query(to(`copy (select * from ${table}) to stdout`));
    await pipeline(output, writer!.query(from(`copy ${table} from stdin`)));
  }
  await reader!.end();
  await writer!.end();
}
