import { type AccountId, accountKey } from '../chain/address.ts';
import type { ActionRow } from '../db/queries/actions.ts';

/** How certain a transaction is: predicted, in a block that no masterchain block names yet, or in one that is named. */
export type Finality = 'pending' | 'confirmed' | 'finalized';

/** A transaction of a trace that is not in the index yet. */
export interface PendingTransaction {
  readonly account: AccountId;
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
interface PendingBlock {
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

/** A transaction that has not happened, as it would be. */
export interface EmulatedTransaction {
  readonly account: AccountId;
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

/** A trace as it is kept. */
export interface KeptTrace extends PendingTrace {
  /** A real trace that began in an earlier masterchain block is another one. */
  readonly sinceSeqno: number;
}

/** Where pending traces are. Whatever happens to it, it throws nothing: it is asked by requests. */
export interface TraceStore {
  /** Keeps a trace, or its newer form. Gives the keys of those that had to make room for it, or its own if it is too large. */
  put(trace: KeptTrace): readonly string[];
  /** Says that traces of this process are still good; what nobody says that of for long is forgotten. */
  confirm(keys: readonly string[]): void;
  remove(key: string): void;
  find(question: PendingQuestion): Promise<readonly KeptTrace[]>;
  /** Forgets all traces of this process. */
  clear(): void;
  close(): Promise<void>;
}

/** What a trace is kept under: its normalized hash. */
export function traceKey(normalizedHash: Buffer): string {
  return normalizedHash.toString('hex');
}

/** All accounts by which a trace is found, as 33 bytes in hex: of its transactions and of its actions. */
export function accountsOf({ transactions, classification }: PendingTrace): Set<string> {
  const accounts = new Set<string>();
  for (const { account } of transactions)
    accounts.add(accountKey(account.workchain, account.hash).toString('hex'));
  for (const action of classification.actions)
    for (const account of action.accounts) accounts.add(account.toString('hex'));
  return accounts;
}
