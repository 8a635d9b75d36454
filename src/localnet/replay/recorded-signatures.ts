import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeAnswer } from '../../chain/tl/lite-codec.ts';
import { decodeLiteError } from '../../chain/tl/lite-error.ts';
import type { SignatureSet } from '../../chain/tl/signature-sets.ts';

const BLOCK_PROOF = /^getBlockProof_.*\.json$/;

/**
 * Signatures of blocks, by `hashName` of their root hash. Blocks do not hold the signatures under them, but the recorded answers
 * to getBlockProof do for some.
 */
export function readRecordedSignatures(folder: string): Map<string, SignatureSet> {
  const found = new Map<string, SignatureSet>();
  if (!existsSync(folder)) return found;
  for (const name of readdirSync(folder)) {
    if (!BLOCK_PROOF.test(name)) continue;
    const file: { response: { tl_hex: string } } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const answer = Buffer.from(file.response.tl_hex, 'hex');
    if (decodeLiteError(answer) !== undefined) continue;
    for (const step of decodeAnswer('getBlockProof', answer).steps)
      if (step.kind === 'forward') found.set(hashName(step.to.rootHash), step.signatures);
  }
  return found;
}

/** A hash as a key of a map. */
export function hashName(hash: Buffer): string {
  return hash.toString('hex');
}
