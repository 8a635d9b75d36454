import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tables } from '../../src/db/tables/tables.ts';
import { dropPartitionsBefore } from '../../src/index/partitions.ts';
import { readDiscarded } from '../../src/index/write/changed-accounts.ts';
import { cutBlocks } from '../../src/index/write/roll-back.ts';
import type { LitePool } from '../../src/lite/pool.ts';
import type { Verification } from '../../src/verify/verify-range.ts';
import { openChainPool } from '../ingest/support/index-tables.ts';
import { isComplete, openTestIndexer, until, untilNothingIsMissing } from '../ingest/support/test-indexer.ts';
import { isTestCluster } from '../support/database.ts';
import { isLongRun, sampled, sampleOf } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { openVerifier } from '../support/verify-index.ts';
import { openIndexedDemo, PARTITION_SEQNOS, startDemoChain } from '../v3/support/indexed-demo.ts';
import { BROKEN_TRACE_DAMAGES, expectFound, OPEN_TRACE_DAMAGES } from './damages.ts';

const TIMEOUT_MS = sampled(180_000, 1_800_000);
/** How many ends of the index within traces are compared. */
const CUTS = sampled(1, 1000);
/**
 * Traces that are open or broken have all of their transactions so many seqnos before the end or after the beginning: a short
 * run compares no others. `verify-range.test.ts` compares a whole index.
 */
const NEAR = 12;

let running: Awaited<ReturnType<typeof startDemoChain>>;
let pool: LitePool;
let verifier: Awaited<ReturnType<typeof openVerifier>>;
let head: number;

beforeAll(async () => {
  running = await startDemoChain();
  verifier = await openVerifier(running.globalConfigPath);
  pool = await openChainPool(running.globalConfigPath, createQuietLog());
  head = running.localnet.store.head.seqno;
  await pool.waitForSeqno(head, { timeoutMs: 120_000 });
});
afterAll(async () => {
  await verifier?.close();
  await pool?.close();
  await running?.stop();
});

const verify = (db: Kysely<Tables>, from: number, to: number): Promise<Verification> =>
  verifier.verify({ db, from, to });

/** Makes a seqno the last one of an index. States of accounts stay, but newer ones are not compared. */
async function cut(url: string, seqno: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await cutBlocks(client, seqno, await readDiscarded(client, seqno));
  await client.query('commit');
  await client.end();
}

async function count(db: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) as count from ${sql.table(table)}`.execute(
    db,
  );
  return Number(rows[0]!.count);
}

it(
  'verifyRange compares the traces that are open at the end of an index',
  async () => {
    const index = await openIndexedDemo();
    const db = index.database.primary;
    try {
      let withOpen = 0;
      for (let seqno = head - 1; seqno > 0 && withOpen < CUTS; seqno--) {
        await cut(index.url, seqno);
        if ((await count(db, 'open_traces')) === 0) continue;
        const from = sampled(seqno - NEAR, 1);
        expect((await verify(db, from, seqno)).differences, `cut after ${seqno}`).toEqual([]);
        if (withOpen++ > 0) continue;
        for (const { damages } of sampleOf(OPEN_TRACE_DAMAGES, 1))
          await expectFound(db, damages, () => verify(db, from, seqno));
      }
      expect(withOpen).toBeGreaterThan(0);
    } finally {
      await index.drop();
    }
  },
  TIMEOUT_MS,
);

/** A seqno in the middle of the demo to which messages were sent before. */
async function seqnoWithinTrace(): Promise<number> {
  const index = await openIndexedDemo();
  try {
    const { mc_seqno_end } = await index.database.primary
      .selectFrom('traces')
      .select('mc_seqno_end')
      .whereRef('mc_seqno_start', '<', 'mc_seqno_end')
      .where('mc_seqno_end', '>=', Math.floor(head / 2))
      .orderBy('mc_seqno_end')
      .limit(1)
      .executeTakeFirstOrThrow();
    return mc_seqno_end;
  } finally {
    await index.drop();
  }
}

it.runIf(isLongRun)(
  'verifyRange compares the traces that are broken at the beginning of an index',
  async () => {
    const context = await openTestIndexer();
    const db = context.database.primary;
    try {
      const from = await seqnoWithinTrace();
      const indexer = context.indexer(pool, { from, partitionSeqnos: PARTITION_SEQNOS });
      indexer.start();
      await until(indexer, isComplete(head));
      await untilNothingIsMissing(context);
      await indexer.close();
      expect(await count(db, 'orphan_messages')).toBeGreaterThan(0);
      const to = sampled(Math.min(from + NEAR, head), head);
      expect((await verify(db, from, to)).differences).toEqual([]);
      expect((await verify(db, from + 2, to)).differences).toEqual([]);
      // Citus does not tell the place of a row, by which it is damaged and restored.
      for (const { damages } of isTestCluster() ? [] : BROKEN_TRACE_DAMAGES)
        await expectFound(db, damages, () => verify(db, from, to));
    } finally {
      await context.close();
    }
  },
  TIMEOUT_MS,
);

it(
  'verifyRange accepts that the beginning of traces was dropped, also if they were cut and continued',
  async () => {
    const context = await openTestIndexer(await openIndexedDemo());
    const db = context.database.primary;
    try {
      const from = await dropPartitionsBefore(db, { seqno: Math.floor(head / 2), width: PARTITION_SEQNOS });
      expect(from).toBeGreaterThan(1);
      const crossing = await db.selectFrom('traces').selectAll().where('mc_seqno_start', '<', from).execute();
      expect(crossing.length).toBeGreaterThan(0);
      const to = sampled(Math.min(from + NEAR, head), head);
      expect((await verify(db, from, to)).differences).toEqual([]);

      const last = Math.min(...crossing.map((trace) => trace.mc_seqno_end)) - 1;
      await cut(context.url, last);
      expect((await verify(db, from, last)).differences).toEqual([]);
      const indexer = context.indexer(pool, { from, partitionSeqnos: PARTITION_SEQNOS });
      indexer.start();
      await until(indexer, isComplete(head));
      expect((await verify(db, from, to)).differences).toEqual([]);
    } finally {
      await context.close();
    }
  },
  TIMEOUT_MS,
);
