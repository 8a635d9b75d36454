import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDatabase } from '../../../src/db/connection.ts';
import { createEmbeddedSandbox, type EmbeddedSandbox, postmasterOf, query } from '../../support/embedded.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

let sandbox: EmbeddedSandbox;
let stranger: ChildProcess | undefined;

beforeEach(async () => {
  sandbox = createEmbeddedSandbox('recovery');
  await sandbox.seed();
});
afterEach(async () => {
  stranger?.kill('SIGKILL');
  await sandbox.clean();
});

/**
 * Stops PostgreSQL without a trace of a clean shutdown, as a power cut would.
 */
async function crash(url: string, location: string): Promise<void> {
  await query(url, 'create table if not exists kept as select 42 as answer');
  for (const { pid } of sandbox.processes()) process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(sandbox.processes()).toEqual([]), 120_000);
  expect(statSync(join(location, 'cluster', 'postmaster.pid')).size).toBeGreaterThan(0);
}

function pidFileWith(pid: number | '', location: string): string {
  const cluster = join(location, 'cluster');
  const lines = [
    pid,
    cluster,
    1_700_000_000,
    5432,
    join(location, 'socket'),
    '',
    '  5432001         0',
    'ready   ',
  ];
  return pid === '' ? '' : `${lines.join('\n')}\n`;
}

describe('start after a crash', () => {
  it.runIf(isLongRun)(
    'succeeds when the process number in the pid file belongs to another program',
    async () => {
      const starter = await sandbox.startProcess();
      await starter.kill();
      await crash(starter.url, starter.location);
      const { uid, gid } = statSync(join(starter.location, 'cluster'));
      // Under the same user: PostgreSQL itself would take it for a PostgreSQL and refuse to start.
      stranger = spawn('sleep', ['1000'], { uid, gid, stdio: 'ignore' });
      for (const file of [
        join(starter.location, 'cluster', 'postmaster.pid'),
        join(starter.location, 'socket', '.s.PGSQL.5432.lock'),
      ]) {
        writeFileSync(file, pidFileWith(stranger.pid ?? 0, starter.location));
      }
      const next = await sandbox.start();
      expect(next.adopted).toBe(false);
      expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      expect(stranger.exitCode).toBeNull();
    },
  );

  const PID_FILES: [string, number | ''][] = [
    ['names no live process', 4_194_999],
    ['is empty', ''],
  ];
  it.each(sampled(PID_FILES.slice(1), PID_FILES))('succeeds when the pid file %s', async (_, pid) => {
    const starter = await sandbox.startProcess();
    await starter.kill();
    await crash(starter.url, starter.location);
    writeFileSync(join(starter.location, 'cluster', 'postmaster.pid'), pidFileWith(pid, starter.location));
    const next = await sandbox.start();
    expect(next.adopted).toBe(false);
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });
});

describe('PostgreSQL that exits while in use', () => {
  it('is restarted after a kill, and database connections recover', async () => {
    const postgres = await sandbox.start();
    const database = createDatabase({
      url: postgres.url,
      replicaUrls: [],
      poolSize: 4,
      log: createQuietLog(),
    });
    try {
      await sql`create table kept as select 42 as answer`.execute(database.primary);
      const running = database.read((db) => sql`select pg_sleep(600)`.execute(db));
      const outcome = expect(running).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
      await vi.waitFor(async () => {
        const rows = await query(
          postgres.url,
          `select from pg_stat_activity where query like '%pg_sleep(600)%'`,
        );
        expect(rows.length).toBeGreaterThan(1);
      }, 120_000);
      const before = postmasterOf(postgres);
      process.kill(before, 'SIGKILL');
      await outcome;
      await vi.waitFor(() => database.ping(), { timeout: 120_000 });
      expect(postmasterOf(postgres)).not.toBe(before);
      const { rows } = await database.read((db) => sql`select answer from kept`.execute(db));
      expect(rows).toEqual([{ answer: 42 }]);
      expect(sandbox.log.texts()).toContain('PostgreSQL exited, restarting');
    } finally {
      await database.close();
    }
    await postgres.stop();
    expect(sandbox.processes()).toEqual([]);
  });

  it.runIf(isLongRun)(
    'is restarted after a shutdown requested by somebody else, even one that waits for clients',
    async () => {
      const postgres = await sandbox.start();
      const database = createDatabase({
        url: postgres.url,
        replicaUrls: [],
        poolSize: 4,
        log: createQuietLog(),
      });
      try {
        await database.ping();
        const before = postmasterOf(postgres);
        process.kill(before, 'SIGTERM');
        await vi.waitFor(() => expect(postmasterOf(postgres)).not.toBe(before), { timeout: 120_000 });
        await vi.waitFor(() => database.ping(), { timeout: 120_000 });
      } finally {
        await database.close();
      }
    },
  );

  it.runIf(isLongRun)('is restarted once by the processes that adopted it', async () => {
    const starter = await sandbox.startProcess();
    const adopters = [await sandbox.start(), await sandbox.startProcess()];
    await starter.kill();
    const before = postmasterOf(starter);
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(postmasterOf(starter)).not.toBe(before), { timeout: 120_000 });
    const answers = await vi.waitFor(
      () => Promise.all(adopters.map((one) => query(one.url, 'select pg_postmaster_start_time() as at'))),
      { timeout: 120_000 },
    );
    expect(answers[0]).toEqual(answers[1]);
    for (const one of adopters) await one.stop();
    expect(sandbox.processes()).toEqual([]);
  });

  it('is stopped by its last user when the data directory has been removed', async () => {
    const postgres = await sandbox.start();
    rmSync(sandbox.dataDir, { recursive: true });
    await postgres.stop();
    expect(sandbox.processes()).toEqual([]);
    expect(existsSync(sandbox.dataDir)).toBe(false);
  });

  it('is not replaced by an empty database when its data is gone', async () => {
    const postgres = await sandbox.start();
    rmSync(join(postgres.location, 'cluster'), { recursive: true });
    for (const { pid } of sandbox.processes()) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(sandbox.log.texts()).toContain('PostgreSQL restart failed'), 120_000);
    expect(existsSync(join(postgres.location, 'cluster'))).toBe(false);
    await postgres.stop();
  });

  it.runIf(isLongRun)('is not restarted after its last user stopped', async () => {
    const postgres = await sandbox.start();
    process.kill(postmasterOf(postgres), 'SIGKILL');
    await postgres.stop();
    await vi.waitFor(() => expect(sandbox.processes()).toEqual([]), 120_000);
  });
});
