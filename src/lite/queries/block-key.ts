import type { LookupKey } from '../../chain/tl/blocks.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';

/** What a block is looked up by: its place, or a time (`utime` in unix seconds) that lies in it. */
export type BlockKey = ShardIdent &
  ({ readonly seqno: number } | { readonly lt: bigint } | { readonly utime: number });

/** The same as the lite-server functions take it. */
export function lookupKey(key: BlockKey): LookupKey {
  const { workchain, shard } = key;
  if ('seqno' in key) return { mode: 1, id: { workchain, shard, seqno: key.seqno } };
  const id = { workchain, shard, seqno: 0 };
  return 'lt' in key ? { mode: 2, id, lt: key.lt } : { mode: 4, id, utime: key.utime };
}
