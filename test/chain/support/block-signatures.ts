import type { BlockId } from '../../../src/chain/block-id.ts';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import { CellError, type Cells } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import type { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import type { BlockSignature, SignatureSet } from '../../../src/chain/tl/signatures.ts';
import { readShardIdent } from '../../../src/chain/tlb/block-refs.ts';
import {
  Dictionary,
  type DictionaryCodec,
  indexKey,
  walkDictionary,
} from '../../../src/chain/tlb/dictionary.ts';

/** The signatures under a block as a cell holds them (BlockSignatures). */
export interface BlockSignatures {
  readonly set: SignatureSet;
  /** The weight of those who signed, as the cell says it. */
  readonly weight: bigint;
}

const ORDINARY_TAG = 0x11;
const SIMPLEX_TAG = 0x12;
const MAX_STRING_CELLS = 16;

/** Reads a BlockSignatures cell in either of its forms. */
export function readBlockSignatures(cells: Cells, cell: number): BlockSignatures {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== ORDINARY_TAG && tag !== SIMPLEX_TAG) throw new CellError('block signatures of an unknown form');
  const validatorSetHash = slice.uint(32);
  const catchainSeqno = slice.uint(32);
  const count = slice.uint(32);
  const weight = slice.uint64();
  const signatures = readSignaturePairs(cells, slice.maybeRef());
  if (signatures.length !== count) throw new CellError('block signatures with a wrong count');
  const common = { validatorSetHash, catchainSeqno, signatures };
  if (tag === ORDINARY_TAG) return { set: { kind: 'ordinary', ...common }, weight };
  const sessionId = slice.hash();
  const slot = slice.uint(32);
  const candidate = readString(cells, slice.ref());
  return { set: { kind: 'simplex', ...common, sessionId, slot, candidate }, weight };
}

/** Bytes that a chain of cells holds. */
function readString(cells: Cells, first: number): Buffer {
  const parts: Buffer[] = [];
  for (let cell = first; cell >= 0; ) {
    if (parts.length === MAX_STRING_CELLS) throw new CellError('a string of too many cells');
    const slice = new Slice(cells, cell);
    if (slice.bitsLeft & 7) throw new CellError('a string that is not whole bytes');
    parts.push(slice.bytes(slice.bitsLeft >> 3));
    cell = slice.refsLeft > 0 ? slice.ref() : -1;
  }
  return Buffer.concat(parts);
}

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
  if (slice.uint(4) !== SIMPLE_TAG) throw new CellError('a signature of an unknown form');
  return { nodeIdShort, signature: slice.bytes(SIGNATURE_BYTES) };
}

const ORDINARY = 0x11;
const SIMPLEX = 0x12;
const ED25519_SIGNATURE = 5;
const STRING_CELL_BYTES = 127;

const SIGNATURE_PAIRS: DictionaryCodec<BlockSignature> = {
  keyBits: 16,
  write(builder, { nodeIdShort, signature }) {
    if (signature.length !== SIGNATURE_BYTES) throw new CellError('a signature of a wrong length');
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

/** A block's header with the signatures under it (BlockProof), as nodes keep and exchange it. */
interface BlockProof {
  readonly block: BlockId;
  /** The Merkle proof of the header. */
  readonly root: number;
  /** For `readBlockSignatures`; -1 where there are none (a shard block). */
  readonly signatures: number;
}

const TAG = 0xc3;

/** Reads a BlockProof cell. */
export function readBlockProof(cells: Cells, cell: number): BlockProof {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== TAG) throw new CellError('a block proof of an unknown form');
  return { block: readBlockIdExt(slice), root: slice.ref(), signatures: slice.maybeRef() };
}

/** Reads a BlockIdExt. */
function readBlockIdExt(slice: Slice): BlockId {
  const { workchain, shard } = readShardIdent(slice);
  return { workchain, shard, seqno: slice.uint(32), rootHash: slice.hash(), fileHash: slice.hash() };
}
