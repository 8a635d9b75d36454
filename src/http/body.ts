import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { isSliceOver, nextSlice } from '../lib/slices.ts';
import type { PartWriter } from './serializer.ts';

/**
 * Characters of a body that are put together before they become bytes, which takes a millisecond. A shorter body stays one
 * text: with chunks of 64 kB, compressing and sending a page of a hundred transactions took a tenth longer.
 */
const CHUNK_CHARS = 512 * 1024;
/** Characters that are written before the clock is looked at again. */
const CHECK_CHARS = 2048;

/** The JSON of a response: a text, or chunks of bytes if it is long. */
export type Body = string | LongBody;

interface WriteOptions {
  /** Ends the writing. */
  readonly signal?: AbortSignal | undefined;
  /** Changes every piece of the text. */
  readonly finish?: ((json: string) => string) | undefined;
}

/** Writes the body of a response in slices of the event loop. */
export async function writeBody(
  write: PartWriter,
  value: unknown,
  { signal, finish = (json) => json }: WriteOptions = {},
): Promise<Body> {
  const chunks: Buffer[] = [];
  const rest = await inChunks(write(value), (text) => chunks.push(Buffer.from(finish(text))), signal);
  if (chunks.length === 0) return finish(rest);
  chunks.push(Buffer.from(finish(rest)));
  return new LongBody(chunks);
}

/** Joins pieces in slices of the event loop; passes on every chunk that is long enough and returns the rest. */
async function inChunks(
  parts: Iterable<string>,
  onChunk: (text: string) => void,
  signal: AbortSignal | undefined,
): Promise<string> {
  let text = '';
  let checkAt = 0;
  for (const part of parts) {
    text += part;
    if (text.length < checkAt) continue;
    if (text.length >= CHUNK_CHARS) {
      onChunk(text);
      text = '';
    }
    checkAt = text.length + CHECK_CHARS;
    if (isSliceOver()) await nextSlice(signal);
  }
  return text;
}

/** Gives a response its JSON body; what it returns is the payload for Fastify. */
export function sendBody(reply: FastifyReply, body: Body): string | Readable {
  reply.type('application/json');
  if (typeof body === 'string') return body;
  reply.header('content-length', body.bytes);
  return body.stream();
}

/** The size of a body before compression, for an app-wide `onSend` hook. */
export function bodyBytes(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}

/** The text of a value, and the SHA-256 of it in base64url. */
interface WrittenText {
  readonly text: string;
  readonly sha256: string;
}

/** Writes the JSON of a value as one text, in slices of the event loop, with its digest. */
export async function writeText(
  write: PartWriter,
  value: unknown,
  signal?: AbortSignal,
): Promise<WrittenText> {
  const hash = createHash('sha256');
  const chunks: string[] = [];
  const add = (text: string): void => {
    hash.update(text);
    chunks.push(text);
  };
  add(await inChunks(write(value), add, signal));
  return { text: chunks.join(''), sha256: hash.digest('base64url') };
}

/** A long body. Its bytes are sent as the client takes them. */
export class LongBody {
  readonly bytes: number;
  readonly #chunks: Buffer[];

  constructor(chunks: Buffer[]) {
    this.#chunks = chunks;
    this.bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  }

  /** The same digest as that of the whole text, computed in slices. */
  async sha256(signal?: AbortSignal): Promise<string> {
    const hash = createHash('sha256');
    for (const chunk of this.#chunks) {
      hash.update(chunk);
      if (isSliceOver()) await nextSlice(signal);
    }
    return hash.digest('base64url');
  }

  /** The bytes as a stream; read once. */
  stream(): Readable {
    const chunks = this.#chunks.values();
    return new Readable({
      highWaterMark: CHUNK_CHARS,
      read() {
        this.push(chunks.next().value ?? null);
      },
    });
  }
}
