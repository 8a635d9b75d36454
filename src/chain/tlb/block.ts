import type { BlockId } from '../block-id.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells, MERKLE_UPDATE, PrunedCellError } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { childShards, MAX_PREFIX_BITS, parentShard, shardPrefixBits } from '../shards.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readGlobalVersionAt, writeGlobalVersion } from './config.ts';
import { type CurrencyCollection, writeCurrencyCollection } from './currency.ts';

/** The root of a block: the cells of its four parts. Proofs often contain only one part. */
export type BlockRoot = Readonly<ReturnType<typeof readBlockRoot>>;

// block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow
//   state_update:^(MERKLE_UPDATE ShardState) extra:^BlockExtra = Block;
const BLOCK = 0x11ef55aa;

/** Reads the root of a block without its parts. */
export function readBlockRoot(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== BLOCK) throw new CellError('not a block');
  return {
    globalId: slice.int(32),
    info: slice.ref(),
    valueFlow: slice.ref(),
    stateUpdate: slice.ref(),
    extra: slice.ref(),
  };
}

/** Builds the root cell of a block from the cells of its parts. */
export function buildBlock(arena: BuildingArena, block: BlockRoot): number {
  const builder = new CellBuilder().uint(BLOCK, 32).int(block.globalId, 32);
  return arena.build(builder.ref(block.info).ref(block.valueFlow).ref(block.stateUpdate).ref(block.extra));
}

// block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
//   want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) { flags <= 1 }
//   seq_no:# vert_seq_no:# shard:ShardIdent gen_utime:uint32 start_lt:uint64 end_lt:uint64
//   gen_validator_list_hash_short:uint32 gen_catchain_seqno:uint32 min_ref_mc_seqno:uint32
//   prev_key_block_seqno:uint32 gen_software:flags . 0?GlobalVersion master_ref:not_master?^BlkMasterInfo
//   prev_ref:^(BlkPrevInfo after_merge) prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo;
// prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0;
// prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;
// master_info$_ master:ExtBlkRef = BlkMasterInfo;

/** The header of a block. */
export type BlockInfo = Readonly<ReturnType<typeof readBlockInfo>>;

const BLOCK_INFO = 0x9bc7a987;
const MAX_FLAGS = 1;

/** Reads a BlockInfo. */
export function readBlockInfo(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== BLOCK_INFO) throw new CellError('not a block header');
  const version = slice.uint(32);
  const notMaster = slice.boolean();
  const afterMerge = slice.boolean();
  const beforeSplit = slice.boolean();
  const afterSplit = slice.boolean();
  const wantSplit = slice.boolean();
  const wantMerge = slice.boolean();
  const keyBlock = slice.boolean();
  const vertSeqnoIncr = slice.boolean();
  const flags = slice.uint(8);
  if (flags > MAX_FLAGS) throw new CellError('block header has unknown flags');
  return {
    version,
    notMaster,
    afterMerge,
    beforeSplit,
    afterSplit,
    wantSplit,
    wantMerge,
    keyBlock,
    vertSeqnoIncr,
    flags,
    seqno: slice.uint(32),
    vertSeqno: slice.uint(32),
    ...readShardIdent(slice),
    genUtime: slice.uint(32),
    startLt: slice.uint64(),
    endLt: slice.uint64(),
    genValidatorListHashShort: slice.uint(32),
    genCatchainSeqno: slice.uint(32),
    minRefMcSeqno: slice.uint(32),
    prevKeyBlockSeqno: slice.uint(32),
    genSoftware: flags & 1 ? readGlobalVersionAt(slice) : undefined,
    /** The masterchain block that a shard block refers to. */
    masterRef: notMaster ? readExtBlkRef(slice.refSlice()) : undefined,
    /** The previous block; after a merge both previous blocks, left shard first. */
    prevRefs: readPrevious(slice.refSlice(), afterMerge),
    prevVertRef: vertSeqnoIncr ? readExtBlkRef(slice.refSlice()) : undefined,
  };
}

function readPrevious(slice: Slice, afterMerge: boolean): readonly ExtBlkRef[] {
  if (!afterMerge) return [readExtBlkRef(slice)];
  return [readExtBlkRef(slice.refSlice()), readExtBlkRef(slice.refSlice())];
}

