import { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readCurrencyCollection } from '../tlb/currency.ts';
import type { InMsg } from '../tlb/in-msg.ts';
import type { ImportFees } from '../tlb/in-msg-descr.ts';
import { readMessageEnvelope } from '../tlb/message-envelope.ts';
import { addCurrencies, NO_CURRENCY, writeCurrencyCollection } from './currency.ts';
import { Dictionary } from './dictionary.ts';
import type { DictionaryForm } from './dictionary-form.ts';
import { writeInMsg } from './in-msg.ts';
import { enclosedValue } from './message-value.ts';

const NOTHING: ImportFees = { feesCollected: 0n, valueImported: NO_CURRENCY };

/** The inbound messages of a block by their hash. What a message is worth depends on the global version. */
export function inMsgDescrForm(globalVersion: number): DictionaryForm<InMsg, ImportFees> {
  return {
    keyBits: 256,
    write: writeInMsg,
    augmentation: {
      empty: NOTHING,
      of: (inMsg, arena) => importFees(arena, inMsg, globalVersion),
      combine: (left, right, arena) => ({
        feesCollected: left.feesCollected + right.feesCollected,
        valueImported: addCurrencies(left.valueImported, right.valueImported, arena),
      }),
      read: (slice) => ({ feesCollected: slice.coins(), valueImported: readCurrencyCollection(slice) }),
      write: (builder, { feesCollected, valueImported }) =>
        writeCurrencyCollection(builder.coins(feesCollected), valueImported),
    },
  };
}

/** Makes the cell of InMsgDescr from the root of its dictionary. */
export function buildInMsgDescr(arena: BuildingArena, root: number, globalVersion: number): number {
  const builder = new CellBuilder();
  new Dictionary(arena, inMsgDescrForm(globalVersion)).store(builder, root);
  return arena.build(builder);
}

/** What a message brings into a block, and what the block's validators get of it. */
function importFees(arena: BuildingArena, inMsg: InMsg, globalVersion: number): ImportFees {
  switch (inMsg.kind) {
    case 'ext':
      return NOTHING;
    case 'ihr':
      throw new CellFault('instant routing does not exist');
    case 'imm':
      return { feesCollected: inMsg.fwdFee, valueImported: NO_CURRENCY };
    case 'fin':
    case 'deferred_fin':
      return {
        feesCollected: readMessageEnvelope(arena, inMsg.envelope).fwdFeeRemaining,
        valueImported: enclosedValue(arena, inMsg.envelope, globalVersion),
      };
    case 'tr':
    case 'deferred_tr':
      return {
        feesCollected: inMsg.kind === 'tr' ? inMsg.transitFee : 0n,
        valueImported: enclosedValue(arena, inMsg.envelope, globalVersion),
      };
    case 'discard_fin':
    case 'discard_tr':
      return { feesCollected: inMsg.fwdFee, valueImported: { grams: inMsg.fwdFee, extra: -1 } };
  }
}
