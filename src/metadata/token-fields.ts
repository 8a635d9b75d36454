import { createHmac, hash as hashOnce } from 'node:crypto';
import type { TokenKind } from '../db/tables/tables.ts';
import type {
  ChainContent,
  ChainMetadata,
  ReadChainMetadata,
  TokenFields,
} from '../index/write/write-contracts.ts';
import { checkUrl, OutboundError, parseUrl } from '../lib/outbound-http.ts';
import { isPublicAddress } from '../lib/public-address.ts';
import { gatewayUrl } from './document-source.ts';
import { type ImgproxySettings, METADATA_SETTINGS, type MetadataSettings } from './metadata-settings.ts';

type TokenDocument = Readonly<Record<string, unknown>>;

/** Maximum characters; longer texts are truncated, a longer image URL is dropped. */
const MAX_LENGTHS = { name: 1024, symbol: 1024, description: 16_384, image: 16_384 } as const;
const MAX_EXTRA_BYTES = 64 * 1024;

type Field = keyof typeof MAX_LENGTHS;

/** Merges content and document: on-chain fields take precedence; of the rest as much as fits is stored. */
export function tokenFields(
  content: ChainContent,
  document: TokenDocument,
  { imgproxy, ipfsGateways }: Pick<MetadataSettings, 'imgproxy' | 'ipfsGateways'>,
): TokenFields {
  const merged = new Map<string, unknown>();
  for (const [name, value] of [...Object.entries(content), ...Object.entries(document)]) {
    const key = cleanText(name);
    if (!merged.has(key) && !IMAGE_VARIANTS.has(key) && key !== '__proto__') merged.set(key, value);
  }
  const take = (field: Field): string | null => {
    const value = merged.get(field);
    if (typeof value !== 'string') return null;
    merged.delete(field);
    const text = cleanText(value);
    if (text.length <= MAX_LENGTHS[field]) return text;
    return field === 'image' ? null : truncate(text, MAX_LENGTHS[field]);
  };
  const fields = {
    name: take('name'),
    description: take('description'),
    image: take('image'),
    symbol: take('symbol'),
  };
  const variants = imgproxy && fields.image ? imageVariants(fields.image, { ...imgproxy, ipfsGateways }) : {};
  return { ...fields, extra: toExtra([...Object.entries(variants), ...merged]) };
}

function truncate(text: string, length: number): string {
  const splitsPair = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  return text.slice(0, splitsPair ? length - 1 : length);
}

/** A JSON object of the members that fit, in the order given. */
function toExtra(members: Iterable<readonly [string, unknown]>): string | null {
  const parts: string[] = [];
  let left = MAX_EXTRA_BYTES;
  for (const [key, value] of members) {
    if (typeof value === 'string' && value.length > left) continue;
    const part = `${JSON.stringify(key)}:${JSON.stringify(cleanJson(value))}`;
    const bytes = Buffer.byteLength(part) + 1;
    if (bytes > left) continue;
    left -= bytes;
    parts.push(part);
  }
  return parts.length === 0 ? null : `{${parts.join(',')}}`;
}

/** A token needs one of these to be displayed. */
const NEEDED = {
  jetton_masters: ['symbol'],
  nft_collections: ['name', 'description', 'image'],
  nft_items: ['name', 'domain'],
} as const satisfies Record<TokenKind, readonly string[]>;

export function chainMetadata(
  kind: TokenKind,
  content: ChainContent,
  settings: Pick<MetadataSettings, 'imgproxy' | 'ipfsGateways'>,
): ChainMetadata {
  const members = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    fields: tokenFields(content, {}, settings),
    isUsable: NEEDED[kind].some((name) => content[name]),
    hasLink: linkOf(content) !== undefined,
    hash: hashOnce('sha256', JSON.stringify(members), 'buffer'),
  };
}

/** Creates the reader of on-chain metadata that the writer of contracts uses. */
export function createChainMetadataReader(
  settings: Pick<MetadataSettings, 'imgproxy' | 'ipfsGateways'> = METADATA_SETTINGS,
): ReadChainMetadata {
  return (kind, content) => chainMetadata(kind, content, settings);
}

