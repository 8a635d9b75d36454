import type { FastifyReply } from 'fastify';

const asIs = (payload: string): string => payload;

/** Sends finished JSON text. The identity serializer keeps Fastify from adding a charset to the content type. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.header('content-type', 'application/json').serializer(asIs).send(json);
}
