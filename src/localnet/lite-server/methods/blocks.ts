import { hash } from 'node:crypto';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { writeBoc } from '../../../chain/boc/writer.ts';
import { readBlockExtra } from '../../../chain/tlb/block.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../chain/tlb/masterchain-block.ts';
import {
  HEADER_WITH_EXTRA,
  HEADER_WITH_SHARD_HASHES,
  HEADER_WITH_SIGNATURES,
  HEADER_WITH_STATE_UPDATE,
  HEADER_WITH_VALUE_FLOW,
} from '../../../lite/methods/blocks.ts';
import { headState } from '../../store/head-state.ts';
import { type MethodHandler, refuse } from './method-context.ts';
import { ProvenTree, readHeader } from './proofs.ts';
import { isValidFullBlockId, knownBlock, knownState } from './stored-blocks.ts';

/** A whole block in its original bytes. */
export const getBlock: MethodHandler<'getBlock'> = ({ store }, { id }) => {
  if (!isValidFullBlockId(id)) refuse('invalid BlockIdExt');
  return { id, data: knownBlock(store, id).bytes };
};

/** Later states may be too large for one response. */
const LAST_SEQNO = 1000;

/** A whole shard state; a zero state in its original bytes. */
export const getState: MethodHandler<'getState'> = ({ store }, { id }) => {
  if (!isValidFullBlockId(id)) refuse('invalid BlockIdExt');
  if (id.seqno > LAST_SEQNO) refuse('cannot request total state: possibly too large');
  const zeroState = store.zeroStateBytes(id);
  if (zeroState !== undefined) return { id, rootHash: id.rootHash, fileHash: id.fileHash, data: zeroState };
  const { cells, cell: root } = knownState(store, id);
  const data = writeBoc({ cells, roots: [root] }, { order: 'tonlib', index: true });
  return { id, rootHash: cells.hash(root), fileHash: hash('sha256', data, 'buffer'), data };
};

/** The proof of a block's header. */
export const getBlockHeader: MethodHandler<'getBlockHeader'> = ({ store }, { id, mode }) => {
  if (!isValidFullBlockId(id)) refuse('invalid BlockIdExt');
  return { id, mode, headerProof: headerParts(knownBlock(store, id), mode) };
};

/** A bag with a proof of a block's header and the other parts that bits of a mode ask for. */
export function headerParts(block: CellRef, mode: number): Buffer {
  const tree = new ProvenTree(block);
  const { root } = readHeader(tree);
  if (mode & HEADER_WITH_STATE_UPDATE) tree.show(root.stateUpdate);
  if (mode & HEADER_WITH_VALUE_FLOW) tree.showAll(root.valueFlow);
  if (mode & HEADER_WITH_EXTRA) showExtra(tree, root.extra, mode);
  return tree.toBoc();
}

function showExtra(tree: ProvenTree, cell: number, mode: number): void {
  const { masterchain } = readBlockExtra(tree.cells, cell);
  if (masterchain < 0) return;
  const { shardHashes, messages } = readMasterchainExtra(tree.cells, masterchain);
  const { prevBlockSignatures } = readMasterchainMessages(tree.cells, messages);
  if (mode & HEADER_WITH_SHARD_HASHES && shardHashes >= 0) tree.showAll(shardHashes);
  if (mode & HEADER_WITH_SIGNATURES && prevBlockSignatures >= 0) tree.showAll(prevBlockSignatures);
}

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
