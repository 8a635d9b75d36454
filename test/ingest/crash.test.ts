import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LitePool } from '../../src/lite/pool.ts';
import type { RunningLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { verifyIndex } from '../support/verify-index.ts';
import { PARTITION_SEQNOS, readIndexedDemo, startDemoChain } from '../v3/support/indexed-demo.ts';
import { openChainPool } from './support/index-tables.ts';
import {
  dumpIndex,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilElectorIsKnown,
  untilNothingIsMissing,
} from './support/test-indexer.ts';

const PROGRAM = fileURLToPath(new URL('./support/index-process.ts', import.meta.url));
const KILLS = sampled(1, 50);
const MAX_DELAY_MS = 30;
/** What elections and nominator pools leave in the index. */
const STAKING_TABLES = [
  'nominator_pools',
  'nominator_pool_events',
  'pool_validator_events',
  'validator_events',
  'validator_elections',
  'validator_election_participants',
  'validator_cycles',
  'validator_cycle_members',
  'validator_complaints',
];
/** Queues whose rows are taken for up to two minutes. */
const LEASED_TABLES = ['missing_cells', 'waiting_pools', 'missing_elector_states'];
const TIMEOUT_MS = sampled(600_000, 600_000);

let chain: RunningLocalnet;
let pool: LitePool;
let head: number;
const opened: { close(): Promise<void> }[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  const log = createQuietLog();
  chain = await startDemoChain(log);
  opened.push({ close: () => chain.stop() });
  head = chain.localnet.store.head.seqno;
  pool = await openChainPool(chain.globalConfigPath, log);
  opened.push(pool);
  await pool.waitForSeqno(head, { timeoutMs: 120_000 });
}, TIMEOUT_MS);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const one of opened.reverse()) await one.close();
});

async function openIndex(): Promise<TestIndexer> {
  const context = await openTestIndexer();
  opened.push(context);
  return context;
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
  await untilElectorIsKnown(context);
  await indexer.close();
}

/** A connection with which the test reads the progress of the index and terminates other connections. */
async function openWatch(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  opened.push({ close: () => client.end() });
  const indexed = async (): Promise<number> => {
    const { rows } = await client.query<{ seqnos: number }>(
      'select coalesce(sum(done_seqno - first_seqno + 1), 0)::integer as seqnos from index_chunks',
    );
    return rows[0]!.seqnos;
  };
  return {
    indexed,
    /** Waits until at least this much is indexed, or the process exits. */
    async untilIndexed(seqnos: number, child: ChildProcess): Promise<void> {
      while (child.exitCode === null && (await indexed()) < seqnos) await sleep(2);
      await sleep(Math.random() * MAX_DELAY_MS);
    },
    /** The time of leases that a killed process held is over. */
    async endLeases(): Promise<void> {
      for (const table of LEASED_TABLES) await client.query(`update ${table} set next_try = now()`);
    },
    async cut(): Promise<void> {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    },
  };
}

async function expectVerified({ database }: TestIndexer): Promise<void> {
  const { differences, differenceCount, compared, skipped } = await verifyIndex(chain.globalConfigPath, {
    db: database.primary,
    from: 1,
    to: head,
  });
  expect(differences).toEqual([]);
  expect(differenceCount).toBe(0);
  expect([...skipped]).toEqual([]);
  for (const table of STAKING_TABLES) expect(compared.get(table) ?? 0, table).toBeGreaterThan(0);
}

describe('an indexer that is killed and loses its connections', () => {
  it(
    'writes everything exactly once',
    async () => {
      const context = await openIndex();
      const watch = await openWatch(context.url);
      const found: number[] = [];
      for (let i = 0; i < KILLS; i++) {
        const child = fork(PROGRAM, [chain.globalConfigPath, context.url, String(PARTITION_SEQNOS)]);
        children.push(child);
        const ended = once(child, 'exit');
        const before = await watch.indexed();
        // Every round makes progress and leaves work for the next one, also if this process is slow to notice.
        const share = (head - before) / (KILLS - i + 3);
        await watch.untilIndexed(Math.min(head, before + 1), child);
        await watch.cut();
        await watch.untilIndexed(Math.min(head, before + 1 + Math.random() * share), child);
        child.kill('SIGKILL');
        expect(await ended).toEqual([null, 'SIGKILL']);
        found.push(await watch.indexed());
        await watch.endLeases();
      }
      expect(found).toEqual(found.toSorted((a, b) => a - b));
      expect(found.filter((seqnos) => seqnos > 0 && seqnos < head).length).toBeGreaterThan(0);
      await indexAll(context);
      // The undisturbed index below is verified by test/verify.
      if (isLongRun) await expectVerified(context);

      const undisturbed = await readIndexedDemo();
      opened.push({ close: () => undisturbed.drop() });
      const dump = await dumpIndex(context);
      expect(dump).toEqual(await dumpIndex(undisturbed));
      for (const table of [
        'jetton_wallets',
        'nft_items',
        'dns_entries',
        'jetton_transfers',
        'token_metadata',
        ...STAKING_TABLES,
      ])
        expect(dump[table]!.length).toBeGreaterThan(0);
      expect(dump.waiting_events).toEqual([]);
      expect(dump.waiting_pools).toEqual([]);
      expect(dump.dns_entries!.some(({ auction_end_time }) => auction_end_time !== null)).toBe(true);
    },
    TIMEOUT_MS,
  );
});
