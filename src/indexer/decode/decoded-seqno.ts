import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import type { CopyRows } from '../../db/copy.ts';
import type { EventFacts } from './read-event.ts';

export type { CopyRows };

/** What kind of message a transaction came of. */
export const IN_NONE = 0;
export const IN_EXTERNAL = 1;
/** A message that no account sent: fees of blocks, or new currencies. */
export const IN_SYSTEM = 2;
export const IN_INTERNAL = 3;

/**
 * What traces are made of, in columns: one entry a transaction, by lt, then workchain, then address. Hashes are 32 bytes
 * each, accounts 33, one after the other.
 */
export interface TraceFacts {
  readonly count: number;
  readonly hashes: Buffer;
  readonly accounts: Buffer;
  readonly lts: BigUint64Array;
  readonly nows: Float64Array;
  readonly inKinds: Uint8Array;
  /** Zeros where there is none. */
  readonly inHashes: Buffer;
  /** Normalised hashes of external messages; zeros where it is the hash itself, or the message is no external one. */
  readonly normHashes: Buffer;
  /** The internal messages that entry `i` sent are those from `outFrom[i]` up to `outFrom[i + 1]` of `outHashes`. */
  readonly outFrom: Uint32Array;
  readonly outHashes: Buffer;
  /** How many messages to the outside it sent. */
  readonly logs: Uint16Array;
  /** Where the 32 bytes of its trace id are in the bytes of the transaction rows. */
  readonly traceIdAt: Uint32Array;
}

/** A state of an account, as far as it is kept. */
export interface StateSummary {
  /** Of the Account cell. */
  readonly hash: Buffer;
  readonly status: AccountStatus;
  readonly balance: bigint;
  /** Extra currencies as JSON, `{"<id>":"<amount>"}`; undefined when there are none. */
  readonly balanceExtra: string | undefined;
  /** There are extra currencies that the block does not show; then they are those of the account's state before. */
  readonly extraIsHidden: boolean;
  readonly codeHash: Buffer | undefined;
  readonly dataHash: Buffer | undefined;
  readonly frozenHash: Buffer | undefined;
}

/** An account after the last transaction that it had in one block. */
export interface AccountChange extends StateSummary {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly mcSeqno: number;
  /** The time of the block. */
  readonly timestamp: number;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
  /** Which block of the seqno has the state, for asking a lite server: 0 is the masterchain block, then the shard blocks in order. */
  readonly block: number;
  /** The code as a bag of cells; undefined when the block has not all of it. */
  readonly code: Buffer | undefined;
  /** The data as a bag of cells, where parts that did not change, or all of it, may be pruned branches. */
  readonly data: Buffer | undefined;
  /** Whether nothing of it is pruned; also where there is none. */
  readonly dataIsWhole: boolean;
  /** The state before the first transaction in the block, as far as the block shows it. */
  readonly before: StateSummary | undefined;
}

/** A message body or an initial state as a bag of cells in tonlib's order, with a checksum. */
export interface MessageContent {
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/** A code that the block has all of, as a bag of cells in tonlib's order, without a checksum. */
export interface ContractCode {
  readonly hash: Buffer;
  readonly boc: Buffer;
  /** Ids of its get-methods; undefined when the code has no dictionary of methods. */
  readonly methods: readonly number[] | undefined;
}

/**
 * Everything that one masterchain seqno brings, ready to be written but for its trace ids. What a decoder gives are views
 * of one buffer, except for `codes`, `accounts` and `events`: copy what is kept for long.
 */
export interface DecodedSeqno {
  readonly mcSeqno: number;
  readonly genUtime: number;
  readonly blockCount: number;
  /** Whether the masterchain block may bring a new configuration. */
  readonly hasKeyBlock: boolean;
  readonly blocks: CopyRows;
  readonly shardStates: CopyRows;
  readonly transactions: CopyRows;
  readonly messages: CopyRows;
  /** Each once. */
  readonly contents: readonly MessageContent[];
  readonly codes: readonly ContractCode[];
  readonly traces: TraceFacts;
  /** One a block and account, in the order of blocks; of two for one account the later one counts. */
  readonly accounts: readonly AccountChange[];
  /** In no particular order. */
  readonly events: readonly EventFacts[];
}
