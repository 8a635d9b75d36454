import { CellFault } from '../boc/cell-fault.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import type { ShardIdent } from './shard-ident.ts';

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
export interface ShardSums {
  readonly feesCollected: CurrencyCollection;
  readonly fundsCreated: CurrencyCollection;
}

/** The tag says whether the sums stand in the cell itself or in one of their own. */
const SHARD_DESCR = 0xb;
const SHARD_DESCR_NEW = 0xa;

/** Reads a ShardDescr of either form. */
export function readShardDescr(slice: Slice, { workchain, shard }: ShardIdent): ShardDescr {
  const tag = slice.uint(4);
  if (tag !== SHARD_DESCR && tag !== SHARD_DESCR_NEW) throw new CellFault('not the description of a shard');
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