/** Builds the cell of a BlockInfo. */
export function buildBlockInfo(arena: BuildingArena, info: BlockInfo): number {
  const { notMaster, afterMerge, vertSeqnoIncr, flags, genSoftware, masterRef, prevRefs, prevVertRef } = info;
  if (notMaster !== (masterRef !== undefined) || vertSeqnoIncr !== (prevVertRef !== undefined))
    throw new CellError('flags of a block header do not match its references');
  if (((flags & 1) !== 0) !== (genSoftware !== undefined) || prevRefs.length !== (afterMerge ? 2 : 1))
    throw new CellError('flags of a block header do not match its fields');
  const refs = [
    ...(masterRef === undefined ? [] : [buildRef(arena, masterRef)]),
    buildPrevious(arena, prevRefs),
    ...(prevVertRef === undefined ? [] : [buildRef(arena, prevVertRef)]),
  ];
  const builder = new CellBuilder().uint(BLOCK_INFO, 32).uint(info.version, 32);
  builder.boolean(notMaster).boolean(afterMerge).boolean(info.beforeSplit).boolean(info.afterSplit);
  builder.boolean(info.wantSplit).boolean(info.wantMerge).boolean(info.keyBlock).boolean(vertSeqnoIncr);
  builder.uint(flags, 8).uint(info.seqno, 32).uint(info.vertSeqno, 32);
  writeShardIdent(builder, info);
  builder.uint(info.genUtime, 32).uint64(info.startLt).uint64(info.endLt);
  builder.uint(info.genValidatorListHashShort, 32).uint(info.genCatchainSeqno, 32);
  builder.uint(info.minRefMcSeqno, 32).uint(info.prevKeyBlockSeqno, 32);
  if (genSoftware !== undefined) writeGlobalVersion(builder, genSoftware);
  for (const cell of refs) builder.ref(cell);
  return arena.build(builder);
}

function buildPrevious(arena: BuildingArena, prevRefs: readonly ExtBlkRef[]): number {
  const cells = prevRefs.map((ref) => buildRef(arena, ref));
  return cells.length === 1 ? cells[0]! : arena.build(new CellBuilder().ref(cells[0]!).ref(cells[1]!));
}

function buildRef(arena: BuildingArena, ref: ExtBlkRef): number {
  const builder = new CellBuilder();
  writeExtBlkRef(builder, ref);
  return arena.build(builder);
}

/** The ids of the previous blocks: two after a merge, one of the parent shard after a split. */
export function previousBlocks(info: BlockInfo): BlockId[] {
  const { workchain, shard, afterMerge, afterSplit } = info;
  const shards = afterMerge ? childShards(shard) : [afterSplit ? parentShard(shard) : shard];
  return info.prevRefs.map(({ seqno, rootHash, fileHash }, i) => ({
    workchain,
    shard: shards[i]!,
    seqno,
    rootHash,
    fileHash,
  }));
}

// !merkle_update#04 {X:Type} old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X
//   = MERKLE_UPDATE X;

/** The Merkle update of a shard's state by a block. */
export type StateUpdate = Readonly<ReturnType<typeof readStateUpdate>>;

const HASH_BYTES = 32;

/** Reads a MERKLE_UPDATE. That its hashes match its children is checked when it is hashed. */
export function readStateUpdate(cells: Cells, cell: number) {
  if (cells.isPruned(cell)) throw new PrunedCellError();
  if (cells.kind(cell) !== MERKLE_UPDATE) throw new CellError('not a Merkle update');
  const { bytes } = cells;
  const oldAt = cells.starts[cell]! + 1;
  const newAt = oldAt + HASH_BYTES;
  const depthsAt = newAt + HASH_BYTES;
  return {
    oldHash: bytes.subarray(oldAt, newAt),
    newHash: bytes.subarray(newAt, depthsAt),
    oldDepth: bytes.readUInt16BE(depthsAt),
    newDepth: bytes.readUInt16BE(depthsAt + 2),
    /** The roots of the old and the new state, pruned where nothing changed. */
    old: cells.ref(cell, 0),
    new: cells.ref(cell, 1),
  };
}

// value_flow#b8e48dfb ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection
//   imported:CurrencyCollection exported:CurrencyCollection ] fees_collected:CurrencyCollection
//   ^[ fees_imported:CurrencyCollection recovered:CurrencyCollection created:CurrencyCollection
//   minted:CurrencyCollection ] = ValueFlow;
// value_flow_v2#3ebf98b7 is the same with burned:CurrencyCollection after fees_collected.

/** Where the value in a shard came from and went to in one block. */
export interface ValueFlow {
  readonly fromPrevBlock: CurrencyCollection;
  readonly toNextBlock: CurrencyCollection;
  readonly imported: CurrencyCollection;
  readonly exported: CurrencyCollection;
  readonly feesCollected: CurrencyCollection;
  /** Only in version 2, which came with the burning of fees. */
  readonly burned: CurrencyCollection | undefined;
  readonly feesImported: CurrencyCollection;
  readonly recovered: CurrencyCollection;
  readonly created: CurrencyCollection;
  readonly minted: CurrencyCollection;
}

