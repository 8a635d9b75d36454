import type { BlockId } from '../../chain/block-id.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes-descr.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import { checkShardInfo } from '../proofs/shards.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** The newest block of the shard that holds another one, or with `exact` of that one itself; undefined for none. */
export async function getShardInfo(
  ask: Ask,
  block: BlockId,
  { workchain, shard, exact }: ShardIdent & { readonly exact: boolean },
  options: CheckOptions,
): Promise<ShardDescr | undefined> {
  const request = { method: 'getShardInfo', id: block, workchain, shard, exact } as const;
  const answer = await askFor(ask, request, 'VALIDATE_BLOCK_PROOF');
  return checkShardInfo(answer, { block, workchain, shard, exact }, options);
}
