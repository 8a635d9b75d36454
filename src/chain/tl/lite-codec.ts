import { LITE_FUNCTIONS, type LiteAnswerOf, type LiteMethod, type LiteRequest } from './lite-functions.ts';
import { constructorText, TlError } from './tl-error.ts';
import { TlReader } from './tl-reader.ts';
import { type DecodeOptions, decodeTl, encodeTl, type TlType } from './tl-type.ts';

const FUNCTION_OF_ID: ReadonlyMap<number, TlType<LiteRequest>> = new Map(
  Object.values(LITE_FUNCTIONS).map((definition) => [definition.id, definition as TlType<LiteRequest>]),
);

/** The bytes of a request, as they go into `liteServer.query`. Throws TlError for a value that does not fit its field. */
export function encodeRequest(request: LiteRequest): Buffer {
  return encodeTl(LITE_FUNCTIONS[request.method] as TlType<LiteRequest>, request);
}

/** The request that a client sent, its wait prefix already split off. Its buffers are views. Throws only TlError. */
export function decodeRequest(bytes: Uint8Array): LiteRequest {
  const reader = new TlReader(bytes);
  const id = reader.uint();
  const definition = FUNCTION_OF_ID.get(id);
  if (definition === undefined) throw new TlError(`unknown function ${constructorText(id)}`);
  const request = definition.read(reader);
  reader.end();
  return request;
}

/** The bytes of a server's answer to a request of `method`. */
export function encodeAnswer<M extends LiteMethod>(method: M, answer: LiteAnswerOf<M>): Buffer {
  return encodeTl(answerType(method), answer);
}

/**
 * What a server answered to a request of `method`. Its buffers are views of `bytes`. Throws only TlError, also
 * for `liteServer.error`, which is to be looked for before.
 */
export function decodeAnswer<M extends LiteMethod>(
  method: M,
  bytes: Uint8Array,
  options?: DecodeOptions,
): LiteAnswerOf<M> {
  return decodeTl(answerType(method), bytes, options);
}

function answerType<M extends LiteMethod>(method: M): TlType<LiteAnswerOf<M>> {
  return LITE_FUNCTIONS[method].answer as TlType<LiteAnswerOf<M>>;
}
