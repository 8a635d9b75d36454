import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../src/cli/commands.ts';
import { readEntries } from '../../../src/ingest/fetch/packs/package-file.ts';
import { chainFolder } from '../../../src/localnet/chain/chain-folder.ts';
import { exportPacks } from '../../../src/localnet/chain/export-packs.ts';
import { parseZeroState } from '../../../src/localnet/store/parse-block.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { writeGlobalConfig } from '../../support/global-config-file.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { MAIN, runTongateHere, tongateEnvironment } from '../../support/tongate-process.ts';
import { until } from '../../support/until.ts';
import type { LogicalIndex } from '../support/logical-index.ts';
import { dumpIndex } from '../support/test-indexer.ts';

const TIMEOUT_MS = 240_000;
const SLICE_SEQNOS = 3;
/** The last one of some slice, or one in it: several slices come before. */
const LAST = 14;
/** Long enough for an import that does not wait to write some slices. */
const IDLE_MS = sampled(300, 1000);

const folder = makeTemporaryDirectory('overlapping-slices');
const packs = join(folder, 'packs');
const config = join(folder, 'config.json');
let database: TestDatabase;
let watch: pg.Client;
let holder: pg.Client;
/** The first seqnos of the slices. */
let starts: number[];
beforeAll(async () => {
  const chain = chainFolder(join(folder, 'chain'));
  await copyDemoChain(chain, 4);
  await exportPacks(chain, packs, createQuietLog(), SLICE_SEQNOS);
  const names = readdirSync(packs, { recursive: true, encoding: 'utf8' });
  starts = names
    .flatMap((name) => /\/archive\.(\d+)\.pack$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const state = names.find((name) => name.includes('zerostate_-1_'))!;
  const { id: zeroState } = parseZeroState(readFileSync(join(packs, state)));
  const server = { host: '127.0.0.1', port: 9, publicKey: Buffer.alloc(32, 1) };
  writeGlobalConfig(config, { zeroState, servers: [server] });
}, TIMEOUT_MS);
afterAll(() => removeTemporaryDirectory(folder));

beforeEach(async () => {
  database = await createTestDatabase();
  watch = new pg.Client({ connectionString: database.url });
  holder = new pg.Client({ connectionString: database.url });
  await Promise.all([watch.connect(), holder.connect()]);
});
afterEach(async () => {
  await Promise.all([watch.end(), holder.end()]);
  await database.drop();
});

const environment = () => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder, 'data'),
  NETWORK: 'custom',
  TON_CONFIG: config,
  INDEX_THREADS: '1',
});

const importOf = (from: string, to: number) => ['import', '--packs', from, '--to', String(to), '--offline'];

/** Holds the rows of a seqno back: whoever writes them waits until they are released. */
async function holdBack(seqno: number): Promise<() => Promise<unknown>> {
  await holder.query('begin');
  await holder.query(`insert into shard_states values ($1, '{}', '{}', '{}')`, [seqno]);
  return () => holder.query('rollback');
}

