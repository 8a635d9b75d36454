import Type, { type Static } from 'typebox';
import { PlainText } from '../../http/serializer.ts';
import { formatShard } from '../value-texts.ts';

/** Which block, without its hashes. */
export const blockIdSchema = Type.Object({
  workchain: Type.Integer(),
  shard: PlainText({ description: 'Hex.' }),
  seqno: Type.Integer(),
});

/** Writes which block it is; the shard is the signed number of the index. */
export function toBlockId(workchain: number, shard: string, seqno: number): Static<typeof blockIdSchema> {
  return { workchain, shard: formatShard(shard), seqno };
}
