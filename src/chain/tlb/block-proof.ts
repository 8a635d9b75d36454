import type { BlockId } from '../block-id.ts';
import { readBoc } from '../boc/bag.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/writer.ts';
import { BuildingArena } from '../state/building-arena.ts';
import type { SignatureSet } from '../tl/signatures.ts';
import { SHARD_IDENT } from './block.ts';
import { Dictionary, type DictionaryCodec, indexKey, readDictionary } from './dictionary.ts';

// block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof;
// block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt;

const BLOCK_PROOF = 0xc3;

/** A proof of a block as nodes keep it: its header and, of a key block, its configuration; signed in the masterchain. */
export interface BlockProof {
  readonly id: BlockId;
  /** The cell of a Merkle proof of the block. */
  readonly proof: number;
  /** Undefined for a shard block. */
  readonly signatures: SignatureSet | undefined;
}

export function readBlockProof(cells: Cells, cell: number): BlockProof {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== BLOCK_PROOF) throw new CellError('not a proof of a block');
  const shard = SHARD_IDENT.read(slice);
  const id = { ...shard, seqno: slice.uint(32), rootHash: slice.hash(), fileHash: slice.hash() };
  const proof = slice.ref();
  const signatures = slice.maybeRef();
  slice.end();
  return { id, proof, signatures: signatures < 0 ? undefined : readBlockSignatures(cells, signatures) };
}

// block_signatures#11 validator_info:ValidatorBaseInfo pure_signatures:BlockSignaturesPure = BlockSignatures;
// block_signatures_simplex#12 validator_info:ValidatorBaseInfo pure_signatures:BlockSignaturesPure
//   session_id:bits256 slot:uint32 candidate_data:^Cell = BlockSignatures;
// validator_base_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 = ValidatorBaseInfo;
// block_signatures_pure#_ sig_count:uint32 sig_weight:uint64 signatures:(HashmapE 16 CryptoSignaturePair)
//   = BlockSignaturesPure;
// sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair;
// ed25519_signature#5 R:bits256 s:bits256 = CryptoSignature;

const ORDINARY = 0x11;
const SIMPLEX = 0x12;
const ED25519 = 5;
const INDEX_BITS = 16;
const SIGNATURE_BYTES = 64;
const MAX_LEVEL = 3;

function readBlockSignatures(cells: Cells, cell: number): SignatureSet {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== ORDINARY && tag !== SIMPLEX) throw new CellError('unknown kind of block signatures');
  const validatorSetHash = slice.uint(32);
  const catchainSeqno = slice.uint(32);
  const count = slice.uint(32);
  // The weight that the signatures add up to is counted when they are checked.
  slice.skip(64);
  const signatures = readDictionary(cells, slice.maybeRef(), INDEX_BITS, (_key, value) => {
    const nodeIdShort = value.hash();
    if (value.uint(4) !== ED25519) throw new CellError('unknown kind of signature');
    return { nodeIdShort, signature: value.bytes(SIGNATURE_BYTES) };
  });
  if (signatures.length !== count) throw new CellError('wrong number of block signatures');
  const common = { validatorSetHash, catchainSeqno, signatures };
  if (tag === ORDINARY) return { kind: 'ordinary', ...common };
  const sessionId = slice.hash();
  const slot = slice.uint(32);
  return { kind: 'simplex', ...common, sessionId, slot, candidate: readSnake(cells, slice.ref()) };
}

/** Bytes that go on in the first reference of each cell. */
function readSnake(cells: Cells, cell: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = cell; at >= 0; ) {
    const slice = new Slice(cells, at);
    if (slice.bitsLeft % 8 !== 0) throw new CellError('bytes in cells end inside a byte');
    parts.push(slice.bytes(slice.bitsLeft / 8));
    at = slice.refsLeft > 0 ? slice.ref() : -1;
  }
  return Buffer.concat(parts);
}

const SIGNATURES: DictionaryCodec<SignatureSet['signatures'][number]> = {
  keyBits: INDEX_BITS,
  write: (builder, { nodeIdShort, signature }) =>
    builder
      .hash(nodeIdShort)
      .uint(ED25519, 4)
      .bits(signature, 0, SIGNATURE_BYTES * 8),
};

interface NewBlockProof {
  readonly id: BlockId;
  /** A bag with the Merkle proof of the block. */
  readonly proof: Buffer;
  /** With the weight of the validators that signed. */
  readonly signed?: { readonly set: SignatureSet; readonly weight: bigint } | undefined;
}

/** Builds the bag of a proof as a node keeps it. */
export function buildBlockProof({ id, proof, signed }: NewBlockProof): Buffer {
  const arena = new BuildingArena();
  const bag = readBoc(proof);
  const builder = new CellBuilder().uint(BLOCK_PROOF, 8);
  SHARD_IDENT.write(builder, id, arena);
  builder.uint(id.seqno, 32).hash(id.rootHash).hash(id.fileHash);
  // The pruned branches are part of what is kept.
  builder.ref(arena.add(bag, bag.root, MAX_LEVEL));
  builder.maybeRef(signed === undefined ? -1 : buildBlockSignatures(arena, signed.set, signed.weight));
  return writeBoc({ cells: arena, roots: [arena.build(builder)] }, { order: 'tonlib', crc: false });
}

function buildBlockSignatures(arena: BuildingArena, set: SignatureSet, weight: bigint): number {
  const { signatures } = set;
  const list = new Dictionary(arena, SIGNATURES).build(signatures.map((one, i) => [indexKey(i), one]));
  const builder = new CellBuilder().uint(set.kind === 'simplex' ? SIMPLEX : ORDINARY, 8);
  builder.uint(set.validatorSetHash, 32).uint(set.catchainSeqno, 32);
  builder.uint(signatures.length, 32).uint64(weight).maybeRef(list);
  if (set.kind === 'simplex')
    builder.hash(set.sessionId).uint(set.slot, 32).ref(buildSnake(arena, set.candidate));
  return arena.build(builder);
}

const SNAKE_BYTES = 127;

function buildSnake(arena: BuildingArena, bytes: Buffer): number {
  let cell = -1;
  for (
    let at = Math.floor(Math.max(0, bytes.length - 1) / SNAKE_BYTES) * SNAKE_BYTES;
    at >= 0;
    at -= SNAKE_BYTES
  ) {
    const part = bytes.subarray(at, at + SNAKE_BYTES);
    const builder = new CellBuilder().bits(part, 0, part.length * 8);
    cell = arena.build(cell < 0 ? builder : builder.ref(cell));
  }
  return cell;
}
