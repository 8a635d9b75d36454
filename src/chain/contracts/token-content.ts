import { isUtf8 } from 'node:buffer';
import { hash as hashOnce } from 'node:crypto';
import { type Cells, undefinedOnCellError } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { lookUp } from '../tlb/dictionary.ts';

/** The token attributes that are read; their keys are the hashes of their names. */
export const TOKEN_ATTRIBUTES = [
  'uri',
  'name',
  'description',
  'image',
  'image_data',
  'symbol',
  'decimals',
  'amount_style',
  'render_type',
] as const;

type TokenAttribute = (typeof TOKEN_ATTRIBUTES)[number];

/** Token content (TEP-64): a link to the metadata, or the attributes themselves; `image_data` is in base64. */
export type TokenContent =
  | { readonly type: 'offchain'; readonly uri: string }
  | { readonly type: 'onchain'; readonly attributes: Readonly<Partial<Record<TokenAttribute, string>>> };

/** Maximum bytes of one text or image that are read. */
const MAX_CONTENT_BYTES = 64 * 1024;
/** Maximum bytes of one text or image that the index stores. */
export const MAX_STORED_CONTENT_BYTES = 8 * 1024;

const KEYS = TOKEN_ATTRIBUTES.map((name) => ({ name, key: hashOnce('sha256', name, 'buffer') }));
const KEY_BITS = 256;

// A dictionary of shared cells can expand to any number of small or empty chunks.
const MAX_CHUNKS = 2048;

const ON_CHAIN = 0;
const OFF_CHAIN = 1;
const SNAKE = 0;
const CHUNKED = 1;

/** Reads a cell of token content; undefined if it is malformed, which means that the contract is not a token. */
export function readTokenContent(
  cells: Cells,
  cell: number,
  maxBytes = MAX_CONTENT_BYTES,
): TokenContent | undefined {
  return undefinedOnCellError(() => {
    const slice = new Slice(cells, cell);
    const layout = slice.uint(8);
    if (layout === ON_CHAIN) return { type: 'onchain', attributes: readAttributes(slice, maxBytes) };
    const uri = layout === OFF_CHAIN ? textOf(readSnake(slice, maxBytes)) : undefined;
    return uri === undefined ? undefined : { type: 'offchain', uri };
  });
}

/** Content as the index stores it: only attributes, without NUL, which PostgreSQL cannot store. */
export function toStoredContent(content: TokenContent): Partial<Record<TokenAttribute, string>> {
  const attributes = content.type === 'offchain' ? { uri: content.uri } : { ...content.attributes };
  for (const name of TOKEN_ATTRIBUTES) {
    const value = attributes[name];
    if (value?.includes('\0')) attributes[name] = value.replaceAll('\0', '');
  }
  return attributes;
}

function readAttributes(slice: Slice, maxBytes: number): Partial<Record<TokenAttribute, string>> {
  const attributes: Partial<Record<TokenAttribute, string>> = {};
  const root = slice.maybeRef();
  if (root < 0) return attributes;
  for (const { name, key } of KEYS) {
    const value = lookUp(slice.cells, root, KEY_BITS, key);
    // An unreadable attribute is skipped; an unreadable dictionary means malformed content.
    const bytes = value && undefinedOnCellError(() => readValue(value, maxBytes));
    const text = name === 'image_data' ? bytes?.toString('base64') : textOf(bytes);
    if (text !== undefined) attributes[name] = text;
  }
  return attributes;
}

/** The bytes of an attribute, which is in its own cell or inlined in the dictionary. */
function readValue(value: Slice, maxBytes: number): Buffer | undefined {
  const slice = inOwnCell(value);
  const form = slice.uint(8);
  if (form === SNAKE) return readSnake(slice, maxBytes);
  return form === CHUNKED ? readChunks(slice, maxBytes) : undefined;
}

/** Concatenates chunks 0, 1, 2 and so on up to the first missing one; of each only its own cell counts. */
function readChunks(slice: Slice, maxBytes: number): Buffer | undefined {
  const root = slice.maybeRef();
  const bits = new BitConcatenator();
  const key = Buffer.alloc(4);
  for (let i = 0; root >= 0 && i < MAX_CHUNKS; i++) {
    key.writeUInt32BE(i, 0);
    const chunk = lookUp(slice.cells, root, 32, key);
    if (chunk === undefined) break;
    const content = inOwnCell(chunk);
    if (bits.length + content.bitsLeft > maxBytes * 8) break;
    bits.add(content);
  }
  return bits.bytes();
}

function inOwnCell(value: Slice): Slice {
  return value.bitsLeft === 0 && value.refsLeft === 1 ? value.refSlice() : value;
}

function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/**
 * The bytes of a snake: the rest of a slice, then the bits of its first reference, and so on along the first
 * references. Undefined unless the bits fill whole bytes. It ends before a cell that would exceed `maxBytes`.
 */
export function readSnake(slice: Slice, maxBytes: number): Buffer | undefined {
  const bits = new BitConcatenator();
  for (let part = slice; ; part = part.refSlice()) {
    if (bits.length + part.bitsLeft > maxBytes * 8) break;
    bits.add(part);
    if (part.refsLeft === 0) break;
  }
  return bits.bytes();
}

class BitConcatenator {
  length = 0;
  readonly #parts: { readonly bytes: Buffer; readonly bits: number }[] = [];

  add(slice: Slice): void {
    const bits = slice.bitsLeft;
    const bytes = Buffer.allocUnsafe((bits + 7) >> 3);
    slice.copyBits(bits, bytes, 0);
    this.#parts.push({ bytes, bits });
    this.length += bits;
  }

  /** The bytes, or undefined if the last one is incomplete. */
  bytes(): Buffer | undefined {
    if (this.length % 8 !== 0) return undefined;
    if (this.#parts.every(({ bits }) => bits % 8 === 0))
      return Buffer.concat(this.#parts.map(({ bytes }) => bytes));
    // Rare: cells that end inside a byte.
    const joined = Buffer.alloc(this.length / 8);
    let at = 0;
    for (const { bytes, bits } of this.#parts)
      for (let i = 0; i < bits; i++, at++)
        joined[at >> 3]! |= ((bytes[i >> 3]! >> (7 - (i & 7))) & 1) << (7 - (at & 7));
    return joined;
  }
}
