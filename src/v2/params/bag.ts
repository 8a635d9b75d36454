import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readRootBoc } from '../../chain/boc/read-root-boc.ts';
import { Failure } from '../../lib/failure.ts';

/** The names that existing clients know for the bags of a message. */
type BagName = 'body' | 'init_code' | 'init_data';

/** Reads a bag of cells that was sent; what is no bag is refused as tonlib does it, with a status of 500. */
export function readBag(name: BagName, bytes: Buffer): CellBag {
  try {
    const bag = readRootBoc(bytes);
    // Only hashes show whether Merkle cells hold what they say.
    bag.hashAll();
    return bag;
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    throw new Failure('lite_server', `INVALID_BAG_OF_CELLS: ${name}${error.message}`, { cause: error });
  }
}
