import { cleanJson, cleanText } from './clean-json.ts';
import { IMAGE_VARIANTS, imageVariants } from './image-variants.ts';
import type { MetadataSettings } from './metadata-settings.ts';

/** What a contract says of its token. */
export type ChainContent = Readonly<Record<string, string>>;

/** The same, or more, that was fetched from elsewhere. */
export type TokenDocument = Readonly<Record<string, unknown>>;

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
