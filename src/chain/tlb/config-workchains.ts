import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { walkDictionary } from './dictionary.ts';

/** A workchain of parameter 12. */
export interface WorkchainDescr {
  readonly workchain: number;
  readonly enabledSince: number;
  readonly monitorMinSplit: number;
  readonly minSplit: number;
  readonly maxSplit: number;
  readonly active: boolean;
  readonly acceptMsgs: boolean;
  readonly zeroStateRootHash: Buffer;
  readonly zeroStateFileHash: Buffer;
  readonly version: number;
  readonly format: WorkchainFormat;
  /** Undefined in the older form. */
  readonly splitMergeTimings: SplitMergeTimings | undefined;
  readonly persistentStateSplitDepth: number | undefined;
}

/** How accounts of a workchain are named and run. */
export type WorkchainFormat =
  | { readonly kind: 'basic'; readonly vmVersion: number; readonly vmMode: bigint }
  | {
      readonly kind: 'extended';
      readonly minAddressBits: number;
      readonly maxAddressBits: number;
      readonly addressBitsStep: number;
      readonly typeId: number;
    };

/** When shards split and merge; seconds. */
export interface SplitMergeTimings {
  readonly delay: number;
  readonly interval: number;
  readonly minInterval: number;
  readonly maxDelay: number;
}

const TAG = 0xa6;
const TAG_V2 = 0xa7;
const FLAG_BITS = 13;

/** Reads parameter 12. */
export function readWorkchains(cells: Cells, cell: number): WorkchainDescr[] {
  const workchains: WorkchainDescr[] = [];
  const root = new Slice(cells, cell).maybeRef();
  if (root >= 0)
    walkDictionary(cells, root, 32, (key, value) => {
      workchains.push(readWorkchain(key.readInt32BE(), value));
    });
  return workchains;
}

function readWorkchain(workchain: number, slice: Slice): WorkchainDescr {
  const tag = slice.uint(8);
  if (tag !== TAG && tag !== TAG_V2) throw new CellError('a workchain of an unknown form');
  const enabledSince = slice.uint(32);
  const monitorMinSplit = slice.uint(8);
  const minSplit = slice.uint(8);
  const maxSplit = slice.uint(8);
  const basic = slice.boolean();
  const active = slice.boolean();
  const acceptMsgs = slice.boolean();
  slice.skip(FLAG_BITS);
  return {
    workchain,
    enabledSince,
    monitorMinSplit,
    minSplit,
    maxSplit,
    active,
    acceptMsgs,
    zeroStateRootHash: slice.hash(),
    zeroStateFileHash: slice.hash(),
    version: slice.uint(32),
    format: readFormat(slice, basic),
    splitMergeTimings: tag === TAG_V2 ? readTimings(slice) : undefined,
    persistentStateSplitDepth: tag === TAG_V2 ? slice.uint(8) : undefined,
  };
}

function readFormat(slice: Slice, basic: boolean): WorkchainFormat {
  if (slice.uint(4) !== (basic ? 1 : 0)) throw new CellError('a workchain format of an unknown form');
  if (basic) return { kind: 'basic', vmVersion: slice.int(32), vmMode: slice.uint64() };
  return {
    kind: 'extended',
    minAddressBits: slice.uint(12),
    maxAddressBits: slice.uint(12),
    addressBitsStep: slice.uint(12),
    typeId: slice.uint(32),
  };
}

function readTimings(slice: Slice): SplitMergeTimings {
  if (slice.uint(4) !== 0) throw new CellError('split and merge timings of an unknown form');
  return {
    delay: slice.uint(32),
    interval: slice.uint(32),
    minInterval: slice.uint(32),
    maxDelay: slice.uint(32),
  };
}
