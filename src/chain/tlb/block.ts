import type { BlockId } from '../block-id.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells, MERKLE_UPDATE, PrunedCellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { childShards, MAX_PREFIX_BITS, parentShard, shardPrefixBits } from '../shards.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import {
  BOOL,
  type Codec,
  HASH,
  INT32,
  inCell,
  MAYBE_REF,
  REF,
  record,
  tagged,
  UINT32,
  UINT64,
  uint,
  type ValueOf,
  when,
} from './codecs.ts';
import { GLOBAL_VERSION } from './config.ts';
import { CURRENCY_COLLECTION, type CurrencyCollection, writeCurrencyCollection } from './currency.ts';

/** The root of a block: the cells of its four parts. Proofs often contain only one part. */
const BLOCK = tagged('block#11ef55aa', 'not a block', {
  globalId: INT32,
  info: REF,
  valueFlow: REF,
  stateUpdate: REF,
  extra: REF,
});

export type BlockRoot = ValueOf<typeof BLOCK>;

export const { open: readBlockRoot, build: buildBlock } = BLOCK;

// shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent;

/** A shard of a workchain; `shard` is a signed 64-bit number. */
export interface ShardIdent {
  readonly workchain: number;
  readonly shard: bigint;
}

export const SHARD_IDENT: Codec<ShardIdent> = { read: readShardIdent, write: writeShardIdent };

function readShardIdent(slice: Slice): ShardIdent {
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

function writeShardIdent(builder: CellBuilder, { workchain, shard }: ShardIdent): void {
  const prefixBits = shardPrefixBits(shard);
  const prefix = BigInt.asUintN(64, shard) ^ (1n << BigInt(63 - prefixBits));
  builder.uint(0b00, 2).uint(prefixBits, 6).int(workchain, 32).uint64(prefix);
}

/** A reference to a block of a chain that is known from the context: an ExtBlkRef, BlkMasterInfo or BlkPrevInfo 0. */
export const EXT_BLK_REF = record({ endLt: UINT64, seqno: UINT32, rootHash: HASH, fileHash: HASH });

export type ExtBlkRef = ValueOf<typeof EXT_BLK_REF>;

// prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0;
// prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;

const TWO_BLOCKS = record({ left: inCell(EXT_BLK_REF), right: inCell(EXT_BLK_REF) });

const PREVIOUS: Codec<readonly ExtBlkRef[]> = {
  read(slice, { afterMerge }) {
    if (!afterMerge) return [EXT_BLK_REF.read(slice.refSlice())];
    const { left, right } = TWO_BLOCKS.read(slice.refSlice());
    return [left, right];
  },
  write(builder, [left, right], arena) {
    builder.ref(
      right === undefined ? EXT_BLK_REF.build(arena, left!) : TWO_BLOCKS.build(arena, { left: left!, right }),
    );
  },
};

const BLOCK_INFO = tagged('block_info#9bc7a987', 'not a block header', {
  version: UINT32,
  notMaster: BOOL,
  afterMerge: BOOL,
  beforeSplit: BOOL,
  afterSplit: BOOL,
  wantSplit: BOOL,
  wantMerge: BOOL,
  keyBlock: BOOL,
  vertSeqnoIncr: BOOL,
  flags: uint(8, 1, 'block header has unknown flags'),
  seqno: UINT32,
  vertSeqno: UINT32,
  '...': SHARD_IDENT,
  genUtime: UINT32,
  startLt: UINT64,
  endLt: UINT64,
  genValidatorListHashShort: UINT32,
  genCatchainSeqno: UINT32,
  minRefMcSeqno: UINT32,
  prevKeyBlockSeqno: UINT32,
  genSoftware: when('flags', GLOBAL_VERSION),
  /** The masterchain block that a shard block refers to. */
  masterRef: when('notMaster', inCell(EXT_BLK_REF)),
  /** The previous block; after a merge both previous blocks, left shard first. */
  prevRefs: PREVIOUS,
  prevVertRef: when('vertSeqnoIncr', inCell(EXT_BLK_REF)),
});

export type BlockInfo = ValueOf<typeof BLOCK_INFO>;

export const readBlockInfo = BLOCK_INFO.open;

export function buildBlockInfo(arena: BuildingArena, info: BlockInfo): number {
  const { notMaster, afterMerge, vertSeqnoIncr, flags, genSoftware, masterRef, prevRefs, prevVertRef } = info;
  if (notMaster !== (masterRef !== undefined) || vertSeqnoIncr !== (prevVertRef !== undefined))
    throw new CellError('flags of a block header do not match its references');
  if (((flags & 1) !== 0) !== (genSoftware !== undefined) || prevRefs.length !== (afterMerge ? 2 : 1))
    throw new CellError('flags of a block header do not match its fields');
  return BLOCK_INFO.build(arena, info);
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

// value_flow#b8e48dfb ^[ … ] fees_collected:CurrencyCollection ^[ … ] = ValueFlow;
// value_flow_v2#3ebf98b7 is the same with burned:CurrencyCollection after fees_collected.

const BLOCK_FLOW = record({
  fromPrevBlock: CURRENCY_COLLECTION,
  toNextBlock: CURRENCY_COLLECTION,
  imported: CURRENCY_COLLECTION,
  exported: CURRENCY_COLLECTION,
});
const FEE_FLOW = record({
  feesImported: CURRENCY_COLLECTION,
  recovered: CURRENCY_COLLECTION,
  created: CURRENCY_COLLECTION,
  minted: CURRENCY_COLLECTION,
});

/** Where the value in a shard came from and went to in one block. */
export interface ValueFlow extends ValueOf<typeof BLOCK_FLOW>, ValueOf<typeof FEE_FLOW> {
  readonly feesCollected: CurrencyCollection;
  /** Only in version 2, which came with the burning of fees. */
  readonly burned: CurrencyCollection | undefined;
}

export const VALUE_FLOW = 0xb8e48dfb;
export const VALUE_FLOW_V2 = 0x3ebf98b7;

/** Builds the cell of a ValueFlow: version 2 if `burned` is set. */
export function buildValueFlow(arena: BuildingArena, flow: ValueFlow): number {
  const { feesCollected, burned } = flow;
  const builder = new CellBuilder().uint(burned === undefined ? VALUE_FLOW : VALUE_FLOW_V2, 32);
  writeCurrencyCollection(builder.ref(BLOCK_FLOW.build(arena, flow)), feesCollected);
  if (burned !== undefined) writeCurrencyCollection(builder, burned);
  return arena.build(builder.ref(FEE_FLOW.build(arena, flow)));
}

/** The contents of a block: the cells of its messages, transactions and masterchain extra. */
const BLOCK_EXTRA = tagged('block_extra#4a33f6fd', 'not a block extra', {
  inMsgDescr: REF,
  outMsgDescr: REF,
  accountBlocks: REF,
  randSeed: HASH,
  /** The public key of the validator that created the block. */
  createdBy: HASH,
  /** The cell of McBlockExtra in masterchain blocks, otherwise -1. */
  masterchain: MAYBE_REF,
});

export type BlockExtra = ValueOf<typeof BLOCK_EXTRA>;

export const { open: readBlockExtra, build: buildBlockExtra } = BLOCK_EXTRA;
