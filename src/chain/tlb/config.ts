import type { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type DictionaryCodec, int32Key, lookUp, readDictionary } from './dictionary.ts';

// _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams;

const INDEX_BITS = 32;

/**
 * The cell of a config param, or -1 when the configuration does not have it. `root` is the root of the
 * dictionary of params (Hashmap 32 ^Cell); an index may be negative.
 */
export function configParam(cells: Cells, root: number, index: number): number {
  return lookUp(cells, root, INDEX_BITS, int32Key(index))?.ref() ?? -1;
}

/** The cells of config params by number. */
export const CONFIG: DictionaryCodec<number> = {
  keyBits: INDEX_BITS,
  write: (builder, cell) => builder.ref(cell),
};

// _ config_addr:bits256 = ConfigParam 0;
// _ elector_addr:bits256 = ConfigParam 1;
// _ minter_addr:bits256 = ConfigParam 2;
// _ fee_collector_addr:bits256 = ConfigParam 3;
// _ dns_root_addr:bits256 = ConfigParam 4;

/** The special accounts of the masterchain: account ids, undefined where not set. */
export type ConfigAddresses = Readonly<ReturnType<typeof readConfigAddresses>>;

/** Reads config params 0 to 4. The minter defaults to the configuration contract, the fee collector to the elector. */
export function readConfigAddresses(cells: Cells, root: number) {
  const config = readConfigAddress(cells, root, 0);
  const elector = readConfigAddress(cells, root, 1);
  return {
    config,
    elector,
    minter: readConfigAddress(cells, root, 2) ?? config,
    feeCollector: readConfigAddress(cells, root, 3) ?? elector,
    dnsRoot: readConfigAddress(cells, root, 4),
  };
}

/** Reads one of config params 0 to 4; undefined where it is missing. */
export function readConfigAddress(cells: Cells, root: number, index: 0 | 1 | 2 | 3 | 4): Buffer | undefined {
  const cell = configParam(cells, root, index);
  return cell < 0 ? undefined : new Slice(cells, cell).hash();
}

// _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31;

/** Reads config param 31: the accounts that pay no fees. */
export function readFundamentalAddresses(cells: Cells, cell: number): Buffer[] {
  return readDictionary(cells, new Slice(cells, cell).maybeRef(), 256, (id) => id);
}

// capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion;
// _ GlobalVersion = ConfigParam 8;

/** Config param 8: the protocol version. Both fields are 0 without the param. */
export type GlobalVersion = Readonly<ReturnType<typeof readGlobalVersionAt>>;

const GLOBAL_VERSION_TAG = 0xc4;

/** Reads config param 8. */
export function readGlobalVersion(cells: Cells, cell: number): GlobalVersion {
  return readGlobalVersionAt(new Slice(cells, cell));
}

/** Reads a GlobalVersion inside another record. */
export function readGlobalVersionAt(slice: Slice) {
  if (slice.uint(8) !== GLOBAL_VERSION_TAG) throw new CellError('unknown tag of a global version');
  return { version: slice.uint(32), capabilities: slice.uint64() };
}

/** Writes a GlobalVersion. */
export function writeGlobalVersion(builder: CellBuilder, { version, capabilities }: GlobalVersion): void {
  builder.uint(GLOBAL_VERSION_TAG, 8).uint(version, 32).uint64(capabilities);
}

// block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;
// block_limits_v2#5e bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits collated_data:ParamLimits
//   imported_msg_queue:ImportedMsgQueueLimits = BlockLimits;
// param_limits#c3 underload:# soft_limit:# hard_limit:# = ParamLimits;
// imported_msg_queue_limits#d3 max_bytes:# max_msgs:# = ImportedMsgQueueLimits;

/** Config params 22 (masterchain) and 23: the size limits of blocks. */
export type BlockLimits = Readonly<ReturnType<typeof readBlockLimits>>;

/** Three thresholds of one measure. */
export type ParamLimits = Readonly<ReturnType<typeof readParamLimits>>;

const BLOCK_LIMITS_TAG = 0x5d;
const TAG_V2 = 0x5e;
const PARAM_TAG = 0xc3;
const QUEUE_TAG = 0xd3;

