import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { createRenewablePool, type RenewablePool } from '../../src/lite/renewable-pool.ts';
import { type RunningLocalnet, startLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { copyDemoChain } from '../support/demo-chain.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { sharedVm } from '../support/shared-vm.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { openChainPool } from './support/index-tables.ts';
import {
  dumpIndex,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from './support/test-indexer.ts';

describe('indexing a local chain', () => {
  let running: RunningLocalnet;
  let pool: RenewablePool;
  let context: TestIndexer;

  beforeAll(async () => {
    const log = createQuietLog();
    const folder = makeTemporaryDirectory('index');
    await copyDemoChain(folder, 4);
    running = await startLocalnet({
      routineTransactions: true,
      vm: sharedVm(),
      folder,
      settings: { blockMs: 3_600_000, mine: 'interval', shards: 4 },
      host: '127.0.0.1',
      port: 0,
      log,
    });
    pool = await createRenewablePool(() => openChainPool(running.globalConfigPath, log));
    await mine(1);
  });
  afterAll(async () => {
    await pool.close();
    await running.stop();
  });
  beforeEach(async () => {
    context = await openTestIndexer();
  });
  afterEach(() => context.close());

  /** A short run indexes the whole chain once. */
  const beginning = () => sampled(pool.head!.seqno - 20, 1);

  async function mine(count: number): Promise<number> {
    const { seqno } = await running.localnet.mine(count);
    await pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
    return seqno;
  }

  test('starts at the first block and follows the head', async () => {
    const indexer = context.indexer(pool, { chunkSeqnos: 10 });
    indexer.start();
    await until(indexer, isComplete(pool.head!.seqno));
    const to = await mine(3);
    const progress = await until(indexer, isComplete(to));
    expect(progress).toMatchObject({ state: 'following', head: to, lag: 0, from: 1, lastError: undefined });
    expect(progress.etaSeconds).toBe(0);
    const dump = await dumpIndex(context);
    expect(dump.shard_states).toHaveLength(to);
    for (const table of ['transactions', 'messages', 'traces', 'contract_codes', 'account_data'])
      expect(dump[table]!.length).toBeGreaterThan(0);
    expect(dump.orphan_messages).toEqual([]);
    await untilNothingIsMissing(context);
    await expectWholeStates(context);
  });

  test('starts at the head, with complete states of active accounts', async () => {
    const indexer = context.indexer(pool, { from: 'now' });
    indexer.start();
    const { from } = await until(indexer, ({ state }) => state === 'following');
    await running.faucet.fund(running.wallets.masterchain.address, 1_000_000_000n);
    const to = await mine(4);
    await until(indexer, isComplete(to));
    await untilNothingIsMissing(context);
    const dump = await dumpIndex(context);
    expect(from).toBeGreaterThan(1);
    expect(dump.shard_states).toHaveLength(to - from! + 1);
    await expectWholeStates(context);
  });

  test('follows the chain back to a snapshot if it may restart', async () => {
    await running.localnet.snapshot('before');
    await mine(5);
    const from = beginning();
    const indexer = context.indexer(pool, { mayRestart: true, from });
    indexer.start();
    const { followed: before } = await until(indexer, isComplete(pool.head!.seqno));
    const restored = await running.localnet.restore('before');
    await pool.renew();
    const to = await mine(1);
    expect(to).toBeLessThan(before!);
    await until(indexer, ({ followed, indexedSeqnos }) => followed === to && indexedSeqnos === to - from + 1);
    expect(context.log.lines).toContainEqual({
      level: 'info',
      details: { seqno: restored.seqno, from: before },
      text: 'Chain went back, index rolled back',
    });
    expect(await newestRootHash()).toEqual(running.localnet.store.head.rootHash);
  });

  test('rebuilds the index of a chain that has none of its blocks, if it may restart', async () => {
    const indexer = context.indexer(pool, { mayRestart: true, from: beginning() });
    indexer.start();
    await until(indexer, isComplete(pool.head!.seqno));
    await sql`update blocks set root_hash = sha256(root_hash)`.execute(context.database.primary);
    await indexer.followRestoredChain();
    expect(context.log.texts()).toContain('Chain was reset, rebuilding the index');
    await until(indexer, isComplete(pool.head!.seqno));
    expect(await newestRootHash()).toEqual(running.localnet.store.head.rootHash);
  });

  async function newestRootHash(): Promise<Buffer> {
    const { root_hash } = await context.database.primary
      .selectFrom('blocks')
      .select('root_hash')
      .where('workchain', '=', -1)
      .orderBy('seqno', 'desc')
      .executeTakeFirstOrThrow();
    return root_hash;
  }

  test('stops at a rollback if it may not restart, and changes nothing', async () => {
    await running.localnet.snapshot('early');
    await mine(2);
    const from = beginning();
    const indexer = context.indexer(pool, { from });
    indexer.start();
    const { followed: before } = await until(indexer, isComplete(pool.head!.seqno));
    await untilNothingIsMissing(context);
    await indexer.close();
    const expected = await dumpIndex(context);
    await running.localnet.restore('early');
    await running.localnet.advance(100);
    await pool.renew();
    await mine(5);
    const again = context.indexer(pool, { from });
    again.start();
    await again.followRestoredChain();
    const { lastError, followed } = await until(again, ({ state }) => state === 'diverged');
    expect(lastError).toContain('differs from the indexed one');
    expect(followed).toBe(before);
    expect(await dumpIndex(context)).toEqual(expected);
  });
});

/** All code and data of the latest states are stored and match their hashes. */
async function expectWholeStates({ database }: TestIndexer): Promise<void> {
  const { rows } = await sql<{ codeHash: Buffer | null; dataHash: Buffer | null; data: Buffer }>`
    select s.code_hash as "codeHash", s.data_hash as "dataHash", d.boc as data
    from latest_account_states s left join account_data d on d.account = s.account and d.hash = s.data_hash
  `.execute(database.primary);
  expect(rows.length).toBeGreaterThan(0);
  const codes = await database.primary.selectFrom('contract_codes').selectAll().execute();
  const codeOf = new Map(codes.map(({ hash, boc }) => [hash.toString('hex'), boc]));
  for (const { codeHash, dataHash, data } of rows) {
    if (codeHash !== null) expect(rootHash(codeOf.get(codeHash.toString('hex'))!)).toEqual(codeHash);
    if (dataHash !== null) expect(rootHash(data)).toEqual(dataHash);
  }
}

function rootHash(boc: Buffer): Buffer {
  const bag = readBoc(boc);
  expect(bag.levelMask(bag.root)).toBe(0);
  return bag.hash(bag.root);
}
