import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** Compression of a shorter response costs more than it saves. */
const MIN_BYTES = 2048;
const COMPRESSIBLE = /^text\/(?!event-stream)|[+/](?:json|xml|javascript|x-yaml)(?:;|$)/;
/** The default quality of 11 takes a hundred times as long. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };

/** In order of preference: gzip is fast, and every client that accepts anything accepts it. */
const ENCODERS = {
  gzip: { pack: zlib.gzip, stream: () => zlib.createGzip() },
  deflate: { pack: zlib.deflate, stream: () => zlib.createDeflate() },
  br: {
    pack: (body: string | Buffer, done: (error: Error | null, packed: Buffer) => void) =>
      zlib.brotliCompress(body, BROTLI, done),
    stream: () => zlib.createBrotliCompress(BROTLI),
  },
};

const ENCODINGS = Object.keys(ENCODERS) as (keyof typeof ENCODERS)[];

/**
 * Compresses long responses off the event loop. @fastify/compress blocks it for shorter ones, sends longer ones without
 * their length, and looks at the length last, which took a twelfth of the time of a short request.
 */
export const compression = fp(async (app) => {
  // The last hook of each route: tags are those of plain bodies.
  const hook = createHook();
  app.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? [], hook].flat();
  });
});

type Encoder = (typeof ENCODERS)[keyof typeof ENCODERS];

function createHook() {
  const packedForms = new WeakMap<Buffer, Map<Encoder, Promise<Buffer>>>();

  /** Buffers are pages that are sent many times: their packed forms live as long as they do. */
  function packOnce(body: Buffer, encoder: Encoder): Promise<Buffer> {
    const forms = packedForms.get(body) ?? new Map<Encoder, Promise<Buffer>>();
    packedForms.set(body, forms);
    const packed = forms.get(encoder) ?? promisify<string | Buffer, Buffer>(encoder.pack)(body);
    forms.set(encoder, packed);
    return packed;
  }

  return function compressLong(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error?: Error | null, payload?: unknown) => void,
  ): void {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    const isLong = isWhole ? payload.length >= MIN_BYTES : payload instanceof Readable;
    const encoder = isLong ? encoderFor(request, reply) : undefined;
    if (encoder === undefined) {
      done();
      return;
    }
    reply.removeHeader('content-length');
    if (typeof payload === 'string') encoder.pack(payload, done);
    else if (Buffer.isBuffer(payload)) packOnce(payload, encoder).then((bytes) => done(null, bytes), done);
    // An error of either stream ends the response.
    else done(null, pipeline(payload as Readable, encoder.stream(), ignore));
  };
}

function ignore(): void {}

function encoderFor(request: FastifyRequest, reply: FastifyReply): Encoder | undefined {
  if (reply.hasHeader('content-encoding')) return undefined;
  if (!COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))) return undefined;
  addVary(reply);
  const encoding = negotiate(String(request.headers['accept-encoding'] ?? ''), ENCODINGS);
  if (encoding === null) return undefined;
  reply.header('content-encoding', encoding);
  return ENCODERS[encoding];
}

/** Caches must know that the same URL has several forms. */
function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (vary === undefined) reply.header('vary', 'accept-encoding');
  else if (!/accept-encoding|\*/i.test(String(vary))) reply.header('vary', `${vary}, accept-encoding`);
}
