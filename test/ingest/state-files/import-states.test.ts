import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONTRACT_TABLES } from '../../../src/db/tables/contract-tables.ts';
import type { Writer } from '../../../src/index/write/writer.ts';
import { detectImported } from '../../../src/ingest/state-files/detect-imported.ts';
import { findStateFiles } from '../../../src/ingest/state-files/find-state-files.ts';
import { importState } from '../../../src/ingest/state-files/import-state.ts';
import { liteBlocks, proveStates } from '../../../src/ingest/state-files/proven-states.ts';
import { openStateThread } from '../../../src/ingest/state-files/state-thread.ts';
import type { LitePool } from '../../../src/lite/pool.ts';
import { exportStates } from '../../../src/localnet/chain/export-states.ts';
import { walletCode } from '../../../src/localnet/contracts/wallets.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { readIndexedDemo, startDemoChain } from '../../v3/support/indexed-demo.ts';
import { openChainPool, rowsOf } from '../support/index-tables.ts';
import { openTestIndexer, type TestIndexer } from '../support/test-indexer.ts';

const TIMEOUT_MS = 300_000;
const SIGNAL = new AbortController().signal;

let folder: string;
let running: Awaited<ReturnType<typeof startDemoChain>>;
let pool: LitePool;
let imported: TestIndexer;
let indexed: TestDatabase;
beforeAll(async () => {
  folder = makeTemporaryDirectory('import-states');
  running = await startDemoChain();
  pool = await openChainPool(running.globalConfigPath, createQuietLog());
  await pool.waitForSeqno(running.localnet.store.head.seqno, { timeoutMs: 120_000 });
  imported = await openTestIndexer();
  indexed = await readIndexedDemo();
}, TIMEOUT_MS);
afterAll(async () => {
  await indexed?.drop();
  await imported?.close();
  await pool?.close();
  await running?.stop();
  await removeTemporaryDirectory(folder);
});

it('refuses a state with a flipped byte, with its place, and writes no account of it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { store } = running.localnet;
  const whole = join(folder, 'whole');
  await exportStates({ store, folder: whole, splitDepth: 0 });
  const { states } = await findStateFiles([whole]);
  const damaged = join(folder, 'damaged');
  mkdirSync(damaged);
  for (const { path } of states[0]!.shards) {
    const bytes = readFileSync(path!);
    const at = bytes.length >> 1;
    bytes[at] = bytes[at]! ^ 4;
    writeFileSync(join(damaged, basename(path!)), bytes);
  }
  const found = await findStateFiles([damaged]);
  const toImport = await proveStates(
    found.states[0]!,
    liteBlocks({ pool, check: { verify: true }, signal: SIGNAL }),
  );
  expect(toImport).toHaveLength(5);

  const db = imported.database.primary;
  const detection = imported.detection(pool);
  for (const { files, proven } of toImport) {
    const work = async (): Promise<void> => {
      const state = await openStateThread(files, proven, {
        workFolder: join(folder, 'work'),
        signal: SIGNAL,
      });
      const { writer } = imported;
      await importState(state, { db, detection, writer, mcSeqno: store.head.seqno, signal: SIGNAL }).finally(
        state.close,
      );
    };
    const message = await work().then(
      () => 'it was imported',
      (error: Error) => error.message,
    );
    expect(message.startsWith(files.path!), message).toBe(true);
  }
  expect(await rowsOf(db, 'select account from latest_account_states')).toEqual([]);
  expect(await rowsOf(db, 'select account from account_data')).toEqual([]);
  expect(await rowsOf(db, 'select 1 as done from state_imports where finished_at is not null')).toEqual([]);
});

it('fills the newest states and contracts as the blocks of the chain do, also when it is interrupted', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { store } = running.localnet;
  // The shards of the chain have prefixes of two bits.
  const split = join(folder, 'split');
  await exportStates({ store, folder: split, splitDepth: 3 });
  const { states } = await findStateFiles([split]);
  expect(states.map(({ mcSeqno }) => mcSeqno)).toEqual([store.head.seqno]);
  const toImport = await proveStates(
    states[0]!,
    liteBlocks({ pool, check: { verify: true }, signal: SIGNAL }),
  );
  expect(toImport.map(({ files }) => files.parts === undefined)).toEqual([true, false, false, false, false]);

  const db = imported.database.primary;
  const detection = imported.detection(pool);
  let accounts = 0;
  for (const { files, proven } of toImport) {
    const options = { db, detection, mcSeqno: store.head.seqno, signal: SIGNAL };
    // Fails after a write, as if the process had ended there.
    const broken = {
      async saveStates(...[place, batch]: Parameters<typeof imported.writer.saveStates>): Promise<void> {
        await imported.writer.saveStates(place, { ...batch, isLast: false });
        throw new Error('ended');
      },
    };
    const run = async (writer: Pick<Writer, 'saveStates'>): Promise<number> => {
      const state = await openStateThread(files, proven, {
        workFolder: join(folder, 'work'),
        signal: SIGNAL,
      });
      return importState(state, { ...options, writer }).finally(state.close);
    };
    await expect(run(broken)).rejects.toThrow('ended');
    accounts += await run(imported.writer);
    // Everything is done.
    expect(await run(broken)).toBeGreaterThanOrEqual(0);
  }
  // A wallet has no get-method of any interface.
  const isWallet = `code_hash = '\\x${walletCode('v4r2').hash().toString('hex')}'`;
  const withCode =
    'select account from latest_account_states where code_hash is not null and data_hash is not null';
  const waiting = 'account in (select account from missing_cells)';
  expect((await rowsOf(db, `${withCode} and ${isWallet}`)).length).toBeGreaterThan(2);
  expect(await rowsOf(db, `${withCode} and ${isWallet} and ${waiting}`)).toEqual([]);
  expect((await rowsOf(db, `${withCode} and not ${isWallet} and ${waiting}`)).length).toBeGreaterThan(30);

  await detectImported({ db, writer: imported.writer, detection, signal: SIGNAL });

  const latest = `select account, hash, status, balance::text, balance_extra, code_hash, data_hash, frozen_hash,
    last_trans_lt::text, last_trans_hash from latest_account_states where status <> 'nonexist' order by account`;
  const rows = await rowsOf(db, latest);
  expect(rows).toHaveLength(accounts);
  expect(rows).toEqual(await rowsOf(indexed.database.primary, latest));
  const tables = ['account_data', ...CONTRACT_TABLES];
  let contracts = 0;
  for (const table of tables) {
    const text = `select * from ${table} order by account`;
    const [mine, other] = [await rowsOf(db, text), await rowsOf(indexed.database.primary, text)];
    expect(mine.map(withoutId), table).toEqual(other.map(withoutId));
    contracts += mine.length;
  }
  expect(contracts).toBeGreaterThan(50);
  expect(await rowsOf(db, 'select account from missing_cells')).toEqual([]);
  expect(await rowsOf(db, 'select finished_at is not null as done from state_imports')).toEqual(
    toImport.map(() => ({ done: true })),
  );
});

/** Ids are given in the order of writing. */
function withoutId({ id: _, ...row }: Record<string, unknown>): Record<string, unknown> {
  return row;
}
