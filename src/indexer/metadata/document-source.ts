import { isIP } from 'node:net';
import type { MetadataSettings } from './metadata-settings.ts';

/** Where a document is: in the link itself, or at an address. */
export type DocumentSource =
  | { readonly body: Buffer }
  | {
      readonly url: URL;
      /** Whether the operator named its host, so that it may be a private one. */
      readonly isGateway: boolean;
    };

const FIRST_FREE_PORT = 1024;
const WEB_PORTS = new Set([80, 443]);
const DATA_LINK = /^data:([^,]*),(.*)$/is;

/** Reads a link of a token; throws MetadataFault when it is none that may be followed. */
export function documentSource(
  link: string,
  { ipfsGateway, tonStorageGateway }: Pick<MetadataSettings, 'ipfsGateway' | 'tonStorageGateway'>,
): DocumentSource {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(link)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'http':
    case 'https':
      return { url: parseUrl(link), isGateway: false };
    case 'data':
      return { body: decodeData(link) };
    case 'ipfs':
    case 'tonstorage': {
      const gateway = scheme === 'ipfs' ? ipfsGateway : tonStorageGateway;
      if (gateway === undefined)
        throw new MetadataError('refused', `there is no gateway for ${scheme} links`);
      const url = gatewayUrl(link, scheme, gateway);
      if (url === undefined) throw new MetadataError('refused', `not a link of ${scheme}`);
      return { url, isGateway: true };
    }
    default:
      throw new MetadataError(
        'refused',
        scheme === undefined ? 'not a link' : 'links of this kind are not followed',
      );
  }
}

/** Reads an address, as it is or relative to another one. */
export function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new MetadataError('refused', 'not a valid link');
  return new URL(text, base?.href);
}

/** Throws MetadataFault if strangers may not make us ask this address; names are looked up and checked later. */
export function checkUrl(url: URL, isPublic: (address: string) => boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new MetadataError('refused', 'links of this kind are not followed');
  if (url.username !== '' || url.password !== '')
    throw new MetadataError('refused', 'links with a user name are not followed');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port < FIRST_FREE_PORT && !WEB_PORTS.has(port))
    throw new MetadataError('refused', `port ${port} is not of the web`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new MetadataError('refused', 'the address is not public');
}

/** A document within a link; content of the chain is short, and so is what it holds. */
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

/** First parts of paths: names of files of IPFS in any base, and of bags of TON Storage. */
const NAME = /^[\w-]+$/;

/**
 * The address at a gateway of a link such as `ipfs://name/path`; undefined for other links, and for those that would
 * lead to something else at the gateway, which may be a machine that only we can reach.
 */
export function gatewayUrl(link: string, scheme: 'ipfs' | 'tonstorage', gateway: string): URL | undefined {
  const prefix = `${scheme}://`;
  if (link.slice(0, prefix.length).toLowerCase() !== prefix) return undefined;
  // Some write the path of gateways after the scheme as well.
  const path = link.slice(prefix.length).replace(/^\/*(?:ipfs\/)?/, '');
  const name = /^[^/?#\\]*/.exec(path)![0];
  const prefixUrl = gateway.endsWith('/') ? gateway : `${gateway}/`;
  if (!NAME.test(name) || !URL.canParse(path, prefixUrl)) return undefined;
  const base = new URL(prefixUrl);
  const url = new URL(path, base);
  const isInside = url.origin === base.origin && url.pathname.startsWith(`${base.pathname}${name}`);
  return isInside ? url : undefined;
}

/** Why a document was not to be had; the text is kept beside the token. */
export class MetadataError extends Error {
  /** `refused` are addresses that are not asked at all; `silent` are hosts that answer late or want fewer requests. */
  readonly kind: 'failed' | 'refused' | 'silent';

  constructor(kind: MetadataError['kind'], text: string) {
    super(text);
    this.name = 'MetadataFault';
    this.kind = kind;
  }
}
