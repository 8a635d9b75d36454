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
} from '../lib/outbound-http.ts';
import type { DocumentUrl } from './document-source.ts';

interface FetchLimits {
  readonly totalMs: number;
  /** Connect timeout, per address. */
  readonly connectMs: number;
  readonly redirects: number;
  readonly maxBytes: number;
  /** A server that sends fewer bytes in so many milliseconds is given up. */
  readonly minSpeed?: { readonly bytes: number; readonly ms: number };
}

export interface FetchEnvironment {
  readonly names: NameResolver;
  /** Whether untrusted links may connect to an address. */
  readonly isPublic: (address: string) => boolean;
  readonly limits: FetchLimits;
}

export const FETCH_LIMITS: FetchLimits = {
  totalMs: 30_000,
  connectMs: 10_000,
  redirects: 3,
  maxBytes: 10 * 1024 * 1024,
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Too many requests, service unavailable. */
const BUSY = new Set([429, 503]);

/** Fetches a document from an untrusted URL. Throws OutboundError, or the reason of the signal. */
export async function fetchDocument(source: DocumentUrl, environment: FetchEnvironment, signal: AbortSignal) {
  const chunks: Buffer[] = [];
  await fetchParts(source, environment, signal, async (body) => {
    for await (const chunk of body) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/**
 * Fetches a document from an untrusted URL and passes it on as it arrives, once. Throws OutboundError, what `receive`
 * throws as one, or the reason of the signal.
 */
export async function fetchParts(
  source: DocumentUrl,
  { names, isPublic, limits }: FetchEnvironment,
  signal: AbortSignal,
  receive: (body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const aborter = new AbortController();
  const giveUp = (text: string) => aborter.abort(new OutboundError('unavailable', text));
  const end = () => aborter.abort(signal.reason);
  const timer = setTimeout(() => giveUp('timed out'), limits.totalMs);
  const speed = watchSpeed(limits.minSpeed, () => giveUp('too slow'));
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
        return await passBody(response, { maxBytes, signal: aborter.signal, onBytes: speed.add, receive });
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
    speed.end();
    signal.removeEventListener('abort', end);
  }
}

/** Calls `onSlow` when too few bytes were added in a time. */
function watchSpeed(minSpeed: FetchLimits['minSpeed'], onSlow: () => void) {
  let bytes = 0;
  const timer =
    minSpeed &&
    setInterval(() => {
      if (bytes < minSpeed.bytes) onSlow();
      bytes = 0;
    }, minSpeed.ms);
  return {
    add(length: number) {
      bytes += length;
    },
    end: () => clearInterval(timer),
  };
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

interface BodyOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Called as bytes arrive, before decompression. */
  readonly onBytes: (count: number) => void;
  readonly receive: (body: AsyncIterable<Buffer>) => Promise<void>;
}

/** Passes the body of a response on; the limit applies both before and after decompression. */
async function passBody(response: IncomingMessage, { maxBytes, signal, onBytes, receive }: BodyOptions) {
  const sent = (source: AsyncIterable<Buffer>) => limited(source, maxBytes, onBytes);
  const decoded = (source: AsyncIterable<Buffer>) => limited(source, maxBytes);
  const decoder = decoderOf(response);
  if (decoder === undefined) await pipeline(response, sent, receive, { signal });
  else await pipeline(response, sent, decoder, decoded, receive, { signal });
}

function decoderOf(response: IncomingMessage): Transform | undefined {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return undefined;
  const create = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (create !== undefined) return create();
  response.destroy();
  throw new OutboundError('failed', 'unknown content encoding');
}

async function* limited(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    onBytes(chunk.length);
    if (bytes > maxBytes) throw new OutboundError('failed', `longer than ${maxBytes} bytes`);
    yield chunk;
  }
}
