import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { walkDictionary } from './dictionary.ts';
import { type Message, readMessage } from './message.ts';
import { readTransactionDescription, type TransactionDescription } from './transaction-description.ts';
import { type AccountStatus, readAccountStatus } from './transaction-status.ts';

/** A transaction with its messages. Its cells are numbers in `cells`. */
export interface Transaction {
  readonly cells: Cells;
  readonly cell: number;
  readonly hash: Buffer;
  readonly account: { readonly workchain: number; readonly hash: Buffer };
  readonly lt: bigint;
  readonly prevTransHash: Buffer;
  readonly prevTransLt: bigint;
  readonly now: number;
  readonly origStatus: AccountStatus;
  readonly endStatus: AccountStatus;
  readonly inMessage: Message | undefined;
  /** In the order they were sent. */
  readonly outMessages: readonly Message[];
  readonly totalFees: CurrencyCollection;
  /** The hashes of the account's state before and after. */
  readonly oldStateHash: Buffer;
  readonly newStateHash: Buffer;
  readonly description: TransactionDescription;
}

const TRANSACTION = 0b0111;
const HASH_UPDATE = 0x72;
const OUT_MESSAGE_KEY_BITS = 15;

/** Reads a transaction and its messages with all hashes. The workchain is known to the block alone. */
export function readTransaction(cells: Cells, cell: number, workchain: number): Transaction {
  const slice = new Slice(cells, cell);
  if (slice.uint(4) !== TRANSACTION) throw new CellFault('not a transaction');
  const accountHash = slice.hash();
  const lt = slice.uint64();
  const prevTransHash = slice.hash();
  const prevTransLt = slice.uint64();
  const now = slice.uint(32);
  const outMessageCount = slice.uint(15);
  const origStatus = readAccountStatus(slice);
  const endStatus = readAccountStatus(slice);
  const messages = slice.ref();
  const totalFees = readCurrencyCollection(slice);
  const stateUpdate = slice.ref();
  const description = slice.ref();

  slice.open(stateUpdate);
  if (slice.uint(8) !== HASH_UPDATE) throw new CellFault('not an update of hashes');
  const oldStateHash = slice.hash();
  const newStateHash = slice.hash();

  slice.open(messages);
  const inMessage = slice.maybeRef();
  const outMessages = slice.maybeRef();
  return {
    cells,
    cell,
    hash: cells.hash(cell, 0),
    account: { workchain, hash: accountHash },
    lt,
    prevTransHash,
    prevTransLt,
    now,
    origStatus,
    endStatus,
    inMessage: inMessage < 0 ? undefined : readMessage(cells, inMessage),
    outMessages: readOutMessages(cells, outMessages, outMessageCount),
    totalFees,
    oldStateHash,
    newStateHash,
    description: readTransactionDescription(slice.open(description)),
  };
}

function readOutMessages(cells: Cells, root: number, count: number): Message[] {
  const found: Message[] = [];
  if (root >= 0)
    walkDictionary(cells, root, OUT_MESSAGE_KEY_BITS, (_key, value) => {
      if (found.length === count) throw new CellFault('a transaction with more messages than it says');
      found.push(readMessage(cells, value.ref()));
    });
  if (found.length !== count) throw new CellFault('a transaction with fewer messages than it says');
  return found;
}
