import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { CurrencyCollection } from '../tlb/currency.ts';
import { readMessageEnvelope } from '../tlb/message-envelope.ts';
import { type InternalInfo, readMessageInfo } from '../tlb/message-info.ts';

/** From this global version on, the fee for instant routing is gone and flags stand in its place. */
const VERSION_WITHOUT_IHR_FEE = 12;

/** What a message in an envelope is worth to the shard that has it: its value with the fees not yet collected. */
export function enclosedValue(cells: Cells, envelope: number, globalVersion: number): CurrencyCollection {
  const { message, fwdFeeRemaining } = readMessageEnvelope(cells, envelope);
  const { value, extraFlags } = internalInfo(cells, message);
  const ihrFee = globalVersion < VERSION_WITHOUT_IHR_FEE ? extraFlags : 0n;
  return { grams: value.grams + ihrFee + fwdFeeRemaining, extra: value.extra };
}

/** When a message in an envelope set out: when it left its sender's own queue, or else when it was created. */
export function emittedLt(cells: Cells, envelope: number): bigint {
  const { message, emittedLt: lt } = readMessageEnvelope(cells, envelope);
  return lt ?? internalInfo(cells, message).createdLt;
}

function internalInfo(cells: Cells, message: number): InternalInfo {
  const info = readMessageInfo(new Slice(cells, message));
  if (info.kind !== 'internal') throw new CellFault('an envelope around a message that is not internal');
  return info;
}
