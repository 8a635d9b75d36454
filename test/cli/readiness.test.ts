import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDiskCheck,
  createHeadCheck,
  createIndexCheck,
  createLocalChainCheck,
  type LocalChainState,
} from '../../src/cli/readiness.ts';
import { createDatabase } from '../../src/db/connection.ts';
import { describeFailure } from '../../src/db/errors.ts';
import type { Db } from '../../src/db/tables/tables.ts';
import { ensurePartitions } from '../../src/index/partitions.ts';
import { ProgressTracker } from '../../src/ingest/progress.ts';
import { createHealth } from '../../src/observe/health.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

/** Block 0 of a chain with a block per second. */
const TIME = 1_700_000_000;

/** The index has this masterchain block. */
async function putBlock(seqno: number): Promise<void> {
  const db = test.database.primary;
  await ensurePartitions(db, { from: seqno, to: seqno, width: 1000 });
  await sql`insert into blocks values (${seqno}, -1, 0, ${seqno}, '', '', ${TIME + seqno}, 0, 0, 0, 0, 0,
    false, false, false, false, false, false, false, 0, 0, 0, 0, 0, 0, '', '', 0, '{}', '{}')`.execute(db);
}

/** The readiness of a process that sees this head; with an indexer if it has a state. */
async function ready(
  network: string,
  head: number | undefined,
  state?: ProgressTracker['state'],
  maxLagMs: number | 'off' = 60_000,
) {
  const tracker = new ProgressTracker(() => 0);
  if (state !== undefined) tracker.state = state;
  const health = createHealth();
  health.add(
    'index',
    createIndexCheck({
      database: test.database,
      network,
      head: () => (head === undefined ? undefined : { seqno: head, utime: TIME + head }),
      maxLagMs,
      progress: state === undefined ? undefined : () => tracker.read(head),
    }),
  );
  const { ready: isReady, checks } = await health.ready();
  return [isReady, checks.index!.text];
}

describe('readiness of the index', () => {
  it('is given without an index: the process serves v2', async () => {
    expect(await ready('mainnet', 5000)).toEqual([true, 'no index']);
    expect(await ready('mainnet', 5000, 'waiting')).toEqual([true, 'waiting']);
  });

  it('fails while the index is far behind the head, in every process that serves it', async () => {
    const db = test.database.primary;
    await sql`insert into index_origin (zero_state, first_seqno, partition_seqnos)
      values (${Buffer.alloc(32)}, 1001, 1000)`.execute(db);
    const filling = 'the index is being filled anew: ';
    expect(await ready('mainnet', 11_000)).toEqual([
      false,
      `${filling}seqno - of 11000, 0.0 %, 10000 not indexed yet`,
    ]);
    await sql`insert into index_chunks (first_seqno, last_seqno, done_seqno, beat)
      values (1001, null, 2000, now())`.execute(db);
    const far = `${filling}seqno 2000 of 11000, 10.0 %, 9000 not indexed yet`;
    expect(await ready('mainnet', 11_000)).toEqual([false, far]);
    expect(await ready('mainnet', 11_000, 'standby')).toEqual([false, far]);
    expect(await ready('mainnet', 2900)).toEqual([true, 'seqno 2000 of 2900, 52.6 %, 900 not indexed yet']);
    expect(await ready('mainnet', undefined)).toEqual([true, 'seqno 2000 of -, 100.0 %']);
    expect(await ready('mainnet', 2000, 'diverged')).toEqual([false, 'indexing has diverged']);
  });

  it('is given while history is back-filled, except on a local chain, whose index was started over', async () => {
    await sql`insert into index_chunks (first_seqno, last_seqno, done_seqno, beat)
      values (5001, null, 6000, now())`.execute(test.database.primary);
    const text = 'seqno 6000 of 6000, 40.0 %, 3000 not indexed yet';
    expect(await ready('mainnet', 6000)).toEqual([true, text]);
    expect(await ready('mainnet', 6000, 'following')).toEqual([true, `following, ${text}`]);
    expect(await ready('localnet', 6000)).toEqual([false, `the index is being filled anew: ${text}`]);
  });

  it('fails while the index cannot be written because the disk of the database is full', async () => {
    const tracker = new ProgressTracker(() => 0);
    tracker.state = 'following';
    const health = createHealth();
    const head = () => ({ seqno: 6000, utime: TIME });
    const progress = () => tracker.read(6000);
    const { database } = test;
    health.add('index', createIndexCheck({ database, network: 'mainnet', head, maxLagMs: 'off', progress }));
    tracker.lastError = describeFailure(await diskFullOf(database.primary));
    expect(await health.ready()).toEqual({
      ready: false,
      checks: { index: { status: 'failing', text: 'the database disk is full' } },
    });
  });

  it('has a warning while the index does not advance although the chain does', async () => {
    await putBlock(6000);
    const text = 'standby, seqno 6000 of 6060, 39.5 %, 3060 not indexed yet';
    expect(await ready('mainnet', 6060, 'standby')).toEqual([true, text]);
    const late = 'standby, seqno 6000 of 6061, 39.5 %, 3061 not indexed yet';
    expect(await ready('mainnet', 6061, 'standby')).toEqual([
      true,
      `${late}: 61 s behind the head, the limit is 60 s`,
    ]);
    expect(await ready('mainnet', 6061, 'standby', 'off')).toEqual([true, late]);
  });
});

