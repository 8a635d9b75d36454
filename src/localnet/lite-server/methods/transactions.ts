import type { AccountId } from '../../../chain/address.ts';
import { type BlockId, INVALID_WORKCHAIN } from '../../../chain/block-id.ts';
import { CellError, type CellRef, type Cells } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { accountPrefix, shardContains } from '../../../chain/shards.ts';
import {
  type BlockTransaction,
  findTransaction,
  iterateTransactions,
} from '../../../chain/tlb/account-blocks.ts';
import { type BlockExtra, readBlockExtra, readBlockRoot } from '../../../chain/tlb/block.ts';
import { skipCurrencyCollection } from '../../../chain/tlb/currency.ts';
import { lookUp } from '../../../chain/tlb/dictionary.ts';
import { readInMsg, readMessageEnvelope } from '../../../chain/tlb/msg-descr.ts';
import {
  LIST_ACCOUNT,
  LIST_HASH,
  LIST_LT,
  LIST_METADATA,
  LIST_REVERSE,
  LIST_WITH_PROOF,
  MAX_LISTED_TRANSACTIONS,
  type TransactionId,
  type TransactionId3,
  type TransactionMetadata,
} from '../../../lite/methods/block-transactions.ts';
import { MAX_TRANSACTIONS_PER_PAGE } from '../../../lite/methods/transactions.ts';
import type { ChainStore, OpenBlock } from '../../store/chain-store.ts';
import { findBlock } from './blocks.ts';
import { LiteRefusal, type MethodHandlers, refuse } from './method-context.ts';
import { EMPTY, ProvenTree, readHeader, writeRoot, writeRoots } from './proofs.ts';
import { isValidFullBlockId, loadBlock } from './stored-blocks.ts';

export const transactionMethods = {
  /** An account's transactions from a known one backwards: each refers to the one before it. */
  getTransactions({ store }, request) {
    const { account } = request;
    if (account.workchain === INVALID_WORKCHAIN) refuse('invalid workchain specified');
    const count = Math.min(request.count >>> 0, MAX_TRANSACTIONS_PER_PAGE);
    const ids: BlockId[] = [];
    const results: CellRef[] = [];
    let block: OpenBlock | undefined;
    let { hash } = request;
    for (let lt = BigInt.asUintN(64, request.lt); lt > 0n && results.length < count; ) {
      // Transactions of one account are often in the same block.
      let cell = block === undefined ? -1 : transactionIn(block, account, lt);
      if (cell < 0) {
        block = blockAt(store, account, lt, ids.length === 0);
        if (block === undefined) break;
        cell = transactionIn(block, account, lt);
      }
      if (block === undefined || cell < 0) {
        if (ids.length > 0) break;
        refuse('cannot locate transaction in block with specified logical time');
      }
      if (!block.cells.hash(cell).equals(hash)) refuse('transaction hash mismatch');
      ids.push(block.id);
      results.push({ cells: block.cells, cell });
      ({ hash, lt } = previousOf(block, cell));
    }
    return { ids, transactions: writeRoots(results) };
  },

  /** One transaction of an account in a block, or the proof that there is none. */
  getOneTransaction({ store }, request) {
    const { id, account } = request;
    if (!isValidFullBlockId(id)) refuse('block id in getOneTransaction() is invalid');
    if (account.workchain !== id.workchain || !shardContains(id.shard, accountPrefix(account.hash)))
      refuse('requested account id is not contained in the shard of the specified block');
    const block = loadBlock(store, id);
    const tree = new ProvenTree(block);
    const cell = transactionIn(tree, account, BigInt.asUintN(64, request.lt));
    const transaction = cell < 0 ? EMPTY : writeRoot({ cells: block.cells, cell });
    return { id, proof: tree.toBoc(), transaction };
  },

  listBlockTransactions({ store }, request) {
    const { id, mode, count } = request;
    const tree = new ProvenTree(loadBlock(store, id));
    const list = listTransactions(tree, request);
    const { cells } = tree;

    const idOf = ({ account, lt, cell }: BlockTransaction): TransactionId => {
      const metadata = mode & LIST_METADATA ? messageMetadata(cells, list.extra, cell) : undefined;
      return {
        mode: metadata === undefined ? mode & ~LIST_METADATA : mode,
        account: mode & LIST_ACCOUNT ? account : undefined,
        lt: mode & LIST_LT ? BigInt.asIntN(64, lt) : undefined,
        hash: mode & LIST_HASH ? cells.hash(cell) : undefined,
        metadata,
      };
    };
    const ids = list.transactions.map(idOf);
    const proof = mode & LIST_WITH_PROOF ? tree.toBoc() : EMPTY;
    return { id, reqCount: count, incomplete: !list.complete, ids, proof };
  },

  listBlockTransactionsExt({ store }, request) {
    const { id, mode, count } = request;
    const block = loadBlock(store, id);
    const tree = new ProvenTree(block);
    const list = listTransactions(tree, request);
    if (mode & LIST_METADATA)
      for (const { cell } of list.transactions) {
        const envelope = envelopeOf(tree.cells, list.extra, cell);
        // So that the proof shows it.
        if (envelope >= 0) tree.cells.assertReadable(envelope);
      }
    return {
      id,
      reqCount: count,
      incomplete: !list.complete,
      transactions: writeRoots(list.transactions.map(({ cell }) => ({ cells: block.cells, cell }))),
      proof: mode & (LIST_WITH_PROOF | LIST_METADATA) ? tree.toBoc() : EMPTY,
    };
  },
} satisfies Partial<MethodHandlers>;

