import { TlReader, TlWriter } from '../tl/tl.ts';

/** adnl.message.query query_id:int256 query:bytes = adnl.Message */
const QUERY = 0xb48bf97a;
/** adnl.message.answer query_id:int256 answer:bytes = adnl.Message */
const ANSWER = 0x0fac8416;
/** tcp.ping random_id:long = tcp.Pong */
const PING = 0x4d082b9a;
/** tcp.pong random_id:long = tcp.Pong */
const PONG = 0xdc69fb03;

/** The message in the payload of a packet. Ids and bodies are views of the payload. */
type AdnlMessage =
  | { readonly kind: 'query' | 'answer'; readonly id: Buffer; readonly body: Buffer }
  | { readonly kind: 'ping' | 'pong'; readonly randomId: bigint };

/** A query with a 32-byte id, which its answer repeats. */
export function encodeQuery(id: Uint8Array, query: Uint8Array): Buffer {
  return encodeWithBody(QUERY, id, query);
}

/** The answer to the query with this id. */
export function encodeAnswer(id: Uint8Array, answer: Uint8Array): Buffer {
  return encodeWithBody(ANSWER, id, answer);
}

/** Checks whether the other side is still there. */
export function encodePing(randomId: bigint): Buffer {
  return encodeWithNumber(PING, randomId);
}

/** The answer to a ping. */
export function encodePong(randomId: bigint): Buffer {
  return encodeWithNumber(PONG, randomId);
}

/** Reads a payload; undefined for a message of another kind. Throws TlError for a malformed message of a known kind. */
export function decodeMessage(payload: Buffer): AdnlMessage | undefined {
  if (payload.length < 4) return undefined;
  const reader = new TlReader(payload);
  const message = readMessage(reader.uint(), reader);
  if (message !== undefined) reader.end();
  return message;
}

function readMessage(constructorId: number, reader: TlReader): AdnlMessage | undefined {
  switch (constructorId) {
    case ANSWER:
      return { kind: 'answer', id: reader.int256(), body: reader.bytes() };
    case QUERY:
      return { kind: 'query', id: reader.int256(), body: reader.bytes() };
    case PING:
      return { kind: 'ping', randomId: reader.long() };
    case PONG:
      return { kind: 'pong', randomId: reader.long() };
    default:
      return undefined;
  }
}

function encodeWithBody(constructorId: number, id: Uint8Array, body: Uint8Array): Buffer {
  const writer = new TlWriter();
  writer.uint(constructorId);
  writer.int256(id);
  writer.bytes(body);
  return writer.finish();
}

function encodeWithNumber(constructorId: number, randomId: bigint): Buffer {
  const writer = new TlWriter();
  writer.uint(constructorId);
  writer.long(randomId);
  return writer.finish();
}

/** liteServer.query data:bytes = Object */
const LITE_QUERY = 0x798c06df;

/** Wraps a lite-server function, with its wait prefix if any, as the body of an ADNL query. */
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
