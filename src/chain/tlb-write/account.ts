import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { Account, AccountState } from '../tlb/account.ts';
import type { StorageInfo } from '../tlb/storage-info.ts';
import { writeCurrencyCollection } from './currency.ts';
import { writeMsgAddress } from './msg-address.ts';
import { writeStateInit } from './state-init.ts';

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
