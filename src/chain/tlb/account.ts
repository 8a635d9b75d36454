import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { type AddrStd, type AddrVar, readMsgAddress } from './msg-address.ts';
import { readStateInit, type StateInit } from './state-init.ts';
import { readStorageInfo, type StorageInfo, type StorageInfoForm } from './storage-info.ts';

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
    if (!(error instanceof CellFault)) throw error;
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
  if (address.kind !== 'std' && address.kind !== 'var') throw new CellFault('an account without an address');
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
