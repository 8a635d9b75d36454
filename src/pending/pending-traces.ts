import { type AccountId, accountKey } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import type { ActionRow } from '../index/action-row.ts';
import type { HashKey } from '../lib/bytes-key.ts';

/** How certain a transaction is: predicted, in a shard block that no masterchain block refers to yet, or in one that is. */
export type Finality = 'pending' | 'confirmed' | 'finalized';

/** A transaction that is not in the index yet. */
interface UnindexedTransaction {
  readonly account: AccountId;
  /** The Transaction as a bag of cells; in a prediction, hashes and times may differ from what will happen. */
  readonly boc: Buffer;
  readonly hash: Buffer;
  readonly lt: bigint;
  readonly inMessageHash: Buffer;
  /** Index in the list of the transaction that sent the message; undefined for the first. */
  readonly parent: number | undefined;
}

export interface PendingTransaction extends UnindexedTransaction {
  /** Predicted; otherwise it is in a block. */
  readonly emulated: boolean;
  readonly finality: Finality;
  /** The masterchain block that refers to its block; of a prediction, and before there is one, that which it starts from. */
  readonly mcSeqno: number;
  /** Undefined for a prediction. */
  readonly block: PendingBlock | undefined;
}

interface PendingBlock {
  readonly workchain: number;
  /** Signed. */
  readonly shard: bigint;
  readonly seqno: number;
}

/** The actions of a pending trace, as the index would have them. */
export interface PendingClassification {
  readonly state: 'unclassified' | 'ok' | 'failed';
  /** Trace and action ids are those of the predicted transactions. */
  readonly actions: readonly ActionRow[];
}

/** The trace of a message that was sent and is not indexed yet. */
export interface PendingTrace {
  /** Hashes of the message as it was sent, and normalized, which identifies the trace. */
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  /** Unix seconds of the arrival of the message, and of the last change of the trace. */
  readonly acceptedAt: number;
  readonly updatedAt: number;
  /** That of its least certain transaction. */
  readonly finality: Finality;
  /** In order of execution: a parent stands before its children. Never empty. */
  readonly transactions: readonly PendingTransaction[];
  /** Set if some messages were not followed. */
  readonly bound: EmulationBound | undefined;
  readonly classification: PendingClassification;
}

/** Selects traces with a transaction or an action of an account, or those of messages. */
export type PendingQuery =
  /** Accounts as 33 bytes. */
  | { readonly accounts: readonly Buffer[] }
  /** Hashes of external messages, real or normalized. */
  | { readonly messages: readonly Buffer[] };

/** The traces of messages that were sent and are not indexed yet. */
export interface PendingTraces {
  /**
   * Each matching trace once, in no order. Leaves out what the index has complete and classified, and what can no
   * longer happen. Never rejects: if traces cannot be read, there are none.
   */
  find(query: PendingQuery): Promise<readonly PendingTrace[]>;
}

