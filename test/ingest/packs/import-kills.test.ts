import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexedRanges } from '../../../src/index/coverage.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { isLongRun } from '../../support/long-run.ts';
import { missingPacks, REAL_CONFIG, REAL_PACKS } from '../../support/pack-files.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { MAIN, runTongateHere, tongateEnvironment } from '../../support/tongate-process.ts';
import { until } from '../../support/until.ts';

const PROCESSES = 3;
const KILLS = 30;
const TIMEOUT_MS = 1_500_000;
const SEQNOS = 536;
const IMPORT = ['import', '--packs', REAL_PACKS, '--to', String(SEQNOS)];
const folder = makeTemporaryDirectory('import-kills');
let database: TestDatabase;
let children: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database?.drop();
  await removeTemporaryDirectory(folder);
});

const environment = () => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder, 'data'),
  NETWORK: 'custom',
  TON_CONFIG: REAL_CONFIG,
  INDEX_THREADS: '1',
});

function startImport(): ChildProcess {
  return spawn(process.execPath, [MAIN, ...IMPORT], {
    env: tongateEnvironment(environment()),
    stdio: 'ignore',
  });
}

async function indexedSeqnos(): Promise<number> {
  const ranges = await indexedRanges(database.database.primary);
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

describe.skipIf(missingPacks !== '')(`imports of a network with simplex consensus${missingPacks}`, () => {
  it.runIf(isLongRun)(
    'lose and repeat nothing when several processes share the work and are killed',
    async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        children = Array.from({ length: PROCESSES }, startImport);
        // Each time a little later, and between two batches as well as within one.
        const wanted = Math.min(SEQNOS, Math.ceil((SEQNOS * (kill + 0.3)) / KILLS));
        await until(async () => (await indexedSeqnos()) >= wanted);
        for (const child of children) child.kill('SIGKILL');
        await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
      }
      children = [];
      const rest = await runTongateHere(IMPORT, environment());
      expect(rest.output).toContain(`${SEQNOS} of ${SEQNOS} masterchain seqnos are indexed`);
      expect(rest.code).toBe(0);
      const db = database.database.primary;
      expect(await db.selectFrom('missing_cells').selectAll().execute()).toEqual([]);
      expect(await db.selectFrom('missing_elector_states').selectAll().execute()).toEqual([]);
      const verified = await runTongateHere(
        ['verify', '--packs', REAL_PACKS, '--to', String(SEQNOS)],
        environment(),
      );
      expect(verified.output).toContain('No differences.');
    },
    TIMEOUT_MS,
  );
});
