import { constructorText, TlError, TlReader } from '../../src/chain/tl/tl.ts';
import { type LiteRequest, methodById } from '../../src/lite/methods/codec.ts';

/** Decodes a request without a wait prefix. Its buffers are views. Throws only TlError. */
export function decodeRequest(bytes: Uint8Array): LiteRequest {
  const reader = new TlReader(bytes);
  const id = reader.uint();
  const codec = methodById(id);
  if (codec === undefined) throw new TlError(`unknown function ${constructorText(id)}`);
  const request = { method: codec.method, ...(codec.read(reader) as object) } as LiteRequest;
  reader.end();
  return request;
}
