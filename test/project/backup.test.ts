import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/access/keys.ts';
import { createDatabase, type Database } from '../../src/db/connection.ts';
import { migrateToLatest } from '../../src/db/migrations.ts';
import { ensurePartitions } from '../../src/index/partitions.ts';
import { freePort } from '../support/free-port.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { until } from '../support/until.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/operate/backup.md', import.meta.url)), 'utf8');
const programs = newestPrograms();

/** Where an installed PostgreSQL has its programs: those of the package have no pg_dump. */
function newestPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
    .find((folder) => ['initdb', 'pg_dump', 'psql'].every((name) => existsSync(join(folder, name))));
}

/** The shell commands of the page that begin with a program. */
const commandsOf = (program: string): string =>
  new RegExp(`^\`\`\`sh\n(${program} [\\s\\S]*?)^\`\`\``, 'm').exec(page)![1]!;

describe.skipIf(programs === undefined)(
  `docs/operate/backup.md${programs === undefined ? ' (skipped: no PostgreSQL with pg_dump is installed)' : ''}`,
  { timeout: 120_000 },
  () => {
    let folder: string;
    let server: ReturnType<typeof spawn>;
    let base: string;
    beforeAll(async () => {
      folder = makeTemporaryDirectory('backup');
      const cluster = join(folder, 'cluster');
      mkdirSync(cluster);
      // PostgreSQL refuses to run as root.
      const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
      const account = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
      if (account !== undefined)
        for (const path of [folder, cluster]) chownSync(path, account.uid, account.gid);
      const options = { ...account, cwd: '/', stdio: 'ignore' } as const;
      const init = ['-D', cluster, '-U', 'tongate', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'];
      execFileSync(join(programs!, 'initdb'), init, options);
      const port = await freePort();
      const settings = [
        'fsync=off',
        `port=${port}`,
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
      ];
      const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])];
      server = spawn('setpriv', ['--pdeathsig', 'QUIT', join(programs!, 'postgres'), ...args], options);
      base = `postgresql://tongate@127.0.0.1:${port}`;
      await until(async () => {
        try {
          run(`psql ${base}/postgres -c 'create database tongate'`);
          return true;
        } catch {
          return false;
        }
      });
    }, 120_000);
    afterAll(async () => {
      if (server?.exitCode === null) {
        const exited = once(server, 'exit');
        server.kill('SIGQUIT');
        await exited;
      }
      if (folder !== undefined) await removeTemporaryDirectory(folder);
    });

    function run(commands: string): void {
      const env = {
        PATH: `${programs}:${process.env.PATH}`,
        DATABASE_URL: `${base}/tongate`,
        MAINTENANCE_URL: `${base}/postgres`,
      };
      execFileSync('sh', ['-e', '-c', commands], { cwd: folder, env, stdio: 'pipe' });
    }

    async function onDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
      const log = createQuietLog();
      const database = createDatabase({ url: `${base}/tongate`, replicaUrls: [], poolSize: 2, log });
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    }

    const addKey = (name: string) =>
      onDatabase((database) => createApiKey(database, { name, plan: 'free', rps: 1, networks: [] }));

    it('has commands that bring back an index that is there', async () => {
      await onDatabase(async ({ primary }) => {
        await migrateToLatest(primary, createQuietLog());
        await ensurePartitions(primary, { from: 0, to: 250, width: 100 });
      });
      await addKey('kept');
      run(commandsOf('pg_dump'));
      await addKey('later');
      run(commandsOf('psql'));
      const names = await onDatabase(async ({ primary }) => {
        // The schema is known to be complete.
        await migrateToLatest(primary, createQuietLog());
        await ensurePartitions(primary, { from: 0, to: 350, width: 100 });
        return primary.selectFrom('api_keys').select('name').execute();
      });
      expect(names).toEqual([{ name: 'kept' }]);
    });
  },
);