/** Reads config param 22 or 23. */
export function readBlockLimits(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== BLOCK_LIMITS_TAG && tag !== TAG_V2) throw new CellError('unknown tag of block limits');
  return {
    bytes: readParamLimits(slice),
    gas: readParamLimits(slice),
    ltDelta: readParamLimits(slice),
    /** Undefined in the older version. */
    collatedData: tag === TAG_V2 ? readParamLimits(slice) : undefined,
    importedMsgQueue: tag === TAG_V2 ? readQueueLimits(slice) : undefined,
  };
}

function readParamLimits(slice: Slice) {
  if (slice.uint(8) !== PARAM_TAG) throw new CellError('unknown tag of a block limit');
  return { underload: slice.uint(32), softLimit: slice.uint(32), hardLimit: slice.uint(32) };
}

/** How much of another shard's queue a block may import. */
function readQueueLimits(slice: Slice) {
  if (slice.uint(8) !== QUEUE_TAG) throw new CellError('unknown tag of a queue limit');
  return { maxBytes: slice.uint(32), maxMsgs: slice.uint(32) };
}

// size_limits_config#01 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32 max_vm_data_depth:uint16
//   max_ext_msg_size:uint32 max_ext_msg_depth:uint16 = SizeLimitsConfig;
// size_limits_config_v2#02 adds max_acc_state_cells:uint32 max_mc_acc_state_cells:uint32
//   max_acc_public_libraries:uint32 defer_out_queue_size_limit:uint32 max_msg_extra_currencies:uint32
//   max_acc_fixed_prefix_length:uint8 acc_state_cells_for_storage_dict:uint32 ...

const NEWEST_VERSION = 3;

/** Reads config param 43: the size limits of messages and accounts. Fields missing in an older version are undefined. */
export function readSizeLimits(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const form = slice.uint(8);
  if (form < 1 || form > NEWEST_VERSION) throw new CellError('unknown tag of size limits');
  return {
    maxMsgBits: slice.uint(32),
    maxMsgCells: slice.uint(32),
    maxLibraryCells: slice.uint(32),
    maxVmDataDepth: slice.uint(16),
    maxExtMsgSize: slice.uint(32),
    maxExtMsgDepth: slice.uint(16),
    accounts: form >= 2 ? readAccountLimits(slice) : undefined,
    maxTotalMsgBits: form >= 3 ? slice.uint(32) : undefined,
    maxTotalMsgCells: form >= 3 ? slice.uint(32) : undefined,
  };
}

/** The fields of version 2. Those after the first four were added later, and a configuration may end before them. */
function readAccountLimits(slice: Slice) {
  return {
    maxAccStateCells: slice.uint(32),
    maxMcAccStateCells: slice.uint(32),
    maxAccPublicLibraries: slice.uint(32),
    deferOutQueueSizeLimit: slice.uint(32),
    maxMsgExtraCurrencies: readIfLeft(slice, 32),
    maxAccFixedPrefixLength: readIfLeft(slice, 8),
    accStateCellsForStorageDict: readIfLeft(slice, 32),
    maxTransactionLibraryLoads: readIfLeft(slice, 1) ? slice.uint(32) : undefined,
  };
}

function readIfLeft(slice: Slice, bits: number): number | undefined {
  return slice.bitsLeft > 0 ? slice.uint(bits) : undefined;
}

// suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList;

/** Config param 44: addresses that must not be deployed until a time. */
type SuspendedAddresses = Readonly<ReturnType<typeof readSuspendedAddresses>>;

const ADDRESS_BITS = 32 + 256;

/** Reads config param 44. */
export function readSuspendedAddresses(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== 0) throw new CellError('unknown tag of a list of suspended addresses');
  return {
    /** The root of the dictionary by workchain and account id, or -1. */
    root: slice.maybeRef(),
    /** Unix time. */
    until: slice.uint(32),
  };
}

/** Whether an address is on the list; the time is not checked. */
export function isSuspended(
  cells: Cells,
  suspended: SuspendedAddresses,
  workchain: number,
  id: Buffer,
): boolean {
  const key = Buffer.allocUnsafe(4 + 32);
  key.writeInt32BE(workchain);
  id.copy(key, 4);
  return lookUp(cells, suspended.root, ADDRESS_BITS, key) !== undefined;
}

