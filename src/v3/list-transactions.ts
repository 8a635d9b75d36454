import type { Kysely } from 'kysely';
import { formatHashBase64 } from '../chain/hash.ts';
import type { Tables } from '../db/tables/tables.ts';
import { findLoneAccounts } from '../index/read/accounts.ts';
import { readWorkchains } from '../index/read/blocks.ts';
import type { Page } from '../index/read/pages.ts';
import type { Span } from '../index/read/time-bounds.ts';
import {
  findTransactions,
  isContradiction,
  keepOfShard,
  rowKeysBefore,
  type TransactionFilters,
  type TransactionKey,
  transactionOrder,
} from '../index/read/transactions.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { type ListedPage, pageOfAll, readCheckedPage, signedAccountText } from './checked-list.ts';
import type { FoundTransaction, TransactionReader } from './indexed-transactions.ts';
import type { TransactionHead } from './shown-transaction.ts';

interface TransactionsQuery {
  readonly filters: TransactionFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

const NOTHING = { items: [], next: undefined };

/** Reads a page of transactions. */
export async function listTransactions(
  db: Kysely<Tables>,
  reader: TransactionReader,
  { filters, sort, page }: TransactionsQuery,
): Promise<ListedPage<FoundTransaction>> {
  const keys = transactionOrder(filters, sort);
  const isWanted = createTransactionFilter(filters);
  const textsOf = (one: FoundTransaction) => transactionKeys(keys, one);
  if (isContradiction(filters)) return NOTHING;
  if (filters.hashes.length > 0) {
    const found = await reader.findByHash(filters.hashes);
    return pageOfAll(found.filter(isWanted), keys, withoutOffset(page), textsOf);
  }
  const { workchain, accounts, excluded } = filters;
  const workchains = workchain === undefined ? [] : await readWorkchains(db);
  if (workchain !== undefined && !workchains.includes(workchain)) return NOTHING;
  const lone = await findLone(db, filters, page);
  const areLone = (some: readonly Buffer[]) => some.every((account) => lone.has(bytesKey(account)));
  const known = { ...filters, excluded: excluded.filter((account) => lone.has(bytesKey(account))) };
  const isExact = areLone(accounts) && areLone(excluded) && workchains.every(hasOwnPrefixes);
  const shard = shardToFind(filters);
  return readCheckedPage({
    keys,
    page,
    skips: !isExact ? 'read' : shard === undefined ? 'unseen' : 'unread',
    rowKeysBefore: (after) => rowKeysBefore(filters, sort, after),
    find: async (part) => {
      const rows = await findTransactions(db, { filters: known, sort, page: part });
      const last = rows.length < part.limit ? undefined : rows.at(-1)!.keys;
      return { rows: shard === undefined ? rows : await keepOfShard(db, { rows, shard }), last };
    },
    read: async (rows) => {
      const found = await reader.find(rows.map(({ at }) => at));
      return rows.flatMap(({ at }) => found.get(at) ?? []).filter(isWanted);
    },
    keysOf: textsOf,
  });
}

/** Lists by hash have no offset. */
export function withoutOffset({ limit, after }: Page): Page {
  return { limit, offset: 0, after };
}

/** Accounts that no other account can be confused with, as far as the page depends on it. */
async function findLone(
  db: Kysely<Tables>,
  { accounts, excluded }: TransactionFilters,
  { offset }: Page,
): Promise<ReadonlySet<string>> {
  const asked = offset === 0 ? excluded : [...accounts, ...excluded];
  return new Set((await findLoneAccounts(db, { accounts: asked })).map(bytesKey));
}

/** Whether the prefixes of a workchain belong to it alone. */
function hasOwnPrefixes(workchain: number): boolean {
  return workchain === 0 || workchain === -1;
}

/** The wanted shard, if the wanted blocks are not known by their seqno anyway. */
function shardToFind({ shard, seqno, mcSeqno }: TransactionFilters): bigint | undefined {
  return seqno === undefined && mcSeqno === undefined ? shard : undefined;
}

/** The test that a transaction fits the filters. */
export function createTransactionFilter(filters: TransactionFilters): (found: TransactionHead) => boolean {
  const { workchain, shard, seqno, mcSeqno, lt, span } = filters;
  const accounts = new Set(filters.accounts.map(bytesKey));
  const excluded = new Set(filters.excluded.map(bytesKey));
  const hashes = new Set(filters.hashes.map(bytesKey));
  return ({ hash, account, lt: ownLt, now, block, mcSeqno: committedBy }) =>
    (accounts.size === 0 || accounts.has(bytesKey(account))) &&
    !excluded.has(bytesKey(account)) &&
    (hashes.size === 0 || hashes.has(bytesKey(hash))) &&
    (workchain === undefined || account.readInt8(0) === workchain) &&
    (shard === undefined || block.shard === shard) &&
    (seqno === undefined || block.seqno === seqno) &&
    (mcSeqno === undefined || committedBy === mcSeqno) &&
    (lt === undefined || ownLt === lt) &&
    isWithin(span, BigInt(now), ownLt);
}

/** Whether a time and a logical time are in a span. */
export function isWithin({ startUtime, endUtime, startLt, endLt }: Span, utime: bigint, lt: bigint): boolean {
  return (
    (startUtime === undefined || utime >= startUtime) &&
    (endUtime === undefined || utime <= endUtime) &&
    (startLt === undefined || lt >= startLt) &&
    (endLt === undefined || lt <= endLt)
  );
}

/** Orders transactions by logical time, then by account: the masterchain, which is negative, comes first. */
export function compareTransactions(a: TransactionHead, b: TransactionHead): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  const [left, right] = [a.account, b.account];
  return left.readInt8(0) - right.readInt8(0) || Buffer.compare(left, right);
}

/** The keys of a transaction, as in cursors. */
export function transactionKeys(
  keys: readonly TransactionKey[],
  { hash, account, lt, now }: TransactionHead,
): readonly string[] {
  const texts = {
    lt: () => String(lt),
    now: () => String(now),
    // Responses show hashes like this, and clients see the order of that.
    hash: () => formatHashBase64(hash),
    account: () => signedAccountText(account),
  };
  return keys.map(({ name }) => texts[name]());
}
