import { CellError, type Cells } from '../../../src/chain/boc/cells.ts';
import type { Slice } from '../../../src/chain/boc/slice.ts';
import type { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import type { SignatureSet } from '../../../src/chain/tl/signatures.ts';
import {
  Dictionary,
  type DictionaryCodec,
  indexKey,
  walkDictionary,
} from '../../../src/chain/tlb/dictionary.ts';

type BlockSignature = SignatureSet['signatures'][number];

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
  if (slice.uint(4) !== SIMPLE_TAG) throw new CellError('unknown tag of a signature');
  return { nodeIdShort, signature: slice.bytes(SIGNATURE_BYTES) };
}

const SIGNATURE_PAIRS: DictionaryCodec<BlockSignature> = {
  keyBits: 16,
  write(builder, { nodeIdShort, signature }) {
    if (signature.length !== SIGNATURE_BYTES) throw new CellError('a signature of a wrong length');
    builder.hash(nodeIdShort).uint(SIMPLE_TAG, 4).bytes(signature);
  },
};

/** Makes the dictionary of signatures by number; -1 if there is none. */
export function buildSignaturePairs(arena: BuildingArena, signatures: readonly BlockSignature[]): number {
  return new Dictionary(arena, SIGNATURE_PAIRS).build(signatures.map((pair, i) => [indexKey(i), pair]));
}
