import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Tables } from '../../../src/db/tables/tables.ts';
import {
  type BlockFilters,
  blockOrder,
  readBlocks,
  readMasterchainEnds,
  readShardTops,
} from '../../../src/index/read/blocks.ts';
import { locateByLt } from '../../../src/index/read/transaction-pages.ts';
import { TransactionReader } from '../../../src/index/read/transaction-reader.ts';
import { listTransactions, type TransactionFilters } from '../../../src/index/read/transactions.ts';
import { type ByMessageFilters, listByMessage } from '../../../src/index/read/transactions-by-message.ts';
import {
  accountOf,
  BUSY,
  bodyHash,
  filledBlockHash,
  filledTransaction,
  hashOf,
  messageHash,
  normalizedHashOf,
  openFilledIndex,
  QUIET,
  transactionHash,
} from '../../db/support/filled-index.ts';
import { usePlans } from '../../db/support/query-plan.ts';
import { sampled, sampleOf } from '../../support/long-run.ts';

const index = usePlans(openFilledIndex);

/** Out of about 20 000 to 40 000 rows in a large table. The small ones have one row and no row. */
const FEW = { rows: 750, small: /^(?:index_origin|account_states)$/ };
async function expectFewRows(work: (db: Kysely<Tables>) => Promise<unknown>) {
  const { plans } = await index.expectFewRows(work, FEW);
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

const PAGE = { limit: 10, offset: 0 };
const [EARLY, LATE] = [1700004000n, 1700076000n];

const BLOCKS: Readonly<Record<string, BlockFilters>> = {
  'no filter': {},
  workchain: { workchain: -1 },
  'workchain that is not there': { workchain: 7 },
  'workchain, shard and seqno': { workchain: -1, shard: -(2n ** 63n), seqno: 2000 },
  seqno: { seqno: 2000 },
  'hash of the root': { rootHash: filledBlockHash('root', 2000) },
  'hash of the file': { fileHash: filledBlockHash('file', 2000) },
  'masterchain block': { mcSeqno: 2000 },
  time: { span: { startUtime: EARLY, endUtime: LATE } },
  'until an early time': { span: { endUtime: EARLY } },
  'logical time': { span: { startLt: 2_000_000_000n, endLt: 2_010_000_000n } },
  'until an early logical time': { span: { endLt: 200_000_000n } },
  'from a late logical time': { span: { startLt: 3_900_000_000n } },
};

const TRANSACTIONS: Readonly<Record<string, Partial<TransactionFilters>>> = {
  'no filter': {},
  workchain: { workchain: -1 },
  'workchain that is not there': { workchain: 7 },
  block: { workchain: -1, shard: -(2n ** 63n), seqno: 2000 },
  seqno: { seqno: 2000 },
  'masterchain block': { mcSeqno: 2000 },
  'masterchain block and time': { mcSeqno: 2000, span: { startUtime: EARLY } },
  'masterchain block and account': { mcSeqno: 2000, accounts: [BUSY] },
  'masterchain block and accounts': { mcSeqno: 2000, accounts: [BUSY, QUIET] },
  hashes: { hashes: [transactionHash(10002), transactionHash(3)] },
  'hash and account': { hashes: [transactionHash(10002)], accounts: [BUSY] },
  lt: { lt: 2_000_001_000n },
  'lt and time': { lt: 2_000_001_000n, span: { startUtime: 1n } },
  'all but some accounts': { excluded: [BUSY, QUIET] },
  time: { span: { startUtime: EARLY, endUtime: LATE } },
  'until an early time': { span: { endUtime: EARLY } },
  'logical time': { span: { startLt: 2_000_000_000n, endLt: 2_500_000_000n } },
  'time and an early logical time': { span: { startUtime: 1n, endLt: 200_000_000n } },
  'time and a late logical time': { span: { endUtime: 4_000_000_000n, startLt: 3_900_000_000n } },
  ...accountCases('busy account', [BUSY]),
  ...accountCases('quiet account', [QUIET]),
  ...accountCases('accounts', [BUSY, QUIET, accountOf(4)]),
};

function accountCases(
  name: string,
  accounts: readonly Buffer[],
): Record<string, Partial<TransactionFilters>> {
  return {
    [name]: { accounts },
    [`${name} until an early time`]: { accounts, span: { endUtime: EARLY } },
    [`${name} from a late time`]: { accounts, span: { startUtime: LATE } },
    [`${name} in a short time`]: { accounts, span: { startUtime: EARLY, endUtime: EARLY + 60n } },
    [`${name} in no time`]: { accounts, span: { startUtime: LATE, endUtime: EARLY } },
    [`${name} until an early logical time`]: { accounts, span: { endLt: 200_000_000n } },
    [`${name} that are left out`]: { accounts, excluded: accounts },
  };
}

const NONE = { accounts: [], excluded: [], hashes: [], span: {} };

const BY_MESSAGE: Readonly<Record<string, Partial<ByMessageFilters>>> = {
  hashes: { hashes: [messageHash(10002), normalizedHashOf(10003)] },
  'hash and direction': { hashes: [messageHash(10002)], direction: 'out' },
  opcode: { opcode: 7 },
  body: { bodyHash: bodyHash(7) },
  'body, received': { bodyHash: bodyHash(7), direction: 'in' },
  'body, sent': { bodyHash: bodyHash(7), direction: 'out' },
  'opcode and source': { opcode: 7, source: BUSY },
  'opcode and destination': { opcode: 7, destination: BUSY },
  'body and source': { bodyHash: bodyHash(5), source: BUSY },
  'body and destination': { bodyHash: bodyHash(5), destination: QUIET },
  'body from outside': { bodyHash: bodyHash(7), source: null },
  'body to outside': { bodyHash: bodyHash(7), destination: null },
  'opcode, sent': { opcode: 7, direction: 'out' },
  source: { source: BUSY },
  'opcode and a busy account': { opcode: 7, transactions: { ...NONE, accounts: [BUSY] } },
  'opcode and a quiet account': { opcode: 7, transactions: { ...NONE, accounts: [QUIET] } },
  'opcode, sent, and accounts': {
    opcode: 7,
    direction: 'out',
    transactions: { ...NONE, accounts: [BUSY, QUIET] },
  },
  'opcode nobody has and a busy account': { opcode: 999_999, transactions: { ...NONE, accounts: [BUSY] } },
  'body and a busy account': { bodyHash: bodyHash(5), transactions: { ...NONE, accounts: [BUSY] } },
  'opcode until an early logical time': {
    opcode: 7,
    transactions: { ...NONE, span: { endLt: 200_000_000n } },
  },
  'opcode in a masterchain block': { opcode: 7, transactions: { ...NONE, mcSeqno: 2000 } },
  'opcode and hash': { opcode: 7, transactions: { ...NONE, hashes: [transactionHash(10002)] } },
};

describe('block and transaction queries read few rows and sort few', () => {
  const ways = ['asc', 'desc'] as const;
  /** Each case in both orders; a sample has half of the cases, every other one in the other order. */
  const inOrders = (cases: object) => {
    const names = Object.keys(cases);
    return sampleOf(names, Math.ceil(names.length / 2)).flatMap((name, at) =>
      sampled<readonly ('asc' | 'desc')[]>([ways[at % 2]!], ways).map((sort) => [sort, name] as const),
    );
  };
  it.each(inOrders(BLOCKS))('blocks %s: %s', async (sort, name) => {
    const keys = blockOrder(sort, { workchains: sort === 'asc' ? 'desc' : 'asc' });
    await expectFewRows((db) => readBlocks(db, { filters: BLOCKS[name]!, keys, page: PAGE }));
  });

  it('blocks: masterchainInfo, masterchainBlockShardState', async () => {
    await expectFewRows(readMasterchainEnds);
    await expectFewRows((db) => readShardTops(db, { seqno: 2000 }));
  });

  it.each(inOrders(TRANSACTIONS))('transactions %s: %s', async (sort, name) => {
    const filters = { ...NONE, ...TRANSACTIONS[name]! };
    const list = (db: Kysely<Tables>) =>
      listTransactions(new TransactionReader(db), { filters, sort, page: PAGE });
    if (/in no time|left out/.test(name)) {
      expect((await index.run(list)).plans).toEqual([]);
      return;
    }
    await expectFewRows(list);
  });

  it.each(inOrders(BY_MESSAGE))('transactions by message %s: %s', async (sort, name) => {
    const filters = { hashes: [], transactions: NONE, ...BY_MESSAGE[name]! };
    await expectFewRows((db) => listByMessage(new TransactionReader(db), { filters, sort, page: PAGE }));
  });

  it('transactions by hash, account and message', async () => {
    const { hash, account, lt, transaction } = filledTransaction(10002);
    const read = async (
      statements: number,
      work: (reader: TransactionReader, db: Kysely<Tables>) => Promise<readonly unknown[]>,
    ) => {
      const plans = await expectFewRows(async (db) =>
        expect(await work(new TransactionReader(db), db)).toHaveLength(1),
      );
      expect(plans).toHaveLength(statements);
    };
    await read(1, (one) => one.readByHash([hash, hashOf('nobody')]));
    // Its position, and its page.
    await read(2, (one) => one.findByHash([hash]));
    await read(2, async (one, db) => {
      const found = await one.read(await locateByLt(db, [{ account, lt }]));
      return [...found.values()];
    });
    await read(1, (one) => one.readByMessage([transaction.outMessages[0]!.hash]));
    await read(1, (one) => one.readByMessage([normalizedHashOf(10003)]));
  });
});
