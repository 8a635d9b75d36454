import type { BlockId } from '../../../src/chain/block-id.ts';

/** A block id as in v2 responses. */
export function blockJson({ workchain, shard, seqno, rootHash, fileHash }: BlockId) {
  return {
    '@type': 'ton.blockIdExt',
    workchain,
    shard: String(shard),
    seqno,
    root_hash: rootHash.toString('base64'),
    file_hash: fileHash.toString('base64'),
  };
}
