import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportPacks } from '../../../src/localnet/chain/export-packs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { type OfferedBag, startStorageDaemon } from '../../support/storage-daemon.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { runTongateHere } from '../../support/tongate-process.ts';
import { startDemoChain } from '../../v3/support/indexed-demo.ts';

const TIMEOUT_MS = 120_000;
it('x', async () => {
  const folder = makeTemporaryDirectory('import-dump');
  const running = await startDemoChain();
  console.log(running.localnet.store.head.seqno, running.globalConfigPath, Object.keys(running));
  await running.stop();
  const r = await exportPacks(join(running.globalConfigPath, '..'), join(folder, 'p'), createQuietLog(), 12);
  console.log(r, readdirSync(join(folder,'p'), {recursive: true}));
}, TIMEOUT_MS);
