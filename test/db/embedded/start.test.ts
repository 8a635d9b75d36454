import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/db/embedded/server.ts';
import { createEmbeddedSandbox, type EmbeddedSandbox, postmasterOf, query } from '../../support/embedded.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';

let sandbox: EmbeddedSandbox;

beforeEach(() => {
  sandbox = createEmbeddedSandbox('start');
});
afterEach(() => sandbox.clean());

describe('startEmbeddedPostgres', () => {
  it('starts a durable PostgreSQL on a private socket that keeps its data across restarts', async () => {
    const first = await sandbox.start();
    expect(first).toMatchObject({ adopted: false, location: join(sandbox.dataDir, 'postgres') });
    const settings = await query(
      first.url,
      `select name, setting from pg_settings where name in
       ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'max_connections', 'TimeZone')`,
    );
    expect(Object.fromEntries(settings.map((row) => [row.name, row.setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      listen_addresses: '',
      max_connections: '100',
      TimeZone: 'UTC',
    });
    expect(statSync(join(first.location, 'socket')).mode & 0o777).toBe(0o700);
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    expect(sandbox.processes()).toEqual([]);

    const second = await sandbox.start();
    expect(second.adopted).toBe(false);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await query(second.url, 'select current_database() as db')).toEqual([{ db: 'tongate' }]);
    await second.stop();
    await second.stop();
    expect(sandbox.processes()).toEqual([]);
  });

  it('is shared by several processes and stops with the last of them', async () => {
    await sandbox.seed();
    const starter = await sandbox.startProcess();
    const second = await sandbox.startProcess();
    const third = await sandbox.start();
    expect([starter, second, third].map((one) => one.adopted)).toEqual([false, true, true]);
    expect(second.url).toBe(starter.url);
    const postmaster = postmasterOf(starter);
    await starter.stop();
    await third.stop();
    expect(postmasterOf(second)).toBe(postmaster);
    await query(second.url, 'select 1');
    await second.stop();
    expect(sandbox.processes()).toEqual([]);
  });

  it('can be used twice in one process, by any path to its directory', async () => {
    await sandbox.seed();
    const first = await sandbox.start();
    const dataDir = join(sandbox.dataDir, '..', 'data', '.');
    const second = await startEmbeddedPostgres({ dataDir, log: sandbox.log });
    expect([first.adopted, second.adopted]).toEqual([false, true]);
    await first.stop();
    await query(second.url, 'select 1');
    await second.stop();
    expect(sandbox.processes()).toEqual([]);
  });

  it.runIf(isLongRun)(
    'survives a kill of its starter and is adopted and stopped by the next process',
    async () => {
      await sandbox.seed();
      const starter = await sandbox.startProcess();
      await query(starter.url, 'create table kept as select 42 as answer');
      const postmaster = postmasterOf(starter);
      await starter.kill();
      const next = await sandbox.start();
      expect(next.adopted).toBe(true);
      expect(postmasterOf(next)).toBe(postmaster);
      expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      await next.stop();
      expect(sandbox.processes()).toEqual([]);
      expect(readdirSync(join(next.location, 'users'))).toEqual([]);
    },
  );

  it('is started by exactly one of several processes that start at once', async () => {
    const started = await Promise.all([
      ...Array.from({ length: sampled(1, 3) }, () => sandbox.startProcess()),
      sandbox.start(),
      sandbox.start(),
    ]);
    expect(started.filter((one) => !one.adopted)).toHaveLength(1);
    await Promise.all(started.map((one) => query(one.url, 'select 1')));
    await Promise.all(started.map((one) => one.stop()));
    expect(sandbox.processes()).toEqual([]);
    expect(readdirSync(join(sandbox.dataDir, 'postgres')).sort()).toEqual([
      'cluster',
      'postgres.log',
      'socket',
      'users',
    ]);
  });

  it('neither keeps its starter alive nor exits with it or with Ctrl-C', async () => {
    await sandbox.seed();
    const start = new URL('../../../src/db/embedded/server.ts', import.meta.url);
    const { dataDir, fallbackRoot } = sandbox;
    const place = JSON.stringify({ dataDir, fallbackRoot });
    const program = `
      import { startEmbeddedPostgres } from '${start}';
      const log = { info() {}, warn() {}, error() {} };
      await startEmbeddedPostgres({ ...${place}, log });`;
    execFileSync(process.execPath, ['--input-type=module', '-e', program]);
    expect(sandbox.processes()).toHaveLength(1);
    const next = await sandbox.start();
    expect(next.adopted).toBe(true);
    // A session of its own is out of reach of Ctrl-C.
    const pid = String(postmasterOf(next));
    expect(execFileSync('ps', ['-o', 'sid=', '-p', pid], { encoding: 'utf8' }).trim()).toBe(pid);
    await next.stop();
    expect(sandbox.processes()).toEqual([]);
  });

  it.runIf(isLongRun)(
    'creates the database after an earlier start was killed half-way, and removes what that left',
    async () => {
      const location = join(sandbox.dataDir, 'postgres');
      const unfinished = () =>
        existsSync(location) ? readdirSync(location).filter((name) => name.startsWith('cluster.')) : [];
      const starting = sandbox.startProcess().catch(() => {});
      await vi.waitFor(() => expect(unfinished()).toHaveLength(1), { timeout: 120_000, interval: 5 });
      sandbox.killProcesses();
      await starting;
      expect(existsSync(join(location, 'cluster'))).toBe(false);
      expect(unfinished()).toHaveLength(1);
      const postgres = await sandbox.start();
      await query(postgres.url, 'select 1');
      expect(postgres.adopted).toBe(false);
      expect(unfinished()).toEqual([]);
    },
  );

  it('works below a path that is too long for a socket', async () => {
    const dataDir = join(sandbox.root, 'a long way down '.repeat(8).trim());
    await sandbox.seed(dataDir);
    const first = await sandbox.start({ dataDir });
    const second = await sandbox.startProcess({ dataDir });
    expect(await query(second.url, 'select current_database() as db')).toEqual([{ db: 'tongate' }]);
    expect([first.adopted, second.adopted]).toEqual([false, true]);
    expect(second.url).toBe(first.url);
    const directory = new URL(first.url).searchParams.get('host') ?? '';
    expect(directory.startsWith(sandbox.root)).toBe(false);
    await first.stop();
    expect(existsSync(directory)).toBe(true);
    await second.stop();
    expect(existsSync(directory)).toBe(false);
  });

  it.runIf(isLongRun)(
    'works below a path with odd characters, and takes over the lock of a killed process',
    async () => {
      const dataDir = join(sandbox.root, 'ü & 100% "odd" ?#');
      await sandbox.seed(dataDir);
      symlinkSync(`${process.pid} of-another-life`, join(dataDir, 'postgres', 'lock'));
      const { url } = await sandbox.start({ dataDir });
      expect(await query(url, 'select current_database() as db')).toEqual([{ db: 'tongate' }]);
    },
  );
});
