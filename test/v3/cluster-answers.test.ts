import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/connection.ts';
import { fillHashPlaces } from '../../src/index/hash-places.ts';
import { ensurePartitions, PARTITIONED_TABLES } from '../../src/index/partitions.ts';
import { UNPARTITIONED_TABLES } from '../../src/index/sizes.ts';
import { createTestApp } from '../support/app.ts';
import { noCitus } from '../support/citus.ts';
import { type ClusterDatabase, createClusterDatabase } from '../support/cluster-database.ts';
import { isTestCluster, type TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { EMPTY_CHAIN } from './support/build-app.ts';
import { openIndexedDemo, PARTITION_SEQNOS } from './support/indexed-demo.ts';
import { createMadePending } from './support/made-pending.ts';
import { putValidators } from './support/made-validators.ts';
import { askApp, type WalkParams } from './support/walk-app.ts';
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

    /** Requests about one thing, with the values of the demo. */
    async function lookups(): Promise<readonly (readonly [name: string, params: WalkParams])[]> {
      const { rows } = await sql<{ shard: string; seqno: number }>`
        select shard, seqno from blocks where workchain = 0 order by seqno desc, shard limit 1`.execute(
        single.database.primary,
      );
      const { shard, seqno } = rows[0]!;
      const first = (name: string, param: string): unknown => {
        const value: unknown = cases[name]!.values[param]![0];
        return Array.isArray(value) ? value[0] : value;
      };
      const by = (name: string, param: string): [string, WalkParams] => [
        name,
        { [param]: first(name, param) },
      ];
      return [
        by('transactions', 'hash'),
        by('transactions', 'msg_hash'),
        by('transactionsByMessage', 'msg_hash'),
        ['adjacentTransactions', cases.adjacentTransactions!.bases[0]!],
        by('messages', 'msg_hash'),
        by('traces', 'trace_id'),
        by('traces', 'tx_hash'),
        by('traces', 'msg_hash'),
        by('actions', 'trace_id'),
        by('actions', 'tx_hash'),
        by('actions', 'msg_hash'),
        by('blocks', 'root_hash'),
        by('blocks', 'file_hash'),
        by('blocks', 'mc_seqno'),
        ['blocks', { workchain: -1, shard: '8000000000000000', seqno: first('blocks', 'seqno') }],
        ['blocks', { workchain: 0, shard: BigInt.asUintN(64, BigInt(shard)).toString(16), seqno }],
        by('accountStates', 'address'),
        by('walletStates', 'address'),
        by('jetton/masters', 'address'),
        by('jetton/wallets', 'address'),
        by('nft/items', 'address'),
      ];
    }

    it('of look-ups need one worker for each value that a statement asks for', async () => {
      const statements: Statement[] = [];
      const app = await createTestApp({
        v3: {
          database: withStatements(cluster.database, statements),
          metadataQueue: { add: () => {} },
          live: EMPTY_CHAIN,
          pending: createMadePending(),
        },
      });
      const client = new pg.Client({ connectionString: cluster.url });
      await client.connect();
      const [wide, empty]: [string[], string[]] = [[], []];
      try {
        for (const [name, params] of await lookups()) {
          statements.length = 0;
          const answer = await askApp(app, { name, params });
          const what = `${name} ${JSON.stringify(params)}`;
          expect(answer.statusCode, what).toBe(200);
          expect(statements.length, what).toBeGreaterThan(0);
          if (isDeepStrictEqual(Object.values(answer.json())[0], [])) empty.push(what);
          for (const statement of statements) {
            const values = statement.parameters.map((value) => (Array.isArray(value) ? value.length : 1));
            const shards = await shardsOf(client, statement);
            if (shards > Math.max(1, ...values)) wide.push(`${what}: ${shards} shards: ${statement.sql}`);
          }
        }
        expect(wide).toEqual([]);
        // Not every transaction has actions.
        expect(empty.filter((what) => !what.startsWith('actions'))).toEqual([]);
      } finally {
        await client.end();
        await app.close();
      }
    }, 600_000);

    it('are the same where other transactions and blocks have the prefixes of hashes', async () => {
      await sql`insert into hash_places (hash8, at, mc_seqno, kind)
        select one.hash8, other.at, other.mc_seqno, one.kind from (select * from hash_places) one
        join (select kind, min(at) as at, min(mc_seqno) as mc_seqno from hash_places group by kind) other
          on other.kind = one.kind`.execute(cluster.database.primary);
      for (const [name, params] of await lookups()) {
        const [expected, answer] = await Promise.all(apps.map((app) => askApp(app, { name, params })));
        expect(answer!.body, `${name} ${JSON.stringify(params)}`).toBe(expected!.body);
      }
    }, 600_000);

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
  await fillHashPlaces(target.database.primary);
}

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A database whose reads add their statements to a list. */
function withStatements(database: Database, statements: Statement[]): Database {
  return {
    ...database,
    read: (work) =>
      database.read((db) => {
        const executor = db.getExecutor();
        return work(
          db.withPlugin({
            transformQuery({ node, queryId }) {
              statements.push(executor.compileQuery(node, queryId));
              return node;
            },
            transformResult: async ({ result }) => result,
          }),
        );
      }),
  };
}

/** The most shards that a part of a statement asks, by the plan of Citus; 0 if it only asks the coordinator. */
async function shardsOf(client: pg.Client, { sql: text, parameters }: Statement): Promise<number> {
  // A setting of the planner.
  if (text.startsWith('set ')) return 0;
  const { rows } = await client.query(`explain (costs off) ${text}`, [...parameters]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return Math.max(0, ...Array.from(plan.matchAll(/Task Count: (\d+)/g), ([, count]) => Number(count)));
}
