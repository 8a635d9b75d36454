import { ProofFailure } from '../errors.ts';

/** A proof of a masterchain block that does not hold. */
export function blockProofFailure(detail: string, cause?: unknown): ProofFailure {
  return new ProofFailure('VALIDATE_BLOCK_PROOF', detail, cause);
}
