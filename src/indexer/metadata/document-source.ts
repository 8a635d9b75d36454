import { isIP } from 'node:net';
import type { MetadataSettings } from './metadata-settings.ts';
import { isPrivateName } from './public-address.ts';

/** A URL of a document. */
export interface DocumentUrl {
  readonly url: URL;
  /** Whether the operator configured its host, so that it may be private. */
  readonly isGateway: boolean;
}

/** Where a document is: in the link itself, or at URLs that are tried in order. */
export type DocumentSource = { readonly body: Buffer } | { readonly urls: readonly DocumentUrl[] };

/** Prefixes of URLs that the operator configured. */
type Gateways = Pick<MetadataSettings, 'ipfsGateways' | 'tonStorageGateway'>;

const FIRST_UNPRIVILEGED_PORT = 1024;
const WEB_PORTS = new Set([80, 443]);
const DATA_LINK = /^data:([^,]*),(.*)$/is;

/** Parses the link of a token; throws MetadataError for links that may not be followed. */
export function documentSource(link: string, gateways: Gateways): DocumentSource {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(link)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'http':
    case 'https':
      return { urls: webUrls(parseUrl(link), gateways) };
    case 'data':
      return { body: decodeData(link) };
    case 'ipfs':
    case 'tonstorage':
      return { urls: gatewayUrls(link, scheme, gateways) };
    default:
      throw new MetadataError('refused', scheme === undefined ? 'not a link' : 'unsupported link scheme');
  }
}

function gatewayUrls(link: string, scheme: 'ipfs' | 'tonstorage', gateways: Gateways): DocumentUrl[] {
  const { ipfsGateways, tonStorageGateway } = gateways;
  const prefixes = scheme === 'ipfs' ? ipfsGateways : tonStorageGateway ? [tonStorageGateway] : [];
  if (prefixes.length === 0)
    throw new MetadataError('refused', `no gateway is configured for ${scheme} links`);
  return prefixes.map((prefix) => {
    const url = gatewayUrl(link, scheme, prefix);
    if (url === undefined) throw new MetadataError('refused', `not a valid ${scheme} link`);
    return { url, isGateway: true };
  });
}

/** A file on a public IPFS gateway, which may be slow or gone, is tried at our gateways first. */
function webUrls(url: URL, gateways: Gateways): DocumentUrl[] {
  const link = { url, isGateway: false };
  const path = publicIpfsPath(url);
  if (path === undefined) return [link];
  const ours = gateways.ipfsGateways.flatMap((prefix) => gatewayUrl(`ipfs://${path}`, 'ipfs', prefix) ?? []);
  const others = ours.filter(({ host }) => host !== url.host);
  return [...others.map((one) => ({ url: one, isGateway: true })), link];
}

/** Gateways that serve any file, by path (`host/ipfs/name`) or by subdomain (`name.ipfs.host`). */
const PUBLIC_GATEWAYS: ReadonlySet<string> = new Set([
  'ipfs.io',
  'gateway.ipfs.io',
  'dweb.link',
  'trustless-gateway.link',
  'cloudflare-ipfs.com',
  'cf-ipfs.com',
  'gateway.pinata.cloud',
  'nftstorage.link',
  'w3s.link',
  '4everland.io',
  'ipfs.infura.io',
  'ipfs.fleek.co',
]);

/** Name and path of a file on a public IPFS gateway. */
function publicIpfsPath({ hostname, pathname, search }: URL): string | undefined {
  const [, name, host] = /^([a-z0-9]+)\.ipfs\.(.+)$/.exec(hostname) ?? [];
  if (name !== undefined && PUBLIC_GATEWAYS.has(host!)) return `${name}${pathname}${search}`;
  if (!PUBLIC_GATEWAYS.has(hostname) || !pathname.startsWith('/ipfs/')) return undefined;
  return `${pathname.slice('/ipfs/'.length)}${search}`;
}

/** Parses a URL, absolute or relative to a base. */
export function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new MetadataError('refused', 'not a valid link');
  return new URL(text, base?.href);
}

/** Throws MetadataError for URLs that untrusted links must not reach; host names are checked when they are resolved. */
export function checkUrl(url: URL, isPublic: (address: string) => boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new MetadataError('refused', 'unsupported link scheme');
  if (url.username !== '' || url.password !== '')
    throw new MetadataError('refused', 'links with credentials are not followed');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port < FIRST_UNPRIVILEGED_PORT && !WEB_PORTS.has(port))
    throw new MetadataError('refused', `port ${port} is not allowed`);
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isPrivate = isIP(host) === 0 ? isPrivateName(host) : !isPublic(host);
  if (isPrivate) throw new MetadataError('refused', 'the address is not public');
}

/** The document in a data link; on-chain content is short, so it needs no limit. */
function decodeData(link: string): Buffer {
  const [, head, text] = DATA_LINK.exec(link) ?? [];
  if (head === undefined || text === undefined) throw new MetadataError('refused', 'not a valid data link');
  try {
    const plain = decodeURIComponent(text);
    return Buffer.from(plain, /;\s*base64\s*$/i.test(head) ? 'base64' : 'utf8');
  } catch {
    throw new MetadataError('refused', 'not a valid data link');
  }
}

/** First path segment: an IPFS CID in any base, or a TON Storage bag id. */
const NAME = /^[\w-]+$/;

/**
 * The gateway URL of a link such as `ipfs://name/path`; undefined for other links, and for those that would leave the
 * prefix of the gateway, which may be a private host.
 */
export function gatewayUrl(link: string, scheme: 'ipfs' | 'tonstorage', gateway: string): URL | undefined {
  const prefix = `${scheme}://`;
  if (link.slice(0, prefix.length).toLowerCase() !== prefix) return undefined;
  // Some links repeat the path of gateways after the scheme.
  const path = link.slice(prefix.length).replace(/^\/*(?:ipfs\/)?/, '');
  const name = /^[^/?#\\]*/.exec(path)![0];
  const prefixUrl = gateway.endsWith('/') ? gateway : `${gateway}/`;
  if (!NAME.test(name) || !URL.canParse(path, prefixUrl)) return undefined;
  const base = new URL(prefixUrl);
  const url = new URL(path, base);
  const isInside = url.origin === base.origin && url.pathname.startsWith(`${base.pathname}${name}`);
  return isInside ? url : undefined;
}

/** Why a document could not be fetched; the text is stored with the token. */
export class MetadataError extends Error {
  /** `refused`: a URL that may not be fetched; `unavailable`: a host that responds late or wants fewer requests. */
  readonly kind: 'failed' | 'refused' | 'unavailable';

  constructor(kind: MetadataError['kind'], text: string) {
    super(text);
    this.name = 'MetadataError';
    this.kind = kind;
  }
}
