import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { childShards } from '../shards.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { ShardIdent } from './block-refs.ts';
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './currency.ts';
import { Dictionary, type DictionaryCodec, lookUp, type OnPruned, walkDictionary } from './dictionary.ts';

const WORKCHAIN_BITS = 32;
const MAX_PREFIX_BITS = 60;

/**
 * Reads the shards of all workchains from the root of ShardHashes, which is -1 when there are none. Workchains are in
 * ascending order, shards of one from left to right. Parts that a proof leaves out throw, or are skipped if asked.
 */
export function readShardHashes(cells: Cells, root: number, onPruned: OnPruned = 'throw'): ShardDescr[] {
  const trees: { workchain: number; tree: number }[] = [];
  if (root >= 0)
    walkDictionary(
      cells,
      root,
      WORKCHAIN_BITS,
      (key, value) => trees.push({ workchain: key.readInt32BE(0), tree: value.ref() }),
      onPruned,
    );
  // The dictionary sorts negative workchains last.
  trees.sort((a, b) => a.workchain - b.workchain);
  const found: ShardDescr[] = [];
  const walk = (cell: number, workchain: number, shard: bigint, prefixBits: number): void => {
    if (onPruned === 'skip' && cells.isPruned(cell)) return;
    const slice = new Slice(cells, cell);
    if (!slice.boolean()) {
      // Each shard has a cell of its own, so more shards than cells are a trap made of shared cells.
      if (found.length === cells.count) throw new CellError('a tree of shards with shared parts');
      found.push(readShardDescr(slice, { workchain, shard }));
      return;
    }
    if (prefixBits === MAX_PREFIX_BITS) throw new CellError('a tree of shards that is too deep');
    const [left, right] = childShards(shard);
    walk(slice.ref(), workchain, left, prefixBits + 1);
    walk(slice.ref(), workchain, right, prefixBits + 1);
  };
  for (const { workchain, tree } of trees) walk(tree, workchain, WHOLE_SHARD, 0);
  return found;
}

const SHARD_DESCR_NEW = 0xa;

/** Trees of shards by workchain. */
const SHARD_HASHES: DictionaryCodec<number> = {
  keyBits: 32,
  write: (builder, tree) => builder.ref(tree),
};

/** Makes the dictionary of ShardHashes and gives its root, -1 without shards. Shards are in any order. */
export function buildShardHashes(arena: BuildingArena, shards: readonly ShardDescr[]): number {
  const byWorkchain = Map.groupBy(shards, ({ workchain }) => workchain);
  const dictionary = new Dictionary(arena, SHARD_HASHES);
  let root = -1;
  for (const [workchain, list] of byWorkchain) {
    const key = Buffer.allocUnsafe(4);
    key.writeInt32BE(workchain);
    const byShard = new Map(list.map((descr) => [descr.shard, descr]));
    root = dictionary.set(root, key, buildTree(arena, byShard, WHOLE_SHARD));
    if (byShard.size !== 0) throw new CellError('shards that overlap');
  }
  return root;
}

/** The part of the tree for a shard that is split or not; takes the shards that it uses out of the map. */
function buildTree(arena: BuildingArena, byShard: Map<bigint, ShardDescr>, shard: bigint): number {
  const descr = byShard.get(shard);
  if (descr !== undefined) {
    byShard.delete(shard);
    return buildLeaf(arena, descr);
  }
  if (byShard.size === 0 || shard & 1n) throw new CellError('shards with a gap between them');
  const [left, right] = childShards(shard);
  const leftTree = buildTree(arena, byShard, left);
  const rightTree = buildTree(arena, byShard, right);
  return arena.build(new CellBuilder().boolean(true).ref(leftTree).ref(rightTree));
}

