import type { BlockId } from '../block-id.ts';
import { hasBit, isGiven } from './mode-bits.ts';
import { BLOCK_ID_BYTES, readBlockId, writeBlockId } from './names.ts';
import { readSignatureSet, type SignatureSet, writeSignatureSet } from './signature-sets.ts';
import { constructorText, TlError } from './tl-error.ts';
import type { TlReader } from './tl-reader.ts';
import type { LiteFunction, TlType } from './tl-type.ts';
import type { TlWriter } from './tl-writer.ts';

/** `liteServer.blockLinkBack`: a step to an older block, which the state of the newer one names. */
export interface BlockLinkBack {
  readonly kind: 'back';
  readonly toKeyBlock: boolean;
  readonly from: BlockId;
  readonly to: BlockId;
  readonly destProof: Buffer;
  readonly proof: Buffer;
  readonly stateProof: Buffer;
}

/** `liteServer.blockLinkForward`: a step to a newer block, which the validators of the older one signed. */
export interface BlockLinkForward {
  readonly kind: 'forward';
  readonly toKeyBlock: boolean;
  readonly from: BlockId;
  readonly to: BlockId;
  readonly destProof: Buffer;
  readonly configProof: Buffer;
  readonly signatures: SignatureSet;
}

/** One step of a proof from one masterchain block to another. */
export type BlockLink = BlockLinkBack | BlockLinkForward;

/** `liteServer.partialBlockProof`: the first steps from `from` towards the target; all of them if `complete`. */
export interface PartialBlockProof {
  readonly complete: boolean;
  readonly from: BlockId;
  readonly to: BlockId;
  readonly steps: readonly BlockLink[];
}

const LINK_BACK = 0xef7e1bef;
const LINK_FORWARD = 0x520fce1c;
/** The fewest bytes a step can have: id, Bool, two blocks, two empty proofs, and a third one or a set. */
const LINK_BYTES = 4 + 4 + 2 * BLOCK_ID_BYTES + 3 * 4;

function writeLink(writer: TlWriter, link: BlockLink): void {
  writer.uint(link.kind === 'back' ? LINK_BACK : LINK_FORWARD);
  writer.bool(link.toKeyBlock);
  writeBlockId(writer, link.from);
  writeBlockId(writer, link.to);
  writer.bytes(link.destProof);
  if (link.kind === 'back') {
    writer.bytes(link.proof);
    writer.bytes(link.stateProof);
  } else {
    writer.bytes(link.configProof);
    writeSignatureSet(writer, link.signatures);
  }
}

function readLink(reader: TlReader): BlockLink {
  const id = reader.uint();
  if (id !== LINK_BACK && id !== LINK_FORWARD) {
    throw new TlError(`expected liteServer.BlockLink, got constructor ${constructorText(id)}`);
  }
  const toKeyBlock = reader.bool();
  const from = readBlockId(reader);
  const to = readBlockId(reader);
  const destProof = reader.bytes();
  return id === LINK_BACK
    ? { kind: 'back', toKeyBlock, from, to, destProof, proof: reader.bytes(), stateProof: reader.bytes() }
    : {
        kind: 'forward',
        toKeyBlock,
        from,
        to,
        destProof,
        configProof: reader.bytes(),
        signatures: readSignatureSet(reader),
      };
}

const partialBlockProof: TlType<PartialBlockProof> = {
  name: 'liteServer.partialBlockProof',
  id: 0x8ed0d2c1,
  write(w, proof) {
    w.bool(proof.complete);
    writeBlockId(w, proof.from);
    writeBlockId(w, proof.to);
    w.vector(proof.steps, writeLink);
  },
  read: (r) => ({
    complete: r.bool(),
    from: readBlockId(r),
    to: readBlockId(r),
    steps: r.vector(LINK_BYTES, readLink),
  }),
};

/** Request of `getBlockProof`; without a target (bit 0 of the mode) the server goes to its newest block. */
export interface GetBlockProof {
  readonly method: 'getBlockProof';
  readonly mode: number;
  readonly knownBlock: BlockId;
  readonly targetBlock?: BlockId | undefined;
}

/** `liteServer.getBlockProof`: proves a masterchain block from one that is known. */
export const getBlockProof: LiteFunction<GetBlockProof, PartialBlockProof> = {
  name: 'liteServer.getBlockProof',
  id: 0x8aea9c44,
  answer: partialBlockProof,
  write(w, request) {
    w.uint(request.mode);
    writeBlockId(w, request.knownBlock);
    if (isGiven(request.mode, 0, request.targetBlock, 'targetBlock')) writeBlockId(w, request.targetBlock);
  },
  read(r) {
    const mode = r.uint();
    return {
      method: 'getBlockProof',
      mode,
      knownBlock: readBlockId(r),
      targetBlock: hasBit(mode, 0) ? readBlockId(r) : undefined,
    };
  },
};
