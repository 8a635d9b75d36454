import type { BlockId } from '../../chain/block-id.ts';
import { readStateUpdate } from '../../chain/tlb/block-state-update.ts';
import { type CheckOptions, proving } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { getBlockHeader } from './get-block-header.ts';

const WITH_STATE_UPDATE = 1;

/** The hash of the state after a block. */
export async function getStateRootHash(ask: Ask, block: BlockId, options: CheckOptions): Promise<Buffer> {
  // A zero state is named by its own hash.
  if (block.seqno === 0) return block.rootHash;
  const { cells, root } = await getBlockHeader(ask, block, options, WITH_STATE_UPDATE);
  const { newHash } = proving('VALIDATE_BLOCK_PROOF', () => readStateUpdate(cells, root.stateUpdate));
  // A copy, so that whoever keeps it does not keep the whole answer.
  return Buffer.from(newHash);
}