function buildLeaf(arena: BuildingArena, descr: ShardDescr): number {
  if (descr.sums === undefined) throw new CellError('a shard without its sums');
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

function writeSplitMerge(builder: CellBuilder, plan: FutureSplitMerge | undefined): void {
  builder.boolean(plan !== undefined);
  if (plan !== undefined)
    builder
      .boolean(plan.kind === 'merge')
      .uint(plan.utime, 32)
      .uint(plan.interval, 32);
}

/** The newest block of a shard that the masterchain knows. */
export interface ShardDescr {
  readonly workchain: number;
  /** A signed 64-bit number. */
  readonly shard: bigint;
  readonly seqno: number;
  readonly regMcSeqno: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
  readonly beforeSplit: boolean;
  readonly beforeMerge: boolean;
  readonly wantSplit: boolean;
  readonly wantMerge: boolean;
  readonly nxCcUpdated: boolean;
  readonly flags: number;
  readonly nextCatchainSeqno: number;
  /** A signed 64-bit number. */
  readonly nextValidatorShard: bigint;
  readonly minRefMcSeqno: number;
  readonly genUtime: number;
  readonly splitMergeAt: FutureSplitMerge | undefined;
  /** Undefined where a proof leaves the sums out. */
  readonly sums: ShardSums | undefined;
}

/** When a shard will split or merge. */
export interface FutureSplitMerge {
  readonly kind: 'split' | 'merge';
  readonly utime: number;
  readonly interval: number;
}

/** Fees that a shard collected and rewards it created since it was last in a masterchain block. */
interface ShardSums {
  readonly feesCollected: CurrencyCollection;
  readonly fundsCreated: CurrencyCollection;
}

/** The tag says whether the sums stand in the cell itself or in one of their own. */
const SHARD_DESCR = 0xb;

/** Reads a ShardDescr of either form. */
function readShardDescr(slice: Slice, { workchain, shard }: ShardIdent): ShardDescr {
  const tag = slice.uint(4);
  if (tag !== SHARD_DESCR && tag !== SHARD_DESCR_NEW) throw new CellError('not the description of a shard');
  return {
    workchain,
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
    nextValidatorShard: slice.int64(),
    minRefMcSeqno: slice.uint(32),
    genUtime: slice.uint(32),
    splitMergeAt: readSplitMerge(slice),
    sums: tag === SHARD_DESCR ? readSums(slice) : readSumsCell(slice),
  };
}

function readSplitMerge(slice: Slice): FutureSplitMerge | undefined {
  if (!slice.boolean()) return undefined;
  const kind = slice.boolean() ? 'merge' : 'split';
  return { kind, utime: slice.uint(32), interval: slice.uint(32) };
}

function readSumsCell(slice: Slice): ShardSums | undefined {
  const cell = slice.ref();
  return slice.cells.isPruned(cell) ? undefined : readSums(new Slice(slice.cells, cell));
}

function readSums(slice: Slice): ShardSums {
  return { feesCollected: readCurrencyCollection(slice), fundsCreated: readCurrencyCollection(slice) };
}

/** A shard that the masterchain names, and the cell that says so. */
export interface FoundShard {
  readonly cells: Cells;
  readonly cell: number;
  readonly descr: ShardDescr;
}

/**
 * Finds the shard that holds another one, or with `exact` that one itself, below the root of ShardHashes (-1 when
 * empty). Opens the cells on the way only; one that a proof leaves out throws.
 */
export function findShard(
  cells: Cells,
  root: number,
  { workchain, shard }: ShardIdent,
  exact: boolean,
): FoundShard | undefined {
  if (workchain === MASTERCHAIN || root < 0 || shard === 0n) return undefined;
  const key = Buffer.allocUnsafe(4);
  key.writeInt32BE(workchain);
  const slice = lookUp(cells, root, 32, key);
  if (slice === undefined) return undefined;
  slice.open(slice.ref());
  const wanted = BigInt.asUintN(64, shard);
  for (let at = WHOLE_SHARD; ; ) {
    if (!slice.boolean()) {
      if (exact && at !== shard) return undefined;
      return { cells, cell: slice.cell, descr: readShardDescr(slice, { workchain, shard: at }) };
    }
    if (at === shard) return undefined;
    const lowest = BigInt.asUintN(64, at & -at);
    if (lowest === 1n) throw new CellError('a tree of shards that is too deep');
    const [left, right] = [slice.ref(), slice.ref()];
    const goRight = (wanted & lowest) !== 0n;
    slice.open(goRight ? right : left);
    at = childShards(at)[goRight ? 1 : 0];
  }
}

/** The name of the newest block of a shard. */
export function topBlock({ workchain, shard, seqno, rootHash, fileHash }: ShardDescr): BlockId {
  return { workchain, shard, seqno, rootHash, fileHash };
}
