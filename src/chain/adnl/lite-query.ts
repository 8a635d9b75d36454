import { TlReader } from '../tl/tl-reader.ts';
import { TlWriter } from '../tl/tl-writer.ts';

/** liteServer.query data:bytes = Object */
const LITE_QUERY = 0x798c06df;

/** Makes a function of a lite server, with the wait prefix it may have, the body of an ADNL query. */
export function wrapLiteQuery(request: Uint8Array): Buffer {
  const writer = new TlWriter();
  writer.uint(LITE_QUERY);
  writer.bytes(request);
  return writer.finish();
}

/** The function in the body of an ADNL query; undefined when the query is not for a lite server. Throws TlError. */
export function unwrapLiteQuery(query: Buffer): Buffer | undefined {
  const reader = new TlReader(query);
  if (reader.left < 4 || reader.uint() !== LITE_QUERY) return undefined;
  const request = reader.bytes();
  reader.end();
  return request;
}