/** The writers that wait. */
async function waitingWriters(): Promise<number[]> {
  const { rows } = await watch.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and application_name = 'tongate-index'`,
  );
  return rows.map(({ pid }) => pid);
}

interface Chunk {
  readonly first_seqno: number;
  readonly done_seqno: number;
  readonly owner: string;
}

/** What is claimed, the oldest first. */
async function claims(): Promise<Chunk[]> {
  const { rows } = await watch.query<Chunk>(
    'select first_seqno, done_seqno, owner from index_chunks where owner is not null order by first_seqno',
  );
  return rows;
}

/** An import in this process whose first slice has seqnos from 3 on, and its output so far. */
async function startImport(from: string) {
  const first = await runTongateHere(importOf(from, 2), environment());
  expect(first.output).toContain('2 of 2 masterchain seqnos are indexed');
  const release = await holdBack(3);
  let output = '';
  const stream = { write: (text: string) => (output += text) };
  const ended = runCommand(importOf(from, LAST), { env: environment(), stdout: stream, stderr: stream });
  return { release, ended, output: () => output };
}

/** An index of the slices that was verified. */
let correct: LogicalIndex | undefined;

/** Starting the verification takes longer than comparing the index with one that was verified, which short runs do. */
async function expectVerified(): Promise<void> {
  const found = await dumpIndex(database);
  if (correct !== undefined) expect(found).toEqual(correct);
  if (correct !== undefined && !isLongRun) return;
  const verified = await runTongateHere(['verify', '--packs', packs, '--to', String(LAST)], environment());
  expect(verified.output).toContain('No differences.');
  correct ??= found;
}

describe('slices of packs that overlap', () => {
  it(
    'are two at a time, and fail together while the first is written, with nothing lost and nothing written twice',
    async () => {
      const { release, ended, output } = await startImport(packs);
      await until(async () => (await waitingWriters()).length === 1 && (await claims()).length >= 2);
      const [third, fourth] = await claims();
      expect(third!.first_seqno).toBe(3);
      expect(starts).toContain(fourth!.first_seqno);
      await sleep(IDLE_MS);
      expect(await claims()).toHaveLength(2);

      // The statement fails, then its connection is lost, while the next slice has been read.
      for (const end of ['pg_cancel_backend', 'pg_terminate_backend']) {
        const before = await claims();
        await watch.query(`select ${end}(pid) from unnest($1::int[]) pid`, [await waitingWriters()]);
        await until(async () => {
          const now = await claims();
          const isAgain = now.length === 2 && now.every(({ owner }, i) => owner !== before[i]?.owner);
          return isAgain && (await waitingWriters()).length === 1;
        });
        expect((await claims()).map(({ first_seqno }) => first_seqno)).toEqual([3, fourth!.first_seqno]);
      }
      await release();
      expect(await ended).toBe(0);
      expect(output()).toContain('canceling statement');
      expect(output()).toContain(`${LAST} of ${LAST} masterchain seqnos are indexed`);
      await expectVerified();
    },
    TIMEOUT_MS,
  );

  it(
    'are written in order although one of them is damaged, which is named',
    async () => {
      const damaged = join(folder, 'damaged');
      cpSync(packs, damaged, { recursive: true });
      const second = starts.find((start) => start > 3)!;
      const path = join(damaged, `archive/packages/arch0000/archive.${String(second).padStart(5, '0')}.pack`);
      let place = 0;
      for await (const { kind, id, dataAt, dataBytes } of readEntries(path, () => {}))
        if (kind === 'block' && id.seqno === second + 1) place = dataAt + (dataBytes >> 1);
      const bytes = readFileSync(path);
      bytes[place] = bytes[place]! ^ 1;
      writeFileSync(path, bytes);

      const { release, ended, output } = await startImport(damaged);
      await until(() => output().includes('Masterchain seqnos left out'));
      await sleep(IDLE_MS);
      const { rows } = await watch.query('select mc_seqno from shard_states where mc_seqno > 2');
      expect(rows).toEqual([]);
      expect((await claims()).length).toBeLessThanOrEqual(2);
      await release();
      expect(await ended).toBe(1);
      expect(output()).toContain(`Damaged: ${path} at byte `);
      expect(output()).toContain(`Missing: masterchain seqno ${second + 1}: its masterchain block is`);
      const { rows: waiting } = await watch.query('select account from missing_cells');
      expect(waiting).toEqual([]);
      const completed = await runTongateHere(importOf(packs, LAST), environment());
      expect(completed.output).toContain(`${LAST} of ${LAST} masterchain seqnos are indexed`);
      await expectVerified();
    },
    TIMEOUT_MS,
  );

  it.runIf(isLongRun)(
    'are both found again when the process is killed',
    async () => {
      const first = await runTongateHere(importOf(packs, 2), environment());
      expect(first.code).toBe(0);
      const release = await holdBack(3);
      const child: ChildProcess = spawn(process.execPath, [MAIN, ...importOf(packs, LAST)], {
        env: tongateEnvironment(environment()),
        stdio: 'ignore',
      });
      const exited = once(child, 'exit');
      try {
        await until(async () => (await waitingWriters()).length === 1 && (await claims()).length >= 2);
      } finally {
        child.kill('SIGKILL');
      }
      expect(await exited).toEqual([null, 'SIGKILL']);
      expect(await claims()).toHaveLength(2);
      await release();
      const rest = await runTongateHere(importOf(packs, LAST), environment());
      expect(rest.output).toContain(`${LAST} of ${LAST} masterchain seqnos are indexed`);
      expect(rest.code).toBe(0);
      await expectVerified();
    },
    TIMEOUT_MS,
  );
});
