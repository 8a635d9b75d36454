import { MASTERCHAIN } from '../../chain/block-id.ts';
import { leafShard, shardsIntersect } from '../../chain/shard-prefix.ts';
import type { LookupKey } from '../../chain/tl/blocks.ts';
import type { AccountPrefix, ChainStore, LookUpKey, StoredBlock } from '../store/chain-store.ts';
import { prefixName } from './block-names.ts';
import { type HeadState, headShards, headState } from './head-state.ts';
import { lastKnownText, outOfSyncText } from './known-blocks.ts';
import { LiteRefusal, NOT_READY, refuse } from './lite-refusal.ts';

const BY_SEQNO = 1;
const BY_LT = 2;
const BY_UTIME = 4;
const BY_ANY = BY_SEQNO | BY_LT | BY_UTIME;

/** What nodes say of a chain of which they have nothing. */
const NOTHING_THERE = { seqno: 'seqno not in db', lt: 'lt not in db', utime: 'ts not in db' };

/** What a look-up goes by and the value it looks for. */
export function readLookupKey({ mode, id, lt = 0n, utime = 0 }: LookupKey): [by: LookUpKey, value: bigint] {
  switch (mode & BY_ANY) {
    case BY_SEQNO:
      return ['seqno', BigInt(id.seqno >>> 0)];
    case BY_LT:
      return ['lt', BigInt.asUintN(64, lt)];
    case BY_UTIME:
      return ['utime', BigInt(utime)];
    default:
      refuse('exactly one of mode.0, mode.1 and mode.2 bits must be set');
  }
}

/** Finds a block of the shards around a prefix; refuses in the words of a node that does not. */
export function findBlock(
  store: ChainStore,
  place: AccountPrefix,
  by: LookUpKey,
  value: bigint,
): StoredBlock {
  const found = store.find(place, by, value);
  if (found !== undefined) return found;
  const isMasterchain = place.workchain === MASTERCHAIN;
  const first = store.firstSeqno(place);
  const isOutside = !isMasterchain && (first === undefined || (by === 'seqno' && value < BigInt(first)));
  const reason = isOutside ? NOTHING_THERE[by] : 'ltdb: block not found';
  const head = headState(store);
  const end = isMasterchain ? masterchainEnd(head, by) : shardEnd(head, place, by);
  const tail = value <= end ? '' : isMasterchain ? lastKnownText(store) : outOfSyncText(store);
  throw new LiteRefusal(NOT_READY, `cannot find block ${prefixName(place)} ${by}=${value}: ${reason}${tail}`);
}

function masterchainEnd({ state }: HeadState, by: LookUpKey): bigint {
  if (by === 'lt') return state.genLt;
  return BigInt(by === 'utime' ? state.genUtime : state.seqno);
}

/** Where the shard around a prefix ends; without such a shard, nothing is beyond it. */
function shardEnd(head: HeadState, { workchain, prefix }: AccountPrefix, by: LookUpKey): bigint {
  const top = headShards(head).find(
    (shard) => shard.workchain === workchain && shardsIntersect(shard.shard, leafShard(prefix)),
  );
  if (top === undefined) return 2n ** 64n;
  if (by === 'lt') return top.endLt;
  return BigInt(by === 'utime' ? head.state.genUtime : top.seqno);
}
