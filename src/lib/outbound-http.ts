import { Resolver } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateName } from './public-address.ts';

/** Why a request to a host that somebody else chose was not sent, or failed; the text is fit for whoever chose it. */
export class OutboundError extends Error {
  /** `refused`: a URL that may not be requested; `unavailable`: a host that responds late or wants fewer requests. */
  readonly kind: 'failed' | 'refused' | 'unavailable';

  constructor(kind: OutboundError['kind'], text: string) {
    super(text);
    this.name = 'OutboundError';
    this.kind = kind;
  }
}

const FIRST_UNPRIVILEGED_PORT = 1024;
const WEB_PORTS = new Set([80, 443]);

export function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new OutboundError('refused', 'not a valid link');
  return new URL(text, base?.href);
}

/** Throws OutboundError for URLs that others must not make us reach; host names are checked when they are resolved. */
export function checkUrl(url: URL, isPublic: (address: string) => boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('refused', 'unsupported link scheme');
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('refused', 'links with credentials are not followed');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port < FIRST_UNPRIVILEGED_PORT && !WEB_PORTS.has(port))
    throw new OutboundError('refused', `port ${port} is not allowed`);
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isPrivate = isIP(host) === 0 ? isPrivateName(host) : !isPublic(host);
  if (isPrivate) throw new OutboundError('refused', 'the address is not public');
}

const UNAVAILABLE_CODES = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEOUT']);

/** Shortens errors of sockets, TLS, DNS and decoders: their own texts reveal addresses and libraries. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code } = error as { code?: unknown };
  const name = typeof code === 'string' ? code : 'unknown';
  return new OutboundError(
    UNAVAILABLE_CODES.has(name) ? 'unavailable' : 'failed',
    `request failed (${name})`,
  );
}

interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** Left out: the lookup of the system. */
  readonly lookup?: LookupFunction | undefined;
  /** Connect timeout, per address. */
  readonly connectMs: number;
  readonly signal: AbortSignal;
}

/** Sends one request over its own connection; resolves with the response before its body. */
export function sendRequest(
  url: URL,
  { method, headers, body, lookup, connectMs, signal }: RequestOptions,
): Promise<http.IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(url, {
      agent: false,
      method,
      headers,
      signal,
      ...(lookup === undefined ? {} : { lookup }),
    });
    const timer = setTimeout(() => {
      request.destroy(new OutboundError('unavailable', 'connection timed out'));
    }, connectMs);
    request.once('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    request.once('response', resolve);
    // Not `once`: a connection can fail more than once.
    request.on('error', reject);
    request.once('close', () => {
      clearTimeout(timer);
      reject(new OutboundError('failed', 'connection closed without a response'));
    });
    request.end(body);
  });
}

/**
 * Resolves names and returns only permitted addresses. The connection uses these addresses without another lookup, so that
 * a name server cannot return other ones after the check.
 */
export function checkedLookup(names: NameResolver, isPublic: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    names.resolve(host).then(
      (addresses) => {
        const results = addresses
          .filter((address) => isPublic(address))
          .map((address) => ({ address, family: isIP(address) }));
        const [first] = results;
        if (first === undefined) callback(new OutboundError('refused', 'the address is not public'), '');
        else if (options.all) callback(null, results);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

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
      const results = [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      if (results.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
      return results;
    },
    close: () => resolver.cancel(),
  };
}
