import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { checkUrl, type DocumentUrl, MetadataError, parseUrl } from './document-source.ts';

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
const UNAVAILABLE_CODES = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEOUT']);

/**
 * Fetches a document from an untrusted URL. Throws MetadataError, or the reason of the signal.
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
    () => aborter.abort(new MetadataError('unavailable', 'timed out')),
    limits.totalMs,
  );
  signal.addEventListener('abort', end);
  const lookup = checkedLookup((host) => names.resolve(host), isPublic);
  const { maxBytes, connectMs } = limits;
  let { url, isGateway } = source;
  try {
    for (let hops = 0; ; hops++) {
      if (!isGateway) checkUrl(url, isPublic);
      const response = await httpGet(url, {
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
      if (hops === limits.redirects) throw new MetadataError('failed', 'too many redirects');
      url = parseUrl(location, url);
      isGateway = false;
    }
  } catch (error) {
    throw aborter.signal.aborted ? aborter.signal.reason : toMetadataError(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function checkHead(response: IncomingMessage, maxBytes: number): void {
  const { statusCode = 0, headers } = response;
  let fault: MetadataError | undefined;
  if (statusCode < 200 || statusCode > 299)
    fault = new MetadataError(
      BUSY.has(statusCode) ? 'unavailable' : 'failed',
      `responded with status ${statusCode}`,
    );
  else if (Number(headers['content-length'] ?? 0) > maxBytes)
    fault = new MetadataError('failed', `longer than ${maxBytes} bytes`);
  if (fault === undefined) return;
  response.destroy();
  throw fault;
}

/** Shortens errors of sockets, TLS, DNS and decoders: their own texts reveal addresses and libraries. */
function toMetadataError(error: unknown): MetadataError {
  if (error instanceof MetadataError) return error;
  const { code } = error as { code?: unknown };
  const name = typeof code === 'string' ? code : 'unknown';
  return new MetadataError(UNAVAILABLE_CODES.has(name) ? 'unavailable' : 'failed', `fetch failed (${name})`);
}

interface GetOptions {
  /** Left out: the lookup of the system. */
  readonly lookup?: LookupFunction | undefined;
  readonly connectMs: number;
  readonly signal: AbortSignal;
}

const HEADERS = {
  accept: 'application/json, */*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'tongate',
};

/** Sends one request over its own connection; resolves with the response before its body. */
function httpGet(url: URL, { lookup, connectMs, signal }: GetOptions): Promise<http.IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(url, {
      agent: false,
      headers: HEADERS,
      signal,
      ...(lookup === undefined ? {} : { lookup }),
    });
    const timer = setTimeout(() => {
      request.destroy(new MetadataError('unavailable', 'connection timed out'));
    }, connectMs);
    request.once('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    request.once('response', resolve);
    // Not `once`: a connection can fail more than once.
    request.on('error', reject);
    request.once('close', () => {
      clearTimeout(timer);
      reject(new MetadataError('failed', 'connection closed without a response'));
    });
    request.end();
  });
}

/**
 * Resolves names and returns only permitted addresses. The connection uses these addresses without another lookup, so that
 * a name server cannot return other ones after the check.
 */
function checkedLookup(
  resolve: (host: string) => Promise<readonly string[]>,
  isPublic: (address: string) => boolean,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const found = addresses
          .filter((address) => isPublic(address))
          .map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (first === undefined) callback(new MetadataError('refused', 'the address is not public'), '');
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

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
  throw new MetadataError('failed', 'unknown content encoding');
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new MetadataError('failed', `longer than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** Resolves host names. */
export interface NameResolver {
  resolve(host: string): Promise<readonly string[]>;
  /** Cancels lookups in flight. */
  close(): void;
}

const TIMEOUT_MS = 4000;
const TRIES = 2;

/**
 * Queries name servers directly. The lookup of the system blocks one of a few threads while a name server does not
 * respond, and it knows names of private hosts.
 */
export function createNameResolver(): NameResolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return {
    async resolve(host) {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
      return found;
    },
    close: () => resolver.cancel(),
  };
}
