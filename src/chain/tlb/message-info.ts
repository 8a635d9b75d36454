import type { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { type MsgAddress, readMsgAddress } from './msg-address.ts';

/** The header of a message from one account to another. */
export interface InternalInfo {
  readonly kind: 'internal';
  readonly ihrDisabled: boolean;
  readonly bounce: boolean;
  readonly bounced: boolean;
  readonly src: MsgAddress;
  readonly dest: MsgAddress;
  readonly value: CurrencyCollection;
  /** Flags from global version 12 on; before it this was the fee for instant routing, which nobody paid. */
  readonly extraFlags: bigint;
  readonly fwdFee: bigint;
  readonly createdLt: bigint;
  readonly createdAt: number;
}

/** The header of a message from outside. */
export interface ExternalInInfo {
  readonly kind: 'external-in';
  readonly src: MsgAddress;
  readonly dest: MsgAddress;
  readonly importFee: bigint;
}

/** The header of a message to the outside, a log entry. */
export interface ExternalOutInfo {
  readonly kind: 'external-out';
  readonly src: MsgAddress;
  readonly dest: MsgAddress;
  readonly createdLt: bigint;
  readonly createdAt: number;
}

/** The header of a message. */
export type MessageInfo = InternalInfo | ExternalInInfo | ExternalOutInfo;

/** Reads a CommonMsgInfo. Addresses may be of any kind, as in messages that are not sent yet. */
export function readMessageInfo(slice: Slice): MessageInfo {
  if (!slice.boolean()) return readInternal(slice);
  if (!slice.boolean())
    return {
      kind: 'external-in',
      src: readMsgAddress(slice),
      dest: readMsgAddress(slice),
      importFee: slice.coins(),
    };
  return {
    kind: 'external-out',
    src: readMsgAddress(slice),
    dest: readMsgAddress(slice),
    createdLt: slice.uint64(),
    createdAt: slice.uint(32),
  };
}

function readInternal(slice: Slice): InternalInfo {
  return {
    kind: 'internal',
    ihrDisabled: slice.boolean(),
    bounce: slice.boolean(),
    bounced: slice.boolean(),
    src: readMsgAddress(slice),
    dest: readMsgAddress(slice),
    value: readCurrencyCollection(slice),
    extraFlags: slice.coins(),
    fwdFee: slice.coins(),
    createdLt: slice.uint64(),
    createdAt: slice.uint(32),
  };
}
