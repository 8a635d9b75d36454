import type { AccountPlace } from './emulation-ground.ts';

/** A transaction that has not happened, as it would be. */
export interface EmulatedTransaction {
  readonly account: AccountPlace;
  /** The Transaction as a bag of cells. */
  readonly boc: Buffer;
  readonly hash: Buffer;
  readonly lt: bigint;
  readonly inMessageHash: Buffer;
  /** The place in the list of the transaction that sent the message; undefined for the first. */
  readonly parent: number | undefined;
  /** The ShardAccount before and after, as bags of cells. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Why an emulation ended before all messages were delivered: too many transactions, too long a chain of messages, no
 * time, gas or memory left, or a message that the virtual machine could not run.
 */
export type EmulationBound = 'transactions' | 'depth' | 'time' | 'gas' | 'bytes' | 'failed';

/** What a message would cause. */
export interface EmulatedTrace {
  /** Of the message as it came, and in its normal form. */
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly mcSeqno: number;
  readonly utime: number;
  readonly randSeed: Buffer;
  /** In the order in which they were made; the first took the external message. */
  readonly transactions: readonly EmulatedTransaction[];
  /** Set where messages are left that were not delivered. */
  readonly bound: EmulationBound | undefined;
  /** What the virtual machine spent on it. */
  readonly vmSeconds: number;
}

/** The account would not take the message: there is no trace. */
export interface EmulationRefusal {
  readonly kind: 'refused';
  /** The exit code of the contract; undefined where it did not run. */
  readonly exitCode: number | undefined;
  readonly text: string;
  readonly vmSeconds: number;
}
