import type { AccountId } from '../../chain/address.ts';
import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { CellError, type Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import {
  BLOCK_ID_BYTES,
  readAccountId,
  readBlockId,
  writeAccountId,
  writeBlockId,
} from '../../chain/tl/ids.ts';
import {
  hasBit,
  isGiven,
  type LiteMethodCodec,
  type TlReader,
  type TlType,
  type TlWriter,
} from '../../chain/tl/tl.ts';
import { readBlockExtra, readBlockRoot } from '../../chain/tlb/block.ts';
import { skipCurrencyCollection } from '../../chain/tlb/currency.ts';
import { type DictionaryEntry, dictionaryEntries, lookUp, readLabel } from '../../chain/tlb/dictionary.ts';
import { type Ask, askProvable } from './ask.ts';
import {
  type CellRef,
  type CheckOptions,
  checkHeader,
  formatHash,
  hashOf,
  isAccountInBlock,
  openProof,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';

/** `liteServer.transactionInfo`: one transaction, or nothing where the block has none such; `proof` proves either. */
export interface TransactionInfo {
  readonly id: BlockId;
  readonly proof: Buffer;
  readonly transaction: Buffer;
}

/** `liteServer.transactionList`: transactions of an account, newest first, as roots of one bag, and the block of each. */
export interface TransactionList {
  readonly ids: readonly BlockId[];
  readonly transactions: Buffer;
}

const transactionInfo: TlType<TransactionInfo> = {
  name: 'liteServer.transactionInfo',
  id: 0x0edeed47,
  write(w, info) {
    writeBlockId(w, info.id);
    w.bytes(info.proof);
    w.bytes(info.transaction);
  },
  read: (r) => ({ id: readBlockId(r), proof: r.bytes(), transaction: r.bytes() }),
};

const transactionList: TlType<TransactionList> = {
  name: 'liteServer.transactionList',
  id: 0x6f26c60b,
  write(w, list) {
    w.vector(list.ids, writeBlockId);
    w.bytes(list.transactions);
  },
  read: (r) => ({ ids: r.vector(BLOCK_ID_BYTES, readBlockId), transactions: r.bytes() }),
};

/** Request of `getOneTransaction`. */
export interface GetOneTransaction {
  readonly method: 'getOneTransaction';
  readonly id: BlockId;
  readonly account: AccountId;
  readonly lt: bigint;
}

/** `liteServer.getOneTransaction`: a transaction of a known block. */
export const getOneTransactionCodec: LiteMethodCodec<GetOneTransaction, TransactionInfo> = {
  name: 'liteServer.getOneTransaction',
  id: 0xd40f24ea,
  answer: transactionInfo,
  write(w, request) {
    writeBlockId(w, request.id);
    writeAccountId(w, request.account);
    w.long(request.lt);
  },
  read: (r) => ({
    method: 'getOneTransaction',
    id: readBlockId(r),
    account: readAccountId(r),
    lt: r.long(),
  }),
};

/** Request of `getTransactions`: `count` transactions back from the one with `lt` and `hash`; servers give 16 at most. */
export interface GetTransactions {
  readonly method: 'getTransactions';
  readonly count: number;
  readonly account: AccountId;
  readonly lt: bigint;
  readonly hash: Buffer;
}

/** `liteServer.getTransactions`: an account's history. */
export const getTransactionsCodec: LiteMethodCodec<GetTransactions, TransactionList> = {
  name: 'liteServer.getTransactions',
  id: 0x1c40e7a1,
  answer: transactionList,
  write(w, request) {
    w.uint(request.count);
    writeAccountId(w, request.account);
    w.long(request.lt);
    w.int256(request.hash);
  },
  read: (r) => ({
    method: 'getTransactions',
    count: r.uint(),
    account: readAccountId(r),
    lt: r.long(),
    hash: r.int256(),
  }),
};

/** A transaction by its logical time and hash; a logical time of zero stands for none. */
export interface TransactionRef {
  readonly lt: bigint;
  readonly hash: Buffer;
}

/** Servers give no more than this in one answer. */
export const MAX_TRANSACTIONS_PER_PAGE = 16;

/** Transactions of an account back from a given one, newest first; as many as a server gives in one answer. */
export async function getTransactions(
  ask: Ask,
  account: AccountId,
  { lt, hash }: TransactionRef,
  count: number,
  options: CheckOptions,
): Promise<AccountTransaction[]> {
  if (lt === 0n) return [];
  const question = { count, account, lt, hash };
  const answer = await askProvable(
    ask,
    getTransactionsCodec,
    { method: 'getTransactions', ...question },
    'VALIDATE_TRANSACTION',
  );
  return checkTransactions(answer, question, options);
}

/** The cell of an account's transaction in a block, or undefined where the block's time does not hold it. */
export async function getOneTransaction(
  ask: Ask,
  block: BlockId,
  account: AccountId,
  lt: bigint,
  options: CheckOptions,
): Promise<CellRef | undefined> {
  const request = { method: 'getOneTransaction', id: block, account, lt } as const;
  const answer = await askProvable(ask, getOneTransactionCodec, request, 'VALIDATE_TRANSACTION');
  return checkOneTransaction(answer, { block, account, lt }, options);
}

/** Which part of an account's history to read. */
export interface HistoryRange {
  /** The newest transaction to read. */
  readonly from: TransactionRef;
  readonly limit: number;
  /** Transactions up to this logical time are left out. */
  readonly toLt?: bigint | undefined;
}

/** Asks for one page; `getTransactions` does. */
type GetHistoryPage = (from: TransactionRef, count: number) => Promise<readonly AccountTransaction[]>;

/**
 * Reads an account's history in as many pages as it takes, newest transaction first. Gives the transaction before the
 * last one that was read, also if that was left out; a time of zero for none.
 */
export async function readHistory(
  getPage: GetHistoryPage,
  { from, limit, toLt = 0n }: HistoryRange,
  take: (transaction: AccountTransaction) => void,
): Promise<TransactionRef> {
  let previous = from;
  let taken = 0;
  while (taken < limit && previous.lt > toLt && previous.lt > 0n) {
    const page = await getPage(previous, Math.min(MAX_TRANSACTIONS_PER_PAGE, limit - taken));
    const { prevTransLt: lt, prevTransHash: hash } = page.at(-1)!;
    previous = { lt, hash };
    for (const transaction of page) {
      if (transaction.lt <= toLt) break;
      take(transaction);
      taken++;
    }
  }
  return previous;
}

/** A transaction of an account's history. */
export interface AccountTransaction extends CellRef, TransactionPrefix {
  readonly hash: Buffer;
  /** The block that the server says it is in; nothing proves it. */
  readonly claimedBlock: BlockId;
}

/** What was asked: transactions back from the one with `lt` and `hash`. */
type HistoryQuestion = Pick<GetTransactions, 'count' | 'account' | 'lt' | 'hash'>;

/**
 * Checks the answer of getTransactions, newest transaction first: the first has the hash that was asked for, and each
 * one names the hash of the next. A logical time of zero stands for no transaction.
 */
export function checkTransactions(
  answer: TransactionList,
  question: HistoryQuestion,
  options: CheckOptions,
): AccountTransaction[] {
  return runProofCheck('VALIDATE_TRANSACTION', () => {
    const { ids, transactions } = answer;
    if (ids.length === 0 && transactions.length === 0 && question.lt === 0n) return [];
    if (ids.length === 0) refuse('transaction list must be non-empty');
    const bag = readWholeBag(transactions);
    if (bag.roots.length !== ids.length)
      refuse(
        `transaction list size ${bag.roots.length} must be equal to the size of block id list ${ids.length}`,
      );
    if (ids.length > question.count)
      refuse(`obtained ${ids.length} transactions, but only ${question.count} have been requested`);
    let expected = { lt: question.lt, hash: question.hash };
    return bag.roots.map((cell, i) => {
      const found = { cells: bag, cell };
      const head = checkOne(found, expected, question.account, options);
      const { hash } = expected;
      expected = { lt: head.prevTransLt, hash: head.prevTransHash };
      const claimedBlock = ids[i]!;
      if (!isAccountInBlock(claimedBlock, question.account))
        refuse('obtained a block that cannot contain specified account');
      return { ...found, ...head, hash, claimedBlock };
    });
  });
}

/** Checks that a cell is the transaction of an account with a known hash. */
function checkOne(
  found: CellRef,
  { lt, hash }: { readonly lt: bigint; readonly hash: Buffer },
  account: AccountId,
  { verify }: CheckOptions,
): TransactionPrefix {
  if (verify && !hashOf(found).equals(hash))
    refuse(`transaction hash mismatch: expected ${formatHash(hash)}, found ${formatHash(hashOf(found))}`);
  const head = readTransactionPrefix(found);
  if (head.lt !== lt) refuse(`transaction lt mismatch: expected ${lt}, found ${head.lt}`);
  if (!head.account.equals(account.hash))
    refuse(
      `transaction account mismatch: expected ${formatHash(account.hash)}, found ${formatHash(head.account)}`,
    );
  if (head.prevTransLt >= lt) refuse('previous transaction time is not less than the current one');
  return head;
}

/** Checks the answer of getOneTransaction: the cell of a transaction, or undefined where the block has no such one. */
export function checkOneTransaction(
  answer: TransactionInfo,
  question: { readonly block: BlockId; readonly account: AccountId; readonly lt: bigint },
  options: CheckOptions,
): CellRef | undefined {
  return runProofCheck('VALIDATE_TRANSACTION', () => {
    const { block, account, lt } = question;
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    if (!isAccountInBlock(block, account)) refuse('obtained a block that cannot contain specified account');
    const header = checkHeader(openProof(answer.proof, options), block, options);
    // Outside of the block's time a server looks no further, and proves no more.
    const inTime = lt > header.info.startLt && lt < header.info.endLt;
    const expected = inTime ? findTransactionInBlock(header, account.hash, lt) : undefined;
    if ((expected !== undefined) !== answer.transaction.length > 0)
      refuse(`transactions are expected to be ${expected === undefined ? 'empty' : 'non-empty'}`);
    if (expected === undefined) return undefined;
    const bag = readWholeBag(answer.transaction);
    const found = { cells: bag, cell: bag.root };
    if (options.verify && !hashOf(found).equals(hashOf(expected)))
      refuse(
        `transaction hash mismatch: Merkle proof expects ${formatHash(hashOf(expected))} but received data has ${formatHash(hashOf(found))}`,
      );
    return found;
  });
}

/** A transaction of a block: whose, when, and the cell that holds it or stands for it in a proof. */
export interface BlockTransactionEntry extends CellRef {
  readonly account: Buffer;
  readonly lt: bigint;
}

const ACCOUNT_BITS = 256;
const LT_BITS = 64;
const ACCOUNT_BLOCK = 5;

/**
 * Visits the transactions of a block in the order of listBlockTransactions, after a given one: by account and logical
 * time, or in the reverse order. Opens no cell before it is needed.
 */
export function* iterateBlockTransactions(
  { cells, cell }: CellRef,
  after: TransactionId3 | undefined,
  reverse: boolean,
): Generator<BlockTransactionEntry, void> {
  const root = accountBlocksRoot(cells, cell);
  if (root < 0) return;
  const order = { from: after?.account, inclusive: true, reverse };
  for (const entry of dictionaryEntries(new Slice(cells, root), ACCOUNT_BITS, order)) {
    const account = Buffer.from(entry.key);
    const from = after?.account.equals(account) ? ltKey(after.lt) : undefined;
    for (const { key, value } of dictionaryEntries(openAccountBlock(entry), LT_BITS, { from, reverse })) {
      skipCurrencyCollection(value);
      yield { account, lt: key.readBigUInt64BE(0), cells, cell: value.ref() };
    }
  }
}

/** The cell of one transaction of a block, or undefined. Opens only the cells that lead there. */
export function findTransactionInBlock(
  { cells, cell }: CellRef,
  account: Buffer,
  lt: bigint,
): CellRef | undefined {
  const root = accountBlocksRoot(cells, cell);
  const value = root < 0 ? undefined : lookUp(cells, root, ACCOUNT_BITS, account);
  if (value === undefined) return undefined;
  const slice = openAccountBlock({ key: account, value });
  const label = Buffer.alloc(LT_BITS / 8);
  const labelBits = readLabel(slice, LT_BITS, label, 0);
  const below = BigInt(LT_BITS - labelBits);
  if (label.readBigUInt64BE(0) >> below !== lt >> below) return undefined;
  let found: Slice | undefined = slice;
  if (labelBits < LT_BITS) {
    const children = [slice.ref(), slice.ref()];
    const rest = LT_BITS - labelBits - 1;
    const child = children[Number((lt >> BigInt(rest)) & 1n)]!;
    found = lookUp(cells, child, rest, ltKey(lt << BigInt(LT_BITS - rest)));
  }
  if (found === undefined) return undefined;
  skipCurrencyCollection(found);
  return { cells, cell: found.ref() };
}

/** The root of the dictionary of account blocks, or -1. */
function accountBlocksRoot(cells: Cells, block: number): number {
  const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, block).extra);
  return new Slice(cells, accountBlocks).maybeRef();
}

