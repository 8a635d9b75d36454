import { MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import { accountPrefix, leafShard } from '../../chain/shard-prefix.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { readTransaction, type Transaction } from '../../chain/tlb/transaction.ts';
import { Failure } from '../../lib/failure.ts';
import { failureClassOf } from '../../lite/failure-class.ts';
import type { AccountTransaction } from '../../lite/proofs/account-transactions.ts';
import type { ProvenHeader } from '../../lite/proofs/block-header.ts';
import type { ListedTransaction } from '../../lite/proofs/block-transactions.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import { proving } from '../../lite/proofs/proof-scope.ts';
import { getAccountStatePruned } from '../../lite/queries/get-account-state-pruned.ts';
import { getTransactions, MAX_HISTORY_PAGE } from '../../lite/queries/get-transactions.ts';
import { listBlockTransactionsExt } from '../../lite/queries/list-block-transactions-ext.ts';
import { lookupBlockWithProof } from '../../lite/queries/lookup-block-with-proof.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';
import { NO_SESSION, openSession } from './open-session.ts';

/** The newest part of an account's history. */
export interface RecentHistory {
  /** Newest first and without a gap; empty for an account that is not there now, whatever it did before. */
  readonly transactions: readonly AccountTransaction[];
  /** Where the chain of the account's shard ends. */
  readonly endLt: bigint;
}

/** Which transactions of an account to look for in a block: the next ones after a logical time, or before it. */
export interface BlockPart {
  readonly lt: bigint;
  readonly count: number;
  readonly reverse?: boolean;
}

/** What a search for one transaction of an account can ask. */
export interface MessageSearch {
  /** One page of the account's last transactions. */
  recent(): Promise<RecentHistory>;
  /** The first block around the account that ends at a logical time or later; shards may split and merge. */
  blockAt(lt: bigint): Promise<ProvenHeader>;
  /** Transactions of the account in a block, and whether more may follow. */
  inBlock(header: ProvenHeader, part: BlockPart): Promise<{ own: OwnTransaction[]; more: boolean }>;
  read(found: FoundCell): Transaction;
}

type OwnTransaction = ListedTransaction & FoundCell;

/** Starts a search for a transaction of an account. Each step may move the session, and is named when it fails. */
export async function openMessageSearch(call: V2Call, account: AccountId): Promise<MessageSearch> {
  const { check } = call.ports;
  const { workchain, hash } = account;
  const shard = workchain === MASTERCHAIN ? WHOLE_SHARD : leafShard(accountPrefix(hash));
  const session = await openSession(call, { refusalPrefix: NO_SESSION });

  async function step<T>(name: string, work: (target: LiteTarget) => Promise<T>): Promise<T> {
    try {
      return await session.run(work);
    } catch (error) {
      // The text of a time-out is fixed.
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
      if (failureClassOf(error) !== 'missing') throw error;
      // Servers cannot prove that the first block is the first by time, because nothing but a state is before it.
      const first = await find({ seqno: 1 }).catch(() => undefined);
      if (first === undefined || first.info.endLt < lt) throw error;
      return first;
    }
  }

  return {
    recent: () =>
      step('get candidate transactions', async ({ query, reference }) => {
        const state = await getAccountStatePruned(query, reference, account, check);
        const last = { lt: state.lastTransLt, hash: state.lastTransHash };
        const transactions = await getTransactions(query, account, last, MAX_HISTORY_PAGE, check);
        return { transactions, endLt: state.genLt };
      }),
    blockAt: (lt) => step('lookup block by given lt', (target) => findBlockAt(target, lt)),
    async inBlock({ block }, { lt, ...part }) {
      const after = { account: hash, lt };
      const { transactions, incomplete } = await step('get transactions for block', ({ query }) =>
        listBlockTransactionsExt(query, block, { ...part, after }, check),
      );
      // Those of other accounts come behind them.
      const own = transactions.filter((transaction) => transaction.account.equals(hash));
      return { own, more: incomplete && own.length === transactions.length };
    },
    read: ({ cells, cell }) => proving('VALIDATE_TRANSACTION', () => readTransaction(cells, cell, workchain)),
  };
}
