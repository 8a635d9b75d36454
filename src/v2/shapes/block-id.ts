import Type from 'typebox';
import type { BlockId } from '../../chain/block-id.ts';
import { PlainText } from '../../http/serializer.ts';

/** A 256-bit hash in base64. */
export const Hash256 = () => PlainText({ pattern: '^[A-Za-z0-9+/]{43}=$' });

/** A signed 64-bit number as a decimal string. */
export const Int64Text = () => PlainText({ pattern: '^-?[0-9]{1,19}$' });

/** `ton.blockIdExt`: a block by its whole name. */
export const BlockIdExt = Type.Object({
  '@type': Type.Literal('ton.blockIdExt'),
  workchain: Type.Integer(),
  shard: Int64Text(),
  seqno: Type.Integer(),
  root_hash: Hash256(),
  file_hash: Hash256(),
});

/** Writes `ton.blockIdExt`. */
export function blockIdExt({ workchain, shard, seqno, rootHash, fileHash }: BlockId) {
  return {
    '@type': 'ton.blockIdExt' as const,
    workchain,
    shard: String(shard),
    seqno,
    root_hash: rootHash.toString('base64'),
    file_hash: fileHash.toString('base64'),
  };
}
