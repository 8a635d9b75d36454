import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClaimLost } from '../../../src/index/chunks.ts';
import type { AccountChange } from '../../../src/index/write/decoded-seqno.ts';
import type { AccountUpdate } from '../../../src/index/write/write-accounts.ts';
import { createWriter, type Writer } from '../../../src/index/write/writer.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { beginIndex, putChunk, rowsOf } from '../../ingest/support/index-tables.ts';
import { traceTables } from '../../ingest/support/logical-index.ts';
import { expectedTraces, ToyChain, type ToyTransaction, toySeqno } from '../../ingest/support/toy-chain.ts';
import { createTestDatabase, isTestCluster, type TestDatabase } from '../../support/database.ts';
import { sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

const WIDTH = 10;
const MOST_FAILURES = sampled(12, 60);
const hash = (name: string) => createHash('sha256').update(name).digest();

describe('writer', () => {
  let context: TestDatabase;
  let writer: Writer;
  beforeAll(async () => {
    context = await createTestDatabase();
    writer = createWriter({ url: context.url, log: createQuietLog(), metadata: createChainMetadataReader() });
  });
  afterAll(async () => {
    await writer?.close();
    await context?.drop();
  });
  beforeEach(async () => {
    await beginIndex(context.database.primary, 1, WIDTH);
    writer.reset();
  });
  const db = () => context.database.primary;
  const only = (seqnos: readonly ReturnType<typeof toySeqno>[]) => ({ seqnos, latest: [], earlier: [] });
  const empty = (...seqnos: number[]) => only(seqnos.map((seqno) => toySeqno(seqno, [])));

  /** Consecutive externals, each with a message that goes back and forth for two seqnos. */
  function bounces(count: number): ToyTransaction[] {
    const chain = new ToyChain();
    const always = chain.external('wallet', 'always the same');
    return Array.from({ length: count }, (_, at): ToyTransaction[] => {
      const lt = at * 100;
      const there = chain.transaction({
        mcSeqno: at + 1,
        account: 'wallet',
        lt: lt + 10,
        in: always,
        to: ['contract'],
        logs: 1,
      });
      const tick = chain.transaction({ mcSeqno: at + 1, account: 'elector', lt: lt + 20 });
      const back = chain.transaction({
        mcSeqno: at + 2,
        account: 'contract',
        lt: lt + 30,
        in: there.sent[0],
        to: ['wallet'],
      });
      const end = chain.transaction({ mcSeqno: at + 3, account: 'wallet', lt: lt + 40, in: back.sent[0] });
      return [there, tick, back, end];
    }).flat();
  }
  const seqnosOf = (transactions: readonly ToyTransaction[], first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) =>
      toySeqno(
        first + at,
        transactions.filter(({ mcSeqno }) => mcSeqno === first + at),
      ),
    );

  it('advances the checkpoint with each batch and releases a finished chunk', async () => {
    const claim = await putChunk(db(), 8, 12);
    const figures = await writer.write(claim, empty(8, 9));
    expect(claim.doneSeqno).toBe(9);
    // Blocks and shards; on a cluster also the places of the two hashes of each block.
    expect(figures).toMatchObject({ rows: isTestCluster() ? 8 : 4, bytes: expect.any(Number) });
    expect(Object.keys(figures.ms)).toEqual(['assemble', 'copy', 'upserts', 'joins', 'events', 'commit']);
    expect(await rowsOf(db(), 'select done_seqno, owner from index_chunks')).toEqual([
      { done_seqno: 9, owner: 'test' },
    ]);
    await writer.write(claim, empty(10, 11, 12));
    expect(await rowsOf(db(), 'select done_seqno, owner from index_chunks')).toEqual([
      { done_seqno: 12, owner: null },
    ]);
    expect(await rowsOf(db(), 'select mc_seqno from blocks order by 1')).toHaveLength(5);
    expect(await rowsOf(db(), 'select mc_seqno from shard_states order by 1')).toHaveLength(5);
  });

  it('writes nothing after the claim is lost', async () => {
    const claim = await putChunk(db(), 1, 5);
    await expect(writer.write({ ...claim, owner: 'other' }, empty(1))).rejects.toThrow(ClaimLost);
    await expect(writer.write(claim, empty(2))).rejects.toThrow(ClaimLost);
    await expect(writer.write(claim, empty(1, 2, 3, 4, 5, 6))).rejects.toThrow(ClaimLost);
    await expect(writer.write({ ...claim, firstSeqno: 0 }, empty(1))).rejects.toThrow(ClaimLost);
    await writer.write(claim, empty(1));
    await expect(writer.write(claim, empty(1, 2))).rejects.toThrow(ClaimLost);
    await db().updateTable('index_chunks').set({ owner: 'other', done_seqno: 3 }).execute();
    await expect(writer.write(claim, empty(2, 3))).rejects.toThrow(ClaimLost);
    expect(await rowsOf(db(), 'select mc_seqno from blocks')).toEqual([{ mc_seqno: 1 }]);
  });

  it('accepts a batch that is already written', async () => {
    const claim = await putChunk(db(), 1, 4);
    await writer.write(claim, empty(1, 2));
    claim.doneSeqno = 0;
    expect(await writer.write(claim, empty(1, 2))).toMatchObject({ rows: 0 });
    expect(claim.doneSeqno).toBe(2);
    await writer.write(claim, empty(3, 4));
    expect(await writer.write(claim, empty(3, 4))).toMatchObject({ rows: 0 });
    expect(await rowsOf(db(), 'select mc_seqno from blocks')).toHaveLength(4);
  });

  it('continues traces across batches, with one trace per execution of a repeated external message', async () => {
    const transactions = bounces(15);
    const claim = await putChunk(db(), 1, undefined);
    for (let first = 1; first <= 17; first += 2)
      await writer.write(claim, only(seqnosOf(transactions, first, Math.min(17, first + 1))));
    const tables = await traceTables(db());
    expect(tables).toEqual(expectedTraces(transactions));
    expect(tables.traces).toHaveLength(30);
    expect(tables.open_traces).toHaveLength(0);
  });

  it('writes every row once although connections fail at any moment', async () => {
    const transactions = bounces(38);
    const claim = await putChunk(db(), 1, 40);
    let failures = 0;
    let isDone = false;
    const kill = async () => {
      for (let turn = 0; !isDone; turn++) {
        await new Promise((resolve) => setTimeout(resolve, (turn * 7) % 23));
        if (failures < MOST_FAILURES)
          await rowsOf(
            db(),
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'tongate-index' and datname = current_database()`,
          );
      }
    };
    const killing = kill();
    while (claim.doneSeqno < 40) {
      const first = claim.doneSeqno + 1;
      const batch = only(seqnosOf(transactions, first, Math.min(40, first + (first % 3))));
      await writer.write(claim, batch).catch((error) => {
        expect(error).not.toBeInstanceOf(ClaimLost);
        failures++;
      });
    }
    isDone = true;
    await killing;
    expect(failures).toBeGreaterThan(0);
    expect(await traceTables(db())).toEqual(expectedTraces(transactions));
    expect(await rowsOf(db(), 'select mc_seqno from blocks')).toHaveLength(40);
  });

  it('creates dropped partitions again', async () => {
    const claim = await putChunk(db(), 1, undefined);
    await writer.write(claim, empty(1));
    for (const table of ['blocks', 'shard_states']) await rowsOf(db(), `drop table ${table}_p000000000000`);
    await expect(writer.write(claim, empty(2))).rejects.toThrow(/no partition/);
    await writer.write(claim, empty(2));
    expect(await rowsOf(db(), 'select mc_seqno from blocks')).toEqual([{ mc_seqno: 2 }]);
  });

  it('stores codes once', async () => {
    const codes = [{ hash: hash('code'), boc: Buffer.from('code'), methods: [0, 85143] }];
    const more = { codes };
    const claim = await putChunk(db(), 8, undefined);
    await writer.write(claim, only([toySeqno(8, [], more), toySeqno(9, [], more)]));
    const again = await writer.write(claim, only([toySeqno(10, [], more)]));
    expect((await writer.write(claim, only([toySeqno(11, [], more)]))).rows).toBe(again.rows);
    writer.reset();
    await writer.write(claim, only([toySeqno(12, [], more)]));
    expect(await rowsOf(db(), 'select methods from contract_codes')).toEqual([{ methods: ['0', '85143'] }]);
  });

  // A crash of PostgreSQL ends all connections and may undo commits that were not on disk yet.
  it('knows nothing of what it wrote before its idle connections were lost', async () => {
    const log = createQuietLog();
    const other = createWriter({ url: context.url, log, metadata: createChainMetadataReader() });
    try {
      const more = { codes: [{ hash: hash('undone'), boc: Buffer.from('undone'), methods: undefined }] };
      const claim = await putChunk(db(), 8, undefined);
      await other.write(claim, only([toySeqno(8, [], more)]));
      await rowsOf(
        db(),
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'tongate-index' and datname = current_database()`,
      );
      await expect.poll(() => log.texts()).toContain('Index writer connection lost');
      await rowsOf(db(), "delete from contract_codes where boc = 'undone'");
      await other.write(claim, only([toySeqno(9, [], more)]));
      expect(await rowsOf(db(), "select 1 from contract_codes where boc = 'undone'")).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('never replaces an account state by an older one', async () => {
    const account = Buffer.concat([Buffer.of(0), hash('x')]);
    const update = (lt: number, more: Partial<AccountUpdate>, dataHash?: Buffer): AccountUpdate => ({
      change: { ...state(lt), account, dataHash } as AccountChange,
      data: undefined,
      isMissing: false,
      ...more,
    });
    const claim = await putChunk(db(), 1, undefined);
    const write = (latest: AccountUpdate) =>
      writer.write(claim, { ...empty(claim.doneSeqno + 1), latest: [latest] });
    const kept = async () => {
      const [row] = await rowsOf(
        db(),
        `select latest_account_states.last_trans_lt as lt, encode(boc, 'escape') as data, missing_cells.last_trans_lt as missing
         from latest_account_states left join account_data using (account) left join missing_cells using (account)`,
      );
      return row;
    };
    await write(update(20, { data: Buffer.from('twenty') }, hash('twenty')));
    await write(update(10, { data: Buffer.from('ten'), isMissing: true }, hash('ten')));
    expect(await kept()).toEqual({ lt: '20', data: 'twenty', missing: null });
    await write(update(20, { data: Buffer.from('other') }, hash('other')));
    expect(await kept()).toEqual({ lt: '20', data: 'twenty', missing: null });
    await write(update(30, { isMissing: true }, hash('thirty')));
    expect(await kept()).toEqual({ lt: '30', data: 'twenty', missing: '30' });
    await write(update(25, { data: Buffer.from('x') }, hash('x')));
    expect(await kept()).toEqual({ lt: '30', data: 'twenty', missing: '30' });
    await write(update(40, { data: Buffer.from('forty') }, hash('forty')));
    expect(await kept()).toEqual({ lt: '40', data: 'forty', missing: null });
    await write(update(50, {}));
    expect(await kept()).toEqual({ lt: '50', data: null, missing: null });
    const earlier = [{ ...state(1), account, balanceExtra: '{"100":"5"}' }];
    for (let turn = 0; turn < 2; turn++)
      await writer.write(claim, { ...empty(claim.doneSeqno + 1), earlier });
    expect(await rowsOf(db(), 'select balance, balance_extra from account_states')).toEqual([
      { balance: '1000', balance_extra: { 100: '5' } },
    ]);
  });

  function state(lt: number) {
    return {
      hash: hash(`state ${lt}`),
      status: 'active' as const,
      balance: 1000n * BigInt(lt),
      balanceExtra: undefined,
      extraIsHidden: false,
      codeHash: undefined,
      dataHash: undefined,
      frozenHash: undefined,
      mcSeqno: 1,
      timestamp: 1_700_000_000,
      lastTransLt: BigInt(lt),
      lastTransHash: hash(`transaction ${lt}`),
    };
  }
});
