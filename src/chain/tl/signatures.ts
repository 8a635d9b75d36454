import { hash } from 'node:crypto';
import { type BlockId, sameBlock } from '../block-id.ts';
import { type TlValue, tl } from './fields.ts';
import { constructorText, TlError, TlReader, TlWriter } from './tl.ts';

const signature = tl.record({ nodeIdShort: tl.int256, signature: tl.bytes });

/** Constructor ids of `liteServer.signatureSet.ordinary` and `.simplex`. */
const IDS = { ordinary: 0xf644a6e6, simplex: 0xac249800 };

const SETS = {
  ordinary: tl.record({
    validatorSetHash: tl.uint,
    catchainSeqno: tl.uint,
    signatures: tl.vector(signature),
  }),
  /** Validators sign the session, the slot and the candidate. */
  simplex: tl.record({
    catchainSeqno: tl.uint,
    validatorSetHash: tl.uint,
    signatures: tl.vector(signature),
    sessionId: tl.int256,
    slot: tl.uint,
    candidate: tl.bytes,
  }),
};

type OrdinarySignatureSet = { readonly kind: 'ordinary' } & TlValue<typeof SETS.ordinary>;
export type SimplexSignatureSet = { readonly kind: 'simplex' } & TlValue<typeof SETS.simplex>;

/** The signatures of a block, in the form of its network's consensus. */
export type SignatureSet = OrdinarySignatureSet | SimplexSignatureSet;

/** Writes `liteServer.SignatureSet` with its constructor id. */
export function writeSignatureSet(writer: TlWriter, set: SignatureSet): void {
  writer.uint(IDS[set.kind]);
  if (set.kind === 'ordinary') SETS.ordinary.write(writer, set);
  else SETS.simplex.write(writer, set);
}

/** Reads `liteServer.SignatureSet` with its constructor id. */
export function readSignatureSet(reader: TlReader): SignatureSet {
  const id = reader.uint();
  if (id === IDS.ordinary) return { kind: 'ordinary', ...SETS.ordinary.read(reader) };
  if (id === IDS.simplex) return { kind: 'simplex', ...SETS.simplex.read(reader) };
  throw new TlError(`expected liteServer.SignatureSet, got constructor ${constructorText(id)}`);
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
  const vote = new TlWriter();
  vote.uint(FINALIZE_VOTE);
  writeCandidateId(vote, set);
  writer.bytes(vote.finish());
  return writer.finish();
}

export function candidateBlock(set: SimplexSignatureSet): BlockId {
  const reader = new TlReader(set.candidate);
  const kind = reader.uint();
  if (kind !== CANDIDATE_ORDINARY && kind !== CANDIDATE_EMPTY)
    throw new TlError('unknown kind of candidate in a signature set');
  return tl.blockId.read(reader);
}

/** Writes `consensus.candidateId`, by which votes and later candidates refer to a candidate. */
export function writeCandidateId(writer: TlWriter, { slot, candidate }: SimplexSignatureSet): void {
  writer.uint(CANDIDATE_ID);
  writer.uint(slot);
  writer.int256(hash('sha256', candidate, 'buffer'));
}
