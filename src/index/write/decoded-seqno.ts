import { ACCOUNT_BYTES } from '../../chain/address.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import type { ValidatorEvent } from '../../chain/messages/elector-messages.ts';
import type { TokenRequestKind } from '../../chain/messages/token-requests.ts';
import { readTransaction, type Transaction } from '../../chain/tlb/transaction.ts';
import type { CopyRows } from '../../db/copy.ts';
import { type ShownState, type SlotList, slotsOf } from '../format/slots.ts';

export type { CopyRows };

/** Kinds of in messages. */
export const IN_NONE = 0;
export const IN_EXTERNAL = 1;
/** A message that no account sent: collected fees, or minted currencies. */
export const IN_SYSTEM = 2;
export const IN_INTERNAL = 3;

/**
 * Input of trace assembly, in columns: one entry per transaction, ordered by lt, workchain and address. Hashes take 32
 * bytes each, accounts 33, concatenated.
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
  /** Normalised hashes of external messages; zeros where it equals the hash, or the message is not external. */
  readonly normHashes: Buffer;
  /** Entry `i` sent the internal messages from `outFrom[i]` up to `outFrom[i + 1]` of `outHashes`. */
  readonly outFrom: Uint32Array;
  readonly outHashes: Buffer;
  /** Number of external out messages. */
  readonly logs: Uint16Array;
}

/** Where the rows of transactions and messages hold the positions of their transactions, 8 bytes each. */
export interface PositionFields {
  /** Offsets in the bytes of the transaction rows, by slot. */
  readonly transactions: Uint32Array;
  /** Slot `i` has the offsets from `messageFrom[i]` up to `messageFrom[i + 1]` of `messages`. */
  readonly messageFrom: Uint32Array;
  /** Offsets in the bytes of the message rows. */
  readonly messages: Uint32Array;
}

/**
 * Message rows of the receivers of internal messages, by slot. Only the writer knows which of them are stored: those whose
 * sender is not in the index, or in an older partition.
 */
export interface ReceivedRows {
  readonly bytes: Buffer;
  /** The row of slot `i` goes from `rowFrom[i]` up to `rowFrom[i + 1]`; it is empty if there is none. */
  readonly rowFrom: Uint32Array;
  /** Offsets of the positions, 8 bytes each; 0 where there is no row. */
  readonly positionAt: Uint32Array;
}

export interface StateSummary extends ShownState {
  /** Hash of the Account cell. */
  readonly hash: Buffer;
}

/** An account after its last transaction in a block. */
export interface AccountChange extends StateSummary {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly mcSeqno: number;
  /** Unix time of the block. */
  readonly timestamp: number;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
  /** The transaction of the account before the first one in the block; 0 and zeros without one. */
  readonly prevTransLt: bigint;
  readonly prevTransHash: Buffer;
  /** Position of the block in the seqno: 0 is the masterchain block, then the shard blocks in order. */
  readonly block: number;
  /** The code as a bag of cells; undefined when the block does not contain all of it. */
  readonly code: Buffer | undefined;
  /** The data as a bag of cells; unchanged parts, or all of it, may be pruned branches. */
  readonly data: Buffer | undefined;
  /** Whether nothing of it is pruned; true without data. */
  readonly dataIsWhole: boolean;
  /** The state before the first transaction in the block, if the block shows it. */
  readonly before: StateSummary | undefined;
}

/** A transaction that received a token request; whether its account is a token is not known here. */
export interface EventFacts {
  /** Its place in the order of `traces`. */
  readonly slot: number;
  readonly kind: TokenRequestKind;
  readonly aborted: boolean;
  /** Sender of the message: 33 bytes, like the new owner. */
  readonly source: Buffer;
  /** Undefined for addr_none, and for burns. */
  readonly destination: Buffer | undefined;
}

export interface ValidatorEventFacts extends ValidatorEvent {
  /** The place of its transaction in the order of `traces`. */
  readonly slot: number;
}

/** What the blocks of a seqno show about validators, but for the state of the elector. */
export interface ValidatorFacts {
  /** The account of the elector; undefined where the configuration has none. */
  readonly elector: Buffer | undefined;
  readonly events: readonly ValidatorEventFacts[];
  /** The elections of complaints that messages were sent about. */
  readonly complaintElections: readonly number[];
  /** The configuration of a key block: the dictionary of its params as a bag of cells. */
  readonly config: Buffer | undefined;
}

/**
 * Everything that one masterchain seqno adds to the index, except for trace ids. The decoder returns views of one buffer,
 * except for `codes`, `accounts`, `events` and `validators`: copy what is kept for long.
 */
export interface DecodedSeqno {
  readonly mcSeqno: number;
  readonly genUtime: number;
  readonly blockCount: number;
  /** Whether the masterchain block is a key block, which may change the configuration. */
  readonly hasKeyBlock: boolean;
  readonly blocks: CopyRows;
  readonly shardStates: CopyRows;
  readonly transactions: CopyRows;
  /** Of senders, and of the receivers of messages that no account sent. */
  readonly messages: CopyRows;
  readonly received: ReceivedRows;
  readonly codes: readonly ContractCode[];
  readonly traces: TraceFacts;
  /** The transactions with their cells, in the order of `traces`. */
  readonly slots: SlotList;
  readonly positions: PositionFields;
  /** One per block and account, in the order of blocks; the later one of an account counts. */
  readonly accounts: readonly AccountChange[];
  readonly events: readonly EventFacts[];
  readonly validators: ValidatorFacts;
}

/** The transactions of an account in a decoded seqno, in order. */
export function transactionsOfAccount({ traces, slots }: DecodedSeqno, account: Buffer): Transaction[] {
  const transactions: Transaction[] = [];
  let at = 0;
  for (const { bag } of slotsOf(slots)) {
    const from = at++ * ACCOUNT_BYTES;
    if (!traces.accounts.subarray(from, from + ACCOUNT_BYTES).equals(account)) continue;
    const cells = readBoc(bag);
    transactions.push(readTransaction(cells, cells.root, account.readInt8(0)));
  }
  return transactions;
}
