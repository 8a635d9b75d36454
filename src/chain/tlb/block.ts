import type { BlockId } from '../block-id.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells, MERKLE_UPDATE, PrunedCellError } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { childShards, parentShard } from '../shards.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import {
  type ExtBlkRef,
  readExtBlkRef,
  readShardIdent,
  writeExtBlkRef,
  writeShardIdent,
} from './block-refs.ts';
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './currency.ts';
import { type MasterchainExtra, readMasterchainExtra } from './masterchain-block.ts';

/** The root of a block: where its four parts are. Proofs often hold one part alone. */
export interface BlockRoot {
  readonly globalId: number;
  readonly info: number;
  readonly valueFlow: number;
  readonly stateUpdate: number;
  readonly extra: number;
}

/** A block; its messages and transactions have readers of their own. */
export interface Block {
  readonly globalId: number;
  readonly info: BlockInfo;
  readonly valueFlow: ValueFlow;
  readonly stateUpdate: StateUpdate;
  readonly extra: BlockExtra;
  readonly masterchain: MasterchainExtra | undefined;
}

const BLOCK = 0x11ef55aa;

/** Reads the root of a block and nothing below it. */
export function readBlockRoot(cells: Cells, cell: number): BlockRoot {
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

/** Reads a block. */
export function readBlock(cells: Cells, cell: number): Block {
  const root = readBlockRoot(cells, cell);
  const extra = readBlockExtra(cells, root.extra);
  return {
    globalId: root.globalId,
    info: readBlockInfo(cells, root.info),
    valueFlow: readValueFlow(cells, root.valueFlow),
    stateUpdate: readStateUpdate(cells, root.stateUpdate),
    extra,
    masterchain: extra.masterchain < 0 ? undefined : readMasterchainExtra(cells, extra.masterchain),
  };
}

/** Makes the root cell of a block from the cells of its parts. */
export function buildBlock(arena: BuildingArena, block: BlockRoot): number {
  const builder = new CellBuilder().uint(BLOCK, 32).int(block.globalId, 32);
  return arena.build(builder.ref(block.info).ref(block.valueFlow).ref(block.stateUpdate).ref(block.extra));
}

/** What a block says about itself. */
export interface BlockInfo {
  readonly version: number;
  readonly notMaster: boolean;
  readonly afterMerge: boolean;
  readonly beforeSplit: boolean;
  readonly afterSplit: boolean;
  readonly wantSplit: boolean;
  readonly wantMerge: boolean;
  readonly keyBlock: boolean;
  readonly vertSeqnoIncr: boolean;
  readonly flags: number;
  readonly seqno: number;
  readonly vertSeqno: number;
  readonly workchain: number;
  /** A signed 64-bit number. */
  readonly shard: bigint;
  readonly genUtime: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** An unsigned number. */
  readonly genValidatorListHashShort: number;
  readonly genCatchainSeqno: number;
  readonly minRefMcSeqno: number;
  readonly prevKeyBlockSeqno: number;
  readonly genSoftware: { readonly version: number; readonly capabilities: bigint } | undefined;
  /** The masterchain block that a shard block builds on. */
  readonly masterRef: ExtBlkRef | undefined;
  /** The block before; after a merge the two blocks before, left shard first. */
  readonly prevRefs: readonly ExtBlkRef[];
  readonly prevVertRef: ExtBlkRef | undefined;
}

const BLOCK_INFO = 0x9bc7a987;
const GLOBAL_VERSION = 0xc4;
const MAX_FLAGS = 1;

/** Reads a BlockInfo. */
export function readBlockInfo(cells: Cells, cell: number): BlockInfo {
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
  if (flags > MAX_FLAGS) throw new CellError('a block header with unknown flags');
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
    genSoftware: flags & 1 ? readSoftware(slice) : undefined,
    masterRef: notMaster ? readExtBlkRef(slice.refSlice()) : undefined,
    prevRefs: readPrevious(slice.refSlice(), afterMerge),
    prevVertRef: vertSeqnoIncr ? readExtBlkRef(slice.refSlice()) : undefined,
  };
}

function readPrevious(slice: Slice, afterMerge: boolean): ExtBlkRef[] {
  if (!afterMerge) return [readExtBlkRef(slice)];
  return [readExtBlkRef(slice.refSlice()), readExtBlkRef(slice.refSlice())];
}

function readSoftware(slice: Slice): BlockInfo['genSoftware'] {
  if (slice.uint(8) !== GLOBAL_VERSION) throw new CellError('not a global version');
  return { version: slice.uint(32), capabilities: slice.uint64() };
}

