import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { CheckOptions } from '../../lite/proofs/proof-scope.ts';
import { lookupBlockWithProof } from '../../lite/queries/lookup-block-with-proof.ts';
import type { LiteTarget } from '../../lite/session.ts';

/** The masterchain block that a request is about: the one with a number, or the reference block. */
export async function masterchainBlock(
  { query, reference }: LiteTarget,
  seqno: number | undefined,
  check: CheckOptions,
): Promise<BlockId> {
  if (seqno === undefined || seqno === reference.seqno) return reference;
  const key = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  return (await lookupBlockWithProof(query, reference, key, check)).block;
}
