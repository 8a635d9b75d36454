import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readCurrencyCollection, writeCurrencyCollection } from './currency.ts';
import { readMsgAddress, writeMsgAddress } from './msg-address.ts';

/** The hash of the cell of an account that does not exist. */
export const ACCOUNT_NONE = Buffer.from(
  '90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4',
  'hex',
);

// account_none$0 = Account;
// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;

/** An existing account. Cells are numbers in the table it was read from. */
export type Account = Readonly<ReturnType<typeof readExisting>>;

/** Reads an Account; undefined for one that does not exist (account_none). */
export function readAccount(cells: Cells, cell: number): Account | undefined {
  const slice = new Slice(cells, cell);
  if (!slice.boolean()) {
    slice.end();
    return undefined;
  }
  try {
    return readExisting(slice, 'extra');
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    // Rare: an account with public libraries, written before storage_extra.
    slice.open(cell).skip(1);
    return readExisting(slice, 'publicCells');
  }
}

function readExisting(slice: Slice, form: StorageInfoForm) {
  const address = readMsgAddress(slice);
  if (address.kind !== 'std' && address.kind !== 'var') throw new CellError('account without an address');
  const storageInfo = readStorageInfo(slice, form);
  const lastTransLt = slice.uint64();
  const balance = readCurrencyCollection(slice);
  const state = readState(slice);
  slice.end();
  return {
    address,
    storageInfo,
    /** Later than the account's last transaction: the logical time after its last out message. */
    lastTransLt,
    balance,
    state,
  };
}

/** Builds the cell of an account; undefined is account_none. */
export function buildAccount(arena: BuildingArena, account: Account | undefined): number {
  const builder = new CellBuilder().boolean(account !== undefined);
  if (account !== undefined) {
    writeMsgAddress(builder, account.address);
    writeStorageInfo(builder, account.storageInfo);
    builder.uint64(account.lastTransLt);
    writeCurrencyCollection(builder, account.balance);
    writeState(builder, account.state);
  }
  return arena.build(builder);
}

/** The hash of an account's code, or undefined without code. The code itself may be pruned. */
export function codeHash(cells: Cells, account: Account): Buffer | undefined {
  return account.state.kind === 'active' ? hashOf(cells, account.state.init.code) : undefined;
}

/** The hash of an account's data, or undefined without data. The data itself may be pruned. */
export function dataHash(cells: Cells, account: Account): Buffer | undefined {
  return account.state.kind === 'active' ? hashOf(cells, account.state.init.data) : undefined;
}

function hashOf(cells: Cells, cell: number): Buffer | undefined {
  return cell < 0 ? undefined : Buffer.from(cells.hash(cell, 0));
}

// account_uninit$00 = AccountState;
// account_active$1 _:StateInit = AccountState;
// account_frozen$01 state_hash:bits256 = AccountState;

export type AccountState =
  | { readonly kind: 'uninit' }
  | { readonly kind: 'active'; readonly init: StateInit }
  | { readonly kind: 'frozen'; readonly stateHash: Buffer };

const UNINIT: AccountState = Object.freeze({ kind: 'uninit' });

function readState(slice: Slice): AccountState {
  if (slice.boolean()) return { kind: 'active', init: readStateInit(slice) };
  return slice.boolean() ? { kind: 'frozen', stateHash: slice.hash() } : UNINIT;
}

function writeState(builder: CellBuilder, state: AccountState): void {
  if (state.kind === 'uninit') builder.uint(0b00, 2);
  else if (state.kind === 'frozen') builder.uint(0b01, 2).hash(state.stateHash);
  else writeStateInit(builder.boolean(true), state.init);
}

// storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo;
// storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed;
// storage_extra_none$000 = StorageExtraInfo;
// storage_extra_info$001 dict_hash:uint256 = StorageExtraInfo;
// Before storage_extra:
// storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) public_cells:(VarUInteger 7) = StorageUsed;
// storage_info$_ used:StorageUsed last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo;

