import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { AnswerHead, type Headers } from './answer-head.ts';
import { CLIENT_GONE } from './errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Keeps what is worth keeping of an answer; there once `addEntry` has run. */
    recordAnswer?(request: FastifyRequest, status: number): void;
  }
  interface FastifyRequest {
    /** Headers of the answer so far; JSON answers have no others than these. */
    head: AnswerHead | undefined;
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

const NO_HEADERS: Headers = {};

/**
 * Sends finished JSON text, compressed where it is long and the caller takes it, and records the answer. It is written
 * past Fastify, whose way from a reply to the wire has many stations that finished text does not need.
 */
export function sendJson(reply: FastifyReply, json: string, headers = NO_HEADERS): FastifyReply {
  if (!begin(reply)) return reply;
  if (json.length < COMPRESS_FROM_CHARS || !reply.compresses) write(reply, json, headers);
  else writeLong(reply, json, headers);
  return reply;
}

/** Sends that nothing has changed since the caller asked the last time; the headers are those of the whole answer. */
export function sendNotModified(reply: FastifyReply, headers: Headers): FastifyReply {
  if (!begin(reply.code(304))) return reply;
  reply.raw.writeHead(304, headOf(reply).finishEmpty(headers)).end();
  return reply;
}

/** Takes the answer out of Fastify's hands and records it; false when nobody is there to hear it. */
function begin(reply: FastifyReply): boolean {
  const { request, server } = reply;
  const isThere = !request.raw.socket.destroyed;
  server.recordAnswer?.(request, isThere ? reply.statusCode : CLIENT_GONE);
  reply.hijack();
  return isThere;
}

function headOf({ request }: FastifyReply): AnswerHead {
  return request.head ?? new AnswerHead(request.id, undefined);
}

function write(reply: FastifyReply, body: string | Buffer, headers: Headers): void {
  const { raw, request } = reply;
  raw.writeHead(raw.statusCode, headOf(reply).finish(Buffer.byteLength(body), headers));
  raw.end(request.method === 'HEAD' ? undefined : body);
}

function writeLong(reply: FastifyReply, json: string, headers: Headers): void {
  const encoding = chooseEncoding(reply.request.headers['accept-encoding']);
  const varied = { ...headers, vary: 'accept-encoding' };
  if (encoding === undefined) {
    write(reply, json, varied);
    return;
  }
  ENCODERS[encoding](Buffer.from(json)).then(
    (packed) => write(reply, packed, { ...varied, 'content-encoding': encoding }),
    (error) => {
      reply.log.error({ err: error }, 'answer could not be compressed');
      write(reply, json, varied);
    },
  );
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
