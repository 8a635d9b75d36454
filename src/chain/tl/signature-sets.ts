import { constructorText, TlError } from './tl-error.ts';
import type { TlReader } from './tl-reader.ts';
import type { TlWriter } from './tl-writer.ts';

/** `liteServer.signature`: one validator's signature of a block. */
export interface BlockSignature {
  readonly nodeIdShort: Buffer;
  readonly signature: Buffer;
}

/** `liteServer.signatureSet.ordinary`. Both numbers are unsigned, as in a block's header. */
export interface OrdinarySignatureSet {
  readonly kind: 'ordinary';
  readonly validatorSetHash: number;
  readonly catchainSeqno: number;
  readonly signatures: readonly BlockSignature[];
}

/** `liteServer.signatureSet.simplex`: what validators sign is made from the session, the slot and the candidate. */
export interface SimplexSignatureSet {
  readonly kind: 'simplex';
  readonly catchainSeqno: number;
  readonly validatorSetHash: number;
  readonly signatures: readonly BlockSignature[];
  readonly sessionId: Buffer;
  readonly slot: number;
  readonly candidate: Buffer;
}

/** The signatures under a block, in the form of its network's consensus. */
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

function readSignature(reader: TlReader): BlockSignature {
  return { nodeIdShort: reader.int256(), signature: reader.bytes() };
}
