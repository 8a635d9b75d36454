import { readBoc } from '../../chain/boc/read-boc.ts';
import { readTransactionHead } from '../../lite/proofs/transaction-head.ts';
import type { EmulatedTrace, EmulatedTransaction, EmulationBound } from '../emulated-trace.ts';
import type { Finality, PendingClassification, PendingTransaction } from '../pending-traces.ts';
import type { KeptTrace } from '../store/trace-store.ts';
import type { Entry } from './entry.ts';
import type { TraceToClassify } from './pending-ports.ts';
import type { RealPart } from './real-part.ts';

/** What is known of a trace: the part that is in blocks, then what is predicted of the rest. */
export interface TraceParts {
  readonly transactions: readonly PendingTransaction[];
  /** The ShardAccounts after the predicted ones, by their places. */
  readonly states: ReadonlyMap<number, Uint8Array>;
  readonly bound: EmulationBound | undefined;
}

/** Puts a prediction behind the part of a trace that is in blocks, if there is one. */
export function joinParts(real: RealPart | undefined, predicted: EmulatedTrace | undefined): TraceParts {
  const transactions = [...(real?.transactions ?? [])];
  const states = new Map<number, Uint8Array>();
  const before = transactions.length;
  const senders = new Map(real?.open.map(({ hash, parent }) => [hash.toString('hex'), parent]));
  for (const one of predicted?.transactions ?? []) {
    const { account, boc, hash, lt, inMessageHash } = one;
    states.set(transactions.length, one.after);
    transactions.push({
      ...{ account, boc, hash, lt, inMessageHash },
      parent: one.parent === undefined ? senders.get(inMessageHash.toString('hex')) : before + one.parent,
      ...{ emulated: true, finality: 'pending', mcSeqno: predicted!.mcSeqno, block: undefined },
    });
  }
  const isOpen = real !== undefined && real.open.length > 0;
  // Nothing is said of messages that nobody could follow.
  const bound = predicted === undefined ? (isOpen ? 'time' : undefined) : predicted.bound;
  return { transactions, states, bound };
}

/** The trace for those who read actions from it. */
export function toClassify({ message }: Entry, { transactions, states }: TraceParts): TraceToClassify {
  return {
    ...{ externalHash: message.hash, normalizedHash: message.normalizedHash },
    transactions: transactions.map(({ account, boc, mcSeqno }, at) => ({
      ...{ account, boc, mcSeqno, after: states.get(at) },
    })),
  };
}

/** The trace as it is kept. */
export function toKept(
  { message, acceptedAt, sinceSeqno }: Entry,
  { transactions, bound }: TraceParts,
  classification: PendingClassification,
  updatedAt: number,
): KeptTrace {
  return {
    ...{ externalHash: message.hash, normalizedHash: message.normalizedHash },
    ...{ acceptedAt, updatedAt, sinceSeqno, finality: leastOf(transactions) },
    ...{ transactions, bound, classification },
  };
}

const CERTAINTY: readonly Finality[] = ['pending', 'confirmed', 'finalized'];

function leastOf(transactions: readonly PendingTransaction[]): Finality {
  return CERTAINTY.find((finality) => transactions.some((one) => one.finality === finality)) ?? 'pending';
}

/** The logical time of the account's transaction before one; zero where there was none. */
export function previousLt({ boc }: Pick<EmulatedTransaction, 'boc'>): bigint {
  const cells = readBoc(boc);
  return readTransactionHead({ cells, cell: cells.root }).prevTransLt;
}
