import {
  type BlockId,
  fullBlockName,
  INVALID_WORKCHAIN,
  isMasterchain,
  isPossibleBlock,
  MASTERCHAIN,
  WHOLE_SHARD,
} from '../../../chain/block-id.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { shardsIntersect } from '../../../chain/shards.ts';
import { LITE_ERROR_CODES } from '../../../chain/tl/lite-envelope.ts';
import type { StoredBlock } from '../../store/block-index.ts';
import type { ChainStore, OpenBlock } from '../../store/chain-store.ts';
import { headShards, headState } from '../../store/head-state.ts';
import { LiteRefusal, prefixRefusal, refuse, refuseNotReady } from './method-context.ts';

/** A block with the state after it. */
export interface BlockAndState extends OpenBlock {
  readonly state: CellRef;
}

/** A block of the chain by its id; refuses with the error text of a node that does not have it. */
export function storedBlock(store: ChainStore, id: BlockId): StoredBlock {
  const block = store.block(id);
  if (block !== undefined) return block;
  // A node has a record of the zero state, but no block.
  if (store.zeroStateBytes(id) !== undefined) refuseNotReady('not in db');
  refuseNotReady(`block handle not in db${behindText(store, id)}`);
}

/** The same with its cells. */
export function openStoredBlock(store: ChainStore, id: BlockId): OpenBlock {
  return store.open(storedBlock(store, id));
}

/** The same with the id in the text of a refusal. */
export function loadBlock(store: ChainStore, id: BlockId): OpenBlock {
  if (!isValidFullBlockId(id)) refuse('invalid block id requested');
  return prefixRefusal(`cannot load block ${fullBlockName(id)} : `, () => openStoredBlock(store, id));
}

/** A masterchain block that a response starts from. */
export function loadMasterchainBlock(store: ChainStore, id: BlockId): OpenBlock {
  if (!isMasterchain(id) || !isValidFullBlockId(id)) refuse('reference block must belong to the masterchain');
  return loadBlock(store, id);
}

/** The state after a block, or a zero state. */
export function loadState(store: ChainStore, id: BlockId): CellRef {
  return prefixRefusal(`cannot load state for ${fullBlockName(id)} : `, () => storedState(store, id));
}

/** The same without the id in the text of a refusal. */
export function storedState(store: ChainStore, id: BlockId): CellRef {
  const state = store.state(id);
  if (state === 'gone') throw new LiteRefusal(LITE_ERROR_CODES.error, "state already gc'd");
  if (state === undefined) refuseNotReady(`block handle not in db${behindText(store, id)}`);
  return state;
}

export function loadBlockAndState(store: ChainStore, id: BlockId): BlockAndState {
  return { ...loadBlock(store, id), state: loadState(store, id) };
}

export function loadMasterchainBlockAndState(store: ChainStore, id: BlockId): BlockAndState {
  return { ...loadMasterchainBlock(store, id), state: loadState(store, id) };
}

/** Refuses unless an id is that of a masterchain block of the chain up to a base, or of its zero state. */
export function checkInChain(
  store: ChainStore,
  id: BlockId,
  base: BlockId,
  role: string,
  reject: (text: string) => never,
): void {
  const [name, baseName] = [fullBlockName(id), fullBlockName(base)];
  if (id.seqno > base.seqno)
    reject(`client knows block ${name} newer than the reference masterchain block ${baseName}`);
  if (!isMasterchain(id) || (store.block(id) === undefined && store.zeroStateBytes(id) === undefined))
    reject(
      `${role} masterchain block ${name} is unknown from the perspective of reference block ${baseName}`,
    );
}

/** The addition of a node about a block that it may not have reached yet. */
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

const NO_HASH = Buffer.alloc(32);
const SMALLEST_SHARD_BIT = 8n;

/** The id that a response has where there is no block. */
export const NO_BLOCK: BlockId = {
  workchain: INVALID_WORKCHAIN,
  shard: 0n,
  seqno: 0,
  rootHash: NO_HASH,
  fileHash: NO_HASH,
};

/** Whether an id can be that of a block, hashes included. */
export function isValidFullBlockId(id: BlockId): boolean {
  return (
    isPossibleBlock(id) &&
    id.shard % SMALLEST_SHARD_BIT === 0n &&
    (id.workchain !== MASTERCHAIN || id.shard === WHOLE_SHARD) &&
    !id.rootHash.equals(NO_HASH) &&
    !id.fileHash.equals(NO_HASH)
  );
}
