import type { ActionRow } from '../db/queries/action-order.ts';
import type { EmulationBound } from './emulated-trace.ts';
import type { AccountPlace } from './emulation-ground.ts';

/** How certain a transaction is: predicted, in a block that no masterchain block names yet, or in one that is named. */
export type Finality = 'pending' | 'confirmed' | 'finalized';

/** A transaction of a trace that is not in the index yet. */
export interface PendingTransaction {
  readonly account: AccountPlace;
  /** The Transaction as a bag of cells; of a prediction only hashes and times may come differently. */
  readonly boc: Buffer;
  readonly hash: Buffer;
  readonly lt: bigint;
  readonly inMessageHash: Buffer;
  /** The place in the list of the transaction that sent the message; undefined for the first. */
  readonly parent: number | undefined;
  /** Whether it is a prediction. One that is not is in a block. */
  readonly emulated: boolean;
  readonly finality: Finality;
  /** The masterchain block that names its block; of a prediction the one that it was made at. */
  readonly mcSeqno: number;
  /** The block that it is in; undefined for a prediction. */
  readonly block: PendingBlock | undefined;
}

/** The block of a transaction. */
export interface PendingBlock {
  readonly workchain: number;
  /** Signed, as everywhere. */
  readonly shard: bigint;
  readonly seqno: number;
}

/** What the actions of a pending trace are, in the form in which the index would have them. */
export interface PendingClassification {
  readonly state: 'unclassified' | 'ok' | 'failed';
  /** The ids of trace and actions are those of the predicted transactions. */
  readonly actions: readonly ActionRow[];
}

/** What a message that was sent will do, or is doing. */
export interface PendingTrace {
  /** Of the message as it was sent, and in its normal form, by which the trace is told from others. */
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  /** Unix seconds at which the message came, and at which the trace was last seen to change. */
  readonly acceptedAt: number;
  readonly updatedAt: number;
  /** The least certain of its transactions. */
  readonly finality: Finality;
  /** In the order in which they were made; a parent stands before its children. Never empty. */
  readonly transactions: readonly PendingTransaction[];
  /** Set where messages are left whose transactions were not predicted. */
  readonly bound: EmulationBound | undefined;
  readonly classification: PendingClassification;
}

/** Which traces are asked for: those that have a transaction or an action of an account, or those of messages. */
export type PendingQuestion =
  /** Accounts as 33 bytes. */
  | { readonly accounts: readonly Buffer[] }
  /** Hashes of external messages, real or normalized. */
  | { readonly messages: readonly Buffer[] };

/** The traces of messages that were sent and that the index does not have yet. */
export interface PendingTraces {
  /**
   * Every trace once, without order. What the index has complete and classified is not among them, nor is what can no
   * longer happen. Never throws: what cannot be read is not there.
   */
  find(question: PendingQuestion): Promise<readonly PendingTrace[]>;
}
