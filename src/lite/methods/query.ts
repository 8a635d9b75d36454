import type { LiteMethodCodec } from '../../chain/tl/fields.ts';
import { decodeTl, encodeTl, TlError } from '../../chain/tl/tl.ts';
import { LiteNetworkError } from './failures.ts';
import { type ProofPrefix, runProofCheck } from './proofs.ts';

/**
 * Queries a lite server: the bytes of one function (without `liteServer.query` around them) in, those of its response
 * out. A response `liteServer.error` is thrown as a LiteServerError.
 */
export type QueryServer = (request: Buffer) => Promise<Buffer>;

/** Queries and decodes; an unparseable response fails like the check that would follow. */
export async function queryProvable<Request, Response>(
  query: QueryServer,
  codec: LiteMethodCodec<string, Request, Response>,
  request: NoInfer<Request>,
  prefix: ProofPrefix,
): Promise<Response> {
  const response = await query(encodeTl(codec, request));
  return runProofCheck(prefix, () => decodeTl(codec.response, response));
}

/** Queries something that cannot be proven; an unparseable response counts as a network error. */
export async function queryUnproven<Request, Response>(
  query: QueryServer,
  codec: LiteMethodCodec<string, Request, Response>,
  request: NoInfer<Request>,
): Promise<Response> {
  const response = await query(encodeTl(codec, request));
  try {
    return decodeTl(codec.response, response);
  } catch (error) {
    if (error instanceof TlError) throw new LiteNetworkError(error.message, error);
    throw error;
  }
}