/** Moves to the dictionary of one account's transactions. */
function openAccountBlock({ key, value }: DictionaryEntry): Slice {
  skipCurrencyCollection(value);
  if (value.uint(4) !== ACCOUNT_BLOCK || !value.hash().equals(key))
    throw new CellError('not the transactions of the account');
  return value;
}

function ltKey(lt: bigint): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeBigInt64BE(BigInt.asIntN(64, lt));
  return key;
}

/** The beginning of a transaction: whose it is, when it was, and which one came before. */
interface TransactionPrefix {
  /** The 32 bytes of the account's address. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly prevTransHash: Buffer;
  readonly prevTransLt: bigint;
}

const TRANSACTION = 0b0111;

/** Reads the beginning of a transaction; `readTransaction` reads all of it. */
export function readTransactionPrefix({ cells, cell }: CellRef): TransactionPrefix {
  const slice = new Slice(cells, cell);
  if (slice.uint(4) !== TRANSACTION) throw new CellError('not a transaction');
  return {
    account: slice.hash(),
    lt: slice.uint64(),
    prevTransHash: slice.hash(),
    prevTransLt: slice.uint64(),
  };
}

/** `liteServer.transactionMetadata`: which transaction a chain of messages started from. */
export interface TransactionMetadata {
  readonly mode: number;
  readonly depth: number;
  readonly initiator: AccountId;
  readonly initiatorLt: bigint;
}

/** `liteServer.transactionId`: a transaction of a block; the mode repeats that of the request. */
export interface TransactionId {
  readonly mode: number;
  /** Bit 0. */
  readonly account?: Buffer | undefined;
  /** Bit 1. */
  readonly lt?: bigint | undefined;
  /** Bit 2. */
  readonly hash?: Buffer | undefined;
  /** Bit 8; servers from before this bit do not know it. */
  readonly metadata?: TransactionMetadata | undefined;
}

/** `liteServer.transactionId3`: the transaction after which a list goes on. */
export interface TransactionId3 {
  readonly account: Buffer;
  readonly lt: bigint;
}

/** Writes `liteServer.transactionId`. */
export function writeTransactionId(writer: TlWriter, id: TransactionId): void {
  const { mode } = id;
  writer.uint(mode);
  if (isGiven(mode, 0, id.account, 'account')) writer.int256(id.account);
  if (isGiven(mode, 1, id.lt, 'lt')) writer.long(id.lt);
  if (isGiven(mode, 2, id.hash, 'hash')) writer.int256(id.hash);
  if (isGiven(mode, 8, id.metadata, 'metadata')) writeMetadata(writer, id.metadata);
}

/** Reads `liteServer.transactionId`. */
export function readTransactionId(reader: TlReader): TransactionId {
  const mode = reader.uint();
  return {
    mode,
    account: hasBit(mode, 0) ? reader.int256() : undefined,
    lt: hasBit(mode, 1) ? reader.long() : undefined,
    hash: hasBit(mode, 2) ? reader.int256() : undefined,
    metadata: hasBit(mode, 8) ? readMetadata(reader) : undefined,
  };
}

/** Writes `liteServer.transactionId3`. */
export function writeTransactionId3(writer: TlWriter, id: TransactionId3): void {
  writer.int256(id.account);
  writer.long(id.lt);
}

/** Reads `liteServer.transactionId3`. */
export function readTransactionId3(reader: TlReader): TransactionId3 {
  return { account: reader.int256(), lt: reader.long() };
}

function writeMetadata(writer: TlWriter, metadata: TransactionMetadata): void {
  writer.uint(metadata.mode);
  writer.int(metadata.depth);
  writeAccountId(writer, metadata.initiator);
  writer.long(metadata.initiatorLt);
}

function readMetadata(reader: TlReader): TransactionMetadata {
  return {
    mode: reader.uint(),
    depth: reader.int(),
    initiator: readAccountId(reader),
    initiatorLt: reader.long(),
  };
}
