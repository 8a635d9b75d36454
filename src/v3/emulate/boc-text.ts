import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readRootBoc } from '../../chain/boc/read-root-boc.ts';
import { decodeBase64 } from '../../chain/stack/input-bytes.ts';
import { Failure } from '../../lib/failure.ts';
import { refuse } from '../params/kind.ts';

/** Nodes take far less of a message. */
const MAX_CHARS = 256 * 1024;

/** A bag of cells that a request gives in base64; refuses another text with a sentence that begins with `what`. */
export function readBocText(
  value: unknown,
  { name, what }: { readonly name: string; readonly what: string },
): CellBag {
  if (typeof value !== 'string') throw refuse(name, `${what}: expected a bag of cells in base64`);
  if (value.length > MAX_CHARS) throw refuse(name, `${what}: it is too large`);
  try {
    const bag = readRootBoc(decodeBase64(value));
    // Only hashes show whether Merkle cells hold what they say.
    bag.hashAll();
    if (bag.levelMask(bag.root) !== 0) throw new CellFault('it is a part of a proof');
    return bag;
  } catch (error) {
    if (error instanceof CellFault || error instanceof Failure)
      throw refuse(name, `${what}: ${error.message}`);
    throw error;
  }
}
