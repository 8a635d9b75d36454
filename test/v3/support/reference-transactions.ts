import type { Kysely } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { readStoredTransactions, type StoredTransaction } from '../../support/stored-transactions.ts';
import type { ListQuery } from './list-queries.ts';

/** The columns of a transaction that filters use. */
export interface SlowTransaction {
  readonly account: string;
  readonly hash: string;
  readonly lt: bigint;
  readonly now: bigint;
  readonly mcSeqno: number;
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
}

/** Reads all transactions of an index. */
export async function readSlowTransactions(db: Kysely<Tables>): Promise<SlowTransaction[]> {
  return (await readStoredTransactions(db)).map(slowTransaction);
}

/** The same of one transaction. */
export function slowTransaction(one: StoredTransaction): SlowTransaction {
  return {
    account: formatAccount(one.account),
    hash: one.hash.toString('base64'),
    lt: one.lt,
    now: BigInt(one.now),
    mcSeqno: one.mcSeqno,
    workchain: one.account.readInt8(0),
    shard: BigInt.asUintN(64, one.blockShard).toString(16),
    seqno: one.blockSeqno,
  };
}

type Test = (row: SlowTransaction, values: readonly string[]) => boolean;

const TESTS: Readonly<Record<string, Test>> = {
  workchain: (row, [value]) => row.workchain === Number(value),
  shard: (row, [value]) => row.shard === value!.toLowerCase(),
  seqno: (row, [value]) => row.seqno === Number(value),
  mc_seqno: (row, [value]) => row.mcSeqno === Number(value),
  account: (row, values) => values.includes(row.account),
  exclude_account: (row, values) => !values.includes(row.account),
  hash: (row, values) => values.includes(row.hash),
  lt: (row, [value]) => row.lt === BigInt(value!),
  root_hash: () => true,
  file_hash: () => true,
  start_utime: (row, [value]) => row.now >= BigInt(value!),
  end_utime: (row, [value]) => row.now <= BigInt(value!),
  start_lt: (row, [value]) => row.lt >= BigInt(value!),
  end_lt: (row, [value]) => row.lt <= BigInt(value!),
};

type Order = (a: SlowTransaction, b: SlowTransaction) => number;

const byLt: Order = (a, b) => Number(a.lt - b.lt);
const byNow: Order = (a, b) => Number(a.now - b.now);
const byAccount: Order = (a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0);
const byHash: Order = (a, b) => (a.hash < b.hash ? -1 : Number(a.hash > b.hash));

/** The orders as worded in the contract: the last rule that applies counts. */
function ordersOf(query: ListQuery): Order[] {
  const way =
    (order: Order): Order =>
    (a, b) =>
      query.sort === 'asc' ? order(a, b) : -order(a, b);
  const isTimed = 'start_utime' in query || 'end_utime' in query;
  let orders = [way(byLt), way(byAccount)];
  if (isTimed) orders = [way(byNow), way(byLt), way(byAccount)];
  if ('mc_seqno' in query) orders = [way(byLt), way(byAccount)];
  if ([query.account ?? []].flat().length === 1)
    orders = isTimed ? [byAccount, way(byNow), way(byLt)] : [byAccount, way(byLt)];
  if ('hash' in query) orders = [way(byHash)];
  if ('lt' in query) orders = [byLt, way(byAccount)];
  return orders;
}

/** Whether a transaction fits the filters on transactions. */
export function isReferenceTransaction(row: SlowTransaction, query: ListQuery): boolean {
  return Object.entries(query).every(([name, value]) => TESTS[name]?.(row, [value].flat()) ?? true);
}

/** The hashes of the requested transactions. */
export function listReferenceTransactions(all: readonly SlowTransaction[], query: ListQuery): string[] {
  const orders = ordersOf(query);
  return all
    .filter((row) => isReferenceTransaction(row, query))
    .toSorted((a, b) => orders.reduce((found, order) => found || order(a, b), 0))
    .map(({ hash }) => hash);
}
