import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { readDictionary } from './dictionary.ts';

// _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12;
// workchain#a6 enabled_since:uint32 monitor_min_split:(## 8) min_split:(## 8) max_split:(## 8) basic:(## 1)
//   active:Bool accept_msgs:Bool flags:(## 13) { flags = 0 } zerostate_root_hash:bits256
//   zerostate_file_hash:bits256 version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
// workchain_v2#a7 is the same followed by split_merge_timings:WcSplitMergeTimings
//   persistent_state_split_depth:(## 8).

/** A workchain of config param 12. */
export type WorkchainDescr = Readonly<ReturnType<typeof readWorkchain>>;

const TAG = 0xa6;
const TAG_V2 = 0xa7;
const FLAG_BITS = 13;

/** Reads config param 12. */
export function readWorkchains(cells: Cells, cell: number): WorkchainDescr[] {
  const root = new Slice(cells, cell).maybeRef();
  return readDictionary(cells, root, 32, (key, value) => readWorkchain(key.readInt32BE(), value));
}

function readWorkchain(workchain: number, slice: Slice) {
  const tag = slice.uint(8);
  if (tag !== TAG && tag !== TAG_V2) throw new CellError('unknown tag of a workchain');
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
    /** Undefined in the older version. */
    splitMergeTimings: tag === TAG_V2 ? readTimings(slice) : undefined,
    persistentStateSplitDepth: tag === TAG_V2 ? slice.uint(8) : undefined,
  };
}

// wfmt_basic#1 vm_version:int32 vm_mode:uint64 = WorkchainFormat 1;
// wfmt_ext#0 min_addr_len:(## 12) max_addr_len:(## 12) addr_len_step:(## 12) workchain_type_id:(## 32)
//   = WorkchainFormat 0;

/** The address format and virtual machine of a workchain. */
function readFormat(slice: Slice, basic: boolean) {
  if (slice.uint(4) !== (basic ? 1 : 0)) throw new CellError('unknown tag of a workchain format');
  if (basic) return { kind: 'basic' as const, vmVersion: slice.int(32), vmMode: slice.uint64() };
  return {
    kind: 'extended' as const,
    minAddressBits: slice.uint(12),
    maxAddressBits: slice.uint(12),
    addressBitsStep: slice.uint(12),
    typeId: slice.uint(32),
  };
}

// wc_split_merge_timings#0 split_merge_delay:uint32 split_merge_interval:uint32 min_split_merge_interval:uint32
//   max_split_merge_delay:uint32 = WcSplitMergeTimings;

/** Timings of shard splits and merges in seconds. */
function readTimings(slice: Slice) {
  if (slice.uint(4) !== 0) throw new CellError('unknown tag of split and merge timings');
  return {
    delay: slice.uint(32),
    interval: slice.uint(32),
    minInterval: slice.uint(32),
    maxDelay: slice.uint(32),
  };
}
