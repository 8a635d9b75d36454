import { headState } from '../../store/head-state.ts';
import type { MethodHandler } from './method-context.ts';
import { refuse } from './refusal.ts';

/** The newest masterchain block. */
export const getMasterchainInfo: MethodHandler<'getMasterchainInfo'> = ({ store }) => {
  const { id, cells, cell: root } = headState(store);
  return { last: id, stateRootHash: cells.hash(root), init: store.zeroState };
};

/** A bit of the mode: the newest block whose shard blocks are available, which is always the newest here. */
const WITH_SHARDS = 1;

/** The newest masterchain block, with the server's version and clocks. */
export const getMasterchainInfoExt: MethodHandler<'getMasterchainInfoExt'> = (
  { store, version, now },
  { mode },
) => {
  const flags = mode & 0x7fffffff;
  if ((flags & ~WITH_SHARDS) !== 0) refuse('unsupported getMasterchainInfo mode');
  const { id, cells, cell: root, state } = headState(store);
  return {
    mode: flags,
    ...version,
    last: id,
    lastUtime: state.genUtime,
    now: now(),
    stateRootHash: cells.hash(root),
    init: store.zeroState,
  };
};

/** The server's clock. */
export const getTime: MethodHandler<'getTime'> = ({ now }) => ({ now: now() });

/** The version and capabilities of the server. */
export const getVersion: MethodHandler<'getVersion'> = ({ version, now }) => ({
  mode: 0,
  ...version,
  now: now(),
});
