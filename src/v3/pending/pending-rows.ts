import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import type { PendingTrace, PendingTransaction } from '../../pending/pending-traces.ts';
import type { V3Call } from '../call.ts';
import type { TransactionJson } from '../transactions/transaction.ts';
import { toUnindexedTransaction } from '../unindexed/shown-transaction.ts';
import { transactionRow } from '../unindexed/transaction-row.ts';

/** The hash of the first transaction of a trace, unless that is a prediction. */
export function traceIdOf({ transactions }: Pick<PendingTrace, 'transactions'>): Buffer | undefined {
  const first = transactions[0]!;
  return first.emulated ? undefined : first.hash;
}

/** Reads a transaction of a trace. */
export function pendingRow(
  { ports }: Pick<V3Call, 'ports'>,
  trace: PendingTrace,
  { account, boc, mcSeqno, block }: PendingTransaction,
): WholeTransaction {
  const traceId = trace.transactions[0]!.hash;
  return transactionRow(
    { workchain: account.workchain, boc, mcSeqno, block, traceId },
    ports.networkVersion(),
  );
}

/** Writes a transaction of a trace that was read before. */
export function toPendingTransaction(
  { bodies }: Pick<V3Call, 'bodies'>,
  trace: PendingTrace,
  { emulated, finality }: PendingTransaction,
  whole: WholeTransaction,
): TransactionJson {
  const hasTraceId = traceIdOf(trace) !== undefined;
  return toUnindexedTransaction(
    whole,
    { externalHash: trace.externalHash, hasTraceId, emulated, finality },
    bodies,
  );
}
