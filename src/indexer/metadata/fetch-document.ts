import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import {
  checkedLookup,
  checkUrl,
  type NameResolver,
  OutboundError,
  parseUrl,
  sendRequest,
  toOutboundError,
} from '../../lib/outbound-http.ts';
import type { DocumentUrl } from './document-source.ts';

/** Limits of fetching a document. */
interface FetchLimits {
  readonly totalMs: number;
  /** Connect timeout, per address. */
  readonly connectMs: number;
  readonly redirects: number;
  readonly maxBytes: number;
}

/** How documents are fetched. */
export interface FetchEnvironment {
  readonly names: NameResolver;
  /** Whether untrusted links may connect to an address. */
  readonly isPublic: (address: string) => boolean;
  readonly limits: FetchLimits;
}

/** Default limits. */
export const FETCH_LIMITS: FetchLimits = {
  totalMs: 30_000,
  connectMs: 10_000,
  redirects: 3,
  maxBytes: 10 * 1024 * 1024,
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Too many requests, service unavailable. */
const BUSY = new Set([429, 503]);

/**
 * Fetches a document from an untrusted URL. Throws OutboundError, or the reason of the signal.
 */
export async function fetchDocument(
  source: DocumentUrl,
  { names, isPublic, limits }: FetchEnvironment,
  signal: AbortSignal,
): Promise<Buffer> {
  signal.throwIfAborted();
  const aborter = new AbortController();
  const end = () => aborter.abort(signal.reason);
  const timer = setTimeout(
    () => aborter.abort(new OutboundError('unavailable', 'timed out')),
    limits.totalMs,
  );
  signal.addEventListener('abort', end);
  const lookup = checkedLookup(names, isPublic);
  const { maxBytes, connectMs } = limits;
  let { url, isGateway } = source;
  try {
    for (let hops = 0; ; hops++) {
      if (!isGateway) checkUrl(url, isPublic);
      const response = await sendRequest(url, {
        method: 'GET',
        headers: HEADERS,
        connectMs,
        signal: aborter.signal,
        lookup: isGateway ? undefined : lookup,
      });
      const { location } = response.headers;
      if (location === undefined || !REDIRECTS.has(response.statusCode ?? 0)) {
        checkHead(response, maxBytes);
        return await readBody(response, { maxBytes, signal: aborter.signal });
      }
      response.destroy();
      if (hops === limits.redirects) throw new OutboundError('failed', 'too many redirects');
      url = parseUrl(location, url);
      isGateway = false;
    }
  } catch (error) {
    throw aborter.signal.aborted ? aborter.signal.reason : toOutboundError(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function checkHead(response: IncomingMessage, maxBytes: number): void {
  const { statusCode = 0, headers } = response;
  let fault: OutboundError | undefined;
  if (statusCode < 200 || statusCode > 299)
    fault = new OutboundError(
      BUSY.has(statusCode) ? 'unavailable' : 'failed',
      `responded with status ${statusCode}`,
    );
  else if (Number(headers['content-length'] ?? 0) > maxBytes)
    fault = new OutboundError('failed', `longer than ${maxBytes} bytes`);
  if (fault === undefined) return;
  response.destroy();
  throw fault;
}

const HEADERS = {
  accept: 'application/json, */*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'tongate',
};

/** Some servers compress although the request does not accept it. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Reads the body of a response; the limit applies both before and after decompression. */
async function readBody(
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
  throw new OutboundError('failed', 'unknown content encoding');
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new OutboundError('failed', `longer than ${maxBytes} bytes`);
    yield chunk;
  }
}
