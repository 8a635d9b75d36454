import { MASTERCHAIN } from '../../chain/block-id.ts';
import { CellError } from '../../chain/boc/cells.ts';
import { accountPrefix, shardContains } from '../../chain/shards.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import { accountOf, type MsgAddress } from '../../chain/tlb/msg-address.ts';
import type { AccountPrefix } from '../store/block-index.ts';

const WORKCHAIN_BITS = 32;
const ALL_BITS = 96;
const ALL_ONES = 2n ** 64n - 1n;

export function placeOf(address: MsgAddress): AccountPrefix {
  if (address.kind === 'std')
    return { workchain: address.workchain, prefix: accountPrefix(accountOf(address)) };
  if (address.kind === 'var' && address.bits >= 64)
    return { workchain: address.workchain, prefix: accountPrefix(address.value) };
  throw new CellError('an address that names no account');
}

export function holds({ workchain, shard }: ShardIdent, place: AccountPrefix): boolean {
  return place.workchain === workchain && shardContains(shard, place.prefix);
}

/** Prefix with the first bits (workchain included) of one and the rest of another. */
export function placeBetween(from: AccountPrefix, to: AccountPrefix, bits: number): AccountPrefix {
  if (bits >= ALL_BITS) return to;
  if (bits >= WORKCHAIN_BITS) {
    const rest = ALL_ONES >> BigInt(bits - WORKCHAIN_BITS);
    const prefix = BigInt.asIntN(64, (to.prefix & ~rest) | (from.prefix & rest));
    return { workchain: to.workchain, prefix };
  }
  const rest = bits === 0 ? -1 : (2 ** (WORKCHAIN_BITS - bits) - 1) | 0;
  return { workchain: (to.workchain & ~rest) | (from.workchain & rest), prefix: from.prefix };
}

/**
 * The next station of a message that is in a shard: the masterchain is next to everything, and in a workchain four
 * more bits of the destination are taken over until that leads out of the shard. Gives the bits of the destination
 * address that the current and the next hop cover: 0 to 96.
 */
export function routeFrom(shard: ShardIdent, from: AccountPrefix, to: AccountPrefix) {
  if (holds(shard, to)) return { current: ALL_BITS, next: ALL_BITS };
  if (from.workchain === MASTERCHAIN || to.workchain === MASTERCHAIN) return { current: 0, next: ALL_BITS };
  if (from.workchain !== to.workchain) return { current: 0, next: WORKCHAIN_BITS };
  let bits = WORKCHAIN_BITS;
  while (holds(shard, placeBetween(from, to, bits))) bits += 4;
  return { current: bits - 4, next: bits };
}
