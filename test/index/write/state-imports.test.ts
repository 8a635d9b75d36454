import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginStateImport } from '../../../src/index/write/state-imports.ts';
import type { AccountUpdate } from '../../../src/index/write/write-accounts.ts';
import { createWriter, type Writer } from '../../../src/index/write/writer.ts';
import { bytesKey } from '../../../src/lib/bytes-key.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { rowsOf } from '../../ingest/support/index-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

let base: TestDatabase;
let writer: Writer;
beforeAll(async () => {
  base = await createTestDatabase();
  writer = createWriter({ url: base.url, log: createQuietLog(), metadata: createChainMetadataReader() });
});
afterAll(async () => {
  await writer?.close();
  await base?.drop();
});

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The account number `n`: accounts of a state are ascending. */
function accountOf(n: number): Buffer {
  return Buffer.concat([Buffer.from([0]), Buffer.alloc(32, n)]);
}

/** An account with a state that is told from others by `name`. */
function stateOf(n: number, lastTransLt: number, name = 'imported'): AccountUpdate {
  const change = {
    account: accountOf(n),
    hash: hashOf(`${name} ${n}`),
    status: 'active' as const,
    balance: 1000n,
    balanceExtra: undefined,
    extraIsHidden: false,
    codeHash: hashOf('code'),
    dataHash: hashOf(`data ${name} ${n}`),
    frozenHash: undefined,
    lastTransLt: BigInt(lastTransLt),
    lastTransHash: hashOf(`transaction ${name} ${n}`),
    timestamp: 1_800_000_000,
    mcSeqno: 7,
  };
  return { change, data: Buffer.from(`${name} ${n}`), isMissing: false };
}

async function save(mcSeqno: number, accounts: readonly AccountUpdate[], undetected: readonly number[]) {
  const state = { mcSeqno, workchain: 0, shard: -(2n ** 63n), hash: hashOf('state') };
  await beginStateImport(base.database.primary, state);
  await writer.saveStates(state, {
    after: undefined,
    accounts,
    codes: [],
    detected: {
      found: [],
      withdrawn: new Map(),
      undetected: new Set(undetected.map((n) => bytesKey(accountOf(n)))),
    },
    lastAccount: accounts.at(-1)!.change.account.subarray(1),
    isLast: true,
  });
}

/** What the index has of the accounts in a range: number, logical time, data, and whether it waits for detection. */
async function stored(from: number, to: number) {
  const rows = await rowsOf(
    base.database.primary,
    `select latest.account, latest.last_trans_lt::int as lt, data.boc, latest.data_hash = data.hash as fits,
       waiting.undetected and waiting.last_trans_lt = latest.last_trans_lt as waits
     from latest_account_states latest left join account_data data using (account)
       left join missing_cells waiting using (account)
     where get_byte(account, 1) between ${from} and ${to} order by account`,
  );
  return rows.map(({ account, lt, boc, fits, waits }) => {
    expect(fits).toBe(true);
    return [Buffer.from(String(account), 'hex')[1], lt, Buffer.from(String(boc), 'hex').toString(), waits];
  });
}

it('writes accounts that the index does not have, with their data and what waits for detection', async () => {
  await save(1, [stateOf(1, 10), stateOf(2, 20)], [2]);
  expect(await stored(1, 2)).toEqual([
    [1, 10, 'imported 1', null],
    [2, 20, 'imported 2', true],
  ]);
  expect(
    await rowsOf(base.database.primary, 'select accounts::int from state_imports where mc_seqno = 1'),
  ).toEqual([{ accounts: 2 }]);
});

it('keeps newer states of the index, replaces older ones and adds the others', async () => {
  await save(2, [stateOf(11, 10, 'old'), stateOf(12, 30, 'new'), stateOf(13, 20, 'same')], [11, 12]);
  await save(3, [stateOf(11, 20), stateOf(12, 20), stateOf(13, 20), stateOf(14, 20)], [12, 13, 14]);
  expect(await stored(11, 14)).toEqual([
    [11, 20, 'imported 11', null],
    [12, 30, 'new 12', true],
    [13, 20, 'same 13', null],
    [14, 20, 'imported 14', true],
  ]);
});

it('fails if a crash has undone what was written before, and goes on from there', async () => {
  const state = { mcSeqno: 4, workchain: 0, shard: -(2n ** 63n), hash: hashOf('state') };
  const idOf = (n: number) => accountOf(n).subarray(1);
  const batchOf = (n: number, after: number | undefined) => ({
    after: after === undefined ? undefined : idOf(after),
    accounts: [stateOf(n, 10)],
    codes: [],
    detected: { found: [], withdrawn: new Map(), undetected: new Set<string>() },
    lastAccount: idOf(n),
    isLast: false,
  });
  await beginStateImport(base.database.primary, state);
  await writer.saveStates(state, batchOf(31, undefined));
  await writer.saveStates(state, batchOf(32, 31));
  // As if the commit of the second one had not reached the disk.
  await rowsOf(
    base.database.primary,
    `with progress as (update state_imports set last_account = '\\x${idOf(31).toString('hex')}' where mc_seqno = 4),
       data as (delete from account_data where get_byte(account, 1) = 32)
     delete from latest_account_states where get_byte(account, 1) = 32`,
  );
  await expect(writer.saveStates(state, batchOf(33, 32))).rejects.toThrow(/run the import again/);
  expect(await stored(31, 33)).toEqual([[31, 10, 'imported 31', null]]);
  const { lastAccount } = await beginStateImport(base.database.primary, state);
  expect(lastAccount).toEqual(idOf(31));
  await writer.saveStates(state, batchOf(32, 31));
  await writer.saveStates(state, batchOf(33, 32));
  expect(await stored(31, 33)).toHaveLength(3);
});

it.each([
  ['newer', 30, [21, 30, 'block 21', null]],
  ['older', 10, [21, 20, 'imported 21', true]],
])('meets another process that writes a %s state of an account at the same time', async (_, lt, expected) => {
  const other = new pg.Client({ connectionString: base.url });
  await other.connect();
  try {
    const { change, data } = stateOf(21, lt, 'block');
    await other.query('begin');
    await other.query(
      `insert into latest_account_states (account, hash, status, balance, code_hash, data_hash, last_trans_lt, last_trans_hash,
         timestamp, mc_seqno) values ($1, $2, 'active', 1000, $3, $4, $5, $6, 1800000000, 7)`,
      [change.account, change.hash, change.codeHash, change.dataHash, lt, change.lastTransHash],
    );
    await other.query('insert into account_data values ($1, $2, $3)', [
      change.account,
      change.dataHash,
      data,
    ]);
    const saving = save(lt, [stateOf(20, 20), stateOf(21, 20), stateOf(22, 20)], [21]);
    const blocked = `select from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`;
    while ((await rowsOf(base.database.primary, blocked)).length === 0) await sleep(5);
    await other.query('commit');
    await saving;
  } finally {
    await other.end();
  }
  expect(await stored(20, 22)).toEqual([
    [20, 20, 'imported 20', null],
    expected,
    [22, 20, 'imported 22', null],
  ]);
  await base.database.primary.deleteFrom('missing_cells').execute();
  await base.database.primary.deleteFrom('account_data').execute();
  await base.database.primary.deleteFrom('latest_account_states').execute();
});
