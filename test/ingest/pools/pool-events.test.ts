import { internal, type MessageRelaxed, toNano } from '@ton/core';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { isNominatorPoolCode } from '../../../src/chain/contracts/nominator-pool.ts';
import { readDiscarded } from '../../../src/index/write/changed-accounts.ts';
import { cutBlocks } from '../../../src/index/write/roll-back.ts';
import {
  nominatorDeposit,
  nominatorPool,
  nominatorWithdrawal,
  validatorDeposit,
  validatorWithdrawal,
} from '../../../src/localnet/contracts/nominator-pool.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { TestWallet } from '../../localnet/support/local-chain.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { openVerifier } from '../../support/verify-index.ts';
import { deployment, type LiveChain, startLiveChain } from '../contracts/support/live-chain.ts';
import {
  dumpIndex,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from '../support/test-indexer.ts';

const TIMEOUT_MS = 300_000;
const VALIDATOR = new TestWallet(40, 'v3r2', -1);
const POOL = nominatorPool({
  validator: VALIDATOR.address,
  validatorRewardShare: 4000,
  maxNominators: 3,
  minValidatorStake: toNano(10),
  minNominatorStake: toNano(10),
});
const POOL_KEY = accountKey(-1, POOL.address.hash);

let live: LiveChain;
let head: number;
const opened: TestIndexer[] = [];

/** A message to the pool. */
const toPool = (body: MessageRelaxed['body'], value = 1): MessageRelaxed =>
  internal({ to: POOL.address, value: toNano(value), bounce: true, body });

/**
 * Deposits one by one, then two deposits and a refused one in the same block, then a withdrawal together with a deposit of
 * the same nominator.
 */
async function makeStory(): Promise<void> {
  const [alice, bob, carol, dave] = live.people as [TestWallet, TestWallet, TestWallet, TestWallet];
  await live.send(alice, [
    deployment(POOL, toNano(20)),
    internal({ to: VALIDATOR.address, value: toNano(500), bounce: false }),
  ]);
  await live.send(alice, [toPool(nominatorDeposit(), 101)]);
  await live.send(VALIDATOR, [toPool(validatorDeposit(7n), 51)]);
  await live.step(
    new Map([
      [bob, [toPool(nominatorDeposit(), 31)]],
      [carol, [toPool(nominatorDeposit(), 41)]],
      [dave, [toPool(nominatorDeposit(), 5)]],
    ]),
  );
  await settle();
  await live.step(new Map([[bob, [toPool(nominatorWithdrawal()), toPool(nominatorDeposit(), 21)]]]));
  await settle();
  await live.step(
    new Map([
      [VALIDATOR, [toPool(validatorWithdrawal(8n, toNano(20))), toPool(validatorWithdrawal(9n, toNano(5)))]],
    ]),
  );
  await settle();
  await live.send(carol, [toPool(nominatorWithdrawal())]);
  head = await live.step();
}

async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) await live.step();
}

beforeAll(async () => {
  live = await startLiveChain();
  await makeStory();
}, TIMEOUT_MS);
afterAll(async () => {
  for (const context of opened) await context.close();
  await live.close();
});

type IndexOptions = Parameters<TestIndexer['indexer']>[1];

/** A new index of the chain. */
async function indexAll(options: IndexOptions = {}): Promise<TestIndexer> {
  const context = await openTestIndexer();
  opened.push(context);
  const indexer = context.indexer(live.pool, { detection: context.detection(live.pool), ...options });
  indexer.start();
  await until(indexer, isComplete(head));
  await untilNothingIsMissing(context);
  await indexer.close();
  return context;
}

/** The events of nominators: type, amount and the balances around it, in TON. */
async function nominatorEvents({ database }: TestIndexer) {
  const rows = await database.primary
    .selectFrom('nominator_pool_events')
    .selectAll()
    .where('pool', '=', POOL_KEY)
    .orderBy('lt')
    .orderBy('event_index')
    .execute();
  const nameOf = (account: Buffer) =>
    ['alice', 'bob', 'carol', 'dave'][
      live.people.findIndex(({ address }) => address.hash.equals(account.subarray(1)))
    ];
  const tons = (nanotons: string) => Number(BigInt(nanotons) / 1_000_000_000n);
  return rows.map((row) => [
    nameOf(row.nominator),
    row.type,
    tons(row.amount),
    `${tons(row.balance_before)} to ${tons(row.balance_after)}`,
  ]);
}

