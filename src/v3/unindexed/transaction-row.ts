import { accountKey } from '../../chain/address/account-key.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { readTransaction } from '../../chain/tlb/transaction.ts';
import type { AccountStateRow } from '../../db/queries/transaction-states.ts';
import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import { extraColumn } from './column-values.ts';
import { descriptionColumns } from './description-columns.ts';
import { messageRow } from './message-row.ts';

/** A transaction that the index does not have. */
export interface UnindexedTransaction {
  readonly workchain: number;
  /** The Transaction as a bag of cells. */
  readonly boc: Uint8Array;
  readonly mcSeqno: number;
  /** The block that it is in, if it is in one. */
  readonly block: { readonly shard: bigint; readonly seqno: number } | undefined;
  /** The hash of the transaction that its trace began with. */
  readonly traceId: Buffer;
  /** The states around it; only their hashes are known unless they are given. */
  readonly states?: { readonly before: AccountStateRow; readonly after: AccountStateRow } | undefined;
}

/** The shard of a whole workchain, and no block of it: where a transaction that did not happen is said to be. */
const NOWHERE = { shard: -(2n ** 63n), seqno: 0 };

/** A transaction with its messages in the form in which the index would have it, read from its cells. */
export function transactionRow(
  { workchain, boc, mcSeqno, block = NOWHERE, traceId, states }: UnindexedTransaction,
  globalVersion: number,
): WholeTransaction {
  const bag = readBoc(boc);
  const transaction = readTransaction(bag, bag.root, workchain);
  const { cells, lt, inMessage, outMessages, totalFees } = transaction;
  const account = accountKey(workchain, transaction.account.hash);
  const place = { mcSeqno, globalVersion, account, lt };
  const { before = onlyHash(transaction.oldStateHash), after = onlyHash(transaction.newStateHash) } =
    states ?? {};
  return {
    row: {
      ...{ trace_id: traceId, account, lt: String(lt), hash: transaction.hash, mc_seqno: mcSeqno },
      ...{ block_shard: String(block.shard), block_seqno: block.seqno },
      ...{ prev_hash: transaction.prevTransHash, prev_lt: String(transaction.prevTransLt) },
      now: String(transaction.now),
      orig_status: transaction.origStatus,
      end_status: transaction.endStatus,
      total_fees: String(totalFees.grams),
      total_fees_extra: extraColumn(cells, totalFees),
      state_hash_before: transaction.oldStateHash,
      state_hash_after: transaction.newStateHash,
      ...{ balance: null, balance_extra: null, extra_is_hidden: false },
      ...{ code_hash: null, data_hash: null, frozen_hash: null },
      ...descriptionColumns(cells, transaction.description),
    },
    inMessage: inMessage && messageRow(inMessage, { ...place, ordinal: 0 }),
    outMessages: outMessages.map((message, i) => messageRow(message, { ...place, ordinal: i + 1 })),
    ...{ before, after },
  };
}

function onlyHash(hash: Buffer): AccountStateRow {
  return { hash, known: undefined };
}
