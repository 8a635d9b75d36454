import type { Transaction } from '../../chain/tlb/transaction.ts';
import { TRANSACTION_COLUMNS } from '../../db/copy/columns.ts';
import type { CopyBuffer } from '../../db/copy/copy-buffer.ts';
import type { StateSummary } from './decoded-seqno.ts';
import { putDescription } from './description-fields.ts';
import { extraJson } from './extra-json.ts';

/** In the place of extra currencies that did not change and that the block leaves out. */
const AS_BEFORE = 'null';

/** What the row of a transaction is made of. */
export interface TransactionFacts {
  readonly mcSeqno: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly account: Buffer;
  readonly transaction: Transaction;
  /** The state after it, where the block shows it. */
  readonly after: StateSummary | undefined;
}

/**
 * Writes the row of a transaction, in the order of TRANSACTION_COLUMNS, with its own hash as its trace id; gives where
 * the bytes of that are.
 */
export function putTransactionRow(rows: CopyBuffer, facts: TransactionFacts): number {
  const { account, transaction } = facts;
  const { cells, totalFees } = transaction;
  const after = facts.after?.status === 'nonexist' ? undefined : facts.after;
  const traceIdAt = rows.row(TRANSACTION_COLUMNS.length).reserve(transaction.hash.length);
  rows.buffer.set(transaction.hash, traceIdAt);
  rows
    .bytes(account)
    .int8(transaction.lt)
    .bytes(transaction.hash)
    .int4(facts.mcSeqno)
    .int8(facts.shard)
    .int4(facts.seqno)
    .bytes(transaction.prevTransHash)
    .int8(transaction.prevTransLt)
    .int8(transaction.now)
    .text(transaction.description.kind)
    .text(transaction.origStatus)
    .text(transaction.endStatus)
    .numeric(totalFees.grams)
    .json(extraJson(cells, totalFees.extra))
    .bytes(transaction.oldStateHash)
    .bytes(transaction.newStateHash)
    .numeric(after?.balance)
    .json(after?.extraIsHidden ? AS_BEFORE : after?.balanceExtra)
    .bytes(after?.codeHash)
    .bytes(after?.dataHash)
    .bytes(after?.frozenHash);
  putDescription(rows, cells, transaction.description);
  return traceIdAt;
}
