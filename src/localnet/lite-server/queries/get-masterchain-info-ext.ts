import { headState } from '../head-state.ts';
import { refuse } from '../lite-refusal.ts';
import type { Query } from '../query.ts';

/** Asks for the newest block whose shard blocks are there too: here that is always the newest. */
const WITH_SHARDS = 1;

/** The newest masterchain block, with the server's version and clocks. */
export const getMasterchainInfoExt: Query<'getMasterchainInfoExt'> = ({ store, version, now }, { mode }) => {
  const known = mode & 0x7fffffff;
  if ((known & ~WITH_SHARDS) !== 0) refuse('unsupported getMasterchainInfo mode');
  const { id, cells, root, state } = headState(store);
  return {
    mode: known,
    ...version,
    last: id,
    lastUtime: state.genUtime,
    now: now(),
    stateRootHash: cells.hash(root),
    init: store.zeroState,
  };
};
