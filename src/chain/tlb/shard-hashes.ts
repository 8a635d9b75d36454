import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { childShards, lowestBit, MAX_PREFIX_BITS } from '../shards.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { ShardIdent } from './block.ts';
import { BOOL, HASH, INT64, maybe, record, UINT32, UINT64, uint, type ValueOf } from './codecs.ts';
import { CURRENCY_COLLECTION } from './currency.ts';
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

/**
 * Finds the shard that contains another one, or with `exact` that one itself, below the root of ShardHashes (-1 when
 * empty). Opens only the cells on the path; a pruned one throws.
 */
export function findShard(cells: Cells, root: number, { workchain, shard }: ShardIdent, exact: boolean) {
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

/** When a shard will split or merge. */
const FUTURE_SPLIT_MERGE = record({
  kind: {
    read: (slice: Slice) => (slice.boolean() ? 'merge' : 'split'),
    write: (builder: CellBuilder, kind: 'merge' | 'split') => builder.boolean(kind === 'merge'),
  },
  utime: UINT32,
  interval: UINT32,
});

export type FutureSplitMerge = ValueOf<typeof FUTURE_SPLIT_MERGE>;

/** Fees that a shard collected and rewards it created since it was last registered in the masterchain. */
const SHARD_SUMS = record({ feesCollected: CURRENCY_COLLECTION, fundsCreated: CURRENCY_COLLECTION });

// shard_descr_new#a has the sums in a cell of their own, shard_descr#b in its own cell.
const SHARD_DESCR = 0xb;
const SHARD_DESCR_NEW = 0xa;

const SHARD_DESCR_FIELDS = record({
  seqno: UINT32,
  regMcSeqno: UINT32,
  startLt: UINT64,
  endLt: UINT64,
  rootHash: HASH,
  fileHash: HASH,
  beforeSplit: BOOL,
  beforeMerge: BOOL,
  wantSplit: BOOL,
  wantMerge: BOOL,
  nxCcUpdated: BOOL,
  flags: uint(3),
  nextCatchainSeqno: UINT32,
  /** A signed 64-bit number. */
  nextValidatorShard: INT64,
  minRefMcSeqno: UINT32,
  genUtime: UINT32,
  splitMergeAt: maybe(FUTURE_SPLIT_MERGE),
});

/** The latest block of a shard that is registered in the masterchain. */
export interface ShardDescr extends ShardIdent, ValueOf<typeof SHARD_DESCR_FIELDS> {
  /** Undefined where pruned. */
  readonly sums: ValueOf<typeof SHARD_SUMS> | undefined;
}

function readShardDescr(slice: Slice, { workchain, shard }: ShardIdent): ShardDescr {
  const tag = slice.uint(4);
  if (tag !== SHARD_DESCR && tag !== SHARD_DESCR_NEW) throw new CellError('not a shard description');
  const fields = SHARD_DESCR_FIELDS.read(slice);
  if (tag === SHARD_DESCR) return { workchain, shard, ...fields, sums: SHARD_SUMS.read(slice) };
  const cell = slice.ref();
  const sums = slice.cells.isPruned(cell) ? undefined : SHARD_SUMS.open(slice.cells, cell);
  return { workchain, shard, ...fields, sums };
}

function buildLeaf(arena: BuildingArena, descr: ShardDescr): number {
  if (descr.sums === undefined) throw new CellError('shard description without its fees and funds');
  const builder = new CellBuilder().boolean(false).uint(SHARD_DESCR_NEW, 4);
  SHARD_DESCR_FIELDS.write(builder, descr, arena);
  return arena.build(builder.ref(SHARD_SUMS.build(arena, descr.sums)));
}

export function topBlock({ workchain, shard, seqno, rootHash, fileHash }: ShardDescr): BlockId {
  return { workchain, shard, seqno, rootHash, fileHash };
}