/** The error of a write for which the database has no space, as PostgreSQL itself reports it. */
function diskFullOf(db: Db): Promise<unknown> {
  const statement = sql`do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`;
  return statement.execute(db).catch((error: unknown) => error);
}

describe('readiness of the disk', () => {
  const ready = async (options: Partial<Parameters<typeof createDiskCheck>[0]>) => {
    const health = createHealth();
    const { database } = test;
    health.add('disk', createDiskCheck({ database, dataDir: tmpdir(), minFreeBytes: 1, ...options }));
    return (await health.ready()).checks.disk!;
  };

  it('fails when less is free than is wanted', async () => {
    expect(await ready({})).toEqual({ status: 'ok' });
    const full = await ready({ minFreeBytes: 1e18 });
    expect(full.status).toBe('failing');
    expect(full.text).toMatch(/^the disk of DATA_DIR has \S+ .?B free, the limit is 1000 PB$/);
    expect(await ready({ minFreeBytes: undefined })).toEqual({ status: 'ok' });
    expect(await ready({ minFreeBytes: 1e18, dataDir: '/nowhere' })).toEqual({ status: 'ok' });
  });

  it('fails for as long as writes find no space in the database', async () => {
    const own = createDatabase({ url: test.url, replicaUrls: [], poolSize: 1, log: createQuietLog() });
    expect(await ready({ database: own })).toEqual({ status: 'ok' });
    const write = own.write(async (db) => {
      throw await diskFullOf(db);
    });
    await expect(write).rejects.toThrow('could not extend file');
    const failing = { status: 'failing', text: 'the database disk is full' };
    expect(await ready({ database: own })).toEqual(failing);
    // A read that works says nothing about writes.
    await own.ping();
    expect(await ready({ database: own })).toEqual(failing);
    await own.close();
  });
});

describe('readiness of the local chain', () => {
  const state = { seqno: 7, mine: 'interval', blockMs: 1000, waitingMessages: 0, fault: undefined } as const;

  it('fails when a block that is due is not made', async () => {
    let shown: LocalChainState = state;
    let nowMs = 0;
    const check = createLocalChainCheck({ state: () => shown, now: () => nowMs });
    const later = async (seconds: number, changes: Partial<LocalChainState> = {}) => {
      shown = { ...shown, ...changes };
      nowMs += seconds * 1000;
      return check().catch((error: Error) => error.message);
    };
    expect(await later(0)).toBe('seqno 7');
    expect(await later(10)).toBe('seqno 7');
    expect(await later(2)).toBe('no block for 12 s');
    expect(await later(1, { seqno: 8 })).toBe('seqno 8');
    // A long interval is on purpose.
    expect(await later(100, { blockMs: 60_000 })).toBe('seqno 8');
    expect(await later(100)).toBe('no block for 200 s');
    // So is a chain that waits for messages, until there is one.
    expect(await later(1000, { mine: 'message', blockMs: 1000 })).toBe('seqno 8');
    expect(await later(1, { waitingMessages: 1 })).toBe('seqno 8');
    expect(await later(11)).toBe('no block for 12 s');
    expect(await later(0, { seqno: 9, waitingMessages: 0 })).toBe('seqno 9');
    expect(await later(0, { fault: 'ENOSPC: no space left on device' })).toBe(
      'the last block could not be made',
    );
  });
});

/** The head check of a process whose newest block is this one, at a time of the chain. */
async function headReady(seqno: number | undefined, now: number, maxAgeMs: number | 'off' = 60_000) {
  const health = createHealth();
  health.add(
    'head',
    createHeadCheck({
      database: test.database,
      head: () => (seqno === undefined ? undefined : { seqno, utime: TIME + seqno }),
      maxAgeMs,
      clock: () => TIME + now,
    }),
  );
  const { ready: isReady, checks } = await health.ready();
  return [isReady, checks.head!.status, checks.head!.text];
}

describe('readiness of the head', () => {
  it('is given with the age of the newest block', async () => {
    expect(await headReady(undefined, 0)).toEqual([true, 'ok', 'no block yet']);
    expect(await headReady(6000, 6002.4)).toEqual([true, 'ok', 'seqno 6000, 2 s old']);
    // The clock of a local chain may be ahead.
    expect(await headReady(6000, 100)).toEqual([true, 'ok', 'seqno 6000, 0 s old']);
  });

  it('fails when the network makes no blocks', async () => {
    expect(await headReady(6000, 6060)).toEqual([true, 'ok', 'seqno 6000, 60 s old']);
    expect(await headReady(6000, 6061)).toEqual([
      false,
      'failing',
      'no new block: seqno 6000 is 61 s old, the limit is 60 s',
    ]);
    expect(await headReady(6000, 99_999, 'off')).toEqual([true, 'ok', 'seqno 6000']);
  });

  it('fails when the lite servers of the process are behind the index', async () => {
    expect(await headReady(5940, 5945)).toMatchObject({ 0: true, 1: 'ok' });
    expect(await headReady(5939, 5945)).toEqual([
      false,
      'failing',
      'lite servers are 61 s behind the index: they have seqno 5939, the index has 6000; the limit is 60 s',
    ]);
    expect(await headReady(5939, 5945, 'off')).toMatchObject({ 0: true, 1: 'ok' });
  });
});
