import { headState } from '../head-state.ts';
import type { Query } from '../query.ts';

/** The newest masterchain block. */
export const getMasterchainInfo: Query<'getMasterchainInfo'> = ({ store }) => {
  const { id, cells, root } = headState(store);
  return { last: id, stateRootHash: cells.hash(root), init: store.zeroState };
};
