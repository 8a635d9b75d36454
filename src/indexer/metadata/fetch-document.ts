import type { IncomingMessage } from 'node:http';
import { checkUrl, parseUrl } from './document-source.ts';
import { checkedLookup, httpGet } from './http-get.ts';
import { MetadataFault } from './metadata-fault.ts';
import type { NameResolver } from './name-resolver.ts';
import { readBody } from './read-body.ts';

/** How long and how much is waited for. */
export interface FetchLimits {
  readonly totalMs: number;
  /** Until a connection is made, of each address that is asked. */
  readonly connectMs: number;
  readonly redirects: number;
  readonly maxBytes: number;
}

/** What a fetcher of documents goes by. */
export interface FetchSurroundings {
  readonly names: NameResolver;
  /** Whether strangers may make us connect to an address. */
  readonly isPublic: (address: string) => boolean;
  readonly limits: FetchLimits;
}

/** The limits in service. */
export const FETCH_LIMITS: FetchLimits = {
  totalMs: 30_000,
  connectMs: 10_000,
  redirects: 3,
  maxBytes: 10 * 1024 * 1024,
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Too many requests, and too busy. */
const BUSY = new Set([429, 503]);
const SILENT_CODES = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEOUT']);

/**
 * Gets the bytes of a document that a stranger named. Throws MetadataFault, or the reason of the signal.
 */
export async function fetchDocument(
  source: { readonly url: URL; readonly isGateway: boolean },
  { names, isPublic, limits }: FetchSurroundings,
  signal: AbortSignal,
): Promise<Buffer> {
  signal.throwIfAborted();
  const ender = new AbortController();
  const end = () => ender.abort(signal.reason);
  const timer = setTimeout(
    () => ender.abort(new MetadataFault('silent', 'no answer in time')),
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
        ...{ connectMs, signal: ender.signal },
        lookup: isGateway ? undefined : lookup,
      });
      const { location } = response.headers;
      if (location === undefined || !REDIRECTS.has(response.statusCode ?? 0)) {
        checkHead(response, maxBytes);
        return await readBody(response, { maxBytes, signal: ender.signal });
      }
      response.destroy();
      if (hops === limits.redirects) throw new MetadataFault('failed', 'too many redirects');
      url = parseUrl(location, url);
      isGateway = false;
    }
  } catch (error) {
    throw ender.signal.aborted ? ender.signal.reason : toFault(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function checkHead(response: IncomingMessage, maxBytes: number): void {
  const { statusCode = 0, headers } = response;
  let fault: MetadataFault | undefined;
  if (statusCode < 200 || statusCode > 299)
    fault = new MetadataFault(
      BUSY.has(statusCode) ? 'silent' : 'failed',
      `answered with status ${statusCode}`,
    );
  else if (Number(headers['content-length'] ?? 0) > maxBytes)
    fault = new MetadataFault('failed', `longer than ${maxBytes} bytes`);
  if (fault === undefined) return;
  response.destroy();
  throw fault;
}

/** Errors of sockets, TLS, name servers and decoders, in few words: their own name addresses and libraries. */
function toFault(error: unknown): MetadataFault {
  if (error instanceof MetadataFault) return error;
  const { code } = error as { code?: unknown };
  const name = typeof code === 'string' ? code : 'unknown';
  return new MetadataFault(SILENT_CODES.has(name) ? 'silent' : 'failed', `cannot be fetched (${name})`);
}
