import { isIP } from 'node:net';
import { gatewayUrl } from './gateway-url.ts';
import { MetadataFault } from './metadata-fault.ts';
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
        throw new MetadataFault('refused', `there is no gateway for ${scheme} links`);
      const url = gatewayUrl(link, scheme, gateway);
      if (url === undefined) throw new MetadataFault('refused', `not a link of ${scheme}`);
      return { url, isGateway: true };
    }
    default:
      throw new MetadataFault(
        'refused',
        scheme === undefined ? 'not a link' : 'links of this kind are not followed',
      );
  }
}

/** Reads an address, as it is or relative to another one. */
export function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new MetadataFault('refused', 'not a valid link');
  return new URL(text, base?.href);
}

/** Throws MetadataFault if strangers may not make us ask this address; names are looked up and checked later. */
export function checkUrl(url: URL, isPublic: (address: string) => boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new MetadataFault('refused', 'links of this kind are not followed');
  if (url.username !== '' || url.password !== '')
    throw new MetadataFault('refused', 'links with a user name are not followed');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port < FIRST_FREE_PORT && !WEB_PORTS.has(port))
    throw new MetadataFault('refused', `port ${port} is not of the web`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new MetadataFault('refused', 'the address is not public');
}

/** A document within a link; content of the chain is short, and so is what it holds. */
function decodeData(link: string): Buffer {
  const [, head, text] = DATA_LINK.exec(link) ?? [];
  if (head === undefined || text === undefined) throw new MetadataFault('refused', 'not a valid data link');
  try {
    const plain = decodeURIComponent(text);
    return Buffer.from(plain, /;\s*base64\s*$/i.test(head) ? 'base64' : 'utf8');
  } catch {
    throw new MetadataFault('refused', 'not a valid data link');
  }
}
