import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { checkUrl, MetadataError, parseUrl } from './document-source.ts';

/** How long and how much is waited for. */
interface FetchLimits {
  readonly totalMs: number;
  /** Until a connection is made, of each address that is asked. */
  readonly connectMs: number;
  readonly redirects: number;
  readonly maxBytes: number;
}

/** What a fetcher of documents goes by. */
export interface FetchEnvironment {
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
  { names, isPublic, limits }: FetchEnvironment,
  signal: AbortSignal,
): Promise<Buffer> {
  signal.throwIfAborted();
  const ender = new AbortController();
  const end = () => ender.abort(signal.reason);
  const timer = setTimeout(
    () => ender.abort(new MetadataError('silent', 'no answer in time')),
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
        signal: ender.signal,
        lookup: isGateway ? undefined : lookup,
      });
      const { location } = response.headers;
      if (location === undefined || !REDIRECTS.has(response.statusCode ?? 0)) {
        checkHead(response, maxBytes);
        return await readBody(response, { maxBytes, signal: ender.signal });
      }
      response.destroy();
      if (hops === limits.redirects) throw new MetadataError('failed', 'too many redirects');
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
  let fault: MetadataError | undefined;
  if (statusCode < 200 || statusCode > 299)
    fault = new MetadataError(
      BUSY.has(statusCode) ? 'silent' : 'failed',
      `answered with status ${statusCode}`,
    );
  else if (Number(headers['content-length'] ?? 0) > maxBytes)
    fault = new MetadataError('failed', `longer than ${maxBytes} bytes`);
  if (fault === undefined) return;
  response.destroy();
  throw fault;
}

/** Errors of sockets, TLS, name servers and decoders, in few words: their own name addresses and libraries. */
function toFault(error: unknown): MetadataError {
  if (error instanceof MetadataError) return error;
  const { code } = error as { code?: unknown };
  const name = typeof code === 'string' ? code : 'unknown';
  return new MetadataError(SILENT_CODES.has(name) ? 'silent' : 'failed', `cannot be fetched (${name})`);
}

interface GetOptions {
  /** Left out, the system looks names up. */
  readonly lookup?: LookupFunction | undefined;
  readonly connectMs: number;
  readonly signal: AbortSignal;
}

const HEADERS = {
  accept: 'application/json, */*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'tongate',
};

/** Sends one request over a connection of its own, and gives the head of the answer with the body still to come. */
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
      request.destroy(new MetadataError('silent', 'no connection in time'));
    }, connectMs);
    request.once('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    request.once('response', resolve);
    // It stays, since a connection can fail more than once.
    request.on('error', reject);
    request.once('close', () => {
      clearTimeout(timer);
      reject(new MetadataError('failed', 'the connection ended without an answer'));
    });
    request.end();
  });
}

/**
 * Looks names up and gives only addresses that pass. The connection is made to these and nothing is looked up again, so
 * that a name server cannot give another answer after the check.
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

/** What some servers do although it is not asked for. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Reads the body of an answer, of at most so many bytes both as sent and as unpacked. */
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
  throw new MetadataError('failed', 'the content encoding is not known');
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new MetadataError('failed', `longer than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** Finds the addresses of host names. */
export interface NameResolver {
  resolve(host: string): Promise<readonly string[]>;
  /** Ends what is under way. */
  close(): void;
}

const TIMEOUT_MS = 4000;
const TRIES = 2;

/**
 * Asks name servers itself. The system's own way takes one of a few threads for as long as a name server is silent, and
 * knows names of private machines besides.
 */
export function createNameResolver(): NameResolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return {
    async resolve(host) {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
      return found;
    },
    close: () => resolver.cancel(),
  };
}

/** IPv4 networks that are not of the public internet (IANA's list of special addresses, and multicast). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** All that is given out of IPv6; loopback, unique-local, link-local, mapped and translated IPv4 are outside of it. */
const GLOBAL_IPV6 = ['2000::/3'];

/** Special networks within: of protocols (Teredo too), for documents, and 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4');
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6');
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6');

/** Whether an IP address is one of the public internet, so that strangers may make us connect to it. */
export function isPublicAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !specialIpv4.check(address, 'ipv4');
  return family === 6 && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/');
    list.addSubnet(address!, Number(bits), family);
  }
  return list;
}
