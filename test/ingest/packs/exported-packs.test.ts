import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainFolder } from '../../../src/localnet/chain/chain-folder.ts';
import { parseZeroState } from '../../../src/localnet/store/parse-block.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { writeGlobalConfig } from '../../support/global-config-file.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { runTongateHere } from '../../support/tongate-process.ts';

const TIMEOUT_MS = 120_000;
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
    'are imported with all accounts, and equal the index',
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
      const verified = await run(['verify', '--packs', packs], settings);
      expect(verified.output).toContain('No differences.');
    },
    TIMEOUT_MS,
  );
});
