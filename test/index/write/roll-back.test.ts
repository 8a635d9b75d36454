import type { Cell, MessageRelaxed } from '@ton/core';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { classifyNewest, PREPARE_CLASSIFYING } from '../../../src/classify/classify-loop.ts';
import type { ContractTable } from '../../../src/db/tables/contract-tables.ts';
import { indexedRanges } from '../../../src/index/coverage.ts';
import { PARTITIONED_TABLES } from '../../../src/index/partitions.ts';
import { UNPARTITIONED_TABLES } from '../../../src/index/sizes.ts';
import { createWriter, type Writer } from '../../../src/index/write/writer.ts';
import { createWriterConnections } from '../../../src/index/write/writer-connections.ts';
import { createRenewablePool, type RenewablePool } from '../../../src/lite/renewable-pool.ts';
import { createLocalnet, type Localnet } from '../../../src/localnet/chain/localnet.ts';
import { openLiteServer } from '../../../src/localnet/chain/start-localnet.ts';
import { createValidatorSigner } from '../../../src/localnet/chain/validators.ts';
import { createCollator } from '../../../src/localnet/collate/collator.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
import { openFaucets } from '../../../src/localnet/genesis/keys.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import {
  DESTROYABLE_ROOT,
  destroyableContracts,
} from '../../ingest/contracts/support/destroyable-contracts.ts';
import { openChainPool } from '../../ingest/support/index-tables.ts';
import { type LogicalIndex, logicalIndex } from '../../ingest/support/logical-index.ts';
import {
  type Indexer,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from '../../ingest/support/test-indexer.ts';
import { Traffic } from '../../localnet/support/traffic.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { readStoredTraces } from '../../support/stored-traces.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { verifyIndex } from '../../support/verify-index.ts';

const ROUNDS = sampled(1, 6);
/** Waves of messages before the first cut. */
const WAVES = sampled(2, 30);
const log = createQuietLog();
const [seed] = fc.sample(fc.integer(), 1);
const traffic = new Traffic(seed!);
let localnet: Localnet;
let pool: RenewablePool;
let configPath: string;
let context: TestIndexer;
let indexer: Indexer;
/** Another process with the same database. */
let second: Indexer;
let secondWriter: Writer;
let closeServer: () => Promise<void>;

beforeAll(async () => {
  const folder = makeTemporaryDirectory('rollback');
  localnet = await createLocalnet({
    folder,
    settings: { blockMs: 3_600_000, mine: 'interval', shards: 4 },
    log,
    checkpointEvery: 10,
    makeZeroStates: async (genesis) =>
      (await createGenesis({ ...genesis, dnsRoot: DESTROYABLE_ROOT.address.hash })).zeroStates,
    createCollator: (store) => createCollator({ store, vm: sharedVm(), signer: createValidatorSigner() }),
  });
  const server = await openLiteServer(folder, {
    store: localnet.store,
    host: '127.0.0.1',
    port: 0,
    now: localnet.now,
    log,
  });
  closeServer = () => server.close();
  configPath = server.globalConfigPath;
  pool = await createRenewablePool(() => openChainPool(configPath, log));
  const faucets = await openFaucets();
  const genesis = { faucet: faucets.basechain, masterchainFaucet: faucets.masterchain };
  await localnet.mine(6);
  await traffic.fund({ step, steps: async (count) => void (await localnet.mine(count)), genesis });
  context = await openTestIndexer();
  indexer = context.indexer(pool, { mayRestart: true, detection: context.detection(pool) });
  indexer.start();
  secondWriter = createWriter({ url: context.url, log, metadata: createChainMetadataReader() });
  second = context.indexer(pool, {
    mayRestart: true,
    detection: context.detection(pool),
    writer: secondWriter,
  });
  second.start();
});
afterAll(async () => {
  await second.close();
  await secondWriter.close();
  await context.close();
  await pool.close();
  await closeServer();
  await localnet.stop();
});

async function step(externals: readonly Cell[]): Promise<void> {
  for (const cell of externals) await localnet.send(cell.toBoc());
  await localnet.mine(1);
}

async function settle(one: { readonly indexer: Indexer; readonly context: TestIndexer }): Promise<void> {
  const to = localnet.store.head.seqno;
  await pool.waitForSeqno(to, { timeoutMs: 120_000 });
  await until(one.indexer, isComplete(to));
  await untilNothingIsMissing(one.context);
  await classify(one.context);
}

async function classify(one: TestIndexer): Promise<void> {
  const connections = createWriterConnections({
    url: one.url,
    size: 1,
    log,
    prepare: PREPARE_CLASSIFYING,
  });
  const batch = { connections, log, partitions: new Set<number>() };
  while ((await classifyNewest(batch)) !== undefined);
  await connections.close();
}

/** The whole index and its coverage, without the times and owners of chunks. */
async function everything({ database }: TestIndexer): Promise<LogicalIndex> {
  const tables = [...PARTITIONED_TABLES, ...UNPARTITIONED_TABLES].filter(
    (table) => table !== 'action_slices',
  );
  const index = await logicalIndex(database.primary, tables);
  return { ...index, coverage: (await indexedRanges(database.primary)).map((one) => ({ ...one })) };
}

/** Slices keep the types of discarded actions, but must have those of all others. */
async function expectTypesInSlices({ database }: TestIndexer): Promise<void> {
  const { rows: slices } = await sql<{ slice: string; types: number }>`
    select slice, types from action_slices`.execute(database.primary);
  const { rows: traces } = await sql<{ slice: string; types: number }>`
    select distinct trace_end_lt >> 28 as slice, types from trace_actions`.execute(database.primary);
  const typesOf = new Map(slices.map(({ slice, types }) => [slice, types]));
  expect(traces.filter(({ slice, types }) => ((typesOf.get(slice) ?? 0) & types) !== types)).toEqual([]);
}

/** Codes are kept by hash: those of discarded blocks stay. */
function expectSame(found: LogicalIndex, expected: LogicalIndex): void {
  for (const [table, rows] of Object.entries(expected))
    expect(found[table], `${table}, seed ${seed}`).toEqual(
      table === 'contract_codes' ? expect.arrayContaining([...rows]) : rows,
    );
}

/** Compares the index with one that is filled from the chain now. */
async function expectLikeNew(): Promise<void> {
  const other = await openTestIndexer();
  try {
    const fresh = other.indexer(pool, { detection: other.detection(pool) });
    fresh.start();
    await settle({ indexer: fresh, context: other });
    await settle({ indexer, context });
    // Actions depend on which contracts were known when a trace was classified, so this is done now in both.
    for (const one of [other, context]) {
      const db = one.database.primary;
      const traces = await readStoredTraces(db);
      await db
        .insertInto('unclassified_traces')
        .values(
          traces.map(({ traceId, mcSeqnoEnd, nodes }) => ({
            trace_id: traceId,
            mc_seqno_end: mcSeqnoEnd,
            nodes,
          })),
        )
        .execute();
      await classify(one);
    }
    expectSame(await everything(context), await everything(other));
    await expectTypesInSlices(context);
  } finally {
    await other.close();
  }
}

it.runIf(isLongRun)(
  'destroyed contracts are there again after a roll-back to before, and those that only discarded blocks have are not',
  async () => {
    // One that sends many messages at once.
    const sender = traffic.wallets[5]!;
    const { all, prepare, deploy, begin, destroy, destroyVesting } = destroyableContracts(sender.address);
    const send = async (messages: readonly MessageRelaxed[], ...others: readonly Cell[]) => {
      await step([sender.send(messages), ...others]);
      await localnet.drain();
    };
    /** The tables that have the contracts. */
    async function tables(): Promise<ContractTable[]> {
      const parts = all.map(
        ({ table, address }, at) =>
          sql`select ${sql.lit(at)} as at, ${sql.lit(table)} as name from ${sql.table(table)}
            where account = ${accountKey(0, address.hash)}`,
      );
      const { rows } = await sql<{ name: ContractTable }>`
      ${sql.join(parts, sql` union all `)} order by at`.execute(context.database.primary);
      return rows.map(({ name }) => name);
    }
    const allTables = all.map(({ table }) => table);
    const settled = () => settle({ indexer, context });
    async function deployAll(): Promise<void> {
      await send(deploy());
      await send(begin());
      await settled();
      expect(await tables()).toEqual(allTables);
    }
    async function destroyAll(): Promise<void> {
      await send(destroy(), destroyVesting());
      await settled();
      expect(await tables()).toEqual([]);
    }
    /** Lets something happen, takes it back, and compares the index with what it was before, and with the chain. */
    async function undo(happen: () => Promise<void>): Promise<void> {
      const goOn = traffic.remember();
      await localnet.snapshot('before');
      const before = await everything(context);
      await happen();
      const { seqno: to } = await localnet.restore('before');
      goOn();
      await pool.renew();
      await Promise.all([indexer.followRestoredChain(), second.followRestoredChain()]);
      expectSame(await everything(context), before);
      // Without it the comparison above must do: what it was before is compared with the chain by test/verify.
      if (!isLongRun) return;
      const { differences, compared } = await verifyIndex(configPath, {
        db: context.database.primary,
        from,
        to,
      });
      expect(differences).toEqual([]);
      for (const table of await tables()) expect(compared.get(table) ?? 0, table).toBeGreaterThan(0);
    }
    const from = localnet.store.head.seqno + 1;
    await send(prepare());
    await deployAll();
    await undo(destroyAll);
    expect(await tables()).toEqual(allTables);
    await destroyAll();
    await undo(deployAll);
    expect(await tables()).toEqual([]);
    if (isLongRun) await expectLikeNew();
  },
  1_800_000,
);

it('the index goes back with the chain as if the discarded blocks had never been', async () => {
  let openTraces = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < (round === 0 ? WAVES : 2); i++) await step(traffic.wave());
    const goOn = traffic.remember();
    await localnet.snapshot('cut');
    await settle({ indexer, context });
    const before = await everything(context);
    for (let i = 0; i < 3; i++) await step(traffic.wave());
    await localnet.mine(2);
    await settle({ indexer, context });
    expect(await everything(context)).not.toEqual(before);

    const { seqno } = await localnet.restore('cut');
    goOn();
    await pool.renew();
    await Promise.all([indexer.followRestoredChain(), second.followRestoredChain()]);
    expect(indexer.progress()).toMatchObject({ followed: seqno, indexedSeqnos: seqno, gaps: 0 });
    const after = await everything(context);
    expectSame(after, before);
    openTraces += after.open_traces!.length;
    if (isLongRun) await expectLikeNew();

    await localnet.advance(10);
    await step(traffic.wave());
    await step(traffic.wave());
    await expectLikeNew();
  }
  expect(openTraces).toBeGreaterThan(0);

  // A snapshot of blocks that the chain has gone back from is read from its file, without the oldest states.
  await localnet.snapshot('end');
  await localnet.restore('cut');
  const { seqno: to } = await localnet.restore('end');
  expect(localnet.store.state(localnet.store.masterchainBlock(1)!.id)).toBe('gone');
  await pool.renew();
  await indexer.followRestoredChain();
  await settle({ indexer, context });
  expect(context.log.texts()).not.toContain('Chain was reset, rebuilding the index');
  // A short run does with the comparisons above: what is compared there, others verify.
  if (!isLongRun) return;
  const verified = await verifyIndex(configPath, {
    db: context.database.primary,
    from: 1,
    to,
  });
  expect(verified.differences).toEqual([]);
  expect(verified.skipped.size).toBe(0);
}, 1_800_000);
