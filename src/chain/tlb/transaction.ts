import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readCurrencyCollection } from './currency.ts';
import { walkDictionary } from './dictionary.ts';
import { readMessage } from './message.ts';
import {
  type ActionPhase,
  type BouncePhase,
  type ComputePhase,
  type CreditPhase,
  readAccountStatus,
  readActionPhase,
  readBouncePhase,
  readComputePhase,
  readCreditPhase,
  readSplitMergeInfo,
  readStoragePhase,
  type SplitMergeInfo,
  type StoragePhase,
} from './transaction-phases.ts';

// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
//   outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus
//   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ] total_fees:CurrencyCollection
//   state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction;
// update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;

/** A transaction with its messages. Its cells are numbers in `cells`. */
export type Transaction = Readonly<ReturnType<typeof readTransaction>>;

const TRANSACTION = 0b0111;
const HASH_UPDATE = 0x72;
const OUT_MESSAGE_KEY_BITS = 15;

/** Reads a transaction and its messages with all hashes. Only the block knows the workchain. */
export function readTransaction(cells: Cells, cell: number, workchain: number) {
  const slice = new Slice(cells, cell);
  const head = readHead(slice);
  slice.open(head.stateUpdate);
  if (slice.uint(8) !== HASH_UPDATE) throw new CellError('not a hash update');
  const oldStateHash = slice.hash();
  const newStateHash = slice.hash();
  slice.open(head.messages);
  const inMessage = slice.maybeRef();
  const outMessages = slice.maybeRef();
  return {
    cells,
    cell,
    hash: cells.hash(cell, 0),
    account: { workchain, hash: head.accountHash },
    lt: head.lt,
    prevTransHash: head.prevTransHash,
    prevTransLt: head.prevTransLt,
    now: head.now,
    origStatus: head.origStatus,
    endStatus: head.endStatus,
    inMessage: inMessage < 0 ? undefined : readMessage(cells, inMessage),
    /** In the order they were sent. */
    outMessages: outMessageCells(cells, outMessages, head.outMessageCount).map((at) =>
      readMessage(cells, at),
    ),
    totalFees: head.totalFees,
    oldStateHash,
    newStateHash,
    description: readTransactionDescription(slice.open(head.description)),
  };
}

/** A transaction whose messages and description are not read: their cells are given by number. */
export interface TransactionOutline
  extends Pick<Transaction, 'cells' | 'cell' | 'account' | 'lt' | 'now' | 'endStatus'> {
  /** -1 if there is none. */
  readonly inMessage: number;
  /** In the order they were sent. */
  readonly outMessages: readonly number[];
  readonly description: number;
}

/** Reads the outline of a transaction: lists of messages show one of many. */
export function readTransactionOutline(cells: Cells, cell: number, workchain: number): TransactionOutline {
  const slice = new Slice(cells, cell);
  const { accountHash, lt, now, endStatus, messages, outMessageCount, description } = readHead(slice);
  slice.open(messages);
  const inMessage = slice.maybeRef();
  const outMessages = outMessageCells(cells, slice.maybeRef(), outMessageCount);
  const account = { workchain, hash: accountHash };
  return { cells, cell, account, lt, now, endStatus, inMessage, outMessages, description };
}

/** Reads the cell of a transaction; other cells are given by number. */
function readHead(slice: Slice) {
  if (slice.uint(4) !== TRANSACTION) throw new CellError('not a transaction');
  // Fields are in read order: an object literal evaluates them from top to bottom.
  return {
    accountHash: slice.hash(),
    lt: slice.uint64(),
    prevTransHash: slice.hash(),
    prevTransLt: slice.uint64(),
    now: slice.uint(32),
    outMessageCount: slice.uint(15),
    origStatus: readAccountStatus(slice),
    endStatus: readAccountStatus(slice),
    messages: slice.ref(),
    totalFees: readCurrencyCollection(slice),
    stateUpdate: slice.ref(),
    description: slice.ref(),
  };
}

function outMessageCells(cells: Cells, root: number, count: number): number[] {
  const messages: number[] = [];
  walkDictionary(cells, root, OUT_MESSAGE_KEY_BITS, (_key, value) => {
    if (messages.length === count) throw new CellError('transaction has more out messages than it declares');
    messages.push(value.ref());
  });
  if (messages.length !== count) throw new CellError('transaction has fewer out messages than it declares');
  return messages;
}

/** Makes a HASH_UPDATE: the hashes of something before and after. */
export function buildHashUpdate(arena: BuildingArena, oldHash: Buffer, newHash: Buffer): number {
  return arena.build(new CellBuilder().uint(0x72, 8).hash(oldHash).hash(newHash));
}

// trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase)
//   destroyed:Bool = TransactionDescr;
// trans_storage$0001 storage_ph:TrStoragePhase = TransactionDescr;
// trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase compute_ph:TrComputePhase
//   action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
// trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe TrStoragePhase) compute_ph:TrComputePhase
//   action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
// trans_split_install$0101 split_info:SplitMergeInfo prepare_transaction:^Transaction installed:Bool
//   = TransactionDescr;
// trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase aborted:Bool = TransactionDescr;
// trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction
//   storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase) compute_ph:TrComputePhase
//   action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;

export type TransactionDescription = Readonly<ReturnType<typeof readTransactionDescription>>;

/** The union of all fields of all kinds of descriptions. */
export interface AnyDescription {
  readonly aborted?: boolean;
  readonly destroyed?: boolean;
  readonly creditFirst?: boolean;
  readonly isTock?: boolean;
  readonly installed?: boolean;
  readonly storage?: StoragePhase | undefined;
  readonly credit?: CreditPhase | undefined;
  readonly compute?: ComputePhase;
  readonly action?: ActionPhase | undefined;
  readonly bounce?: BouncePhase | undefined;
  readonly splitInfo?: SplitMergeInfo;
}

/** Reads a TransactionDescr from the start of its cell. */
export function readTransactionDescription(slice: Slice) {
  switch (slice.uint(3)) {
    case 0b000:
      return slice.boolean() ? readStorageOnly(slice) : readOrdinary(slice);
    case 0b001:
      return readTickTock(slice);
    case 0b010:
      return slice.boolean() ? readSplitInstall(slice) : readSplitPrepare(slice);
    case 0b011:
      return slice.boolean() ? readMergeInstall(slice) : readMergePrepare(slice);
    default:
      throw new CellError('unknown tag of a transaction description');
  }
}

/** Whether a transaction was caused by a message, and its code ran and kept its effects. */
export function hasSucceeded({ description }: Pick<Transaction, 'description'>): boolean {
  if (description.kind !== 'ord' || description.aborted) return false;
  return !description.compute.skipped && description.compute.success;
}

// Fields are in reading order: an object literal is evaluated from top to bottom.

/** An ordinary transaction, caused by a message. */
function readOrdinary(slice: Slice) {
  return {
    kind: 'ord' as const,
    creditFirst: slice.boolean(),
    storage: maybeStorage(slice),
    credit: maybeCredit(slice),
    compute: readComputePhase(slice),
    action: maybeAction(slice),
    aborted: slice.boolean(),
    bounce: slice.boolean() ? readBouncePhase(slice) : undefined,
    destroyed: slice.boolean(),
  };
}

/** A transaction that only collects storage fees. */
function readStorageOnly(slice: Slice) {
  return { kind: 'storage' as const, storage: readStoragePhase(slice) };
}

/** A run of a special account at the start (tick) or end (tock) of a masterchain block. */
function readTickTock(slice: Slice) {
  return {
    kind: 'tick_tock' as const,
    isTock: slice.boolean(),
    storage: readStoragePhase(slice),
    compute: readComputePhase(slice),
    action: maybeAction(slice),
    aborted: slice.boolean(),
    destroyed: slice.boolean(),
  };
}

/** The first half of splitting an account. */
function readSplitPrepare(slice: Slice) {
  return {
    kind: 'split_prepare' as const,
    splitInfo: readSplitMergeInfo(slice),
    storage: maybeStorage(slice),
    compute: readComputePhase(slice),
    action: maybeAction(slice),
    aborted: slice.boolean(),
    destroyed: slice.boolean(),
  };
}

/** The second half of splitting an account. */
function readSplitInstall(slice: Slice) {
  return {
    kind: 'split_install' as const,
    splitInfo: readSplitMergeInfo(slice),
    /** The cell of the transaction that prepared this one. */
    prepareTransaction: slice.ref(),
    installed: slice.boolean(),
  };
}

/** The first half of merging two accounts. */
function readMergePrepare(slice: Slice) {
  return {
    kind: 'merge_prepare' as const,
    splitInfo: readSplitMergeInfo(slice),
    storage: readStoragePhase(slice),
    aborted: slice.boolean(),
  };
}

/** The second half of merging two accounts. */
function readMergeInstall(slice: Slice) {
  return {
    kind: 'merge_install' as const,
    splitInfo: readSplitMergeInfo(slice),
    /** The cell of the transaction that prepared this one. */
    prepareTransaction: slice.ref(),
    storage: maybeStorage(slice),
    credit: maybeCredit(slice),
    compute: readComputePhase(slice),
    action: maybeAction(slice),
    aborted: slice.boolean(),
    destroyed: slice.boolean(),
  };
}

function maybeStorage(slice: Slice): StoragePhase | undefined {
  return slice.boolean() ? readStoragePhase(slice) : undefined;
}

function maybeCredit(slice: Slice): CreditPhase | undefined {
  return slice.boolean() ? readCreditPhase(slice) : undefined;
}

function maybeAction(slice: Slice): ActionPhase | undefined {
  return slice.boolean() ? readActionPhase(slice.refSlice()) : undefined;
}
