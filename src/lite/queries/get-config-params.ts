import type { BlockId } from '../../chain/block-id.ts';
import { checkConfig, type ProvenConfig } from '../proofs/config.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** Chosen parameters of the configuration at a masterchain block; one that is not there does not exist. */
export async function getConfigParams(
  ask: Ask,
  block: BlockId,
  params: readonly number[],
  options: CheckOptions,
  mode = 0,
): Promise<ProvenConfig> {
  const request = { method: 'getConfigParams', mode, id: block, paramList: params } as const;
  const answer = await askFor(ask, request, 'VALIDATE_CONFIG');
  return checkConfig(answer, { block, mode, params }, options);
}
