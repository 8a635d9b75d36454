import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { childShards, lowestBit, MAX_PREFIX_BITS } from '../shards.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { ShardIdent } from './block.ts';
import { readCurrencyCollection, writeCurrencyCollection } from './currency.ts';
import {
  Dictionary,
  type DictionaryCodec,
  int32Key,
  lookUp,
  type OnPruned,
  readDictionary,
} from './dictionary.ts';

// _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes;
// bt_leaf$0 {X:Type} leaf:X = BinTree X;
// bt_fork$1 {X:Type} left:^(BinTree X) right:^(BinTree X) = BinTree X;

const WORKCHAIN_BITS = 32;

/**
 * Reads the shards of all workchains from the root of ShardHashes, which is -1 when empty. Workchains are in
 * ascending order, their shards from left to right. Pruned parts throw, or are skipped on request.
 */
export function readShardHashes(cells: Cells, root: number, onPruned: OnPruned = 'throw'): ShardDescr[] {
  const readTree = (key: Buffer, value: Slice) => ({ workchain: key.readInt32BE(0), tree: value.ref() });
  const trees = readDictionary(cells, root, WORKCHAIN_BITS, readTree, onPruned);
  // The dictionary sorts negative workchains last.
  trees.sort((a, b) => a.workchain - b.workchain);
  const shards: ShardDescr[] = [];
  const walk = (cell: number, workchain: number, shard: bigint, prefixBits: number): void => {
    if (onPruned === 'skip' && cells.isPruned(cell)) return;
    const slice = new Slice(cells, cell);
    if (!slice.boolean()) {
      // Each shard has its own cell, so more shards than cells are an attack with shared cells.
      if (shards.length === cells.count) throw new CellError('shard tree shares cells');
      shards.push(readShardDescr(slice, { workchain, shard }));
      return;
    }
    if (prefixBits === MAX_PREFIX_BITS) throw new CellError('shard tree is too deep');
    const [left, right] = childShards(shard);
    walk(slice.ref(), workchain, left, prefixBits + 1);
    walk(slice.ref(), workchain, right, prefixBits + 1);
  };
  for (const { workchain, tree } of trees) walk(tree, workchain, WHOLE_SHARD, 0);
  return shards;
}

/** A shard in ShardHashes, and the cell of its description. */
export interface FoundShard {
  readonly cells: Cells;
  readonly cell: number;
  readonly descr: ShardDescr;
}

/**
 * Finds the shard that contains another one, or with `exact` that one itself, below the root of ShardHashes (-1 when
 * empty). Opens only the cells on the path; a pruned one throws.
 */
export function findShard(
  cells: Cells,
  root: number,
  { workchain, shard }: ShardIdent,
  exact: boolean,
): FoundShard | undefined {
  if (workchain === MASTERCHAIN || root < 0 || shard === 0n) return undefined;
  const slice = lookUp(cells, root, WORKCHAIN_BITS, int32Key(workchain));
  if (slice === undefined) return undefined;
  slice.open(slice.ref());
  const wanted = BigInt.asUintN(64, shard);
  for (let at = WHOLE_SHARD; ; ) {
    if (!slice.boolean()) {
      if (exact && at !== shard) return undefined;
      return { cells, cell: slice.cell, descr: readShardDescr(slice, { workchain, shard: at }) };
    }
    if (at === shard) return undefined;
    const lowest = lowestBit(at);
    if (lowest === 1n) throw new CellError('shard tree is too deep');
    const [left, right] = [slice.ref(), slice.ref()];
    const goRight = (wanted & lowest) !== 0n;
    slice.open(goRight ? right : left);
    at = childShards(at)[goRight ? 1 : 0];
  }
}

/** Trees of shards by workchain. */
const SHARD_HASHES: DictionaryCodec<number> = {
  keyBits: WORKCHAIN_BITS,
  write: (builder, tree) => builder.ref(tree),
};

/** Builds the dictionary of ShardHashes from shards in any order; returns its root, -1 without shards. */
export function buildShardHashes(arena: BuildingArena, shards: readonly ShardDescr[]): number {
  const byWorkchain = Map.groupBy(shards, ({ workchain }) => workchain);
  const dictionary = new Dictionary(arena, SHARD_HASHES);
  let root = -1;
  for (const [workchain, list] of byWorkchain) {
    const byShard = new Map(list.map((descr) => [descr.shard, descr]));
    root = dictionary.set(root, int32Key(workchain), buildTree(arena, byShard, WHOLE_SHARD));
    if (byShard.size !== 0) throw new CellError('shards overlap');
  }
  return root;
}

/** The subtree for a shard, split or not; removes the shards that it uses from the map. */
function buildTree(arena: BuildingArena, byShard: Map<bigint, ShardDescr>, shard: bigint): number {
  const descr = byShard.get(shard);
  if (descr !== undefined) {
    byShard.delete(shard);
    return buildLeaf(arena, descr);
  }
  if (byShard.size === 0 || shard & 1n) throw new CellError('gap between shards');
  const [left, right] = childShards(shard);
  const leftTree = buildTree(arena, byShard, left);
  const rightTree = buildTree(arena, byShard, right);
  return arena.build(new CellBuilder().boolean(true).ref(leftTree).ref(rightTree));
}

