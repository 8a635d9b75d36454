import { MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import { decodeAnswer, encodeRequest } from '../chain/tl/lite-codec.ts';
import { LiteServerError } from './errors.ts';
import { failureClassOf } from './failure-class.ts';
import type { Ask } from './queries/ask.ts';

const BY_SEQNO = 1;

/** Whether a server has a masterchain block. */
export async function hasBlock(ask: Ask, seqno: number): Promise<boolean> {
  const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  try {
    const answer = await ask(encodeRequest({ method: 'lookupBlock', mode: BY_SEQNO, id }));
    return decodeAnswer('lookupBlock', answer).id.seqno === seqno;
  } catch (error) {
    if (error instanceof LiteServerError && failureClassOf(error) === 'missing') return false;
    throw error;
  }
}
