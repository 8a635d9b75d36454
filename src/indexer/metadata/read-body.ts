import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MetadataFault } from './metadata-fault.ts';

/** What some servers do although it is not asked for. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Reads the body of an answer, of at most so many bytes both as sent and as unpacked. */
export async function readBody(
  response: IncomingMessage,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of limited(source, maxBytes)) chunks.push(chunk);
  };
  const decoder = decoderOf(response);
  const sent = (source: AsyncIterable<Buffer>) => limited(source, maxBytes);
  if (decoder === undefined) await pipeline(response, collect, { signal });
  else await pipeline(response, sent, decoder, collect, { signal });
  return Buffer.concat(chunks);
}

function decoderOf(response: IncomingMessage): Transform | undefined {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return undefined;
  const create = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (create !== undefined) return create();
  response.destroy();
  throw new MetadataFault('failed', 'the content encoding is not known');
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new MetadataFault('failed', `longer than ${maxBytes} bytes`);
    yield chunk;
  }
}
