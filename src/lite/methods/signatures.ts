import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { adnlShortId } from '../../chain/adnl/keys.ts';
import { type BlockId, shortBlockName } from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { type SignatureSet, signedData } from '../../chain/tl/signatures.ts';
import { readBlockExtra, readBlockRoot } from '../../chain/tlb/block.ts';
import { configParam, DEFAULT_CATCHAIN_CONFIG, readCatchainConfig } from '../../chain/tlb/config.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { masterchainValidators, readValidatorSet, validatorSetHash } from '../../chain/tlb/validators.ts';
import { blockProofFailure, hasHash, openProof, refuse, runProofCheck } from './proofs.ts';

/** The validators that may sign one block, with their weights. */
export interface Signers {
  readonly catchainSeqno: number;
  /** The hash in the block's header. */
  readonly setHash: number;
  readonly totalWeight: bigint;
  /** By the short id of their key in hex. */
  readonly byNode: ReadonlyMap<string, Signer>;
}

interface Signer {
  readonly key: KeyObject;
  readonly weight: bigint;
}

// The DER prefix of a 32-byte public key.
const ED25519_PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_BYTES = 64;

// Uses the thread pool: a mainnet block has about a hundred signatures.
const verifyAsync = promisify(verify);

function createSigners(
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
  const data = runProofCheck('VALIDATE_BLOCK_PROOF', () => signedData(set, block));
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
    checks.push(verifyAsync(null, data, signer.key, signature));
  }
  const results = await Promise.all(checks);
  if (results.includes(false)) throw blockProofFailure('bad signature');
  if (weight * 3n <= signers.totalWeight * 2n) throw blockProofFailure('too small sig weight');
}

/** The validators of the blocks after a key block (or the zero state), read from the proof of its configuration. */
export type SignersCache = (keyBlock: BlockId, configProof: Buffer, catchainSeqno: number) => Signers;

const CATCHAIN_CONFIG = 28;
const VALIDATORS = 34;
/** Temporary validators replace those of param 34. */
const TEMPORARY_VALIDATORS = 35;

const MAX_CACHED = 8;

/**
 * Creates a cache: between two key blocks all blocks have the same validators, in a few different orders, and on mainnet
 * reading them takes longer than the rest of a proof.
 */
export function createSignersCache(): SignersCache {
  const cache = new LRUCache<string, Signers>({ max: MAX_CACHED });
  return (keyBlock, configProof, catchainSeqno) => {
    const key = `${keyBlock.rootHash.toString('hex')}:${catchainSeqno}`;
    let signers = cache.get(key);
    if (signers === undefined) {
      signers = readSigners(keyBlock, configProof, catchainSeqno);
      cache.set(key, signers);
    }
    return signers;
  };
}

function readSigners(keyBlock: BlockId, configProof: Buffer, catchainSeqno: number): Signers {
  const proof = openProof(configProof, { verify: true });
  if (!hasHash(proof, keyBlock.rootHash))
    refuse(`configuration proof of ${shortBlockName(keyBlock)} has incorrect root hash`);
  const config = keyBlock.seqno === 0 ? configOfState(proof) : configOfKeyBlock(proof);
  return signersOfConfig({ cells: proof.cells, cell: config }, keyBlock, catchainSeqno);
}

/** The validators in the configuration of a key block (or the zero state); `config` is the root of its params. */
export function signersOfConfig(
  { cells, cell: config }: CellRef,
  keyBlock: BlockId,
  catchainSeqno: number,
): Signers {
  const temporary = configParam(cells, config, TEMPORARY_VALIDATORS);
  const validatorsCell = temporary >= 0 ? temporary : configParam(cells, config, VALIDATORS);
  if (validatorsCell < 0) refuse(`configuration of ${shortBlockName(keyBlock)} has no validators`);
  const catchainCell = configParam(cells, config, CATCHAIN_CONFIG);
  const catchain = catchainCell < 0 ? DEFAULT_CATCHAIN_CONFIG : readCatchainConfig(cells, catchainCell);
  const validators = masterchainValidators(readValidatorSet(cells, validatorsCell), catchain, catchainSeqno);
  return createSigners(catchainSeqno, validatorSetHash(validators, catchainSeqno), validators);
}

/** The root of the params in a key block. */
export function configOfKeyBlock({ cells, cell }: CellRef): number {
  const extra = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  const config = extra.masterchain < 0 ? undefined : readMasterchainExtra(cells, extra.masterchain).config;
  return config?.root ?? refuse('a forward BlockProofLink that does not start from a key block');
}

/** The root of the params in a state of the masterchain. */
export function configOfState({ cells, cell }: CellRef): number {
  return readMcStateExtra(cells, readShardState(cells, cell).custom).config;
}
