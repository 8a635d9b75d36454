import { type BlockId, shortBlockName } from '../../chain/block-id.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { DEFAULT_CATCHAIN_CONFIG, readCatchainConfig } from '../../chain/tlb/catchain-config.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-extra.ts';
import { readMcStateExtra } from '../../chain/tlb/mc-state-extra.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { readValidatorSet } from '../../chain/tlb/validator-set.ts';
import { validatorSetHash } from '../../chain/tlb/validator-set-hash.ts';
import { masterchainValidators } from '../../chain/tlb/validator-subset.ts';
import { type FoundCell, hasHash, openProof } from './open-proof.ts';
import { refuse } from './proof-scope.ts';
import { createSigners, type Signers } from './signatures.ts';

/** The validators of the blocks after a key block (or the zero state), read from the proof of its configuration. */
export type SignersCache = (keyBlock: BlockId, configProof: Buffer, catchainSeqno: number) => Signers;

const CATCHAIN_CONFIG = 28;
const VALIDATORS = 34;
/** Stands in for the validators of 34 while it is there. */
const TEMPORARY_VALIDATORS = 35;

const KEPT = 8;

/**
 * Makes a cache: between two key blocks every block has the same validators, or a few orders of them, and on mainnet
 * reading them takes longer than anything else in a proof.
 */
export function createSignersCache(): SignersCache {
  const kept = new Map<string, Signers>();
  return (keyBlock, configProof, catchainSeqno) => {
    const name = `${keyBlock.rootHash.toString('hex')}:${catchainSeqno}`;
    let signers = kept.get(name);
    if (signers === undefined) {
      signers = readSigners(keyBlock, configProof, catchainSeqno);
      kept.set(name, signers);
      if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
    }
    return signers;
  };
}

function readSigners(keyBlock: BlockId, configProof: Buffer, catchainSeqno: number): Signers {
  const found = openProof(configProof, { verify: true });
  if (!hasHash(found, keyBlock.rootHash))
    refuse(`configuration proof of ${shortBlockName(keyBlock)} has incorrect root hash`);
  const { cells } = found;
  const config = keyBlock.seqno === 0 ? configOfState(found) : configOfKeyBlock(found);
  const temporary = configParam(cells, config, TEMPORARY_VALIDATORS);
  const validatorsCell = temporary >= 0 ? temporary : configParam(cells, config, VALIDATORS);
  if (validatorsCell < 0) refuse(`configuration of ${shortBlockName(keyBlock)} has no validators`);
  const catchainCell = configParam(cells, config, CATCHAIN_CONFIG);
  const catchain = catchainCell < 0 ? DEFAULT_CATCHAIN_CONFIG : readCatchainConfig(cells, catchainCell);
  const validators = masterchainValidators(readValidatorSet(cells, validatorsCell), catchain, catchainSeqno);
  return createSigners(catchainSeqno, validatorSetHash(validators, catchainSeqno), validators);
}

function configOfKeyBlock({ cells, cell }: FoundCell): number {
  const extra = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  const config = extra.masterchain < 0 ? undefined : readMasterchainExtra(cells, extra.masterchain).config;
  return config?.root ?? refuse('a forward BlockProofLink that does not start from a key block');
}

function configOfState({ cells, cell }: FoundCell): number {
  return readMcStateExtra(cells, readShardState(cells, cell).custom).config;
}
