import { type AccountId, sameAccount } from '../chain/address.ts';
import { MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { accountPrefix, leafShard } from '../chain/shards.ts';
import type { Message } from '../chain/tlb/message.ts';
import { readTransaction, type Transaction } from '../chain/tlb/transaction.ts';
import { Failure } from '../lib/errors.ts';
import { classifyFailure } from '../lite/errors.ts';
import { getAccountStatePruned } from '../lite/methods/accounts.ts';
import { listBlockTransactionsExt } from '../lite/methods/block-transactions.ts';
import { lookupBlockWithProof } from '../lite/methods/lookups.ts';
import { type ProvenHeader, runProofCheck } from '../lite/methods/proofs.ts';
import {
  getTransactions,
  type HistoryRange,
  MAX_TRANSACTIONS_PER_PAGE,
  readHistory,
  type TransactionRef,
} from '../lite/methods/transactions.ts';
import type { LiteTarget } from '../lite/session.ts';
import { type LiveCall, NO_SESSION_PREFIX, openSession, rethrowUnattributed } from './session.ts';

/** Which part of an account's history is wanted: from a transaction that the caller gives, or from the newest one. */
interface HistoryQuery extends Omit<HistoryRange, 'from'> {
  readonly from: TransactionRef | undefined;
  readonly archival: boolean | undefined;
}

/**
 * Reads an account's history, newest transaction first; returns the transaction before the last one that was read. When
 * the session moves to another server, only the rest is read there. `take` runs inside the proof check, because it may
 * be the first to read deeper cells of the transaction.
 */
export async function readAccountHistory(
  call: LiveCall,
  account: AccountId,
  { from: claimed, limit, toLt, archival }: HistoryQuery,
  take: (transaction: Transaction) => void,
): Promise<TransactionRef> {
  const { check } = call.ports;
  const session = await openSession(call, { archival, refusalPrefix: NO_SESSION_PREFIX });
  const from = claimed ?? (await session.run(newestTransaction));
  return readHistory(
    (start, count) => session.run((target) => getPage(target, start, count)),
    { from, limit, toLt },
    ({ cells, cell }) =>
      runProofCheck('VALIDATE_TRANSACTION', () => take(readTransaction(cells, cell, account.workchain))),
  );

  function getPage({ query }: LiteTarget, start: TransactionRef, count: number) {
    const page = getTransactions(query, account, start, count, check);
    return start === claimed ? rethrowUnattributed(page) : page;
  }

  async function newestTransaction({ query, reference }: LiteTarget): Promise<TransactionRef> {
    const { lastTransLt, lastTransHash } = await getAccountStatePruned(query, reference, account, check);
    return { lt: lastTransLt, hash: lastTransHash };
  }
}

/** A message by its two ends and the logical time of its creation. */
interface MessageKey {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

/** Blocks that are searched for a message, starting with the one in which it was created. */
const MAX_BLOCKS = 50;
const TRANSACTIONS_PER_PAGE = 16;

/**
 * Finds the transaction that received a message, or undefined. Most requests are about new messages, so the receiver's
 * last transactions are searched first; if they reach back to the message, that is all. Otherwise the blocks of its
 * shard are searched, starting with the one in which the message was created.
 */
export async function locateReceivingTransaction(
  call: LiveCall,
  { source, destination, createdLt }: MessageKey,
): Promise<Transaction | undefined> {
  const search = await openMessageSearch(call, destination);
  const { transactions, endLt } = await search.recent();
  const later = transactions.filter(({ lt }) => lt > createdLt);
  const result = receiverIn(later);
  if (result !== undefined || later.length < transactions.length || createdLt >= endLt) return result;
  const oldest = later.at(-1);
  // An account that was deleted and deployed again has no link to its earlier transactions.
  const before = oldest?.prevTransLt ?? 0n;
  if (before > 0n && before <= createdLt) return undefined;
  return searchBlocks(oldest?.lt ?? endLt);

  function receiverIn(candidates: readonly CellRef[]): Transaction | undefined {
    for (const candidate of candidates) {
      const transaction = search.read(candidate);
      const { inMessage } = transaction;
      if (inMessage !== undefined && isMessage(inMessage, 'src', source, createdLt)) return transaction;
    }
    return undefined;
  }

  async function searchBlocks(untilLt: bigint): Promise<Transaction | undefined> {
    let lt = createdLt;
    for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
      const header = await search.blockAt(lt);
      const result = await searchBlock(header);
      if (result !== undefined || header.info.endLt >= untilLt) return result;
      lt = header.info.endLt + 1n;
    }
    return undefined;
  }

  async function searchBlock(header: ProvenHeader): Promise<Transaction | undefined> {
    for (let lt = createdLt; ; ) {
      const { own, more } = await search.inBlock(header, { lt, count: TRANSACTIONS_PER_PAGE });
      const result = receiverIn(own);
      const last = own.at(-1)?.lt ?? lt;
      if (result !== undefined || !more || last <= lt) return result;
      lt = last;
    }
  }
}

/**
 * Finds the transaction that sent a message, or undefined. A message gets a logical time right after that of its
 * transaction, so it can only be the sender's last transaction before the message.
 */
export async function locateSendingTransaction(
  call: LiveCall,
  { source, destination, createdLt }: MessageKey,
): Promise<Transaction | undefined> {
  const search = await openMessageSearch(call, source);
  const result = await findLastBefore(search, createdLt);
  if (result === undefined) return undefined;
  const transaction = search.read(result);
  const sent = transaction.outMessages.some((message) => isMessage(message, 'dest', destination, createdLt));
  return sent ? transaction : undefined;
}

/** The account's last transaction before a logical time, if it is recent or in the block of that time. */
async function findLastBefore(search: MessageSearch, lt: bigint): Promise<CellRef | undefined> {
  const { transactions, endLt } = await search.recent();
  const recent = transactions.find((transaction) => transaction.lt < lt);
  if (recent !== undefined || lt > endLt) return recent;
  const { own } = await search.inBlock(await search.blockAt(lt), { lt, count: 1, reverse: true });
  return own[0];
}

/** Whether an internal message was created at a logical time and has the account as that end. */
function isMessage({ info }: Message, end: 'src' | 'dest', account: AccountId, createdLt: bigint): boolean {
  if (info.kind !== 'internal' || info.createdLt !== createdLt) return false;
  const address = info[end];
  return address.kind === 'std' && sameAccount(address, account);
}

/** Which transactions of an account to read from a block: those after a logical time, or before it. */
interface BlockRange {
  readonly lt: bigint;
  readonly count: number;
  readonly reverse?: boolean;
}

type MessageSearch = Awaited<ReturnType<typeof openMessageSearch>>;

/** Starts a search for a transaction of an account. The error of a failed step names the step. */
export async function openMessageSearch(call: LiveCall, account: AccountId) {
  const { check } = call.ports;
  const { workchain, hash } = account;
  const shard = workchain === MASTERCHAIN ? WHOLE_SHARD : leafShard(accountPrefix(hash));
  const session = await openSession(call, { refusalPrefix: NO_SESSION_PREFIX });

  async function step<T>(name: string, work: (target: LiteTarget) => Promise<T>): Promise<T> {
    try {
      return await session.run(work);
    } catch (error) {
      // The error text of a timeout is fixed.
      if (!(error instanceof Failure) || error.kind !== 'lite_server') throw error;
      throw new Failure(error.kind, `failed to ${name}: ${error.message}`, { cause: error });
    }
  }

  async function findBlockAt({ query, reference }: LiteTarget, lt: bigint): Promise<ProvenHeader> {
    const find = (key: { lt: bigint } | { seqno: number }) =>
      lookupBlockWithProof(query, reference, { workchain, shard, ...key }, check);
    try {
      return await find({ lt });
    } catch (error) {
      if (classifyFailure(error) !== 'missing') throw error;
      // Servers cannot prove that block 1 is the first one at a time, because only a zero state is before it.
      const first = await find({ seqno: 1 }).catch(() => undefined);
      if (first === undefined || first.info.endLt < lt) throw error;
      return first;
    }
  }

  return {
    /**
     * One page of the account's last transactions, newest first, without gaps; empty for an account that does not exist
     * now, even if it did before. `endLt` is the logical time at which the chain of its shard ends.
     */
    recent: () =>
      step('get candidate transactions', async ({ query, reference }) => {
        const state = await getAccountStatePruned(query, reference, account, check);
        const last = { lt: state.lastTransLt, hash: state.lastTransHash };
        const transactions = await getTransactions(query, account, last, MAX_TRANSACTIONS_PER_PAGE, check);
        return { transactions, endLt: state.genLt };
      }),
    /** The first block of the account's shard that ends at a logical time or later; shards may split and merge. */
    blockAt: (lt: bigint) => step('lookup block by given lt', (target) => findBlockAt(target, lt)),
    /** The account's transactions in a block, and whether more may follow. */
    async inBlock({ block }: ProvenHeader, { lt, ...part }: BlockRange) {
      const after = { account: hash, lt };
      const { transactions, incomplete } = await step('get transactions for block', ({ query }) =>
        listBlockTransactionsExt(query, block, { ...part, after }, check),
      );
      // Transactions of other accounts come after them.
      const own = transactions.filter((transaction) => transaction.account.equals(hash));
      return { own, more: incomplete && own.length === transactions.length };
    },
    read: ({ cells, cell }: CellRef): Transaction =>
      runProofCheck('VALIDATE_TRANSACTION', () => readTransaction(cells, cell, workchain)),
  };
}
