import { hash } from 'node:crypto';
import { type BlockId, sameBlock } from '../block-id.ts';
import { readBlockId } from './names.ts';
import type { SignatureSet, SimplexSignatureSet } from './signature-sets.ts';
import { TlError } from './tl-error.ts';
import { TlReader } from './tl-reader.ts';
import { TlWriter } from './tl-writer.ts';

const TON_BLOCK_ID = 0xc50b6e70;
const DATA_TO_SIGN = 0xa8e33df8;
const FINALIZE_VOTE = 0x40a7e105;
const CANDIDATE_ID = 0xb691cd3f;
/** `consensus.candidateHashDataOrdinary`: a candidate that is a block of its own. */
export const CANDIDATE_ORDINARY = 0xe8f9bcdc;
const CANDIDATE_EMPTY = 0x72b4d933;

/** The bytes that validators sign to make a block final, in the form of the set's consensus. */
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

/** The block that the candidate of a simplex vote names. */
export function candidateBlock(set: SimplexSignatureSet): BlockId {
  const reader = new TlReader(set.candidate);
  const kind = reader.uint();
  if (kind !== CANDIDATE_ORDINARY && kind !== CANDIDATE_EMPTY)
    throw new TlError('unknown kind of candidate in a signature set');
  return readBlockId(reader);
}

function finalizeVote(set: SimplexSignatureSet): Buffer {
  const writer = new TlWriter();
  writer.uint(FINALIZE_VOTE);
  writeCandidateId(writer, set);
  return writer.finish();
}

/** Writes `consensus.candidateId`, by which votes and later candidates name a candidate. */
export function writeCandidateId(writer: TlWriter, { slot, candidate }: SimplexSignatureSet): void {
  writer.uint(CANDIDATE_ID);
  writer.uint(slot);
  writer.int256(hash('sha256', candidate, 'buffer'));
}
