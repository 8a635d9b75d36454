import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './currency.ts';
import { type AddrStd, type AddrVar, readMsgAddress, writeMsgAddress } from './msg-address.ts';

/** What an account that exists may be. */
export type AccountState =
  | { readonly kind: 'uninit' }
  | { readonly kind: 'active'; readonly init: StateInit }
  | { readonly kind: 'frozen'; readonly stateHash: Buffer };

/** An account that exists. Cells are numbers in the table it was read from. */
export interface Account {
  readonly address: AddrStd | AddrVar;
  readonly storageInfo: StorageInfo;
  /** Later than the account's last transaction: the logical time after its last out message. */
  readonly lastTransLt: bigint;
  readonly balance: CurrencyCollection;
  readonly state: AccountState;
}

const UNINIT: AccountState = Object.freeze({ kind: 'uninit' });

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
    // Hardly ever: an account with public libraries from before storage_extra.
    slice.open(cell).skip(1);
    return readExisting(slice, 'publicCells');
  }
}

/** The hash of an account's code, or undefined without code. The code itself may be left out by a proof. */
export function codeHash(cells: Cells, account: Account): Buffer | undefined {
  return account.state.kind === 'active' ? hashOf(cells, account.state.init.code) : undefined;
}

/** The hash of an account's data, or undefined without data. The data itself may be left out by a proof. */
export function dataHash(cells: Cells, account: Account): Buffer | undefined {
  return account.state.kind === 'active' ? hashOf(cells, account.state.init.data) : undefined;
}

function readExisting(slice: Slice, form: StorageInfoForm): Account {
  const address = readMsgAddress(slice);
  if (address.kind !== 'std' && address.kind !== 'var') throw new CellError('an account without an address');
  const storageInfo = readStorageInfo(slice, form);
  const lastTransLt = slice.uint64();
  const balance = readCurrencyCollection(slice);
  const state = readState(slice);
  slice.end();
  return { address, storageInfo, lastTransLt, balance, state };
}

function readState(slice: Slice): AccountState {
  if (slice.boolean()) return { kind: 'active', init: readStateInit(slice) };
  return slice.boolean() ? { kind: 'frozen', stateHash: slice.hash() } : UNINIT;
}

function hashOf(cells: Cells, cell: number): Buffer | undefined {
  return cell < 0 ? undefined : Buffer.from(cells.hash(cell, 0));
}

const SIZE_LENGTH_BITS = 3;
const NO_EXTRA = 0;
const EXTRA_HASH = 1;

/** Makes the cell of an account; undefined is one that does not exist. */
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

function writeStorageInfo(builder: CellBuilder, info: StorageInfo): void {
  const { usedCells, usedBits, publicCells, dictHash, lastPaid, duePayment } = info;
  builder.varUint(BigInt(usedCells), SIZE_LENGTH_BITS).varUint(BigInt(usedBits), SIZE_LENGTH_BITS);
  if (publicCells !== undefined) builder.varUint(BigInt(publicCells), SIZE_LENGTH_BITS);
  else if (dictHash !== undefined) builder.uint(EXTRA_HASH, SIZE_LENGTH_BITS).hash(dictHash);
  else builder.uint(NO_EXTRA, SIZE_LENGTH_BITS);
  builder.uint(lastPaid, 32).boolean(duePayment !== undefined);
  if (duePayment !== undefined) builder.coins(duePayment);
}

function writeState(builder: CellBuilder, state: AccountState): void {
  if (state.kind === 'uninit') builder.uint(0b00, 2);
  else if (state.kind === 'frozen') builder.uint(0b01, 2).hash(state.stateHash);
  else writeStateInit(builder.boolean(true), state.init);
}

/** What an account's storage is paid for. */
export interface StorageInfo {
  readonly usedCells: number;
  readonly usedBits: number;
  /** Cells in public libraries; only states written before storage_extra came into being say it. */
  readonly publicCells: number | undefined;
  /** The hash of the dictionary of the account's cells (storage_extra), which large accounts have. */
  readonly dictHash: Buffer | undefined;
  /** Unix time up to which storage is paid. */
  readonly lastPaid: number;
  /** What the account owes for storage, in nanotons. */
  readonly duePayment: bigint | undefined;
}

/**
 * Where the older form has the number of public cells (a VarUInteger 7), today's has storage_extra: three bits, and a
 * hash after 001. They mean the same for 000; for 001 nothing but the rest of the account tells them apart.
 */
type StorageInfoForm = 'extra' | 'publicCells';

const LENGTH_BITS = 3;
const MAX_SIZE_BYTES = 6;

/** Reads a StorageInfo in one of its forms. */
function readStorageInfo(slice: Slice, form: StorageInfoForm): StorageInfo {
  const usedCells = readSize(slice);
  const usedBits = readSize(slice);
  let publicCells: number | undefined;
  let dictHash: Buffer | undefined;
  if (form === 'publicCells') publicCells = readSize(slice);
  else {
    const tag = slice.uint(LENGTH_BITS);
    if (tag === EXTRA_HASH) dictHash = slice.hash();
    else if (tag !== NO_EXTRA) throw new CellError('storage information of an unknown form');
  }
  const lastPaid = slice.uint(32);
  const duePayment = slice.boolean() ? slice.coins() : undefined;
  return { usedCells, usedBits, publicCells, dictHash, lastPaid, duePayment };
}

/** A VarUInteger 7: at most 6 bytes, so a number holds it. */
function readSize(slice: Slice): number {
  const bytes = slice.uint(LENGTH_BITS);
  if (bytes > MAX_SIZE_BYTES) throw new CellError('a storage size of too many bytes');
  return Number(slice.bigUint(8 * bytes));
}

/** What an account starts with. Cells are numbers in the table the slice was over, -1 where there is none. */
export interface StateInit {
  /** Also called split_depth. */
  readonly fixedPrefixLength: number | undefined;
  readonly special: TickTock | undefined;
  readonly code: number;
  readonly data: number;
  /** The root of the account's own libraries. */
  readonly library: number;
}

/** Whether a special account runs at the start and at the end of every masterchain block. */
interface TickTock {
  readonly tick: boolean;
  readonly tock: boolean;
}

/** Reads a StateInit that starts at the cursor; whether it has a cell of its own is known to the caller alone. */
export function readStateInit(slice: Slice): StateInit {
  return {
    fixedPrefixLength: slice.boolean() ? slice.uint(5) : undefined,
    special: slice.boolean() ? { tick: slice.boolean(), tock: slice.boolean() } : undefined,
    code: slice.maybeRef(),
    data: slice.maybeRef(),
    library: slice.maybeRef(),
  };
}

/** Writes a StateInit. */
export function writeStateInit(builder: CellBuilder, init: StateInit): void {
  const { fixedPrefixLength, special } = init;
  builder.boolean(fixedPrefixLength !== undefined);
  if (fixedPrefixLength !== undefined) builder.uint(fixedPrefixLength, 5);
  builder.boolean(special !== undefined);
  if (special !== undefined) builder.boolean(special.tick).boolean(special.tock);
  builder.maybeRef(init.code).maybeRef(init.data).maybeRef(init.library);
}
