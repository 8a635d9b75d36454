import { isValidBlockId } from '../block-names.ts';
import { knownBlock } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { headerParts } from '../proofs/header-parts.ts';
import type { Query } from '../query.ts';

/** The proof of a block's header. */
export const getBlockHeader: Query<'getBlockHeader'> = ({ store }, { id, mode }) => {
  if (!isValidBlockId(id)) refuse('invalid BlockIdExt');
  return { id, mode, headerProof: headerParts(knownBlock(store, id), mode) };
};