/** Bits of a transaction before the hash of the previous one: tag, account, logical time. */
const PREVIOUS_AT = 4 + 256 + 64;

/** The block with a transaction; a missing one is refused if it is the first, else it ends the list. */
function blockAt(store: ChainStore, account: AccountId, lt: bigint, isFirst: boolean): OpenBlock | undefined {
  const place = { workchain: account.workchain, prefix: accountPrefix(account.hash) };
  try {
    return store.open(findBlock(store, place, 'lt', lt));
  } catch (error) {
    if (!(error instanceof LiteRefusal)) throw error;
    if (!isFirst) return undefined;
    refuse(`cannot compute block with specified transaction: ${error.message}`);
  }
}

/** The cell of a transaction in a block, -1 if it is not there. */
function transactionIn(block: CellRef, { hash }: AccountId, lt: bigint): number {
  const { root, info } = readHeader(block);
  if (lt <= info.startLt || lt >= info.endLt) return -1;
  return findTransaction(block.cells, readBlockExtra(block.cells, root.extra).accountBlocks, hash, lt);
}

function previousOf(block: OpenBlock, transaction: number): { hash: Buffer; lt: bigint } {
  const slice = new Slice(block.cells, transaction);
  slice.skip(PREVIOUS_AT);
  return { hash: slice.hash(), lt: slice.uint64() };
}

/** Lists transactions of a block. A full list is complete only if more were wanted. */
function listTransactions(
  { cells, cell }: CellRef,
  {
    mode,
    count,
    after,
  }: { readonly mode: number; readonly count: number; readonly after?: TransactionId3 | undefined },
) {
  const extra = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  const limit = Math.min(count, MAX_LISTED_TRANSACTIONS);
  const transactions: BlockTransaction[] = [];
  if (limit === 0) return { transactions, complete: false, extra };
  const reverse = (mode & LIST_REVERSE) !== 0;
  for (const transaction of iterateTransactions(cells, extra.accountBlocks, { after, reverse })) {
    transactions.push(transaction);
    if (transactions.length >= limit) return { transactions, complete: false, extra };
  }
  return { transactions, complete: true, extra };
}

const HASH_BITS = 256;
/** The reference of a transaction to its messages. */
const MESSAGES = 0;

/** The transaction that a trace started from, where its block says so. */
function messageMetadata(
  cells: Cells,
  extra: BlockExtra,
  transaction: number,
): TransactionMetadata | undefined {
  const envelope = envelopeOf(cells, extra, transaction);
  const metadata = envelope < 0 ? undefined : readMessageEnvelope(cells, envelope).metadata;
  if (metadata === undefined) return undefined;
  const { depth, initiator, initiatorLt } = metadata;
  if (initiator.kind !== 'std') throw new CellError('message metadata without an account');
  const { workchain, hash } = initiator;
  return { mode: 0, depth, initiator: { workchain, hash }, initiatorLt: BigInt.asIntN(64, initiatorLt) };
}

/** The envelope of the inbound message of a transaction, or -1 for one without. */
function envelopeOf(cells: Cells, extra: BlockExtra, transaction: number): number {
  cells.assertReadable(transaction);
  const message = new Slice(cells, cells.ref(transaction, MESSAGES)).maybeRef();
  if (message < 0) return -1;
  const messages = new Slice(cells, extra.inMsgDescr).maybeRef();
  const entry = lookUp(cells, messages, HASH_BITS, cells.hash(message));
  if (entry === undefined) throw new CellError('a block without one of its inbound messages');
  // The import fees.
  entry.coins();
  skipCurrencyCollection(entry);
  const inMsg = readInMsg(entry);
  return inMsg.kind === 'imm' || inMsg.kind === 'fin' || inMsg.kind === 'deferred_fin' ? inMsg.envelope : -1;
}