export type StorageInfo = Readonly<ReturnType<typeof readStorageInfo>>;

/**
 * Where the older form has the number of public cells (a VarUInteger 7), the current one has storage_extra: three bits,
 * and a hash after 001. Both read 000 the same way; for 001 only the rest of the account tells them apart.
 */
type StorageInfoForm = 'extra' | 'publicCells';

/** VarUInteger 7. */
const SIZE_LENGTH_BITS = 3;
const EXTRA_TAG_BITS = 3;
const NO_EXTRA = 0;
const EXTRA_HASH = 1;

function readStorageInfo(slice: Slice, form: StorageInfoForm) {
  const usedCells = slice.varNumber(7);
  const usedBits = slice.varNumber(7);
  let publicCells: number | undefined;
  let dictHash: Buffer | undefined;
  if (form === 'publicCells') publicCells = slice.varNumber(7);
  else {
    const tag = slice.uint(EXTRA_TAG_BITS);
    if (tag === EXTRA_HASH) dictHash = slice.hash();
    else if (tag !== NO_EXTRA) throw new CellError('unknown tag of storage info');
  }
  const lastPaid = slice.uint(32);
  const duePayment = slice.boolean() ? slice.coins() : undefined;
  return {
    usedCells,
    usedBits,
    /** Cells in public libraries; only in states written before storage_extra. */
    publicCells,
    /** The hash of the dictionary of the account's cells (storage_extra); only large accounts have it. */
    dictHash,
    /** Unix time up to which storage is paid. */
    lastPaid,
    /** Unpaid storage fees in nanotons. */
    duePayment,
  };
}

function writeStorageInfo(builder: CellBuilder, info: StorageInfo): void {
  const { usedCells, usedBits, publicCells, dictHash, lastPaid, duePayment } = info;
  builder.varUint(BigInt(usedCells), SIZE_LENGTH_BITS).varUint(BigInt(usedBits), SIZE_LENGTH_BITS);
  if (publicCells !== undefined) builder.varUint(BigInt(publicCells), SIZE_LENGTH_BITS);
  else if (dictHash !== undefined) builder.uint(EXTRA_HASH, EXTRA_TAG_BITS).hash(dictHash);
  else builder.uint(NO_EXTRA, EXTRA_TAG_BITS);
  builder.uint(lastPaid, 32).boolean(duePayment !== undefined);
  if (duePayment !== undefined) builder.coins(duePayment);
}

// _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(Maybe ^Cell) = StateInit;
// tick_tock$_ tick:Bool tock:Bool = TickTock;

/** The initial state of an account. Cells are numbers in the table of the slice, -1 where absent. */
export type StateInit = Readonly<ReturnType<typeof readStateInit>>;

/** Reads a StateInit from the cursor on; only the caller knows whether it has its own cell. */
export function readStateInit(slice: Slice) {
  return {
    /** Also called split_depth. */
    fixedPrefixLength: slice.boolean() ? slice.uint(5) : undefined,
    /** Whether a special account runs at the start (tick) and at the end (tock) of every masterchain block. */
    special: slice.boolean() ? { tick: slice.boolean(), tock: slice.boolean() } : undefined,
    code: slice.maybeRef(),
    data: slice.maybeRef(),
    /** The root of the account's own libraries. */
    library: slice.maybeRef(),
  };
}

export function writeStateInit(builder: CellBuilder, init: StateInit): void {
  const { fixedPrefixLength, special } = init;
  builder.boolean(fixedPrefixLength !== undefined);
  if (fixedPrefixLength !== undefined) builder.uint(fixedPrefixLength, 5);
  builder.boolean(special !== undefined);
  if (special !== undefined) builder.boolean(special.tick).boolean(special.tock);
  builder.maybeRef(init.code).maybeRef(init.data).maybeRef(init.library);
}
