import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import type { DecodedBodies } from '../decoded-bodies.ts';
import { type TransactionJson, toTransaction } from '../transactions/transaction.ts';
import { formatHash } from '../value-texts.ts';

/** What is said of a transaction that the index does not have, beside what its cells say. */
export interface Standing {
  /** Of the message that its trace began with. */
  readonly externalHash: Buffer;
  /** Whether the first transaction of its trace has happened, so that the trace has an id. */
  readonly hasTraceId: boolean;
  readonly emulated: boolean;
  readonly finality: 'pending' | 'confirmed' | 'finalized';
}

/** Writes a transaction that the index does not have. */
export function toUnindexedTransaction(
  whole: WholeTransaction,
  { externalHash, hasTraceId, emulated, finality }: Standing,
  bodies: DecodedBodies,
): TransactionJson {
  const { trace_id, ...shown } = toTransaction(whole, bodies);
  return {
    ...shown,
    ...(hasTraceId && { trace_id }),
    trace_external_hash: formatHash(externalHash),
    ...{ emulated, finality },
  };
}
