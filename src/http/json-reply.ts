import type { FastifyReply } from 'fastify';

const COMPRESS_FROM_CHARS = 2048;

const asIs = (payload: string): string => payload;

/**
 * Sends finished JSON text, compressed where it is long and the caller takes it. The identity serializer keeps Fastify
 * from adding a charset to the content type.
 */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  reply.header('content-type', 'application/json').serializer(asIs);
  const worthwhile =
    json.length >= COMPRESS_FROM_CHARS && reply.request.headers['accept-encoding'] !== undefined;
  // The decorator is missing where compression is switched off.
  if (!worthwhile || reply.compress === undefined) return reply.send(json);
  reply.compress(json);
  return reply;
}
