import type { AccountId } from '../../../chain/address.ts';
import { type BlockId, INVALID_WORKCHAIN } from '../../../chain/block-id.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { accountPrefix, shardContains } from '../../../chain/shards.ts';
import { findTransaction } from '../../../chain/tlb/account-blocks.ts';
import { readBlockExtra } from '../../../chain/tlb/block.ts';
import { MAX_TRANSACTIONS_PER_PAGE } from '../../../lite/methods/transactions.ts';
import type { ChainStore, OpenBlock } from '../../store/chain-store.ts';
import { findBlock } from './lookups.ts';
import { LiteRefusal, type MethodHandler, refuse } from './method-context.ts';
import { EMPTY, ProvenTree, readHeader, writeRoot, writeRoots } from './proofs.ts';
import { isValidFullBlockId, loadBlock } from './stored-blocks.ts';

/** Bits of a transaction before the hash of the previous one: tag, account, logical time. */
const PREVIOUS_AT = 4 + 256 + 64;

/** An account's transactions from a known one backwards: each refers to the one before it. */
export const getTransactions: MethodHandler<'getTransactions'> = ({ store }, request) => {
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
    results.push({ cells: block.cells, cell: cell });
    ({ hash, lt } = previousOf(block, cell));
  }
  return { ids, transactions: writeRoots(results) };
};

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

function transactionIn(block: OpenBlock, account: AccountId, lt: bigint): number {
  const { root, info } = readHeader(block);
  if (lt <= info.startLt || lt >= info.endLt) return -1;
  return findTransaction(
    block.cells,
    readBlockExtra(block.cells, root.extra).accountBlocks,
    account.hash,
    lt,
  );
}

function previousOf(block: OpenBlock, transaction: number): { hash: Buffer; lt: bigint } {
  const slice = new Slice(block.cells, transaction);
  slice.skip(PREVIOUS_AT);
  return { hash: slice.hash(), lt: slice.uint64() };
}

/** One transaction of an account in a block, or the proof that there is none. */
export const getOneTransaction: MethodHandler<'getOneTransaction'> = ({ store }, request) => {
  const { id, account } = request;
  if (!isValidFullBlockId(id)) refuse('block id in getOneTransaction() is invalid');
  if (account.workchain !== id.workchain || !shardContains(id.shard, accountPrefix(account.hash)))
    refuse('requested account id is not contained in the shard of the specified block');
  const block = loadBlock(store, id);
  const tree = new ProvenTree(block);
  const { root, info } = readHeader(tree);
  const lt = BigInt.asUintN(64, request.lt);
  const isInside = lt > info.startLt && lt < info.endLt;
  const result = isInside
    ? findTransaction(tree.cells, readBlockExtra(tree.cells, root.extra).accountBlocks, account.hash, lt)
    : -1;
  const transaction = result < 0 ? EMPTY : writeRoot({ cells: block.cells, cell: result });
  return { id, proof: tree.toBoc(), transaction };
};
