import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type DictionaryCodec, lookUp, type OnPruned, walkDictionary } from './dictionary.ts';

const INDEX_BITS = 32;

/** One configuration parameter: its number, and the cell that holds its value. */
interface ConfigParam {
  readonly index: number;
  readonly cell: number;
}

/**
 * The cell of a configuration parameter, or -1 when the configuration does not have it. `root` is the root of the
 * dictionary of parameters (Hashmap 32 ^Cell); an index may be negative.
 */
export function configParam(cells: Cells, root: number, index: number): number {
  const key = Buffer.allocUnsafe(4);
  key.writeInt32BE(index | 0);
  return lookUp(cells, root, INDEX_BITS, key)?.ref() ?? -1;
}

/** All parameters that are there, by their number read without a sign: negative ones come last. */
export function configParams(cells: Cells, root: number, onPruned: OnPruned = 'throw'): ConfigParam[] {
  const found: ConfigParam[] = [];
  walkDictionary(
    cells,
    root,
    INDEX_BITS,
    (key, value) => {
      found.push({ index: key.readInt32BE(), cell: value.ref() });
    },
    onPruned,
  );
  return found;
}

/** The cells of configuration parameters by their number; `configKey` makes the keys. */
export const CONFIG: DictionaryCodec<number> = {
  keyBits: 32,
  write: (builder, cell) => builder.ref(cell),
};

/** The key of a configuration parameter, whose number may be negative. */
export function configKey(index: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeInt32BE(index);
  return key;
}

/** Masterchain accounts with a part to play; each is the id of an account, undefined where nothing is set. */
export interface ConfigAddresses {
  readonly config: Buffer | undefined;
  readonly elector: Buffer | undefined;
  readonly minter: Buffer | undefined;
  readonly feeCollector: Buffer | undefined;
  readonly dnsRoot: Buffer | undefined;
}

/** Reads parameters 0 to 4. The minter is the configuration contract and the fee collector the elector if not set. */
export function readConfigAddresses(cells: Cells, root: number): ConfigAddresses {
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

/** Reads one of parameters 0 to 4; undefined where it is not there. */
export function readConfigAddress(cells: Cells, root: number, index: 0 | 1 | 2 | 3 | 4): Buffer | undefined {
  const cell = configParam(cells, root, index);
  return cell < 0 ? undefined : new Slice(cells, cell).hash();
}

/** Reads parameter 31: the accounts that live without paying. */
export function readFundamentalAddresses(cells: Cells, cell: number): Buffer[] {
  const addresses: Buffer[] = [];
  const root = new Slice(cells, cell).maybeRef();
  if (root >= 0)
    walkDictionary(cells, root, 256, (id) => {
      addresses.push(Buffer.from(id));
    });
  return addresses;
}

/** Parameter 8: which rules hold. Both are 0 without the parameter. */
export interface GlobalVersion {
  readonly version: number;
  readonly capabilities: bigint;
}

const GLOBAL_VERSION_TAG = 0xc4;

/** Reads a GlobalVersion. */
export function readGlobalVersion(cells: Cells, cell: number): GlobalVersion {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== GLOBAL_VERSION_TAG) throw new CellError('a global version of an unknown form');
  return { version: slice.uint(32), capabilities: slice.uint64() };
}

/** Parameters 22 (masterchain) and 23: how large a block may be. */
export interface BlockLimits {
  readonly bytes: ParamLimits;
  readonly gas: ParamLimits;
  readonly ltDelta: ParamLimits;
  /** Undefined in the older form. */
  readonly collatedData: ParamLimits | undefined;
  readonly importedMsgQueue: ImportedMsgQueueLimits | undefined;
}

/** Three marks of one measure. */
export interface ParamLimits {
  readonly underload: number;
  readonly softLimit: number;
  readonly hardLimit: number;
}

/** How much of another shard's queue a block may take in. */
interface ImportedMsgQueueLimits {
  readonly maxBytes: number;
  readonly maxMsgs: number;
}

const BLOCK_LIMITS_TAG = 0x5d;
const TAG_V2 = 0x5e;
const PARAM_TAG = 0xc3;
const QUEUE_TAG = 0xd3;