export function linkOf(content: ChainContent): string | undefined {
  return content.url?.trim() || content.uri?.trim() || undefined;
}

const MAX_DEPTH = 32;
/** More could not be stored anyway; without a limit, ten megabytes of empty lists would block the event loop. */
const MAX_VALUES = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Parses a JSON object, with or without a byte order mark; throws OutboundError for anything else. */
export function readDocument(bytes: Buffer): TokenDocument {
  checkShape(bytes);
  const document = parse(new TextDecoder().decode(bytes));
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new OutboundError('failed', 'not a JSON object');
  return document as TokenDocument;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OutboundError('failed', 'not JSON');
  }
}

/** Checks brackets and separators only, which is fast; other errors are left to the parser. */
function checkShape(bytes: Buffer): void {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i);
        break;
      case 0x2c: // ,
      case 0x3a: // :
        values += 1;
        if (values > MAX_VALUES) throw new OutboundError('failed', `JSON of more than ${MAX_VALUES} values`);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > MAX_DEPTH) throw new OutboundError('failed', `JSON nested deeper than ${MAX_DEPTH}`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
    }
  }
}

/** The position of the closing quote: the first one after an even number of backslashes. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = start; ; ) {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return bytes.length;
    let first = end;
    while (bytes[first - 1] === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
}

const SIZES = ['small', 'medium', 'big'] as const;
const BLUR = '/bl:256';
/** Six paths are derived from it, stored, and returned with every response. */
const MAX_IMAGE_LENGTH = 2048;

/** The names of the paths, which documents must not set. */
const IMAGE_VARIANTS: ReadonlySet<string> = new Set(
  SIZES.flatMap((size) => [`_image_${size}`, `_image_${size}_blur`]),
);

/** The imgproxy paths of an image in all sizes, plain and blurred; none if it is not a URL that anybody may fetch. */
export function imageVariants(
  image: string,
  { key, salt, ipfsGateways: [ipfsGateway] }: ImgproxySettings & Pick<MetadataSettings, 'ipfsGateways'>,
): Record<string, string> {
  const source = sourceOf(image, ipfsGateway);
  if (source === undefined) return {};
  const encoded = Buffer.from(source).toString('base64url');
  const sign = (path: string) => {
    if (key === undefined) return `/insecure${path}`;
    const hmac = createHmac('sha256', key).update(salt ?? '');
    return `/${hmac.update(path).digest('base64url')}${path}`;
  };
  return Object.fromEntries(
    SIZES.flatMap((size) => [
      [`_image_${size}`, sign(`/pr:${size}/${encoded}`)],
      [`_image_${size}_blur`, sign(`/pr:${size}${BLUR}/${encoded}`)],
    ]),
  );
}

/** Our signature must not grant access to other imgproxy sources: local files, private buckets, hosts of its network. */
function sourceOf(image: string, ipfsGateway: string | undefined): string | undefined {
  if (image.length > MAX_IMAGE_LENGTH) return undefined;
  if (/^https?:\/\//i.test(image)) return publicUrl(image);
  return ipfsGateway === undefined ? undefined : gatewayUrl(image, 'ipfs', ipfsGateway)?.href;
}

/** The URL as it was checked: imgproxy may read what a token wrote in another way. */
function publicUrl(image: string): string | undefined {
  try {
    const url = parseUrl(image);
    checkUrl(url, isPublicAddress);
    return url.href;
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
}

/** Text that PostgreSQL accepts: no NUL, no lone surrogates. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** A parsed JSON value as PostgreSQL accepts it, and safe for its readers. */
function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  // `jsonb` writes all digits: 1e308 would come back as hundreds of bytes.
  if (typeof value === 'number') return /[a-z]/.test(String(value)) ? String(value) : value;
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, one]) => [cleanText(key), cleanJson(one)] as const)
        .filter(([key]) => key !== '__proto__'),
    );
  return value;
}
