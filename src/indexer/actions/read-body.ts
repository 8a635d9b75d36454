import { formatRaw } from '../../chain/address/format-address.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Slice } from '../../chain/boc/slice.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { type MsgAddress, readMsgAddress } from '../../chain/tlb/msg-address.ts';
import type { Block } from './block.ts';
import { NotThis } from './rule.ts';

/**
 * An account, raw with upper-case digits; null for no address. One of another kind is not what rules are for. An anycast
 * prefix is not applied: no account has one, so what looks like it is something else, told as it is written.
 */
export function readAccount(slice: Slice): string | null {
  return accountAt(readMsgAddress(slice));
}

/** The account that an address names, as `readAccount` has it. */
export function accountAt(address: MsgAddress): string | null {
  if (address.kind === 'none') return null;
  if (address.kind !== 'std') throw new NotThis('not the address of an account');
  return formatRaw({ workchain: address.workchain, hash: address.hash }, 'upper');
}

/** An account that must be there. */
export function readSomeAccount(slice: Slice): string {
  const account = readAccount(slice);
  if (account === null) throw new NotThis('no address');
  return account;
}

/** A cursor into a cell that may be there. */
export function readMaybeRef(slice: Slice): Slice | undefined {
  return slice.boolean() ? slice.refSlice() : undefined;
}

/** What is left of a slice as a bag of cells in base64. */
export function restAsBoc(slice: Slice, { crc = true } = {}): string {
  return writeBoc(slice, { order: 'core', crc }).toString('base64');
}

/** What a reader gives; undefined where the cells have another layout. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellFault || error instanceof NotThis) return undefined;
    throw error;
  }
}

/** The amount behind the query id: where transfers, burns, mints and the notices of them have it. */
export function readAmount(block: Block): bigint {
  const body = block.bodyAfterOpcode();
  body.skip(64);
  return body.coins();
}