export interface EmulatedTransaction extends UnindexedTransaction {
  /** The ShardAccount before and after, as bags of cells. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Why an emulation stopped before all messages were delivered: too many transactions, a chain of messages that is too
 * long, no time, gas or memory left, or a message that the virtual machine could not run.
 */
export type EmulationBound = 'transactions' | 'depth' | 'time' | 'gas' | 'bytes' | 'failed';

/** Reads ShardAccounts that are newer than the block of an emulation, as bags of cells; undefined for all others. */
export type EmulationAccounts = ((account: AccountId) => Promise<Uint8Array | undefined>) | undefined;

/** The trace that a message would cause. */
export interface EmulatedTrace {
  /** Hashes of the message as given, and normalized. */
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly mcSeqno: number;
  readonly utime: number;
  readonly randSeed: Buffer;
  /** In order of execution; the first received the external message. */
  readonly transactions: readonly EmulatedTransaction[];
  /** Set if some messages were not delivered. */
  readonly bound: EmulationBound | undefined;
  readonly vmSeconds: number;
}

/** The account does not accept the message: there is no trace. */
export interface EmulationRefusal {
  readonly kind: 'refused';
  /** Exit code of the contract; undefined if it did not run. */
  readonly exitCode: number | undefined;
  readonly text: string;
  readonly vmSeconds: number;
  /** The masterchain block at which it was tried; undefined if no account would accept it. */
  readonly mcSeqno?: number;
}

export interface StoredTrace extends PendingTrace {
  /** An indexed trace that began in an earlier masterchain block is another one. */
  readonly sinceSeqno: number;
}

/** Holds pending traces. It never throws or rejects: requests read from it. */
export interface TraceStore {
  /** Adds or replaces a trace. Returns the keys of traces that were evicted for it, or its own if it is too large. */
  put(trace: StoredTrace): readonly string[];
  /** Renews the lease of traces of this process; a shared trace without renewal is dropped. */
  renew(keys: readonly string[]): void;
  remove(key: string): void;
  find(query: PendingQuery): Promise<readonly StoredTrace[]>;
  /** Drops all traces of this process. */
  clear(): void;
  close(): Promise<void>;
}

/** Of the traces of a server. */
export const PENDING_LIMITS = {
  maxBytes: 512 * 2 ** 20,
  /** Traces per response. */
  maxFound: 1000,
};

/** Identifies a trace: its normalized hash in hex. */
export function traceKey(normalizedHash: Buffer): string {
  return normalizedHash.toString('hex');
}

/** The accounts by which a trace is found, those of its transactions and actions, as 33 bytes in hex. */
export function accountsOf({ transactions, classification }: PendingTrace): Set<string> {
  const accounts = new Set<string>();
  for (const { account } of transactions)
    accounts.add(accountKey(account.workchain, account.hash).toString('hex'));
  for (const action of classification.actions)
    for (const account of action.accounts) accounts.add(account.toString('hex'));
  return accounts;
}

/** Why a trace that was shown is not pending any more; `superseded` if another message took its place. */
export type PendingEndReason = 'indexed' | 'expired' | 'superseded' | 'rolled_back';

/** A change of a pending trace: it is shown for the first time or in a new form, or it ended. */
export type PendingChange =
  | {
      readonly kind: 'shown';
      readonly normalizedHash: Buffer;
      readonly trace: PendingTrace;
      readonly isFirst: boolean;
    }
  | { readonly kind: 'ended'; readonly normalizedHash: Buffer; readonly reason: PendingEndReason };

/** A shard block with the signatures of validators that no masterchain block has taken yet, and may never take. */
export interface SignedBlock {
  readonly id: BlockId;
  /** Unix seconds. */
  readonly genUtime: number;
  /** The accounts of its transactions, and those at the other ends of their messages, as 33 bytes. */
  readonly accounts: readonly Buffer[];
  /** The last transaction of each account in it, by its 33 bytes. */
  readonly lasts: ReadonlyMap<HashKey, { readonly lt: bigint; readonly hash: Buffer; readonly now: number }>;
  /** The accounts that received external messages, by the normalized hash of the message. */
  readonly starts: ReadonlyMap<HashKey, Buffer>;
  /** Reads a ShardAccount after the block, as a bag of cells. */
  read(account: AccountId): Promise<Buffer>;
  /** The same after the newest masterchain block. */
  readAtHead(account: AccountId): Promise<Buffer>;
}

/** Somebody who wants to hear of accounts before the masterchain has their transactions. */
export interface SignedInterest {
  /** Whether there is anything that it wants to hear of now. */
  isOpen(): boolean;
  /** Called for each new block; returns which of its accounts it watches. Never rejects. */
  seen(block: SignedBlock): Promise<readonly Buffer[]>;
  /** Called when the masterchain has taken a block that was seen, or goes on without it. Never rejects. */
  settled(block: SignedBlock): Promise<void>;
}

export interface WatchedPending extends PendingTraces {
  /** Follows the traces of the accounts that somebody watches from signed blocks on. Returns the function that ends it. */
  followSigned(interest: SignedInterest): () => void;
  /** Calls back for every change, of all processes if they share a store. Returns the function that ends it. */
  watch(listener: (change: PendingChange) => void): () => void;
}
