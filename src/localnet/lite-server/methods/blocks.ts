import { hash } from 'node:crypto';
import {
  type BlockId,
  isMasterchain,
  MASTERCHAIN,
  sameBlock,
  shardText,
  WHOLE_SHARD,
} from '../../../chain/block-id.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { writeBoc } from '../../../chain/boc/writer.ts';
import { leafShard, shardContains, shardsIntersect } from '../../../chain/shards.ts';
import { previousBlocks, readBlockExtra } from '../../../chain/tlb/block.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../chain/tlb/masterchain-block.ts';
import {
  HEADER_WITH_EXTRA,
  HEADER_WITH_SHARD_HASHES,
  HEADER_WITH_SIGNATURES,
  HEADER_WITH_STATE_UPDATE,
  HEADER_WITH_VALUE_FLOW,
} from '../../../lite/methods/blocks.ts';
import {
  LOOKUP_BY_LT,
  LOOKUP_BY_SEQNO,
  LOOKUP_BY_UTIME,
  type LookupKey,
} from '../../../lite/methods/lookups.ts';
import type { AccountPrefix, LookUpKey, StoredBlock } from '../../store/block-index.ts';
import type { ChainStore, OpenBlock } from '../../store/chain-store.ts';
import { type HeadState, headShards, headState } from '../../store/head-state.ts';
import { type MethodHandlers, refuse, refuseNotReady, refusePlainly } from './method-context.ts';
import { EMPTY, headerProof, oldBlockProof, ProvenTree, readHeader, stateRootProof } from './proofs.ts';
import { shardLinks } from './shards.ts';
import {
  isValidFullBlockId,
  lastKnownText,
  loadMasterchainBlockAndState,
  openStoredBlock,
  outOfSyncText,
  storedState,
} from './stored-blocks.ts';

/** Later states may be too large for one response. */
const LAST_SEQNO = 1000;
/** A bit of the mode: the newest block whose shard blocks are available, which is always the newest here. */
const WITH_SHARDS = 1;
/** The higher bits of the mode say which parts of the block the proof shows. */
const HEADER_MODE_SHIFT = 4;

export const blockMethods = {
  /** A whole block in its original bytes. */
  getBlock({ store }, { id }) {
    if (!isValidFullBlockId(id)) refuse('invalid BlockIdExt');
    return { id, data: openStoredBlock(store, id).bytes };
  },

  /** A whole shard state; a zero state in its original bytes. */
  getState({ store }, { id }) {
    if (!isValidFullBlockId(id)) refuse('invalid BlockIdExt');
    if (id.seqno > LAST_SEQNO) refuse('cannot request total state: possibly too large');
    const zeroState = store.zeroStateBytes(id);
    if (zeroState !== undefined) return { id, rootHash: id.rootHash, fileHash: id.fileHash, data: zeroState };
    const { cells, cell: root } = storedState(store, id);
    const data = writeBoc({ cells, roots: [root] }, { order: 'tonlib', index: true });
    return { id, rootHash: cells.hash(root), fileHash: hash('sha256', data, 'buffer'), data };
  },

  getBlockHeader({ store }, { id, mode }) {
    if (!isValidFullBlockId(id)) refuse('invalid BlockIdExt');
    return { id, mode, headerProof: headerParts(openStoredBlock(store, id), mode) };
  },

  getMasterchainInfo({ store }) {
    const { id, cells, cell: root } = headState(store);
    return { last: id, stateRootHash: cells.hash(root), init: store.zeroState };
  },

  getMasterchainInfoExt({ store, version, now }, { mode }) {
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
  },

  /** Shard blocks with the signatures of their validators that the masterchain has not taken yet. */
  'nonfinal.getPendingShardBlocks'({ store, showsSigned = false }, { workchain, shard = WHOLE_SHARD }) {
    if (!showsSigned) refusePlainly('query is not allowed');
    const isWanted = (id: BlockId) =>
      workchain === undefined || (id.workchain === workchain && shardsIntersect(id.shard, shard));
    return { signedBlocks: store.signed.filter(isWanted), candidates: [] };
  },

  getTime: ({ now }) => ({ now: now() }),

  getVersion: ({ version, now }) => ({ mode: 0, ...version, now: now() }),

  /** Finds a block by seqno, logical time or time. */
  lookupBlock({ store }, request) {
    const { workchain, shard: prefix } = request.id;
    const block = store.open(findBlock(store, { workchain, prefix }, ...readLookupKey(request)));
    const mode = request.mode >>> HEADER_MODE_SHIFT;
    return { id: block.id, mode, headerProof: headerParts(block, mode) };
  },

  /** Finds a block and proves it from a masterchain block that the client trusts. */
  lookupBlockWithProof({ store }, request) {
    const { mode, mcBlockId: trusted } = request;
    const [by, value] = readLookupKey(request);
    if (!isMasterchain(trusted)) refuse('masterchain block id must be specified');
    const { workchain, shard: prefix } = request.id;
    const stored = findBlock(store, { workchain, prefix }, by, value);
    if (stored.masterchainSeqno > trusted.seqno)
      refusePlainly("specified mc block is older than block's masterchain ref");
    const block = store.open(stored);
    const { masterchain, links } =
      workchain === MASTERCHAIN ? { masterchain: stored.id, links: [] } : shardLinks(store, stored);
    return {
      id: stored.id,
      mode,
      mcBlockId: masterchain,
      ...masterchainProofs(store, trusted, masterchain),
      shardLinks: links,
      header: headerProof(block),
      prevHeader: by === 'seqno' ? EMPTY : previousHeader(store, block, prefix),
    };
  },
} satisfies Partial<MethodHandlers>;

