import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { BOOL, COINS, MAYBE_REF, record, tagged, UINT32, UINT64, uint, type ValueOf } from './codecs.ts';
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

/** Config param 8: the protocol version. Both fields are 0 without the param. */
export const GLOBAL_VERSION = tagged('capabilities#c4', 'unknown tag of a global version', {
  version: UINT32,
  capabilities: UINT64,
});

export type GlobalVersion = ValueOf<typeof GLOBAL_VERSION>;

export const readGlobalVersion = GLOBAL_VERSION.open;

// block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;
// block_limits_v2#5e is the same followed by collated_data:ParamLimits imported_msg_queue:ImportedMsgQueueLimits.

/** Three thresholds of one measure. */
const PARAM_LIMITS = tagged('param_limits#c3', 'unknown tag of a block limit', {
  underload: UINT32,
  softLimit: UINT32,
  hardLimit: UINT32,
});
export type ParamLimits = ValueOf<typeof PARAM_LIMITS>;

/** How much of another shard's queue a block may import. */
const QUEUE_LIMITS = tagged('imported_msg_queue_limits#d3', 'unknown tag of a queue limit', {
  maxBytes: UINT32,
  maxMsgs: UINT32,
});

/** Config params 22 (masterchain) and 23: the size limits of blocks. */
export type BlockLimits = Readonly<ReturnType<typeof readBlockLimits>>;

const BLOCK_LIMITS_TAG = 0x5d;
const TAG_V2 = 0x5e;

export function readBlockLimits(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== BLOCK_LIMITS_TAG && tag !== TAG_V2) throw new CellError('unknown tag of block limits');
  return {
    bytes: PARAM_LIMITS.read(slice),
    gas: PARAM_LIMITS.read(slice),
    ltDelta: PARAM_LIMITS.read(slice),
    /** Undefined in the older version. */
    collatedData: tag === TAG_V2 ? PARAM_LIMITS.read(slice) : undefined,
    importedMsgQueue: tag === TAG_V2 ? QUEUE_LIMITS.read(slice) : undefined,
  };
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

/** Config param 44: addresses that must not be deployed until a time. */
const SUSPENDED_ADDRESSES = tagged(
  'suspended_address_list#00',
  'unknown tag of a list of suspended addresses',
  {
    /** The root of the dictionary by workchain and account id, or -1. */
    root: MAYBE_REF,
    /** Unix time. */
    until: UINT32,
  },
);

export const readSuspendedAddresses = SUSPENDED_ADDRESSES.open;

const ADDRESS_BITS = 32 + 256;

/** Whether an address is on the list; the time is not checked. */
export function isSuspended(
  cells: Cells,
  suspended: ValueOf<typeof SUSPENDED_ADDRESSES>,
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

const TIMES = record({ electedFor: UINT32, startBefore: UINT32, endBefore: UINT32, stakeHeldFor: UINT32 });
const COUNTS = record({ maxValidators: uint(16), maxMainValidators: uint(16), minValidators: uint(16) });
const STAKES = record({
  minStake: COINS,
  maxStake: COINS,
  minTotalStake: COINS,
  /** 65536 is 1. */
  maxStakeFactor: UINT32,
});

/** Config params 15 to 17: the rules of elections. Times are in seconds, stakes in nanotons. */
export type ElectionRules = ReturnType<typeof readElectionRules>;

/** Reads config params 15, 16 and 17; `root` is the root of the dictionary of params. */
export function readElectionRules(cells: Cells, root: number) {
  const param = (index: number): number => {
    const cell = configParam(cells, root, index);
    if (cell < 0) throw new CellError(`the configuration has no param ${index}`);
    return cell;
  };
  const [times, counts, stakes] = [param(15), param(16), param(17)];
  return { ...TIMES.open(cells, times), ...COUNTS.open(cells, counts), ...STAKES.open(cells, stakes) };
}

// _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12;
// workchain#a6 enabled_since:uint32 monitor_min_split:(## 8) min_split:(## 8) max_split:(## 8) basic:(## 1)
//   active:Bool accept_msgs:Bool flags:(## 13) { flags = 0 } zerostate_root_hash:bits256
//   zerostate_file_hash:bits256 version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
// workchain_v2#a7 is the same followed by split_merge_timings:WcSplitMergeTimings
//   persistent_state_split_depth:(## 8).

export type WorkchainDescr = Readonly<ReturnType<typeof readWorkchain>>;

const WORKCHAIN_TAG = 0xa6;
const WORKCHAIN_TAG_V2 = 0xa7;
const FLAG_BITS = 13;

export function readWorkchains(cells: Cells, cell: number): WorkchainDescr[] {
  const root = new Slice(cells, cell).maybeRef();
  return readDictionary(cells, root, 32, (key, value) => readWorkchain(key.readInt32BE(), value));
}

/** In seconds. */
const TIMINGS = tagged('wc_split_merge_timings#0', 'unknown tag of split and merge timings', {
  delay: UINT32,
  interval: UINT32,
  minInterval: UINT32,
  maxDelay: UINT32,
});

const WORKCHAIN_FIELDS = record({
  enabledSince: UINT32,
  monitorMinSplit: uint(8),
  minSplit: uint(8),
  maxSplit: uint(8),
  basic: BOOL,
  active: BOOL,
  acceptMsgs: BOOL,
});

function readWorkchain(workchain: number, slice: Slice) {
  const tag = slice.uint(8);
  if (tag !== WORKCHAIN_TAG && tag !== WORKCHAIN_TAG_V2) throw new CellError('unknown tag of a workchain');
  const { basic, ...fields } = WORKCHAIN_FIELDS.read(slice);
  slice.skip(FLAG_BITS);
  return {
    workchain,
    ...fields,
    zeroStateRootHash: slice.hash(),
    zeroStateFileHash: slice.hash(),
    version: slice.uint(32),
    format: readFormat(slice, basic),
    /** Undefined in the older version. */
    splitMergeTimings: tag === WORKCHAIN_TAG_V2 ? TIMINGS.read(slice) : undefined,
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