const NOMINATOR_EVENTS = [
  ['alice', 'deposit', 100, '0 to 100'],
  ['bob', 'deposit', 30, '0 to 30'],
  ['carol', 'deposit', 40, '0 to 40'],
  ['bob', 'withdrawal', 30, '30 to 0'],
  ['bob', 'deposit', 20, '0 to 20'],
  ['carol', 'withdrawal', 40, '40 to 0'],
];

/** Transactions of the pool by masterchain block. */
async function poolTransactions({ database }: TestIndexer): Promise<number[]> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from transactions where acc8 in (
      select acc8 from transactions group by acc8 having count(*) > 5) group by mc_seqno, acc8`.execute(
    database.primary,
  );
  return rows.map(({ count }) => Number(count));
}

describe('events of nominator pools', { timeout: TIMEOUT_MS }, () => {
  let context: TestIndexer;
  beforeAll(async () => {
    context = await indexAll();
  }, TIMEOUT_MS);

  it('the pool of the local chain is a known one', () => {
    expect(isNominatorPoolCode(POOL.init.code.hash())).toBe(true);
  });

  it('have one row for every deposit and withdrawal, also of several in one block', async () => {
    const bySort = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();
    const found = await nominatorEvents(context);
    // The order of messages of different senders in a block is not ours.
    expect(bySort(found)).toEqual(bySort(NOMINATOR_EVENTS));
    expect(found[0]).toEqual(NOMINATOR_EVENTS[0]);
    expect(found.slice(3)).toEqual(NOMINATOR_EVENTS.slice(3));
    expect(Math.max(...(await poolTransactions(context)))).toBeGreaterThan(1);
    const validator = await context.database.primary
      .selectFrom('pool_validator_events')
      .select(['type', 'balance_before', 'balance_after', 'query_id', 'cycle_start'])
      .orderBy('lt')
      .execute();
    expect(validator).toEqual([
      {
        type: 'deposit',
        balance_before: '0',
        balance_after: '50000000000',
        query_id: '7',
        cycle_start: null,
      },
      {
        type: 'withdrawal',
        balance_before: '50000000000',
        balance_after: '30000000000',
        query_id: '8',
        cycle_start: null,
      },
      {
        type: 'withdrawal',
        balance_before: '30000000000',
        balance_after: '25000000000',
        query_id: '9',
        cycle_start: null,
      },
    ]);
  });

  it('the row of the pool has what its nominators have', async () => {
    const { rows } = await sql<{ nominators: Buffer[]; balances: string[] }>`
      select nominators, nominator_balances::text[] as balances from nominator_pools`.execute(
      context.database.primary,
    );
    const [alice, bob] = live.people.map(({ address }) => accountKey(0, address.hash)) as [Buffer, Buffer];
    const expected = [
      { account: alice, balance: '100000000000' },
      { account: bob, balance: '20000000000' },
    ].sort((a, b) => a.account.compare(b.account));
    expect(rows).toEqual([
      {
        nominators: expected.map(({ account }) => account),
        balances: expected.map(({ balance }) => balance),
      },
    ]);
  });

  it.runIf(isLongRun)('are the same if history is indexed in another order', async () => {
    const dump = await dumpIndex(context);
    expect(dump.nominator_pool_events).toHaveLength(NOMINATOR_EVENTS.length);
    expect(await dumpIndex(await indexAll({ chunkSeqnos: 2, lanes: 3 }))).toEqual(dump);
  });

  it('of an index that begins later are those of its blocks', async () => {
    const all = await context.database.primary
      .selectFrom('nominator_pool_events')
      .select('mc_seqno')
      .orderBy('lt')
      .execute();
    const late = await indexAll({ from: all[3]!.mc_seqno });
    const dump = await dumpIndex(late);
    expect(dump.nominator_pool_events).toEqual(
      (await dumpIndex(context)).nominator_pool_events!.filter(
        (row) => Number(row.mc_seqno) >= all[3]!.mc_seqno,
      ),
    );
  });

  it('are told as one difference if a replay does not give the states of the chain', async () => {
    const vm = sharedVm();
    /** Runs transactions an hour later. */
    const wrong: Pick<Vm, 'runTransactions'> = {
      runTransactions: (runs, limits) =>
        vm.runTransactions(
          runs.map((run) => ({ ...run, utime: run.utime + 3600 })),
          limits,
        ),
    };
    const joined = await indexAll({ vm: wrong });
    const found = await nominatorEvents(joined);
    expect(found).toContainEqual(['bob', 'withdrawal', 10, '30 to 20']);
    const sums = (rows: readonly (string | number | undefined)[][]) => {
      const sum = new Map<unknown, number>();
      for (const [name, type, amount] of rows)
        sum.set(name, (sum.get(name) ?? 0) + (type === 'withdrawal' ? -1 : 1) * Number(amount));
      return sum;
    };
    expect(sums(found)).toEqual(sums(NOMINATOR_EVENTS));
    expect(joined.log.texts().some((text) => text.startsWith('Replay of a nominator pool failed'))).toBe(
      true,
    );
  });

  it('pass the verification, which finds wrong, missing and surplus ones', async () => {
    const db = context.database.primary;
    const events = await db.selectFrom('nominator_pool_events').select('mc_seqno').orderBy('lt').execute();
    const seqnos = events.map(({ mc_seqno }) => mc_seqno);
    const verifier = await openVerifier(live.globalConfigPath);
    onTestFinished(verifier.close);
    const verify = (from = seqnos[3]!, to = seqnos.at(-1)! + 1) => verifier.verify({ db, from, to });
    const clean = await verify(1, head);
    expect(clean.differences).toEqual([]);
    expect(clean.compared.get('nominator_pool_events')).toBe(NOMINATOR_EVENTS.length);
    expect(clean.compared.get('pool_validator_events')).toBe(3);
    const damages = {
      nominator_pool_events: [
        sql`update nominator_pool_events set amount = amount + 1 where type = 'withdrawal'`,
        sql`update nominator_pool_events set balance_after = balance_after + 1 where type = 'deposit'`,
        sql`update nominator_pool_events set type = 'reward' where event_index = 0`,
        sql`update nominator_pool_events set utime = utime + 1`,
        sql`delete from nominator_pool_events where type = 'withdrawal'`,
        sql`insert into nominator_pool_events select (jsonb_populate_record(e, '{"lt": 1}')).* from nominator_pool_events e order by e.lt desc limit 1`,
        sql`update nominator_pool_events set mc_seqno = mc_seqno + 1`,
      ],
      pool_validator_events: [
        sql`update pool_validator_events set query_id = 1`,
        sql`update pool_validator_events set balance_after = balance_after - 1`,
        sql`delete from pool_validator_events`,
      ],
    };
    const tables = Object.keys(damages) as (keyof typeof damages)[];
    const kept = new Map<string, readonly unknown[]>();
    for (const table of tables)
      kept.set(table, (await sql`select * from ${sql.table(table)}`.execute(db)).rows);
    // One of each table at a time.
    for (let round = 0; round < damages.nominator_pool_events.length; round += sampled(5, 1)) {
      const damaged = tables.filter((table) => damages[table][round] !== undefined);
      for (const table of damaged) await damages[table][round]!.execute(db);
      const { differences } = await verify();
      const found = new Set(differences.map(({ table }) => table));
      expect([...found], `round ${round}`).toEqual(expect.arrayContaining(damaged));
      for (const table of damaged) {
        await sql`delete from ${sql.table(table)}`.execute(db);
        await db
          .insertInto(table)
          .values(kept.get(table) as never)
          .execute();
      }
    }
    expect((await verify()).differences).toEqual([]);
  });

  it('are taken back with their blocks', async () => {
    const seqnos = (await dumpIndex(context)).nominator_pool_events!.map((row) => Number(row.mc_seqno));
    const middle = seqnos.sort((a, b) => a - b)[2]!;
    const client = new pg.Client({ connectionString: context.url });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('insert into waiting_pools (account, mc_seqno) values ($1, $2), ($1, $3)', [
        POOL_KEY,
        middle,
        middle + 1,
      ]);
      await cutBlocks(client, middle, await readDiscarded(client, middle));
      const count = async (table: string) => {
        const { rows } = await client.query(`select mc_seqno from ${table} order by mc_seqno`);
        return rows.map(({ mc_seqno }) => Number(mc_seqno));
      };
      expect(await count('nominator_pool_events')).toEqual(seqnos.filter((seqno) => seqno <= middle));
      expect(await count('waiting_pools')).toEqual([middle]);
      await client.query('rollback');
    } finally {
      await client.end();
    }
  });
});
