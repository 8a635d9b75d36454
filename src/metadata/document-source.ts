import { OutboundError, parseUrl } from '../lib/outbound-http.ts';
import type { MetadataSettings } from './metadata-settings.ts';

export interface DocumentUrl {
  readonly url: URL;
  /** Whether the operator configured its host, so that it may be private. */
  readonly isGateway: boolean;
}

/** Where a document is: in the link itself, or at URLs that are tried in order. */
export type DocumentSource = { readonly body: Buffer } | { readonly urls: readonly DocumentUrl[] };

/** Prefixes of URLs that the operator configured. */
type Gateways = Pick<MetadataSettings, 'ipfsGateways' | 'tonStorageGateway'>;

const DATA_LINK = /^data:([^,]*),(.*)$/is;

/** Parses the link of a token; throws OutboundError for links that may not be followed. */
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
      throw new OutboundError('refused', scheme === undefined ? 'not a link' : 'unsupported link scheme');
  }
}

function gatewayUrls(link: string, scheme: 'ipfs' | 'tonstorage', gateways: Gateways): DocumentUrl[] {
  const { ipfsGateways, tonStorageGateway } = gateways;
  const prefixes = scheme === 'ipfs' ? ipfsGateways : tonStorageGateway ? [tonStorageGateway] : [];
  if (prefixes.length === 0)
    throw new OutboundError('refused', `no gateway is configured for ${scheme} links`);
  return prefixes.map((prefix) => {
    const url = gatewayUrl(link, scheme, prefix);
    if (url === undefined) throw new OutboundError('refused', `not a valid ${scheme} link`);
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

/** The document in a data link; on-chain content is short, so it needs no limit. */
function decodeData(link: string): Buffer {
  const [, head, text] = DATA_LINK.exec(link) ?? [];
  if (head === undefined || text === undefined) throw new OutboundError('refused', 'not a valid data link');
  try {
    const plain = decodeURIComponent(text);
    return Buffer.from(plain, /;\s*base64\s*$/i.test(head) ? 'base64' : 'utf8');
  } catch {
    throw new OutboundError('refused', 'not a valid data link');
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