export const VALUE_FLOW = 0xb8e48dfb;
export const VALUE_FLOW_V2 = 0x3ebf98b7;

/** Builds the cell of a ValueFlow: version 2 if `burned` is set. */
export function buildValueFlow(arena: BuildingArena, flow: ValueFlow): number {
  const { fromPrevBlock, toNextBlock, imported, exported, feesCollected, burned } = flow;
  const blocks = buildAmounts(arena, [fromPrevBlock, toNextBlock, imported, exported]);
  const fees = buildAmounts(arena, [flow.feesImported, flow.recovered, flow.created, flow.minted]);
  const builder = new CellBuilder().uint(burned === undefined ? VALUE_FLOW : VALUE_FLOW_V2, 32).ref(blocks);
  writeCurrencyCollection(builder, feesCollected);
  if (burned !== undefined) writeCurrencyCollection(builder, burned);
  return arena.build(builder.ref(fees));
}

function buildAmounts(arena: BuildingArena, amounts: readonly CurrencyCollection[]): number {
  const builder = new CellBuilder();
  for (const amount of amounts) writeCurrencyCollection(builder, amount);
  return arena.build(builder);
}

// block_extra#4a33f6fd in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks
//   rand_seed:bits256 created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra;

/** The contents of a block: the cells of its messages, transactions and masterchain extra. */
export type BlockExtra = Readonly<ReturnType<typeof readBlockExtra>>;

const BLOCK_EXTRA = 0x4a33f6fd;

/** Reads a BlockExtra. */
export function readBlockExtra(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== BLOCK_EXTRA) throw new CellError('not a block extra');
  return {
    inMsgDescr: slice.ref(),
    outMsgDescr: slice.ref(),
    accountBlocks: slice.ref(),
    randSeed: slice.hash(),
    /** The public key of the validator that created the block. */
    createdBy: slice.hash(),
    /** The cell of McBlockExtra in masterchain blocks, otherwise -1. */
    masterchain: slice.maybeRef(),
  };
}

/** Builds the cell of a BlockExtra. */
export function buildBlockExtra(arena: BuildingArena, extra: BlockExtra): number {
  const builder = new CellBuilder().uint(BLOCK_EXTRA, 32);
  builder.ref(extra.inMsgDescr).ref(extra.outMsgDescr).ref(extra.accountBlocks);
  builder.hash(extra.randSeed).hash(extra.createdBy).maybeRef(extra.masterchain);
  return arena.build(builder);
}

// shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent;

/** A shard of a workchain; `shard` is a signed 64-bit number. */
export interface ShardIdent {
  readonly workchain: number;
  readonly shard: bigint;
}

/** Reads a ShardIdent. */
export function readShardIdent(slice: Slice): ShardIdent {
  if (slice.uint(2) !== 0) throw new CellError('unknown tag of a shard id');
  const prefixBits = slice.uint(6);
  if (prefixBits > MAX_PREFIX_BITS) throw new CellError('shard prefix is too long');
  const workchain = slice.int(32);
  const end = 1n << BigInt(63 - prefixBits);
  const prefix = slice.uint64();
  // The one that ends the prefix may be there already: some zero states have it.
  if ((prefix & (end - 1n)) !== 0n) throw new CellError('shard prefix has bits after its end');
  return { workchain, shard: BigInt.asIntN(64, prefix | end) };
}

/** Writes a ShardIdent. */
export function writeShardIdent(builder: CellBuilder, { workchain, shard }: ShardIdent): void {
  const prefixBits = shardPrefixBits(shard);
  const prefix = BigInt.asUintN(64, shard) ^ (1n << BigInt(63 - prefixBits));
  builder.uint(0b00, 2).uint(prefixBits, 6).int(workchain, 32).uint64(prefix);
}

// ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef;

/** A reference to a block of a chain that is known from the context. */
export type ExtBlkRef = Readonly<ReturnType<typeof readExtBlkRef>>;

/** Reads an ExtBlkRef. */
export function readExtBlkRef(slice: Slice) {
  return { endLt: slice.uint64(), seqno: slice.uint(32), rootHash: slice.hash(), fileHash: slice.hash() };
}

/** Writes an ExtBlkRef. */
export function writeExtBlkRef(builder: CellBuilder, { endLt, seqno, rootHash, fileHash }: ExtBlkRef): void {
  builder.uint64(endLt).uint(seqno, 32).hash(rootHash).hash(fileHash);
}