/** Reads parameter 22 or 23. */
export function readBlockLimits(cells: Cells, cell: number): BlockLimits {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== BLOCK_LIMITS_TAG && tag !== TAG_V2) throw new CellError('block limits of an unknown form');
  return {
    bytes: readParamLimits(slice),
    gas: readParamLimits(slice),
    ltDelta: readParamLimits(slice),
    collatedData: tag === TAG_V2 ? readParamLimits(slice) : undefined,
    importedMsgQueue: tag === TAG_V2 ? readQueueLimits(slice) : undefined,
  };
}

function readParamLimits(slice: Slice): ParamLimits {
  if (slice.uint(8) !== PARAM_TAG) throw new CellError('a block limit of an unknown form');
  return { underload: slice.uint(32), softLimit: slice.uint(32), hardLimit: slice.uint(32) };
}

function readQueueLimits(slice: Slice): ImportedMsgQueueLimits {
  if (slice.uint(8) !== QUEUE_TAG) throw new CellError('a queue limit of an unknown form');
  return { maxBytes: slice.uint(32), maxMsgs: slice.uint(32) };
}

/** Parameter 43: how large messages and accounts may be. What an older form does not say is undefined. */
interface SizeLimits {
  readonly maxMsgBits: number;
  readonly maxMsgCells: number;
  readonly maxLibraryCells: number;
  readonly maxVmDataDepth: number;
  readonly maxExtMsgSize: number;
  readonly maxExtMsgDepth: number;
  readonly accounts: AccountSizeLimits | undefined;
  readonly maxTotalMsgBits: number | undefined;
  readonly maxTotalMsgCells: number | undefined;
}

/** What the second form added. The fields after the first four came later, and a configuration may end before them. */
interface AccountSizeLimits {
  readonly maxAccStateCells: number;
  readonly maxMcAccStateCells: number;
  readonly maxAccPublicLibraries: number;
  readonly deferOutQueueSizeLimit: number;
  readonly maxMsgExtraCurrencies: number | undefined;
  readonly maxAccFixedPrefixLength: number | undefined;
  readonly accStateCellsForStorageDict: number | undefined;
  readonly maxTransactionLibraryLoads: number | undefined;
}

const NEWEST_FORM = 3;

/** Reads parameter 43. */
export function readSizeLimits(cells: Cells, cell: number): SizeLimits {
  const slice = new Slice(cells, cell);
  const form = slice.uint(8);
  if (form < 1 || form > NEWEST_FORM) throw new CellError('size limits of an unknown form');
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

function readAccountLimits(slice: Slice): AccountSizeLimits {
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

/** Parameter 44: addresses that may not be deployed for a time. */
interface SuspendedAddresses {
  /** The root of the dictionary by workchain and account id, or -1. */
  readonly root: number;
  /** Unix time of the end. */
  readonly until: number;
}

const ADDRESS_BITS = 32 + 256;

/** Reads parameter 44. */
export function readSuspendedAddresses(cells: Cells, cell: number): SuspendedAddresses {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== 0) throw new CellError('a list of suspended addresses of an unknown form');
  return { root: slice.maybeRef(), until: slice.uint(32) };
}

/** Whether an address is on the list, whatever the time. */
export function isSuspended(
  cells: Cells,
  suspended: SuspendedAddresses,
  workchain: number,
  id: Buffer,
): boolean {
  if (suspended.root < 0) return false;
  const key = Buffer.allocUnsafe(4 + 32);
  key.writeInt32BE(workchain);
  id.copy(key, 4);
  return lookUp(cells, suspended.root, ADDRESS_BITS, key) !== undefined;
}

/** The addresses of the list. */
export function listSuspended(
  cells: Cells,
  suspended: SuspendedAddresses,
): { readonly workchain: number; readonly id: Buffer }[] {
  const addresses: { workchain: number; id: Buffer }[] = [];
  if (suspended.root >= 0)
    walkDictionary(cells, suspended.root, ADDRESS_BITS, (key) => {
      addresses.push({ workchain: key.readInt32BE(), id: Buffer.from(key.subarray(4)) });
    });
  return addresses;
}