/** A bag with a proof of a block's header and the other parts that bits of a mode ask for. */
function headerParts(block: CellRef, mode: number): Buffer {
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

/** Proves that the trusted block's state lists another masterchain block; empty if they are the same. */
function masterchainProofs(store: ChainStore, trusted: BlockId, masterchain: BlockId) {
  if (sameBlock(trusted, masterchain)) return { clientMcStateProof: EMPTY, mcBlockProof: EMPTY };
  const block = loadMasterchainBlockAndState(store, trusted);
  const mcBlockProof = oldBlockProof(block.state, masterchain, false);
  if (mcBlockProof === undefined) refusePlainly('client mc blkid is not in prev_blocks');
  return { clientMcStateProof: stateRootProof(block), mcBlockProof };
}

/** The header of the previous block, which shows that no earlier block matches. */
function previousHeader(store: ChainStore, block: OpenBlock, prefix: bigint): Buffer {
  const previous = previousBlocks(readHeader(block).info).findLast(({ shard }) =>
    shardContains(shard, prefix),
  );
  if (previous === undefined) refuse('failed to choose previous block');
  return headerProof(openStoredBlock(store, previous));
}

const LOOKUP_BY_ANY = LOOKUP_BY_SEQNO | LOOKUP_BY_LT | LOOKUP_BY_UTIME;

/** Error texts of nodes that have nothing of a chain. */
const MISSING_TEXTS = { seqno: 'seqno not in db', lt: 'lt not in db', utime: 'ts not in db' };

/** The key of a look-up and its value. */
function readLookupKey({ mode, id, lt = 0n, utime = 0 }: LookupKey): [by: LookUpKey, value: bigint] {
  switch (mode & LOOKUP_BY_ANY) {
    case LOOKUP_BY_SEQNO:
      return ['seqno', BigInt(id.seqno >>> 0)];
    case LOOKUP_BY_LT:
      return ['lt', BigInt.asUintN(64, lt)];
    case LOOKUP_BY_UTIME:
      return ['utime', BigInt(utime)];
    default:
      refuse('exactly one of mode.0, mode.1 and mode.2 bits must be set');
  }
}

/** Finds a block of the shards around a prefix; refuses with the error text of a node. */
export function findBlock(
  store: ChainStore,
  place: AccountPrefix,
  by: LookUpKey,
  value: bigint,
): StoredBlock {
  const stored = store.find(place, by, value);
  if (stored !== undefined) return stored;
  const isMasterchain = place.workchain === MASTERCHAIN;
  const first = store.firstSeqno(place);
  const isOutside = !isMasterchain && (first === undefined || (by === 'seqno' && value < BigInt(first)));
  const reason = isOutside ? MISSING_TEXTS[by] : 'ltdb: block not found';
  const head = headState(store);
  const end = isMasterchain ? masterchainEnd(head, by) : shardEnd(head, place, by);
  const tail = value <= end ? '' : isMasterchain ? lastKnownText(store) : outOfSyncText(store);
  const name = `(${place.workchain},${shardText(place.prefix)})`;
  refuseNotReady(`cannot find block ${name} ${by}=${value}: ${reason}${tail}`);
}

function masterchainEnd({ state }: HeadState, by: LookUpKey): bigint {
  if (by === 'lt') return state.genLt;
  return BigInt(by === 'utime' ? state.genUtime : state.seqno);
}

/** The end of the shard around a prefix; without such a shard there is no end. */
function shardEnd(head: HeadState, { workchain, prefix }: AccountPrefix, by: LookUpKey): bigint {
  const top = headShards(head).find(
    (shard) => shard.workchain === workchain && shardsIntersect(shard.shard, leafShard(prefix)),
  );
  if (top === undefined) return 2n ** 64n;
  if (by === 'lt') return top.endLt;
  return BigInt(by === 'utime' ? head.state.genUtime : top.seqno);
}
