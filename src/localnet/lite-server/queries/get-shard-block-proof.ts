import { MASTERCHAIN } from '../../../chain/block-id.ts';
import { isValidWorkchain } from '../block-names.ts';
import { storedBlock } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { shardLinks } from '../proofs/shard-links.ts';
import type { Query } from '../query.ts';

/** Proves a shard block from the masterchain block that brought it into the chain. */
export const getShardBlockProof: Query<'getShardBlockProof'> = ({ store }, { id }) => {
  if (!isValidWorkchain(id.workchain) || id.shard === 0n) refuse('invalid block id');
  if (id.workchain === MASTERCHAIN) return { masterchainId: id, links: [] };
  const { masterchain, links } = shardLinks(store, storedBlock(store, id));
  return { masterchainId: masterchain, links };
};
