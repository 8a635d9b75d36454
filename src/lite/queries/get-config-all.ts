import type { BlockId } from '../../chain/block-id.ts';
import { checkConfig, type ProvenConfig } from '../proofs/config.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** Bit of the mode that asks for the blocks before, which get-methods may read. */
export const CONFIG_WITH_PREVIOUS_BLOCKS = 128;

/** The whole configuration at a masterchain block. */
export async function getConfigAll(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
  mode = 0,
): Promise<ProvenConfig> {
  const answer = await askFor(ask, { method: 'getConfigAll', mode, id: block }, 'VALIDATE_CONFIG');
  return checkConfig(answer, { block, mode }, options);
}
