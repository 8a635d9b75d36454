import { type BlockId, isMasterchain, MASTERCHAIN, sameBlock, shardText } from '../../../chain/block-id.ts';
import { leafShard, shardContains, shardsIntersect } from '../../../chain/shards.ts';
import { previousBlocks } from '../../../chain/tlb/block.ts';
import {
  LOOKUP_BY_LT,
  LOOKUP_BY_SEQNO,
  LOOKUP_BY_UTIME,
  type LookupKey,
} from '../../../lite/methods/lookups.ts';
import type { AccountPrefix, LookUpKey, StoredBlock } from '../../store/block-index.ts';
import type { ChainStore, OpenBlock } from '../../store/chain-store.ts';
import { type HeadState, headShards, headState } from '../../store/head-state.ts';
import { headerParts } from './blocks.ts';
import { LiteRefusal, type MethodHandler, PLAIN_ERROR, refuse, refuseNotReady } from './method-context.ts';
import { EMPTY, headerProof, oldBlockProof, readHeader, stateRootProof } from './proofs.ts';
import { shardLinks } from './shards.ts';
import { knownBlock, lastKnownText, loadMasterchainBlockAndState, outOfSyncText } from './stored-blocks.ts';

/** The higher bits of the mode say which parts of the block the proof shows. */
const HEADER_MODE_SHIFT = 4;

/** Finds a block by seqno, logical time or time. */
export const lookupBlock: MethodHandler<'lookupBlock'> = ({ store }, request) => {
  const { workchain, shard: prefix } = request.id;
  const block = store.open(findBlock(store, { workchain, prefix }, ...readLookupKey(request)));
  const mode = request.mode >>> HEADER_MODE_SHIFT;
  return { id: block.id, mode, headerProof: headerParts(block, mode) };
};

/** Finds a block and proves it from a masterchain block that the client trusts. */
export const lookupBlockWithProof: MethodHandler<'lookupBlockWithProof'> = ({ store }, request) => {
  const { mode, mcBlockId: trusted } = request;
  const [by, value] = readLookupKey(request);
  if (!isMasterchain(trusted)) refuse('masterchain block id must be specified');
  const { workchain, shard: prefix } = request.id;
  const stored = findBlock(store, { workchain, prefix }, by, value);
  if (stored.masterchainSeqno > trusted.seqno)
    throw new LiteRefusal(PLAIN_ERROR, "specified mc block is older than block's masterchain ref");
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
};

/** Proves that the trusted block's state lists another masterchain block; empty if they are the same. */
function masterchainProofs(
  store: ChainStore,
  trusted: BlockId,
  masterchain: BlockId,
): { clientMcStateProof: Buffer; mcBlockProof: Buffer } {
  if (sameBlock(trusted, masterchain)) return { clientMcStateProof: EMPTY, mcBlockProof: EMPTY };
  const block = loadMasterchainBlockAndState(store, trusted);
  const mcBlockProof = oldBlockProof(block.state, masterchain, false);
  if (mcBlockProof === undefined) throw new LiteRefusal(PLAIN_ERROR, 'client mc blkid is not in prev_blocks');
  return { clientMcStateProof: stateRootProof(block), mcBlockProof };
}

/** The header of the previous block, which shows that no earlier block matches. */
function previousHeader(store: ChainStore, block: OpenBlock, prefix: bigint): Buffer {
  const previous = previousBlocks(readHeader(block).info).findLast(({ shard }) =>
    shardContains(shard, prefix),
  );
  if (previous === undefined) refuse('failed to choose previous block');
  return headerProof(knownBlock(store, previous));
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
