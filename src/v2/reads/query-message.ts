import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { type ExternalParts, externalMessage } from '../../chain/tlb-write/external-message.ts';
import { Failure } from '../../lib/failure.ts';
import { readBag } from '../params/bag.ts';

const NOTHING = Buffer.alloc(0);

/** The init of a message: code and data belong together, and data alone counts as none. */
export function queryInit(code: CellBag | undefined, data: CellBag | undefined): ExternalParts['init'] {
  return code && { code, data: data ?? readBag('init_data', NOTHING) };
}

/** The init of a message from the bags that were sent. */
export function readQueryInit(code: Buffer | undefined, data: Buffer | undefined): ExternalParts['init'] {
  if (code === undefined) return undefined;
  return queryInit(readBag('init_code', code), data && readBag('init_data', data));
}

/** The message that a body and an init make, as tonlib puts it together. */
export function queryMessage(parts: ExternalParts): CellBag {
  try {
    return externalMessage(parts);
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    throw new Failure('lite_server', 'Failed to create external message', { cause: error });
  }
}
