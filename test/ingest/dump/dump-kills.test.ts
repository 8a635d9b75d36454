import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexedRanges } from '../../../src/index/coverage.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeDemoBags, offered, writeDumpList } from '../../support/dump-bags.ts';
import { writeGlobalConfig } from '../../support/global-config-file.ts';
import { isLongRun } from '../../support/long-run.ts';
import { startStorageDaemon } from '../../support/storage-daemon.ts';
import { removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { MAIN, runTongateHere, tongateEnvironment } from '../../support/tongate-process.ts';
import { until } from '../../support/until.ts';

const PROCESSES = 3;
const KILLS = 12;
const TIMEOUT_MS = 900_000;

// In a short run import-kills.test.ts kills imports.
describe.runIf(isLongRun)('an import of the dump', () => {
  let demo: Awaited<ReturnType<typeof makeDemoBags>>;
  let daemon: Awaited<ReturnType<typeof startStorageDaemon>>;
  let database: TestDatabase;
  let children: ChildProcess[] = [];
  beforeAll(async () => {
    demo = await makeDemoBags();
    daemon = await startStorageDaemon(offered(demo.bags));
    database = await createTestDatabase();
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await daemon?.stop();
    await database?.drop();
    await removeTemporaryDirectory(demo.folder);
  });

  async function indexedSeqnos(): Promise<number> {
    const ranges = await indexedRanges(database.database.primary);
    return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  it(
    'finds the bags of killed processes again, loads none twice and loses nothing',
    async () => {
      const list = join(demo.folder, 'list.json');
      writeDumpList(list, demo.bags);
      const config = join(demo.folder, 'config.json');
      // Nobody listens on the discard port.
      const server = { host: '127.0.0.1', port: 9, publicKey: Buffer.alloc(32, 1) };
      writeGlobalConfig(config, { zeroState: demo.zeroState, servers: [server] });
      const downloads = join(demo.folder, 'downloads');
      const environment = {
        DATABASE_URL: database.url,
        DATA_DIR: join(demo.folder, 'data'),
        NETWORK: 'custom',
        TON_CONFIG: config,
        INDEX_THREADS: '1',
      };
      const args = ['import', '--dump', list, '--storage', daemon.url, '--downloads', downloads];
      args.push('--packs', demo.states, '--offline');
      for (let kill = 0; kill < KILLS; kill++) {
        children = Array.from({ length: PROCESSES }, () =>
          spawn(process.execPath, [MAIN, ...args], { env: tongateEnvironment(environment), stdio: 'ignore' }),
        );
        // Each time a little later, in the middle of a bag as well as between two.
        const wanted = Math.ceil((demo.head * (kill + 0.5)) / KILLS);
        await until(async () => (await indexedSeqnos()) >= wanted);
        for (const child of children) child.kill('SIGKILL');
        await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
      }
      children = [];
      const rest = await runTongateHere(args, environment);
      expect(rest.output).toContain(`${demo.head} of ${demo.head} masterchain seqnos are indexed`);
      expect(rest.code).toBe(0);
      expect(demo.bags.map(({ bag }) => daemon.copiesOf(bag))).toEqual(
        demo.bags.map(({ files }) => files.length),
      );
      expect(daemon.held()).toEqual([]);
      expect(readdirSync(downloads)).toEqual([]);
      const verified = await runTongateHere(['verify', '--packs', demo.packs], environment);
      expect(verified.output).toContain('No differences.');
    },
    TIMEOUT_MS,
  );
});
