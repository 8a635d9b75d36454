import type { BlockId } from '../api/v3.d.ts';
import { hrefOf, pagePath } from '../router.ts';

const WHOLE_SHARD = '8000000000000000';

/** Path of the page of a block. */
export function blockPage({ workchain, shard, seqno }: BlockId): string {
  return pagePath('block', workchain, shard.toLowerCase(), seqno);
}

/** Path of the page of a masterchain block. */
export function masterchainPage(seqno: number): string {
  return blockPage({ workchain: -1, shard: WHOLE_SHARD, seqno });
}

/** The id of a block, as nodes write it. */
export function blockName({ workchain, shard, seqno }: BlockId): string {
  return `(${workchain},${shard},${seqno})`;
}

/** The seqno of a masterchain block as a link to its page. */
export function MasterchainLink({ seqno }: { readonly seqno: number }) {
  return <a href={hrefOf(masterchainPage(seqno))}>{seqno}</a>;
}

/** Bits of the prefix that all accounts of a shard have: empty for the whole workchain. */
export function shardPrefix(shard: string): string {
  const bits = BigInt(`0x${shard}`).toString(2).padStart(64, '0');
  return bits.slice(0, bits.lastIndexOf('1'));
}
