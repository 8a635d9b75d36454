import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { adnlShortId } from '../../chain/adnl/keys.ts';
import type { BlockId } from '../../chain/block-id.ts';
import type { SignatureSet } from '../../chain/tl/signature-sets.ts';
import { signedData } from '../../chain/tl/signed-data.ts';
import { blockProofFailure } from './block-proof-failure.ts';
import { proving } from './proof-scope.ts';

/** The validators of one block: who may sign it, with which weight. */
export interface Signers {
  readonly catchainSeqno: number;
  /** The hash that the block's header names. */
  readonly setHash: number;
  readonly totalWeight: bigint;
  /** By the hex of the short id of their key. */
  readonly byNode: ReadonlyMap<string, Signer>;
}

interface Signer {
  readonly key: KeyObject;
  readonly weight: bigint;
}

// What comes before the 32 bytes of a public key in its DER form.
const ED25519_PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_BYTES = 64;

// In the thread pool: a mainnet block has about a hundred signatures.
const verifyAside = promisify(verify);

/** Makes the validators of a block ready for checks. */
export function createSigners(
  catchainSeqno: number,
  setHash: number,
  validators: readonly { readonly publicKey: Buffer; readonly weight: bigint }[],
): Signers {
  const byNode = new Map<string, Signer>();
  let totalWeight = 0n;
  for (const { publicKey, weight } of validators) {
    const der = Buffer.concat([ED25519_PUBLIC, publicKey]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    byNode.set(adnlShortId(publicKey).toString('hex'), { key, weight });
    totalWeight += weight;
  }
  return { catchainSeqno, setHash, totalWeight, byNode };
}

/** Checks that validators with more than two thirds of the weight signed a block, and that no signature is wrong. */
export async function checkSignatures(set: SignatureSet, block: BlockId, signers: Signers): Promise<void> {
  if (set.catchainSeqno !== signers.catchainSeqno)
    throw blockProofFailure(
      `catchain seqno mismatch: expected ${signers.catchainSeqno}, found ${set.catchainSeqno}`,
    );
  if (set.validatorSetHash !== signers.setHash)
    throw blockProofFailure(
      `validator set hash mismatch: expected ${signers.setHash}, found ${set.validatorSetHash}`,
    );
  const data = proving('VALIDATE_BLOCK_PROOF', () => signedData(set, block));
  const checks: Promise<boolean>[] = [];
  const seen = new Set<string>();
  let weight = 0n;
  for (const { nodeIdShort, signature } of set.signatures) {
    const node = nodeIdShort.toString('hex');
    if (seen.has(node)) throw blockProofFailure('duplicate node');
    seen.add(node);
    const signer = signers.byNode.get(node);
    if (signer === undefined) throw blockProofFailure('unknown node');
    if (signature.length !== SIGNATURE_BYTES) throw blockProofFailure('signature of a wrong size');
    weight += signer.weight;
    checks.push(verifyAside(null, data, signer.key, signature));
  }
  const results = await Promise.all(checks);
  if (results.includes(false)) throw blockProofFailure('bad signature');
  if (weight * 3n <= signers.totalWeight * 2n) throw blockProofFailure('too small sig weight');
}
