import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Keeps what is worth keeping of an answer; there once `addEntry` has run. */
    recordAnswer?(request: FastifyRequest, status: number): void;
  }
  interface FastifyReply {
    /** Set where the application compresses long answers. */
    compresses?: true;
  }
}

const COMPRESS_FROM_CHARS = 2048;
const BROTLI_QUALITY = 4;

/** In the order of preference: gzip is quick, and every client that asks for anything takes it. */
const ENCODERS = {
  gzip: promisify(gzip),
  deflate: promisify(deflate),
  br: (data: Buffer) =>
    promisify(brotliCompress)(data, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
} as const;

const asIs = (payload: string | Buffer): string => payload as string;

/**
 * Sends finished JSON text, compressed where it is long and the caller takes it, and records the answer. The identity
 * serializer keeps Fastify from adding a charset to the content type; @fastify/compress would add hooks to every route
 * for the few long answers.
 */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  reply.header('content-type', 'application/json').serializer(asIs);
  reply.server.recordAnswer?.(reply.request, reply.statusCode);
  if (json.length < COMPRESS_FROM_CHARS || !reply.compresses) return reply.send(json);
  return sendLong(reply, json);
}

function sendLong(reply: FastifyReply, json: string): FastifyReply {
  reply.header('vary', 'accept-encoding');
  const encoding = chooseEncoding(reply.request.headers['accept-encoding']);
  if (encoding === undefined) return reply.send(json);
  ENCODERS[encoding](Buffer.from(json)).then(
    (packed) => reply.header('content-encoding', encoding).send(packed),
    (error) => reply.send(error),
  );
  return reply;
}

/** The encoding to use for an `Accept-Encoding`; weights other than a refusal (`q=0`) are not worth obeying. */
export function chooseEncoding(accepted: string | string[] | undefined): keyof typeof ENCODERS | undefined {
  if (accepted === undefined) return undefined;
  const offered = new Set(
    String(accepted)
      .toLowerCase()
      .split(',')
      .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
      .map((entry) => entry.split(';', 1)[0]!.trim()),
  );
  const names = Object.keys(ENCODERS) as (keyof typeof ENCODERS)[];
  return names.find((name) => offered.has(name) || offered.has('*'));
}