/** Makes the cell of BlockInfo. */
export function buildBlockInfo(arena: BuildingArena, info: BlockInfo): number {
  const { notMaster, afterMerge, vertSeqnoIncr, flags, genSoftware, masterRef, prevRefs, prevVertRef } = info;
  if (notMaster !== (masterRef !== undefined) || vertSeqnoIncr !== (prevVertRef !== undefined))
    throw new CellError('a block header whose flags do not fit its references');
  if (((flags & 1) !== 0) !== (genSoftware !== undefined) || prevRefs.length !== (afterMerge ? 2 : 1))
    throw new CellError('a block header whose flags do not fit its fields');
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
  if (genSoftware !== undefined)
    builder.uint(GLOBAL_VERSION, 8).uint(genSoftware.version, 32).uint64(genSoftware.capabilities);
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

/** The full names of the blocks before a block: two after a merge, one of the parent shard after a split. */
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

/** What a block did to the state of its shard, as a Merkle update. */
export interface StateUpdate {
  readonly oldHash: Buffer;
  readonly newHash: Buffer;
  readonly oldDepth: number;
  readonly newDepth: number;
  /** The cells of the old and the new state, pruned where nothing changed. */
  readonly old: number;
  readonly new: number;
}

const HASH_BYTES = 32;

/** Reads a MERKLE_UPDATE. That the hashes it names are those of its children is checked when it is hashed. */
export function readStateUpdate(cells: Cells, cell: number): StateUpdate {
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
    old: cells.ref(cell, 0),
    new: cells.ref(cell, 1),
  };
}

/** Where the money of a shard came from and went to in one block. */
export interface ValueFlow {
  readonly fromPrevBlock: CurrencyCollection;
  readonly toNextBlock: CurrencyCollection;
  readonly imported: CurrencyCollection;
  readonly exported: CurrencyCollection;
  readonly feesCollected: CurrencyCollection;
  /** Only in the second version, which came with the burning of fees. */
  readonly burned: CurrencyCollection | undefined;
  readonly feesImported: CurrencyCollection;
  readonly recovered: CurrencyCollection;
  readonly created: CurrencyCollection;
  readonly minted: CurrencyCollection;
}

const VALUE_FLOW = 0xb8e48dfb;
const VALUE_FLOW_V2 = 0x3ebf98b7;

/** Reads a ValueFlow of either version. */
export function readValueFlow(cells: Cells, cell: number): ValueFlow {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(32);
  if (tag !== VALUE_FLOW && tag !== VALUE_FLOW_V2) throw new CellError('not a value flow');
  const blocks = slice.refSlice();
  const feesCollected = readCurrencyCollection(slice);
  const burned = tag === VALUE_FLOW_V2 ? readCurrencyCollection(slice) : undefined;
  const fees = slice.refSlice();
  return {
    fromPrevBlock: readCurrencyCollection(blocks),
    toNextBlock: readCurrencyCollection(blocks),
    imported: readCurrencyCollection(blocks),
    exported: readCurrencyCollection(blocks),
    feesCollected,
    burned,
    feesImported: readCurrencyCollection(fees),
    recovered: readCurrencyCollection(fees),
    created: readCurrencyCollection(fees),
    minted: readCurrencyCollection(fees),
  };
}

/** Makes the cell of ValueFlow: in the second version if it says what was burned. */
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

/** What a block holds: messages, transactions, and in the masterchain more. Cells, to be read by their own readers. */
export interface BlockExtra {
  readonly inMsgDescr: number;
  readonly outMsgDescr: number;
  readonly accountBlocks: number;
  readonly randSeed: Buffer;
  /** The public key of the validator that made the block. */
  readonly createdBy: Buffer;
  /** The cell of McBlockExtra in masterchain blocks, -1 in others. */
  readonly masterchain: number;
}

const BLOCK_EXTRA = 0x4a33f6fd;

/** Reads a BlockExtra. */
export function readBlockExtra(cells: Cells, cell: number): BlockExtra {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== BLOCK_EXTRA) throw new CellError('not the contents of a block');
  return {
    inMsgDescr: slice.ref(),
    outMsgDescr: slice.ref(),
    accountBlocks: slice.ref(),
    randSeed: slice.hash(),
    createdBy: slice.hash(),
    masterchain: slice.maybeRef(),
  };
}

/** Makes the cell of BlockExtra. */
export function buildBlockExtra(arena: BuildingArena, extra: BlockExtra): number {
  const builder = new CellBuilder().uint(BLOCK_EXTRA, 32);
  builder.ref(extra.inMsgDescr).ref(extra.outMsgDescr).ref(extra.accountBlocks);
  builder.hash(extra.randSeed).hash(extra.createdBy).maybeRef(extra.masterchain);
  return arena.build(builder);
}
