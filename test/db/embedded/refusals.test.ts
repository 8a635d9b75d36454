import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explain, findBinaries } from '../../../src/db/embedded/programs.ts';
import { StartError } from '../../../src/lib/errors.ts';
import { closedCheckout, NOBODY } from '../../support/closed-checkout.ts';
import { createEmbeddedSandbox, type EmbeddedSandbox, query } from '../../support/embedded.ts';
import { isLongRun } from '../../support/long-run.ts';

let sandbox: EmbeddedSandbox;
let mounted: string | undefined;

beforeEach(() => {
  sandbox = createEmbeddedSandbox('refusals');
});
afterEach(async () => {
  if (mounted !== undefined) shell('umount --lazy "$0"', mounted);
  mounted = undefined;
  await sandbox.clean();
});

/** The reason why it does not start: one line, and nothing is left running. */
async function refusal(options: Parameters<EmbeddedSandbox['start']>[0] = {}): Promise<string> {
  const error = await sandbox.start(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).not.toContain('\n');
  expect(sandbox.processes()).toEqual([]);
  return message;
}

const cluster = () => join(sandbox.dataDir, 'postgres', 'cluster');

/** A small disk, or false if this machine does not allow one. */
function mountSmallDisk(size: string): string | false {
  const disk = join(sandbox.root, 'disk');
  mkdirSync(disk);
  if (!shell(`mount -t tmpfs -o size=${size},mode=755 tmpfs "$0"`, disk)) return false;
  mounted = disk;
  return disk;
}

const shell = (command: string, argument: string) =>
  spawnSync('sh', ['-c', command, argument], { stdio: 'ignore' }).status === 0;

function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
}

const NO_MOUNT = 'this machine does not let us mount a small disk';

describe('start fails with a one-line reason', () => {
  it('when the data is from another major version', async () => {
    await sandbox.seed();
    writeFileSync(join(cluster(), 'PG_VERSION'), '17\n');
    expect(await refusal()).toMatch(/postgres was initialised by PostgreSQL 17, this is PostgreSQL 18;/);
  });

  it('when the data directory holds other files', async () => {
    mkdirSync(cluster(), { recursive: true });
    writeFileSync(join(cluster(), 'photo.jpg'), '');
    expect(await refusal()).toContain(`${cluster()} holds files that are not PostgreSQL's`);
  });

  it('when DATA_DIR is a file', async () => {
    writeFileSync(sandbox.dataDir, '');
    expect(await refusal()).toContain(`PostgreSQL cannot start in ${sandbox.dataDir}`);
  });

  it('when PostgreSQL rejects its configuration', async () => {
    await sandbox.seed();
    appendFileSync(join(cluster(), 'postgresql.conf'), 'shared_buffers = nonsense\n');
    expect(await refusal()).toMatch(/cannot start in .*: .*configuration file .* contains errors/);
  });

  it('when the disk is too small for a new database', async ({ skip }) => {
    const disk = mountSmallDisk('16m');
    if (disk === false) return skip(NO_MOUNT);
    expect(await refusal({ dataDir: join(disk, 'data') })).toMatch(
      /in \S+: no space left on the disk; make room/,
    );
  });

  it.runIf(isLongRun)(
    'when the disk of an existing database is full, and succeeds once there is room',
    async ({ skip }) => {
      const disk = mountSmallDisk('80m');
      if (disk === false) return skip(NO_MOUNT);
      const dataDir = join(disk, 'data');
      await sandbox.seed(dataDir);
      const postgres = await sandbox.start({ dataDir });
      await query(postgres.url, 'create table kept as select 42 as answer');
      fill(join(disk, 'filler'));
      await postgres.stop();
      expect(sandbox.processes()).toEqual([]);
      fill(join(disk, 'filler'));
      expect(await refusal({ dataDir })).toContain('no space left on the disk');
      rmSync(join(disk, 'filler'));
      const again = await sandbox.start({ dataDir });
      expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      await again.stop();
    },
  );

  it.skipIf(closedCheckout)(`when the directory is not writable${closedCheckout ?? ''}`, async () => {
    mkdirSync(sandbox.dataDir);
    const isRoot = process.getuid?.() === 0;
    if (!isRoot) chmodSync(sandbox.dataDir, 0o500);
    const attempt = isRoot ? sandbox.startProcess({}, NOBODY) : sandbox.start();
    await expect(attempt).rejects.toThrow(/permission denied \(EACCES.*\); make it accessible/);
    expect(sandbox.processes()).toEqual([]);
  });

  it.runIf(isLongRun)('when a process of another container uses the data', async () => {
    await sandbox.seed();
    const socket = join(sandbox.dataDir, 'postgres', 'socket');
    mkdirSync(socket);
    chownSync(socket, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    const server = createServer((connection) => connection.destroy()).listen(join(socket, '.s.PGSQL.5432'));
    try {
      expect(await refusal()).toContain('A PostgreSQL that this process cannot see (another container?)');
    } finally {
      server.close();
    }
  });

  it('when npm installed no PostgreSQL for this machine', () => {
    const { arch } = process;
    Object.defineProperty(process, 'arch', { value: 'mips', configurable: true });
    try {
      expect(() => findBinaries()).toThrow(StartError);
      expect(() => findBinaries()).toThrow(/set DATABASE_URL or install optional dependencies/);
    } finally {
      Object.defineProperty(process, 'arch', { value: arch, configurable: true });
    }
  });
});

describe('explain', () => {
  const told = (output: string) => explain('It fails', '/', output).message;

  it.each([
    [
      'FATAL:  could not resize shared memory segment "/PostgreSQL.1" to 1 bytes: No space left on device',
      /not enough shared memory/,
    ],
    ['could not write to file "pg_wal/x": No space left on device', /no space left on the disk/],
    ["ENOSPC: no space left on device, write '/x'", /no space left on the disk/],
    ["EROFS: read-only file system, mkdir '/x'", /read-only/],
    [
      '2026-01-01 00:00:00.000 UTC [1] FATAL:  data directory "/x" has wrong ownership\n\nHINT:  x',
      /permission denied \(data directory/,
    ],
    [
      '2026-01-01 00:00:00.000 UTC [1] FATAL:  something new\n2026-01-01 UTC [1] LOG:  bye',
      /: something new$/,
    ],
    [
      'FATAL:  pre-existing shared memory block (key 1, ID 1) is still in use',
      /earlier PostgreSQL still use/,
    ],
    ['', /no reason given/],
  ])('names the reason in %j', (output, expected) => {
    expect(told(output)).toMatch(expected);
    expect(told(output)).toMatch(/^It fails in \/: /);
  });
});
