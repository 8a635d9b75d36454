import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { accountCells } from '../../../src/chain/contracts/account-cells.ts';
import { walkShardAccounts } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { claimHead } from '../../../src/index/chunks.ts';
import { openOrigin } from '../../../src/index/coverage.ts';
import type { DecodedSeqno } from '../../../src/index/write/decoded-seqno.ts';
import { createWriter } from '../../../src/index/write/writer.ts';
import { decodeSeqno } from '../../../src/ingest/decode/decode-seqno.ts';
import type { FetchedSeqno } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import { fetchZeroStates } from '../../../src/ingest/fetch/lite-source.ts';
import { genesisAccounts, writeGenesis } from '../../../src/ingest/states/earlier-states.ts';
import { createStateTracker } from '../../../src/ingest/states/state-tracker.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { openReplayApp, type V2TestApp } from '../../v2/support/v2-app.ts';
import { fetchAll, fetchContext } from '../fetch/fetch-all.ts';

const HEAD = 125;
const STATES = ['-1_8000000000000000_125', '0_4000000000000000_122', '0_c000000000000000_122'];

describe.skipIf(missingNetwork !== '')(`states of the recorded network${missingNetwork}`, () => {
  let context: V2TestApp;
  let fetched: FetchedSeqno[];

  beforeAll(async () => {
    context = await openReplayApp();
    fetched = await fetchAll(fetchContext(context), { from: 1, to: HEAD });
  });
  afterAll(() => context.close());

  const runs = [
    { batch: 7, maxBytes: 5000 },
    { batch: 1, maxBytes: 1_000_000 },
    { batch: HEAD, maxBytes: 0 },
  ];
  test.each(runs.slice(0, sampled(1, runs.length)))(
    'are complete after the last block, in batches of $batch with $maxBytes bytes of cache',
    async (run) => {
      const { database, ...base } = await createTestDatabase();
      const writer = createWriter({
        url: base.url,
        log: createQuietLog(),
        metadata: createChainMetadataReader(),
      });
      try {
        const db = database.primary;
        const zeroState = context.pool.zeroState.rootHash;
        await openOrigin(db, { zeroState, firstSeqno: 1, partitionSeqnos: 1000 });
        const claim = await claimHead(db, { owner: 'test', head: HEAD, leaseMs: 30_000, chunkSeqnos: 1000 });
        const genesis = genesisAccounts(await fetchZeroStates(fetchContext(context)));
        await writeGenesis(db, genesis);
        await writeGenesis(db, genesis);
        const book = createStateTracker({ db, maxBytes: run.maxBytes });
        for (let i = 0; i < HEAD; i += run.batch) {
          const seqnos = fetched.slice(i, i + run.batch).map(decodeSeqno);
          const { latest, missing } = await book.prepare({ seqnos, isNewest: run.batch !== 7 });
          expect(missing).toBe(0);
          await writer.write(claim!, { seqnos, latest, earlier: [] });
        }
        await expectRecordedStates({ database, ...base });
      } finally {
        await writer.close();
        await base.drop();
      }
    },
  );

  test('of a later start are marked as missing and fetched', async () => {
    const { database, ...base } = await createTestDatabase();
    try {
      const book = createStateTracker({ db: database.primary });
      const seqnos: DecodedSeqno[] = fetched.slice(80, HEAD).map(decodeSeqno);
      const { latest, missing } = await book.prepare({ seqnos, isNewest: true });
      expect(missing).toBeGreaterThan(0);
      expect(latest.filter(({ isMissing }) => isMissing)).toHaveLength(missing);
    } finally {
      await base.drop();
    }
  });
});

/** Every account of the full states, with its code and data. */
async function expectRecordedStates({ database }: TestDatabase): Promise<void> {
  const db = database.primary;
  const latest = await db.selectFrom('latest_account_states').selectAll().execute();
  const rows = new Map(latest.map((row) => [row.account.toString('hex'), row]));
  const data = await db.selectFrom('account_data').selectAll().execute();
  const dataOf = new Map(data.map((row) => [row.account.toString('hex'), row]));
  const codes = await db.selectFrom('contract_codes').selectAll().execute();
  const codeOf = new Map(codes.map((row) => [row.hash.toString('hex'), row.boc]));
  let accounts = 0;
  for (const name of STATES) {
    const bag: CellBag = readBoc(readFileSync(new URL(`states/${name}.boc`, RECORDED_NETWORK)));
    const state = readShardState(bag, bag.root);
    walkShardAccounts(bag, state.accounts, (id, { account, lastTransLt }) => {
      accounts += 1;
      const key = accountKey(state.workchain, id).toString('hex');
      const row = rows.get(key)!;
      expect(row.hash).toEqual(bag.hash(account, 0));
      expect(BigInt(row.last_trans_lt)).toBe(lastTransLt);
      const { code, data: boc, balanceExtra } = accountCells({ cells: bag, cell: account });
      expect(dataOf.get(key)?.boc).toEqual(boc);
      expect(dataOf.get(key)?.hash ?? null).toEqual(row.data_hash);
      expect(row.code_hash).toEqual(code?.hash ?? null);
      if (code !== undefined) expect(codeOf.get(code.hash.toString('hex'))).toEqual(code.boc);
      expect(row.balance_extra).toEqual(balanceExtra === undefined ? null : JSON.parse(balanceExtra));
      rows.delete(key);
    });
  }
  expect(accounts).toBe(40);
  // All others are deleted.
  for (const row of rows.values()) expect(row.status).toBe('nonexist');
  expect(await db.selectFrom('missing_cells').selectAll().execute()).toEqual([]);
}
