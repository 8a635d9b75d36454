import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import type { BlockSignature } from '../tl/signature-sets.ts';
import { walkDictionary } from './dictionary.ts';

const INDEX_BITS = 16;
const SIMPLE_TAG = 5;
const SIGNATURE_BYTES = 64;

/**
 * Reads a dictionary of CryptoSignaturePair by number; `root` is -1 when it is empty. Signatures by temporary keys
 * (chained_signature) are refused: no node makes or takes them.
 */
export function readSignaturePairs(cells: Cells, root: number): BlockSignature[] {
  const signatures: BlockSignature[] = [];
  if (root >= 0)
    walkDictionary(cells, root, INDEX_BITS, (_, value) => {
      signatures.push(readSignaturePair(value));
    });
  return signatures;
}

function readSignaturePair(slice: Slice): BlockSignature {
  const nodeIdShort = slice.hash();
  if (slice.uint(4) !== SIMPLE_TAG) throw new CellFault('a signature of an unknown form');
  return { nodeIdShort, signature: slice.bytes(SIGNATURE_BYTES) };
}
