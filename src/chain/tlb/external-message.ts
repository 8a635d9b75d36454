import { beginCell } from '@ton/core';
import type { AccountId } from '../address.ts';
import type { CellBag } from '../boc/bag.ts';
import { fromCoreCell, toCoreCell } from '../boc/ton-core.ts';

/** What a message from outside is made of; `init` is for an account that has no code yet. */
export interface ExternalParts {
  /** Its workchain fits a byte. */
  readonly to: AccountId;
  readonly body: CellBag;
  readonly init?: { readonly code: CellBag; readonly data: CellBag } | undefined;
}

const MAX_BITS = 1023;
const MAX_REFS = 4;

/**
 * A message from outside, cell for cell as tonlib makes it: the init inside the message, and the body too where it
 * fits. An exotic body throws a CellFault.
 */
export function writeExternalMessage({ to, body, init }: ExternalParts): CellBag {
  body.assertReadable(body.root);
  const message = beginCell().storeUint(0b10_00_100, 7).storeInt(to.workchain, 8).storeBuffer(to.hash);
  message.storeCoins(0).storeBit(init !== undefined);
  if (init !== undefined)
    // Inside; neither a prefix nor special; code and data but no libraries.
    message
      .storeUint(0b0_00110, 6)
      .storeRef(toCoreCell(init.code, init.code.root))
      .storeRef(toCoreCell(init.data, init.data.root));
  const cell = toCoreCell(body, body.root);
  const fits = message.bits + 1 + cell.bits.length <= MAX_BITS && message.refs + cell.refs.length <= MAX_REFS;
  if (fits) message.storeBit(0).storeSlice(cell.beginParse());
  else message.storeBit(1).storeRef(cell);
  return fromCoreCell(message.endCell());
}
