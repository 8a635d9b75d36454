import type { BlockId } from '../../chain/block-id.ts';
import type { SignatureSet } from '../../chain/tl/signature-sets.ts';
import { blockProofFailure } from '../../lite/proofs/block-proof-failure.ts';
import { getBlockLinks } from '../../lite/queries/get-block-proof.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';
import { findBlock, masterchainKey } from './find-block.ts';

/** A masterchain block and what its validators signed it with. */
export interface SignedBlock {
  readonly block: BlockId;
  readonly signatures: SignatureSet;
}

/** Reads the signatures of a masterchain block, which are part of its proof from the block before. */
export async function signedBlock(call: V2Call, target: LiteTarget, seqno: number): Promise<SignedBlock> {
  const { check, memory } = call.ports;
  const before = await findBlock(call, target, masterchainKey(seqno - 1));
  const block = await findBlock(call, target, masterchainKey(seqno));
  const options = { ...check, signersOf: memory.signersOf };
  const last = (await getBlockLinks(target.query, before, block, options)).at(-1);
  // Without signatures it would be a step back, which the order of the two blocks rules out.
  if (last?.kind !== 'forward') throw blockProofFailure('got invalid proof chain');
  return { block, signatures: last.signatures };
}
