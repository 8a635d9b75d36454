import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import { shardsIntersect } from '../../chain/shard-prefix.ts';
import type { CellTree, ChainStore, OpenBlock, StoredBlock } from '../store/chain-store.ts';
import { fullBlockName, isMasterchainBlock, isValidBlockId } from './block-names.ts';
import { headShards, headState } from './head-state.ts';
import { GONE, LiteRefusal, NOT_READY, refuse, withPrefix } from './lite-refusal.ts';

/** A block with the state after it. */
export interface BlockAndState extends OpenBlock {
  readonly state: CellTree;
}

/** A block of the chain by its name; refuses in the words of a node that does not have it. */
export function storedBlock(store: ChainStore, id: BlockId): StoredBlock {
  const block = store.block(id);
  if (block !== undefined) return block;
  // A node has a record of the zero state, but no block.
  if (store.zeroStateBytes(id) !== undefined) throw new LiteRefusal(NOT_READY, 'not in db');
  throw new LiteRefusal(NOT_READY, `block handle not in db${behindText(store, id)}`);
}

/** The same with its cells. */
export function knownBlock(store: ChainStore, id: BlockId): OpenBlock {
  return store.open(storedBlock(store, id));
}

/** The same with the name in the text of a refusal. */
export function loadBlock(store: ChainStore, id: BlockId): OpenBlock {
  if (!isValidBlockId(id)) refuse('invalid block id requested');
  return withPrefix(`cannot load block ${fullBlockName(id)} : `, () => knownBlock(store, id));
}

/** A masterchain block that an answer is to start from. */
export function loadMasterchainBlock(store: ChainStore, id: BlockId): OpenBlock {
  if (!isMasterchainBlock(id) || !isValidBlockId(id))
    refuse('reference block must belong to the masterchain');
  return loadBlock(store, id);
}

/** The state after a block, or a zero state. */
export function loadState(store: ChainStore, id: BlockId): CellTree {
  return withPrefix(`cannot load state for ${fullBlockName(id)} : `, () => knownState(store, id));
}

/** The same without the name in the text of a refusal. */
export function knownState(store: ChainStore, id: BlockId): CellTree {
  const state = store.state(id);
  if (state === 'gone') throw new LiteRefusal(GONE, "state already gc'd");
  if (state === undefined) throw new LiteRefusal(NOT_READY, `block handle not in db${behindText(store, id)}`);
  return state;
}

/** A block with the state after it. */
export function loadBlockAndState(store: ChainStore, id: BlockId): BlockAndState {
  return { ...loadBlock(store, id), state: loadState(store, id) };
}

/** A masterchain block with the state after it. */
export function loadMasterchainBlockAndState(store: ChainStore, id: BlockId): BlockAndState {
  return { ...loadMasterchainBlock(store, id), state: loadState(store, id) };
}

/** Whether a name is that of a masterchain block of the chain, or of its zero state. */
export function isInChain(store: ChainStore, id: BlockId): boolean {
  return isMasterchainBlock(id) && (store.block(id) !== undefined || store.zeroStateBytes(id) !== undefined);
}

/** What a node adds for a block that it may not have reached yet. */
function behindText(store: ChainStore, id: BlockId): string {
  const { seqno } = store.head;
  if (id.workchain === MASTERCHAIN) return id.seqno > seqno ? lastKnownText(store) : '';
  const top = headShards(headState(store)).find(
    ({ workchain, shard }) => workchain === id.workchain && shardsIntersect(shard, id.shard),
  );
  return top !== undefined && id.seqno > top.seqno ? outOfSyncText(store) : '';
}

/** How far the masterchain goes. */
export function lastKnownText(store: ChainStore): string {
  return ` (last known masterchain block: ${store.head.seqno})`;
}

/** How far the shards go. */
export function outOfSyncText(store: ChainStore): string {
  const { seqno } = store.head;
  return ` (possibly out of sync: shard_client_seqno=${seqno} ls_seqno=${seqno})`;
}