// catchain_config#c1 mc_catchain_lifetime:uint32 shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32
//   shard_validators_num:uint32 = CatchainConfig;
// catchain_config_new#c2 flags:(## 7) { flags = 0 } shuffle_mc_validators:Bool mc_catchain_lifetime:uint32
//   shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32 shard_validators_num:uint32 = CatchainConfig;

/** Config param 28: how validator groups are chosen, and their lifetimes in seconds. */
export type CatchainConfig = Readonly<ReturnType<typeof readCatchainConfig>>;

/** The defaults of a node without config param 28. */
export const DEFAULT_CATCHAIN_CONFIG: CatchainConfig = {
  shuffleMcValidators: false,
  mcCatchainLifetime: 200,
  shardCatchainLifetime: 200,
  shardValidatorsLifetime: 3000,
  shardValidatorsNum: 7,
};

const OLD_TAG = 0xc1;
const CONSENSUS_TAG = 0xc2;

/** Reads config param 28. */
export function readCatchainConfig(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== CONSENSUS_TAG && tag !== OLD_TAG)
    throw new CellError('unknown tag of a catchain configuration');
  if (tag === CONSENSUS_TAG) slice.skip(7);
  return {
    shuffleMcValidators: tag === CONSENSUS_TAG && slice.boolean(),
    mcCatchainLifetime: slice.uint(32),
    shardCatchainLifetime: slice.uint(32),
    shardValidatorsLifetime: slice.uint(32),
    shardValidatorsNum: slice.uint(32),
  };
}

// _ validators_elected_for:uint32 elections_start_before:uint32 elections_end_before:uint32 stake_held_for:uint32
//   = ConfigParam 15;
// _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16) = ConfigParam 16;
// _ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17;

/** Config params 15 to 17: the rules of elections. Times are in seconds, stakes in nanotons. */
export type ElectionRules = Readonly<ReturnType<typeof readElectionRules>>;

/** Reads config params 15, 16 and 17; `root` is the root of the dictionary of params. */
export function readElectionRules(cells: Cells, root: number) {
  const open = (index: number): Slice => {
    const cell = configParam(cells, root, index);
    if (cell < 0) throw new CellError(`the configuration has no param ${index}`);
    return new Slice(cells, cell);
  };
  const [times, counts, stakes] = [open(15), open(16), open(17)];
  // Fields are in read order: an object literal evaluates them from top to bottom.
  return {
    electedFor: times.uint(32),
    startBefore: times.uint(32),
    endBefore: times.uint(32),
    stakeHeldFor: times.uint(32),
    maxValidators: counts.uint(16),
    maxMainValidators: counts.uint(16),
    minValidators: counts.uint(16),
    minStake: stakes.coins(),
    maxStake: stakes.coins(),
    minTotalStake: stakes.coins(),
    /** 65536 is 1. */
    maxStakeFactor: stakes.uint(32),
  };
}

// _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12;
// workchain#a6 enabled_since:uint32 monitor_min_split:(## 8) min_split:(## 8) max_split:(## 8) basic:(## 1)
//   active:Bool accept_msgs:Bool flags:(## 13) { flags = 0 } zerostate_root_hash:bits256
//   zerostate_file_hash:bits256 version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
// workchain_v2#a7 is the same followed by split_merge_timings:WcSplitMergeTimings
//   persistent_state_split_depth:(## 8).

/** A workchain of config param 12. */
export type WorkchainDescr = Readonly<ReturnType<typeof readWorkchain>>;

const WORKCHAIN_TAG = 0xa6;
const WORKCHAIN_TAG_V2 = 0xa7;
const FLAG_BITS = 13;

/** Reads config param 12. */
export function readWorkchains(cells: Cells, cell: number): WorkchainDescr[] {
  const root = new Slice(cells, cell).maybeRef();
  return readDictionary(cells, root, 32, (key, value) => readWorkchain(key.readInt32BE(), value));
}

function readWorkchain(workchain: number, slice: Slice) {
  const tag = slice.uint(8);
  if (tag !== WORKCHAIN_TAG && tag !== WORKCHAIN_TAG_V2) throw new CellError('unknown tag of a workchain');
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
    splitMergeTimings: tag === WORKCHAIN_TAG_V2 ? readTimings(slice) : undefined,
    persistentStateSplitDepth: tag === WORKCHAIN_TAG_V2 ? slice.uint(8) : undefined,
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