// shard_descr_new#a seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64 root_hash:bits256
//   file_hash:bits256 before_split:Bool before_merge:Bool want_split:Bool want_merge:Bool nx_cc_updated:Bool
//   flags:(## 3) { flags = 0 } next_catchain_seqno:uint32 next_validator_shard:uint64 min_ref_mc_seqno:uint32
//   gen_utime:uint32 split_merge_at:FutureSplitMerge
//   ^[ fees_collected:CurrencyCollection funds_created:CurrencyCollection ] = ShardDescr;
// shard_descr#b is the same with the two amounts in the cell itself.

/** The latest block of a shard that is registered in the masterchain. */
export type ShardDescr = Readonly<ReturnType<typeof readShardDescr>>;

/** Fees that a shard collected and rewards it created since it was last registered in the masterchain. */
type ShardSums = Readonly<ReturnType<typeof readSums>>;

/** The tag says whether the sums stand in the cell itself or in one of their own. */
const SHARD_DESCR = 0xb;

const SHARD_DESCR_NEW = 0xa;

function readShardDescr(slice: Slice, { workchain, shard }: ShardIdent) {
  const tag = slice.uint(4);
  if (tag !== SHARD_DESCR && tag !== SHARD_DESCR_NEW) throw new CellError('not a shard description');
  return {
    workchain,
    /** A signed 64-bit number. */
    shard,
    seqno: slice.uint(32),
    regMcSeqno: slice.uint(32),
    startLt: slice.uint64(),
    endLt: slice.uint64(),
    rootHash: slice.hash(),
    fileHash: slice.hash(),
    beforeSplit: slice.boolean(),
    beforeMerge: slice.boolean(),
    wantSplit: slice.boolean(),
    wantMerge: slice.boolean(),
    nxCcUpdated: slice.boolean(),
    flags: slice.uint(3),
    nextCatchainSeqno: slice.uint(32),
    /** A signed 64-bit number. */
    nextValidatorShard: slice.int64(),
    minRefMcSeqno: slice.uint(32),
    genUtime: slice.uint(32),
    splitMergeAt: readSplitMerge(slice),
    /** Undefined where pruned. */
    sums: tag === SHARD_DESCR ? readSums(slice) : readSumsCell(slice),
  };
}

function readSumsCell(slice: Slice): ShardSums | undefined {
  const cell = slice.ref();
  return slice.cells.isPruned(cell) ? undefined : readSums(new Slice(slice.cells, cell));
}

function readSums(slice: Slice) {
  return { feesCollected: readCurrencyCollection(slice), fundsCreated: readCurrencyCollection(slice) };
}

function buildLeaf(arena: BuildingArena, descr: ShardDescr): number {
  if (descr.sums === undefined) throw new CellError('shard description without its fees and funds');
  const sums = new CellBuilder();
  writeCurrencyCollection(sums, descr.sums.feesCollected);
  writeCurrencyCollection(sums, descr.sums.fundsCreated);
  const sumsCell = arena.build(sums);
  const builder = new CellBuilder().boolean(false).uint(SHARD_DESCR_NEW, 4);
  builder.uint(descr.seqno, 32).uint(descr.regMcSeqno, 32).uint64(descr.startLt).uint64(descr.endLt);
  builder.hash(descr.rootHash).hash(descr.fileHash);
  builder.boolean(descr.beforeSplit).boolean(descr.beforeMerge);
  builder.boolean(descr.wantSplit).boolean(descr.wantMerge);
  builder.boolean(descr.nxCcUpdated).uint(descr.flags, 3);
  builder.uint(descr.nextCatchainSeqno, 32).int64(descr.nextValidatorShard);
  builder.uint(descr.minRefMcSeqno, 32).uint(descr.genUtime, 32);
  writeSplitMerge(builder, descr.splitMergeAt);
  return arena.build(builder.ref(sumsCell));
}

/** The id of the latest block of a shard. */
export function topBlock({ workchain, shard, seqno, rootHash, fileHash }: ShardDescr): BlockId {
  return { workchain, shard, seqno, rootHash, fileHash };
}

// fsm_none$0 = FutureSplitMerge;
// fsm_split$10 split_utime:uint32 interval:uint32 = FutureSplitMerge;
// fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge;

/** When a shard will split or merge. */
export interface FutureSplitMerge {
  readonly kind: 'split' | 'merge';
  readonly utime: number;
  readonly interval: number;
}

function readSplitMerge(slice: Slice): FutureSplitMerge | undefined {
  if (!slice.boolean()) return undefined;
  const kind = slice.boolean() ? 'merge' : 'split';
  return { kind, utime: slice.uint(32), interval: slice.uint(32) };
}

function writeSplitMerge(builder: CellBuilder, plan: FutureSplitMerge | undefined): void {
  builder.boolean(plan !== undefined);
  if (plan !== undefined)
    builder
      .boolean(plan.kind === 'merge')
      .uint(plan.utime, 32)
      .uint(plan.interval, 32);
}
