import { type Cell, Dictionary, type Slice } from '@ton/core';
import type { BlockId } from '../../chain/block-id.ts';
import { type ChainState, readShownStates } from './chain-state.ts';
import { type ChainTransaction, readChainTransaction } from './chain-transaction.ts';
import { augmented, readAmount, readBytes } from './core-readers.ts';

/** A block as the chain has it. */
export interface ChainBlock {
  readonly id: BlockId;
  /** Columns of `blocks` that its header and extra part say. */
  readonly columns: Readonly<Record<string, unknown>>;
  readonly genUtime: number;
  readonly isKey: boolean;
  readonly previous: readonly BlockId[];
  /** The newest blocks of all shards; of a masterchain block. */
  readonly tops: readonly BlockId[];
  /** By account, then lt. */
  readonly transactions: readonly ChainTransaction[];
  readonly before: ReadonlyMap<string, ChainState>;
  readonly after: ReadonlyMap<string, ChainState>;
}

/** Reads a block whose root is known to be that of its name. */
export function readChainBlock(id: BlockId, root: Cell): ChainBlock {
  if (!root.hash().equals(id.rootHash)) throw new Error('a block with another root hash than its name');
  const slice = root.beginParse();
  slice.skip(32);
  const globalId = slice.loadInt(32);
  const [infoCell, , update, extraCell] = root.refs as [Cell, Cell, Cell, Cell];
  const { columns, previous } = readHeader(infoCell, id);
  const extra = extraCell.beginParse();
  extra.skip(32);
  const transactions = readTransactions(extraCell.refs[2]!);
  const seeds = { rand_seed: readBytes(extra), created_by: readBytes(extra) };
  const custom = extra.loadBit() ? extraCell.refs[3]! : undefined;
  return {
    ...{ id, previous, transactions, tops: custom === undefined ? [] : readTops(custom) },
    columns: { global_id: globalId, ...columns, ...seeds, tx_count: transactions.length },
    ...{ genUtime: columns.gen_utime, isKey: columns.key_block },
    ...{ before: readShownStates(update.refs[0]!), after: readShownStates(update.refs[1]!) },
  };
}

function readHeader(cell: Cell, { workchain, shard, seqno }: BlockId) {
  const slice = cell.beginParse();
  slice.skip(32);
  const version = slice.loadUint(32);
  const bit = () => slice.loadBit();
  const isShard = bit();
  const marks = {
    after_merge: bit(),
    before_split: bit(),
    after_split: bit(),
    want_split: bit(),
    want_merge: bit(),
  };
  const kinds = { key_block: bit(), vert_seqno_incr: bit() };
  const flags = slice.loadUint(8);
  if (slice.loadUint(32) !== seqno) throw new Error('a block with another seqno than its name');
  const vertSeqno = slice.loadUint(32);
  slice.skip(104);
  const numbers = {
    gen_utime: slice.loadUint(32),
    start_lt: slice.loadUintBig(64),
    end_lt: slice.loadUintBig(64),
    validator_list_hash_short: slice.loadInt(32),
    gen_catchain_seqno: slice.loadUint(32),
    min_ref_mc_seqno: slice.loadUint(32),
    prev_key_block_seqno: slice.loadUint(32),
  };
  const masterRef = isShard ? readReference(cell.refs[0]!.beginParse()).seqno : 0;
  const prevCell = cell.refs[isShard ? 1 : 0]!;
  const parts = marks.after_merge ? prevCell.refs.map((ref) => ref.beginParse()) : [prevCell.beginParse()];
  const shards = previousShards(shard, marks.after_split, marks.after_merge);
  const previous = parts.map((part, i) => ({ workchain, shard: shards[i]!, ...readReference(part) }));
  const columns = {
    ...{ version, ...marks, ...kinds, flags, vert_seqno: vertSeqno, ...numbers, master_ref_seqno: masterRef },
    prev_shards: previous.map((block) => block.shard),
    prev_seqnos: previous.map((block) => block.seqno),
  };
  return { columns, previous };
}

function readReference(slice: Slice) {
  slice.skip(64);
  return { seqno: slice.loadUint(32), rootHash: readBytes(slice), fileHash: readBytes(slice) };
}

/** The lowest bit that is set says where the prefix of a shard ends. */
function previousShards(shard: bigint, isAfterSplit: boolean, isAfterMerge: boolean): bigint[] {
  const low = shard & -shard & 0xffffffffffffffffn;
  const signed = (value: bigint) => BigInt.asIntN(64, value);
  if (isAfterSplit) return [signed((shard & ~low) | (low << 1n))];
  if (isAfterMerge) return [signed(shard - (low >> 1n)), signed(shard + (low >> 1n))];
  return [shard];
}

function readTransactions(accountBlocks: Cell): ChainTransaction[] {
  const root = accountBlocks.beginParse().loadMaybeRef();
  if (root === null) return [];
  const ofAccount = (slice: Slice) => {
    slice.skip(4 + 256);
    return augmented(slice, 64, readAmount, (leaf) => readChainTransaction(leaf.loadRef()));
  };
  const accounts = augmented(root.beginParse(), 256, readAmount, ofAccount);
  return accounts.flatMap(([, transactions]) => transactions.map(([, transaction]) => transaction));
}

function readTops(custom: Cell): BlockId[] {
  const slice = custom.beginParse();
  slice.skip(16 + 1);
  const trees = slice.loadDict(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  const tops: BlockId[] = [];
  for (const [workchain, tree] of trees) readTree(tree.beginParse(), workchain, 0n, 1n << 63n, tops);
  return tops;
}

/** A binary tree of shards; `half` is the bit that ends the prefix. */
function readTree(slice: Slice, workchain: number, prefix: bigint, half: bigint, tops: BlockId[]): void {
  if (slice.loadBit()) {
    readTree(slice.loadRef().beginParse(), workchain, prefix, half >> 1n, tops);
    readTree(slice.loadRef().beginParse(), workchain, prefix | half, half >> 1n, tops);
    return;
  }
  slice.skip(4);
  const seqno = slice.loadUint(32);
  slice.skip(32 + 64 + 64);
  const shard = BigInt.asIntN(64, prefix | half);
  tops.push({ workchain, shard, seqno, rootHash: readBytes(slice), fileHash: readBytes(slice) });
}
