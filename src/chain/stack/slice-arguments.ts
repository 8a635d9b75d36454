import { type Builder, beginCell } from '@ton/core';
import { fromCoreCell } from '../boc/core-cell.ts';
import type { AccountId } from '../tl/names.ts';
import { type SliceEntry, wholeSliceEntry } from './stack-entry.ts';

/** Up to 127 bytes as an argument. */
export function bytesArgument(bytes: Buffer): SliceEntry {
  return sliceOf(beginCell().storeBuffer(bytes));
}

/** The address of an account as an argument. */
export function addressArgument({ workchain, hash }: AccountId): SliceEntry {
  return sliceOf(beginCell().storeUint(0b100, 3).storeInt(workchain, 8).storeBuffer(hash));
}

function sliceOf(builder: Builder): SliceEntry {
  const bag = fromCoreCell(builder.endCell());
  return wholeSliceEntry(bag, bag.root);
}
