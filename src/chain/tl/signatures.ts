import { hash } from 'node:crypto';
import { type BlockId, sameBlock } from '../block-id.ts';
import { tl } from './fields.ts';
import { constructorText, TlError, TlReader, TlWriter } from './tl.ts';

/** `liteServer.signature`: one validator's signature of a block. */
export type BlockSignature = Readonly<ReturnType<typeof readSignature>>;

/** `liteServer.signatureSet.ordinary`. Both numbers are unsigned, as in a block's header. */
interface OrdinarySignatureSet {
  readonly kind: 'ordinary';
  readonly validatorSetHash: number;
  readonly catchainSeqno: number;
  readonly signatures: readonly BlockSignature[];
}

/** `liteServer.signatureSet.simplex`: validators sign the session, the slot and the candidate. */
export interface SimplexSignatureSet {
  readonly kind: 'simplex';
  readonly catchainSeqno: number;
  readonly validatorSetHash: number;
  readonly signatures: readonly BlockSignature[];
  readonly sessionId: Buffer;
  readonly slot: number;
  readonly candidate: Buffer;
}

/** The signatures of a block, in the form of its network's consensus. */
export type SignatureSet = OrdinarySignatureSet | SimplexSignatureSet;

const ORDINARY = 0xf644a6e6;
const SIMPLEX = 0xac249800;

/** Writes `liteServer.SignatureSet` with its constructor id. */
export function writeSignatureSet(writer: TlWriter, set: SignatureSet): void {
  if (set.kind === 'ordinary') {
    writer.uint(ORDINARY);
    writer.uint(set.validatorSetHash);
    writer.uint(set.catchainSeqno);
    writer.vector(set.signatures, writeSignature);
    return;
  }
  writer.uint(SIMPLEX);
  writer.uint(set.catchainSeqno);
  writer.uint(set.validatorSetHash);
  writer.vector(set.signatures, writeSignature);
  writer.int256(set.sessionId);
  writer.uint(set.slot);
  writer.bytes(set.candidate);
}

/** Reads `liteServer.SignatureSet` with its constructor id. */
export function readSignatureSet(reader: TlReader): SignatureSet {
  const id = reader.uint();
  if (id === ORDINARY) {
    return {
      kind: 'ordinary',
      validatorSetHash: reader.uint(),
      catchainSeqno: reader.uint(),
      signatures: readSignatures(reader),
    };
  }
  if (id === SIMPLEX) {
    return {
      kind: 'simplex',
      catchainSeqno: reader.uint(),
      validatorSetHash: reader.uint(),
      signatures: readSignatures(reader),
      sessionId: reader.int256(),
      slot: reader.uint(),
      candidate: reader.bytes(),
    };
  }
  throw new TlError(`expected liteServer.SignatureSet, got constructor ${constructorText(id)}`);
}

function writeSignature(writer: TlWriter, signature: BlockSignature): void {
  writer.int256(signature.nodeIdShort);
  writer.bytes(signature.signature);
}

/** An empty signature has 4 bytes beside the 32 of its validator. */
const readSignatures = (reader: TlReader): BlockSignature[] => reader.vector(36, readSignature);

function readSignature(reader: TlReader) {
  return { nodeIdShort: reader.int256(), signature: reader.bytes() };
}

const TON_BLOCK_ID = 0xc50b6e70;
const DATA_TO_SIGN = 0xa8e33df8;
const FINALIZE_VOTE = 0x40a7e105;
const CANDIDATE_ID = 0xb691cd3f;
/** `consensus.candidateHashDataOrdinary`: a candidate with a new block. */
export const CANDIDATE_ORDINARY = 0xe8f9bcdc;
const CANDIDATE_EMPTY = 0x72b4d933;

/** The bytes that validators sign to finalize a block, in the form of the set's consensus. */
export function signedData(set: SignatureSet, block: BlockId): Buffer {
  const writer = new TlWriter();
  if (set.kind === 'ordinary') {
    writer.uint(TON_BLOCK_ID);
    writer.int256(block.rootHash);
    writer.int256(block.fileHash);
    return writer.finish();
  }
  if (!sameBlock(candidateBlock(set), block)) throw new TlError('block id mismatch');
  writer.uint(DATA_TO_SIGN);
  writer.int256(set.sessionId);
  writer.bytes(finalizeVote(set));
  return writer.finish();
}

/** The block of the candidate of a simplex vote. */
export function candidateBlock(set: SimplexSignatureSet): BlockId {
  const reader = new TlReader(set.candidate);
  const kind = reader.uint();
  if (kind !== CANDIDATE_ORDINARY && kind !== CANDIDATE_EMPTY)
    throw new TlError('unknown kind of candidate in a signature set');
  return tl.blockId.read(reader);
}

function finalizeVote(set: SimplexSignatureSet): Buffer {
  const writer = new TlWriter();
  writer.uint(FINALIZE_VOTE);
  writeCandidateId(writer, set);
  return writer.finish();
}

/** Writes `consensus.candidateId`, by which votes and later candidates refer to a candidate. */
export function writeCandidateId(writer: TlWriter, { slot, candidate }: SimplexSignatureSet): void {
  writer.uint(CANDIDATE_ID);
  writer.uint(slot);
  writer.int256(hash('sha256', candidate, 'buffer'));
}
