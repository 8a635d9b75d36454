import { isValidBlockId } from '../block-names.ts';
import { knownBlock } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import type { Query } from '../query.ts';

/** A whole block, in the bytes it was made in. */
export const getBlock: Query<'getBlock'> = ({ store }, { id }) => {
  if (!isValidBlockId(id)) refuse('invalid BlockIdExt');
  return { id, data: knownBlock(store, id).bytes };
};
