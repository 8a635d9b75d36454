import type { BlockId } from '../../chain/block-id.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import { type CreatorsPage, checkValidatorStats } from '../proofs/validator-stats.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

const WITH_START = 1;

/** How many blocks validators made, by their public keys after a given one; servers count 1000 at most. */
export async function getValidatorStats(
  ask: Ask,
  block: BlockId,
  { limit, startAfter }: { readonly limit: number; readonly startAfter?: Buffer },
  options: CheckOptions,
): Promise<CreatorsPage> {
  const mode = startAfter === undefined ? 0 : WITH_START;
  const question = { mode, limit, startAfter };
  const request = { method: 'getValidatorStats', id: block, ...question } as const;
  const answer = await askFor(ask, request, 'VALIDATE_BLOCK_PROOF');
  return checkValidatorStats(answer, { block, ...question }, options);
}
