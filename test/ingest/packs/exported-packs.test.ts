import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isClassified } from '../../../src/classify/reclassify.ts';
import { CONTRACT_TABLES } from '../../../src/db/tables/contract-tables.ts';
import { chainFolder } from '../../../src/localnet/chain/chain-folder.ts';
import { parseZeroState } from '../../../src/localnet/store/parse-block.ts';
import { classifyAll } from '../../classify/support/classifying.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { writeGlobalConfig } from '../../support/global-config-file.ts';
import { isLongRun } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { runTongateHere } from '../../support/tongate-process.ts';
import { until as untilSo } from '../../support/until.ts';
import { readIndexedDemo, startDemoChain } from '../../v3/support/indexed-demo.ts';
import { openChainPool, rowsOf } from '../support/index-tables.ts';
import { type LogicalIndex, logicalIndex } from '../support/logical-index.ts';
import {
  dumpIndex,
  isComplete,
  openTestIndexer,
  until,
  untilElectorIsKnown,
  untilNothingIsMissing,
} from '../support/test-indexer.ts';

const TIMEOUT_MS = 240_000;
const ACTION_TABLES = ['trace_actions', 'action_accounts', 'action_keys', 'classification_faults'];
/** What blocks alone tell, without get-methods. */
const BLOCK_TABLES = [
  ...['blocks', 'shard_states', 'transactions', 'messages', 'slots', 'traces', 'open_traces'],
  ...['pending_messages', 'orphan_messages', 'latest_account_states', 'account_data'],
];
/** What get-methods tell too, of contracts with their own code. */
const CONTRACT_ROWS = [
  'jetton_transfers',
  'jetton_wallets',
  'nft_items',
  'nft_transfers',
  'validator_events',
];
const folder = makeTemporaryDirectory('exported-packs');
const packs = join(folder, 'packs');
const states = join(packs, 'archive', 'states');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await copyDemoChain(chainFolder(join(folder, 'chain')), 4);
}, TIMEOUT_MS);
afterAll(async () => {
  await database?.drop();
  await removeTemporaryDirectory(folder);
});

const run = (args: readonly string[], settings: Record<string, string>) =>
  runTongateHere(args, { DATABASE_URL: database.url, INDEX_THREADS: '1', ...settings });

describe('packs of a local chain with four shards', () => {
  it(
    'are written with the names of a node, and hold the whole chain',
    async () => {
      const exported = await run(['localnet', 'export', '--packs', packs], {
        DATA_DIR: join(folder, 'chain'),
      });
      expect(exported.code).toBe(0);
      const names = readdirSync(packs, { recursive: true, encoding: 'utf8' });
      expect(names).toContain('archive/packages/arch0000/archive.00000.pack');
      expect(names).toContain('archive/packages/arch0000/archive.00000.0_8000000000000000.pack');
      expect(readdirSync(states).filter((name) => name.startsWith('zerostate_'))).toHaveLength(2);
      const examined = await run(['doctor', '--packs', packs], {});
      expect(examined.code).toBe(0);
      expect(examined.output).toMatch(/- Masterchain seqnos 1 to \d+\n- Zero state of workchain -1: /);
    },
    TIMEOUT_MS,
  );

  it(
    'are imported with all accounts, and verified',
    async () => {
      const config = join(folder, 'config.json');
      const file = readdirSync(states).find((name) => name.startsWith('zerostate_-1_'))!;
      const { id: zeroState } = parseZeroState(readFileSync(join(states, file)));
      const server = { host: '127.0.0.1', port: 9, publicKey: Buffer.alloc(32, 1) };
      writeGlobalConfig(config, { zeroState, servers: [server] });
      const settings = { NETWORK: 'custom', TON_CONFIG: config, DATA_DIR: join(folder, 'imported') };
      const imported = await run(['import', '--packs', packs], settings);
      expect(imported.output).toMatch(/(\d+) of \1 masterchain seqnos are indexed, 1 to \1\./);
      expect(imported.code).toBe(0);
      const db = database.database.primary;
      const wallets = await db
        .selectFrom('jetton_wallets')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      expect(Number(wallets.count)).toBeGreaterThan(0);
      // In a short run the next test compares what was written.
      if (!isLongRun) return;
      const verified = await run(['verify', '--packs', packs], settings);
      expect(verified.output).toContain('No differences.');
    },
    TIMEOUT_MS,
  );

  it(
    'make the index that lite servers make, table by table',
    async () => {
      const log = createQuietLog();
      const fromServers = await readIndexedDemo();
      const chain = await startDemoChain(log);
      const { seqno: head } = chain.localnet.store.head;
      const pool = await openChainPool(chain.globalConfigPath, log);
      const context = await openTestIndexer({ ...database, drop: async () => {} });
      const readAll = async (db: TestDatabase): Promise<LogicalIndex> => ({
        ...(await dumpIndex(db)),
        ...(await logicalIndex(db.database.primary, ACTION_TABLES)),
      });
      try {
        const expected = await readAll(fromServers);
        const imported = await readAll(database);
        for (const table of BLOCK_TABLES) expect(imported[table], table).toEqual(expected[table]);
        for (const table of CONTRACT_ROWS) {
          expect(imported[table]!.length, table).toBeGreaterThan(0);
          expect(expected[table], table).toEqual(expect.arrayContaining([...imported[table]!]));
        }
        const missing = await rowsOf(database.database.primary, 'select account from missing_cells');
        const waiting = new Set(missing.map(({ account }) => `\\x${(account as Buffer).toString('hex')}`));
        for (const table of CONTRACT_TABLES) {
          const had = new Set(imported[table]!.map(({ account }) => account));
          const lacking = expected[table]!.map(({ account }) => account).filter((one) => !had.has(one));
          for (const account of lacking) expect(waiting, table).toContain(account);
        }
        // What waits for lite servers is written by them in other tests too.
        if (!isLongRun) return;
        // Contracts with their code in a library wait for lite servers.
        const indexer = context.indexer(pool, { detection: context.detection(pool) });
        indexer.start();
        await until(indexer, isComplete(head));
        await untilNothingIsMissing(context);
        await untilElectorIsKnown(context);
        await indexer.close();
        // Traces that waited for those contracts are classified again.
        await classifyAll(context, {}, () => untilSo(() => isClassified(database.database.primary, head)));
        const found = await readAll(database);
        for (const [table, rows] of Object.entries(expected)) expect(found[table], table).toEqual(rows);
        expect(Object.keys(found)).toEqual(Object.keys(expected));
        for (const table of ['jetton_transfers', 'jetton_wallets', 'trace_actions', 'validator_events'])
          expect(expected[table]!.length, table).toBeGreaterThan(0);
      } finally {
        await context.close();
        await pool.close();
        await chain.stop();
        await fromServers.drop();
      }
    },
    TIMEOUT_MS,
  );
});
