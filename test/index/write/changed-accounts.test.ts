import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { accountPrefix } from '../../../src/index/format/position.ts';
import { readChangedAccounts, readDiscarded } from '../../../src/index/write/changed-accounts.ts';
import { beginIndex } from '../../ingest/support/index-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { MadeChain, type MadeTransaction } from '../../support/made-chain.ts';
import { seqnosOf, storeSeqnos, utimeOf } from '../../support/store-transactions.ts';

let context: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  context = await createTestDatabase();
  client = new pg.Client({ connectionString: context.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await context?.drop();
});

const hashOf = (name: string): Buffer => createHash('sha256').update(name).digest();

/** An account of the masterchain whose hash begins like that of the others. */
function alike(name: string): Buffer {
  const account = Buffer.concat([Buffer.of(MASTERCHAIN & 0xff), hashOf(name)]);
  account.fill(7, 1, 9);
  return account;
}

const [FIRST, SECOND, NEW] = ['first', 'second', 'new'].map(alike) as [Buffer, Buffer, Buffer];
const chain = new MadeChain();

const changedAfter = async (seqno: number) => readChangedAccounts(client, await readDiscarded(client, seqno));

/** Leaves the account with its logical time as balance. */
function transaction(account: Buffer, mcSeqno: number, lt: bigint): MadeTransaction {
  const code = { codeHash: hashOf('code'), dataHash: hashOf(`data ${lt}`) };
  return chain.transaction({
    account,
    lt,
    now: utimeOf(mcSeqno),
    mcSeqno,
    isTickTock: true,
    block: { shard: WHOLE_SHARD, seqno: mcSeqno },
    after: { balance: lt, status: 'active', ...code },
  });
}

it('the last kept state of an account is found among accounts with the same prefix', async () => {
  expect(new Set([FIRST, SECOND, NEW].map(accountPrefix)).size).toBe(1);
  const transactions = [
    transaction(FIRST, 1, 100n),
    transaction(FIRST, 2, 200n),
    transaction(SECOND, 2, 200n),
    transaction(SECOND, 3, 300n),
    transaction(SECOND, 4, 400n),
    transaction(FIRST, 5, 500n),
    transaction(SECOND, 5, 500n),
    transaction(NEW, 5, 500n),
    transaction(FIRST, 6, 600n),
  ];
  await beginIndex(context.database.primary, 1, 3);
  await storeSeqnos(context, seqnosOf(transactions, { first: 1, last: 6 }));

  const changed = await changedAfter(4);
  const byAccount = new Map(changed.map((one) => [one.account.toString('hex'), one]));
  expect(byAccount.size).toBe(changed.length);
  expect([...byAccount.keys()].sort()).toEqual([FIRST, SECOND, NEW].map((one) => one.toString('hex')).sort());
  const stateOf = (account: Buffer) => byAccount.get(account.toString('hex'))!.state;
  expect(stateOf(FIRST)).toMatchObject({
    account: FIRST,
    status: 'active',
    balance: 200n,
    codeHash: hashOf('code'),
    dataHash: hashOf('data 200'),
    lastTransLt: 200n,
    lastTransHash: transactions[1]!.hash,
    mcSeqno: 2,
    timestamp: utimeOf(2),
  });
  expect(stateOf(SECOND)).toMatchObject({ account: SECOND, balance: 400n, lastTransLt: 400n, mcSeqno: 4 });
  expect(stateOf(NEW)).toBeUndefined();

  expect((await changedAfter(5)).map(({ account, state }) => [account, state?.balance])).toEqual([
    [FIRST, 500n],
  ]);
  expect(await changedAfter(6)).toEqual([]);
});
