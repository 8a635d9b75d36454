import { decodeAnswer, encodeRequest } from '../../chain/tl/lite-codec.ts';
import type { LiteAnswerOf, LiteRequest } from '../../chain/tl/lite-functions.ts';
import { TlError } from '../../chain/tl/tl-error.ts';
import { LiteNetworkError } from '../errors.ts';
import { type ProofPrefix, proving } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';

/** Asks and decodes; an answer that does not parse fails like the check that would follow. */
export async function askFor<R extends LiteRequest>(
  ask: Ask,
  request: R,
  prefix: ProofPrefix,
): Promise<LiteAnswerOf<R['method']>> {
  const answer = await ask(encodeRequest(request));
  return proving(prefix, () => decodeAnswer(request.method as R['method'], answer));
}

/** Asks for something that cannot be proven; an answer that does not parse is none. */
export async function askPlainly<R extends LiteRequest>(
  ask: Ask,
  request: R,
): Promise<LiteAnswerOf<R['method']>> {
  const answer = await ask(encodeRequest(request));
  try {
    return decodeAnswer(request.method as R['method'], answer);
  } catch (error) {
    if (error instanceof TlError) throw new LiteNetworkError(error.message, error);
    throw error;
  }
}
