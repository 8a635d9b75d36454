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
