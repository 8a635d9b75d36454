import { readBlockRoot } from '../../chain/tlb/block.ts';
import { readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { readBlockInfo } from '../../chain/tlb/block-info.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-extra.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { endLtAt, type KnownShards, type MasterchainView } from './masterchain-view.ts';
import type { EndLtAt } from './processed-upto.ts';

/** How far masterchain blocks up to that of a view knew the shards. Blocks tell it; their states may be gone. */
export function knownShards(store: ChainStore, view: MasterchainView): EndLtAt {
  const known = new Map<number, KnownShards>([[view.id.seqno, view]]);
  return (mcSeqno, place) => {
    const seqno = Math.min(mcSeqno, view.id.seqno);
    let at = known.get(seqno);
    if (at === undefined) {
      at = shardsAt(store, seqno);
      known.set(seqno, at);
    }
    return endLtAt(at, place);
  };
}

function shardsAt(store: ChainStore, seqno: number): KnownShards {
  const stored = store.masterchainBlock(seqno);
  if (stored === undefined) return { state: { genLt: 0n }, shards: [] };
  const { cells, root } = store.open(stored);
  const { info, extra } = readBlockRoot(cells, root);
  const { masterchain } = readBlockExtra(cells, extra);
  return {
    state: { genLt: readBlockInfo(cells, info).endLt },
    shards: readShardHashes(cells, readMasterchainExtra(cells, masterchain).shardHashes),
  };
}
