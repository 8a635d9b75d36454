import { createHmac, hash as hashOnce } from 'node:crypto';
import type { TokenKind } from '../../db/tables.ts';
import { gatewayUrl, MetadataError } from './document-source.ts';
import type { ImgproxySettings, MetadataSettings } from './metadata-settings.ts';

/** What a contract says of its token. */
export type ChainContent = Readonly<Record<string, string>>;

/** The same, or more, that was fetched from elsewhere. */
type TokenDocument = Readonly<Record<string, unknown>>;

/** What is kept of a token to be shown; `extra` is JSON. */
export interface TokenFields {
  readonly name: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly symbol: string | null;
  readonly extra: string | null;
}

/** Characters of texts that are kept; a longer image is left out, since a part of its address is worth nothing. */
const MAX_LENGTHS = { name: 1024, symbol: 1024, description: 16_384, image: 16_384 } as const;
const MAX_EXTRA_BYTES = 64 * 1024;

type Field = keyof typeof MAX_LENGTHS;

/** Puts together what is shown: the chain overrides the document; of the rest as much as may be kept. */
export function tokenFields(
  content: ChainContent,
  document: TokenDocument,
  { imgproxy, ipfsGateway }: Pick<MetadataSettings, 'imgproxy' | 'ipfsGateway'>,
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
    return field === 'image' ? null : cut(text, MAX_LENGTHS[field]);
  };
  const fields = {
    name: take('name'),
    description: take('description'),
    image: take('image'),
    symbol: take('symbol'),
  };
  const variants = imgproxy && fields.image ? imageVariants(fields.image, { ...imgproxy, ipfsGateway }) : {};
  return { ...fields, extra: toExtra([...Object.entries(variants), ...merged]) };
}

function cut(text: string, length: number): string {
  const isHalf = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isHalf ? length - 1 : length);
}

/** An object of those members that find room, in the order given. */
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

/** What the chain alone says of a token. */
export interface ChainMetadata {
  readonly fields: TokenFields;
  /** Whether that is enough to show it. */
  readonly isUsable: boolean;
  /** Whether more is to be fetched. */
  readonly hasLink: boolean;
  /** Changes with the content. */
  readonly hash: Buffer;
}

/** One of these is needed to show a token. */
const NEEDED = {
  jetton_masters: ['symbol'],
  nft_collections: ['name', 'description', 'image'],
  nft_items: ['name', 'domain'],
} as const satisfies Record<TokenKind, readonly string[]>;

/** Reads what a contract says of its token. */
export function chainMetadata(
  kind: TokenKind,
  content: ChainContent,
  settings: Pick<MetadataSettings, 'imgproxy' | 'ipfsGateway'>,
): ChainMetadata {
  const members = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    fields: tokenFields(content, {}, settings),
    isUsable: NEEDED[kind].some((name) => content[name]),
    hasLink: linkOf(content) !== undefined,
    hash: hashOnce('sha256', JSON.stringify(members), 'buffer'),
  };
}

/** Where there is more about a token. */
export function linkOf(content: ChainContent): string | undefined {
  return content.url?.trim() || content.uri?.trim() || undefined;
}

const MAX_DEPTH = 32;
/** More could not be kept; without a limit, ten megabytes of empty lists would hold up everything else. */
const MAX_VALUES = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads bytes as a JSON object, with or without a byte order mark; throws MetadataFault for anything else. */
export function readDocument(bytes: Buffer): TokenDocument {
  checkShape(bytes);
  const document = parse(new TextDecoder().decode(bytes));
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new MetadataError('failed', 'not a JSON object');
  return document as TokenDocument;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MetadataError('failed', 'not JSON');
  }
}

/** Looks at the brackets and separators alone, which is quick; other faults are left to the parser. */
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
        if (values > MAX_VALUES) throw new MetadataError('failed', `JSON of more than ${MAX_VALUES} values`);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > MAX_DEPTH) throw new MetadataError('failed', `JSON nested deeper than ${MAX_DEPTH}`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
    }
  }
}

/** The place of the quote that ends a string: the first one that an even number of backslashes stands before. */
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
/** Six paths are made of it, which are kept and shown with every answer. */
const MAX_IMAGE_LENGTH = 2048;

/** The names of the paths, which no document from elsewhere may give. */
const IMAGE_VARIANTS: ReadonlySet<string> = new Set(
  SIZES.flatMap((size) => [`_image_${size}`, `_image_${size}_blur`]),
);

/** Paths of an imgproxy for an image in all sizes, plain and blurred; none for what is no address of the web. */
export function imageVariants(
  image: string,
  { key, salt, ipfsGateway }: ImgproxySettings & { readonly ipfsGateway: string },
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

/** Our signature must not open what else an imgproxy can read: files of its machine, buckets of its owner. */
function sourceOf(image: string, ipfsGateway: string): string | undefined {
  if (image.length > MAX_IMAGE_LENGTH) return undefined;
  if (/^https?:\/\//i.test(image)) return image;
  return gatewayUrl(image, 'ipfs', ipfsGateway)?.href;
}

/** Text that PostgreSQL takes: no NUL, and no half of a pair of surrogates. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** What `JSON.parse` gave as PostgreSQL takes it, and as it does no harm to who reads it. */
function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  // `jsonb` writes all digits: some bytes such as 1e308 would come back as hundreds.
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
