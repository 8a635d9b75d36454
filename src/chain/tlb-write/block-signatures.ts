import { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { BlockSignature } from '../tl/signature-sets.ts';
import type { BlockSignatures } from '../tlb/signature-set.ts';
import { Dictionary } from './dictionary.ts';
import type { DictionaryForm } from './dictionary-form.ts';
import { indexKey } from './index-key.ts';

const ORDINARY = 0x11;
const SIMPLEX = 0x12;
const ED25519_SIGNATURE = 5;
const SIGNATURE_BYTES = 64;
const STRING_CELL_BYTES = 127;

const SIGNATURE_PAIRS: DictionaryForm<BlockSignature> = {
  keyBits: 16,
  write(builder, { nodeIdShort, signature }) {
    if (signature.length !== SIGNATURE_BYTES) throw new CellFault('a signature of a wrong length');
    builder.hash(nodeIdShort).uint(ED25519_SIGNATURE, 4).bytes(signature);
  },
};

/** Makes the dictionary of signatures by number; -1 if there is none. */
export function buildSignaturePairs(arena: BuildingArena, signatures: readonly BlockSignature[]): number {
  return new Dictionary(arena, SIGNATURE_PAIRS).build(signatures.map((pair, i) => [indexKey(i), pair]));
}

/** Makes the cell of BlockSignatures in the form of the consensus that they are from. */
export function buildBlockSignatures(arena: BuildingArena, { set, weight }: BlockSignatures): number {
  const { signatures } = set;
  const builder = new CellBuilder().uint(set.kind === 'ordinary' ? ORDINARY : SIMPLEX, 8);
  builder.uint(set.validatorSetHash, 32).uint(set.catchainSeqno, 32);
  builder.uint(signatures.length, 32).uint64(weight).maybeRef(buildSignaturePairs(arena, signatures));
  if (set.kind === 'simplex')
    builder.hash(set.sessionId).uint(set.slot, 32).ref(buildString(arena, set.candidate));
  return arena.build(builder);
}

/** Bytes as a chain of cells. */
function buildString(arena: BuildingArena, bytes: Buffer): number {
  const builder = new CellBuilder().bytes(bytes.subarray(0, STRING_CELL_BYTES));
  if (bytes.length > STRING_CELL_BYTES) builder.ref(buildString(arena, bytes.subarray(STRING_CELL_BYTES)));
  return arena.build(builder);
}
