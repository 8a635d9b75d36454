import type { Kysely } from 'kysely';
import { readArrivedMessages, readCompleteTraces } from '../../db/queries/pending-progress.ts';
import type { Tables } from '../../db/tables.ts';
import { Failure } from '../../lib/failure.ts';
import type { PendingQuestion, PendingTrace, PendingTransaction } from '../../pending/pending-traces.ts';
import type { V3Call } from '../call.ts';

/** The traces that a caller asks for, those of newer messages first. An operator may have switched them off. */
export async function findPending(
  { ports }: Pick<V3Call, 'ports'>,
  question: PendingQuestion,
): Promise<readonly PendingTrace[]> {
  if (ports.pending === undefined)
    throw new Failure('lite_server', 'emulatedTracesRepository is not initialized');
  const found = await ports.pending.find(question);
  return found.toSorted((a, b) => b.acceptedAt - a.acceptedAt);
}

/** What an answer shows at most: transactions that are read from their cells, or actions. More would hold up everybody. */
export const MAX_SHOWN = 1000;

/** As many traces, from the first on, as have together no more transactions than an answer may show. */
export function asManyAsFit(traces: readonly PendingTrace[]): PendingTrace[] {
  let left = MAX_SHOWN;
  return traces.filter(({ transactions }) => {
    if (transactions.length > left) return false;
    left -= transactions.length;
    return true;
  });
}

/** A transaction together with its trace. */
export interface TracedTransaction {
  readonly trace: PendingTrace;
  readonly transaction: PendingTransaction;
}

/** Transactions without those that the index shows already: with their whole trace, or with their message alone. */
export async function withoutIndexed(
  db: Kysely<Tables>,
  found: readonly TracedTransaction[],
): Promise<readonly TracedTransaction[]> {
  const traces = [...new Set(found.map(({ trace }) => trace))];
  const complete = await readCompleteTraces(db, {
    hashes: traces.map(({ normalizedHash }) => normalizedHash),
    // A message may be sent again whose earlier trace is in the index since long.
    seqnos: traces.map(({ transactions }) => transactions[0]!.mcSeqno),
  });
  const arrived = await readArrivedMessages(db, {
    hashes: found.map(({ transaction }) => transaction.inMessageHash),
    seqnos: found.map(({ transaction }) => transaction.mcSeqno),
  });
  const [isComplete, hasArrived] = [isAmong(complete), isAmong(arrived)];
  return found.filter(
    ({ trace, transaction }) => !isComplete(trace.normalizedHash) && !hasArrived(transaction.inMessageHash),
  );
}

function isAmong(hashes: readonly Buffer[]): (hash: Buffer) => boolean {
  const known = new Set(hashes.map((hash) => hash.toString('latin1')));
  return (hash) => known.has(hash.toString('latin1'));
}
