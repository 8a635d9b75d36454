import { WHOLE_SHARD } from '../block-id.ts';
import { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { shardHalves } from '../tlb/block-shard.ts';
import type { FutureSplitMerge, ShardDescr } from '../tlb/shard-hashes-descr.ts';
import { writeCurrencyCollection } from './currency.ts';
import { Dictionary } from './dictionary.ts';
import type { DictionaryForm } from './dictionary-form.ts';

const SHARD_DESCR_NEW = 0xa;

/** Trees of shards by workchain. */
const SHARD_HASHES: DictionaryForm<number> = {
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
    if (byShard.size !== 0) throw new CellFault('shards that overlap');
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
  if (byShard.size === 0 || shard & 1n) throw new CellFault('shards with a gap between them');
  const [left, right] = shardHalves(shard);
  const leftTree = buildTree(arena, byShard, left);
  const rightTree = buildTree(arena, byShard, right);
  return arena.build(new CellBuilder().boolean(true).ref(leftTree).ref(rightTree));
}

function buildLeaf(arena: BuildingArena, descr: ShardDescr): number {
  if (descr.sums === undefined) throw new CellFault('a shard without its sums');
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
