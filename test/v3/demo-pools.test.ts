import { type Cell, Dictionary, loadAccount, type Slice } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromAccountBytes } from '../../src/chain/address.ts';
import { MASTERCHAIN, WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { toCoreCell } from '../../src/chain/boc/ton-core.ts';
import { getAccountState } from '../../src/lite/methods/accounts.ts';
import type { LitePool } from '../../src/lite/pool.ts';
import type { RunningLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { formatAccount } from '../../src/v3/values.ts';
import { readActiveState } from '../../src/verify/chain-block.ts';
import { openChainPool } from '../ingest/support/index-tables.ts';
import type { TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo, startDemoChain } from './support/indexed-demo.ts';

const TIMEOUT_MS = 180_000;

let chain: RunningLocalnet;
let pool: LitePool;
let index: TestDatabase;
let app: FastifyInstance;
let pools: Buffer[];

beforeAll(async () => {
  chain = await startDemoChain();
  pool = await openChainPool(chain.globalConfigPath, createQuietLog());
  await pool.waitForSeqno(chain.localnet.store.head.seqno, { timeoutMs: 120_000 });
  index = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: index.database } });
  const rows = await index.database.primary.selectFrom('nominator_pools').select('account').execute();
  pools = rows.map(({ account }) => account);
}, TIMEOUT_MS);
afterAll(async () => {
  await app?.close();
  await index?.drop();
  await pool?.close();
  await chain?.stop();
});

/** What a pool keeps: of the validator, and balance and pending deposit by nominator. */
interface Kept {
  validator: bigint;
  readonly nominators: Map<string, readonly [bigint, bigint]>;
}

/** A pool after a block. */
interface PoolState {
  readonly kept: Kept;
  /** What is on its account, and what it has staked. */
  readonly balance: bigint;
  readonly staked: bigint;
}

function readPool(account: Cell, data: Cell): PoolState {
  const slice = data.beginParse();
  slice.skip(24);
  const staked = slice.loadCoins();
  const validator = slice.loadCoins();
  // The config comes first.
  slice.loadRef();
  const value = {
    serialize: () => {},
    parse: (leaf: Slice): readonly [bigint, bigint] => [leaf.loadCoins(), leaf.loadCoins()],
  };
  const found = slice.loadDict(Dictionary.Keys.Buffer(32), value);
  const nominators = new Map([...found].map(([hash, own]) => [`00${hash.toString('hex')}`, own] as const));
  const { storage } = loadAccount(account.beginParse().skip(1));
  return { kept: { validator, nominators }, balance: storage.balance.coins, staked };
}

/** A pool after a masterchain block, as the lite server proves it; undefined before it exists. */
async function poolAt(account: Buffer, seqno: number): Promise<PoolState | undefined> {
  const block = await index.database.primary
    .selectFrom('blocks')
    .select(['root_hash', 'file_hash'])
    .where('mc_seqno', '=', seqno)
    .where('workchain', '=', MASTERCHAIN)
    .executeTakeFirstOrThrow();
  const id = {
    workchain: MASTERCHAIN,
    shard: WHOLE_SHARD,
    seqno,
    rootHash: block.root_hash,
    fileHash: block.file_hash,
  };
  const session = await pool.session({ budgetMs: 60_000 });
  const state = await session.run(({ query }) =>
    getAccountState(query, id, fromAccountBytes(account), { verify: true }),
  );
  const cell = state.account && toCoreCell(state.account.cells, state.account.cell);
  const data = cell && readActiveState(cell)?.data;
  return cell && data ? readPool(cell, data) : undefined;
}

/** What an event adds to all that a nominator has in a pool. */
function addedBy({ type, amount }: { readonly type: string; readonly amount: string }): bigint {
  if (type === 'deposit' || type === 'reward') return BigInt(amount);
  return type === 'withdrawal' ? -BigInt(amount) : 0n;
}

describe('nominator pools of the demo', { timeout: TIMEOUT_MS }, () => {
  it('have events of every kind that the story tells', async () => {
    const db = index.database.primary;
    expect(pools.length).toBeGreaterThan(0);
    const types = await db.selectFrom('nominator_pool_events').select('type').distinct().execute();
    expect(types.map(({ type }) => type).sort()).toEqual([
      'deposit',
      'pending_deposit_activation',
      'reward',
      'withdrawal',
      'withdrawal_request',
    ]);
    const ofValidator = await db.selectFrom('pool_validator_events').select('type').distinct().execute();
    expect(ofValidator.map(({ type }) => type).sort()).toEqual(['deposit', 'reward', 'withdrawal']);
  });

  it('keep, at every block, what the events of each nominator and of the validator add up to', async () => {
    const db = index.database.primary;
    const head = chain.localnet.store.head.seqno;
    let compared = 0;
    for (const account of pools) {
      const events = await db
        .selectFrom('nominator_pool_events')
        .selectAll()
        .where('pool', '=', account)
        .orderBy('lt')
        .orderBy('event_index')
        .execute();
      const ofValidator = await db
        .selectFrom('pool_validator_events')
        .selectAll()
        .where('pool', '=', account)
        .orderBy('lt')
        .execute();
      const sums: Kept = { validator: 0n, nominators: new Map() };
      /** Deposits and rewards without withdrawals, by nominator. */
      const totals = new Map<string, bigint>();
      for (let seqno = 1; seqno <= head; seqno++) {
        for (const row of events.filter(({ mc_seqno }) => mc_seqno === seqno)) {
          const key = row.nominator.toString('hex');
          const [balance, pending] = sums.nominators.get(key) ?? [0n, 0n];
          sums.nominators.set(key, [
            balance + BigInt(row.balance_after) - BigInt(row.balance_before),
            pending + BigInt(row.pending_after) - BigInt(row.pending_before),
          ]);
          totals.set(key, (totals.get(key) ?? 0n) + addedBy(row));
        }
        for (const row of ofValidator.filter(({ mc_seqno }) => mc_seqno === seqno))
          sums.validator += BigInt(row.balance_after) - BigInt(row.balance_before);
        const pool = await poolAt(account, seqno);
        if (pool === undefined) {
          expect({ seqno, ...sums }).toEqual({ seqno, validator: 0n, nominators: new Map() });
          continue;
        }
        const { kept, balance, staked } = pool;
        for (const [key, [balance, pending]] of sums.nominators)
          if (balance === 0n && pending === 0n && !kept.nominators.has(key)) sums.nominators.delete(key);
        expect({ seqno, ...sums }).toEqual({ seqno, ...kept });
        let owed = sums.validator;
        for (const [key, total] of totals) {
          const [own, pending] = kept.nominators.get(key) ?? [0n, 0n];
          expect([seqno, key, total]).toEqual([seqno, key, own + pending]);
          owed += total;
        }
        // The rest is for storage and fees.
        expect([seqno, owed <= balance + staked]).toEqual([seqno, true]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('are shown as they are at the head', async () => {
    for (const account of pools) {
      const address = formatAccount(account);
      const answer = await app.inject({ url: `/api/v3/staking/nominatorPools/pool?pool=${address}` });
      const { validator_amount, active_nominators } = answer.json();
      const { kept } = (await poolAt(account, chain.localnet.store.head.seqno))!;
      expect(validator_amount).toBe(`${kept.validator}`);
      const expected = [...kept.nominators].map(([key, [balance, pending]]) => ({
        address: formatAccount(Buffer.from(key, 'hex')),
        balance: `${balance}`,
        pending_balance: `${pending}`,
      }));
      expect(active_nominators).toEqual(expected.sort((a, b) => (a.address < b.address ? -1 : 1)));
    }
  });
});
