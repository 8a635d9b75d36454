import { createHash, type Hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { BODY_HASH, bodyDigest, type JsonText } from '../lib/json-text.ts';
import { startWork } from '../lib/loop-work.ts';
import { isSliceOver, nextSlice } from '../lib/slices.ts';
import type { PartWriter } from './serializer.ts';

/**
 * Characters of a body that are put together before they become bytes, which takes a millisecond. A shorter body stays one
 * text: with chunks of 64 kB, compressing and sending a page of a hundred transactions took a tenth longer.
 */
const CHUNK_CHARS = 512 * 1024;
/** Characters that are finished and hashed at a time. */
const RUN_CHARS = 64 * 1024;
/** Characters that are written before the clock is looked at again. */
const CHECK_CHARS = 2048;

interface WriteOptions {
  /** Ends the writing. */
  readonly signal?: AbortSignal | undefined;
  /** Changes every piece of the text but those that are ready. */
  readonly finish?: ((json: string) => string) | undefined;
}

/** Writes the body of a response in slices of the event loop. */
export async function writeBody(
  write: PartWriter,
  value: unknown,
  { signal, finish = (json) => json }: WriteOptions = {},
): Promise<WrittenBody> {
  const chunks: Buffer[] = [];
  const digest = new PieceDigest();
  const onChunk = (text: string): void => {
    chunks.push(Buffer.from(text));
  };
  const rest = await inChunks(write(value), { onChunk, digest, finish, signal });
  if (chunks.length === 0) return new WrittenBody(rest, digest.end());
  onChunk(rest);
  return new WrittenBody(chunks, digest.end());
}

interface ChunkOptions {
  readonly onChunk: (text: string) => void;
  readonly digest: PieceDigest;
  readonly finish: (json: string) => string;
  readonly signal: AbortSignal | undefined;
}

/** Joins pieces in slices of the event loop; passes on every chunk that is long enough and returns the rest. */
async function inChunks(
  parts: Iterable<string | JsonText>,
  { onChunk, digest, finish, signal }: ChunkOptions,
): Promise<string> {
  startWork('response');
  let text = '';
  let unfinished = '';
  let checkAt = 0;
  const finishText = (): void => {
    const finished = finish(unfinished);
    unfinished = '';
    digest.addText(finished);
    text += finished;
  };
  for (const part of parts) {
    if (typeof part === 'string') unfinished += part;
    else {
      finishText();
      digest.addReady(part);
      text += part.json;
    }
    const length = text.length + unfinished.length;
    if (length < checkAt) continue;
    if (unfinished.length >= RUN_CHARS) finishText();
    if (text.length >= CHUNK_CHARS) {
      onChunk(text);
      text = '';
    }
    checkAt = text.length + unfinished.length + CHECK_CHARS;
    if (isSliceOver()) await nextSlice(signal);
  }
  finishText();
  return text;
}

/** Begins the digest of a ready piece among the texts around it, which have no such character. */
const READY = '\0';

/** The hash of a text of which some pieces are ready: those are told by their own digests, which they keep. */
class PieceDigest {
  /** Of a long text: for a short one an object of its own takes longer than the hash. */
  #hash: Hash | undefined;
  /** Not hashed yet: a call for every short piece would take longer than its hash. */
  #text = '';

  addText(text: string): void {
    this.#text += text;
    if (this.#text.length < RUN_CHARS) return;
    this.#hash ??= createHash(BODY_HASH);
    this.#hash.update(this.#text);
    this.#text = '';
  }

  addReady(piece: JsonText): void {
    this.addText(READY + piece.digest);
  }

  end(): string {
    if (this.#hash === undefined) return bodyDigest(this.#text);
    return this.#hash.update(this.#text).digest('base64url');
  }
}

/** The size of a body before compression, for an app-wide `onSend` hook. */
export function bodyBytes(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}

/** The text of a value, and the digest that texts with the same pieces have. */
interface WrittenText {
  readonly text: string;
  readonly digest: string;
}

/** Writes the JSON of a value as one text, in slices of the event loop, with its digest. */
export async function writeText(
  write: PartWriter,
  value: unknown,
  signal?: AbortSignal,
): Promise<WrittenText> {
  const digest = new PieceDigest();
  const chunks: string[] = [];
  const onChunk = (text: string): void => {
    chunks.push(text);
  };
  onChunk(await inChunks(write(value), { onChunk, digest, finish: (json) => json, signal }));
  return { text: chunks.join(''), digest: digest.end() };
}

/** The written JSON of a response: a text, or chunks of bytes if it is long, which are sent as the client takes them. */
export class WrittenBody {
  /** Bodies with the same pieces have the same. */
  readonly digest: string;
  /** Undefined for a text, whose length Fastify finds. */
  readonly bytes: number | undefined;
  readonly #content: string | Buffer[];

  constructor(content: string | Buffer[], digest: string) {
    this.#content = content;
    this.digest = digest;
    this.bytes =
      typeof content === 'string' ? undefined : content.reduce((sum, { length }) => sum + length, 0);
  }

  /** Serialises the response for Fastify; once for each request that it answers. */
  payload(): string | Readable {
    if (typeof this.#content === 'string') return this.#content;
    const chunks = this.#content.values();
    return new Readable({
      highWaterMark: CHUNK_CHARS,
      read() {
        this.push(chunks.next().value ?? null);
      },
    });
  }
}

const TAG_CHARS = 22;

/** The weak tag of a response whose meaning is this text; what surrounds it may differ between responses. */
export function weakTag(text: string | Buffer): string {
  return tagOfDigest(bodyDigest(text));
}

/** The same from the digest of the text. */
export function tagOfDigest(digest: string): string {
  return `W/"${digest.slice(0, TAG_CHARS)}"`;
}

/**
 * `onSend` hook of a route: 304 without a body for a request whose `If-None-Match` has the `ETag` of the response.
 * @fastify/etag would tag every body, errors and changing envelopes included, and knows no lists in `If-None-Match`.
 */
export function sendNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload?: unknown) => void,
): void {
  const ifNoneMatch = request.headers['if-none-match'];
  const tag = ifNoneMatch === undefined ? undefined : reply.getHeader('etag');
  if (tag === undefined || !matchesTag(ifNoneMatch, String(tag))) {
    done(null, payload);
    return;
  }
  reply.code(304).removeHeader('content-type');
  // The hook that Fastify adds to HEAD routes does not accept null, and gives other payloads than streams a length.
  done(null, request.method === 'HEAD' ? Readable.from([]) : null);
}

/** Whether an `If-None-Match` has the tag; weak and strong forms of a tag are the same, as HTTP says. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}

/** Compression of a shorter response costs more than it saves. */
const MIN_COMPRESSED_BYTES = 2048;
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
  const hook = createCompressionHook();
  app.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? [], hook].flat();
  });
});

type Encoder = (typeof ENCODERS)[keyof typeof ENCODERS];

function createCompressionHook() {
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
    const isLong = isWhole ? payload.length >= MIN_COMPRESSED_BYTES : payload instanceof Readable;
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
