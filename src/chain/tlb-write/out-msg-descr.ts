import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { type CurrencyCollection, readCurrencyCollection } from '../tlb/currency.ts';
import type { OutMsg } from '../tlb/out-msg.ts';
import { addCurrencies, NO_CURRENCY, writeCurrencyCollection } from './currency.ts';
import { Dictionary } from './dictionary.ts';
import type { DictionaryForm } from './dictionary-form.ts';
import { enclosedValue } from './message-value.ts';
import { writeOutMsg } from './out-msg.ts';

/** The outbound messages of a block by their hash. What a message is worth depends on the global version. */
export function outMsgDescrForm(globalVersion: number): DictionaryForm<OutMsg, CurrencyCollection> {
  return {
    keyBits: 256,
    write: writeOutMsg,
    augmentation: {
      empty: NO_CURRENCY,
      of: (outMsg, arena) => exportedValue(arena, outMsg, globalVersion),
      combine: addCurrencies,
      read: readCurrencyCollection,
      write: writeCurrencyCollection,
    },
  };
}

/** Makes the cell of OutMsgDescr from the root of its dictionary. */
export function buildOutMsgDescr(arena: BuildingArena, root: number, globalVersion: number): number {
  const builder = new CellBuilder();
  new Dictionary(arena, outMsgDescrForm(globalVersion)).store(builder, root);
  return arena.build(builder);
}

/** What leaves a block with a message: nothing where it was delivered in it, or had left before. */
function exportedValue(arena: BuildingArena, outMsg: OutMsg, globalVersion: number): CurrencyCollection {
  switch (outMsg.kind) {
    case 'new':
    case 'new_defer':
    case 'tr':
    case 'tr_req':
    case 'deferred_tr':
      return enclosedValue(arena, outMsg.envelope, globalVersion);
    default:
      return NO_CURRENCY;
  }
}
