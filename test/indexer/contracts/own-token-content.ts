import { hash as hashOnce } from 'node:crypto';
import { type Cell, Dictionary, type Slice } from '@ton/core';

const NAMES = [
  ...['uri', 'name', 'description', 'image', 'image_data', 'symbol', 'decimals'],
  ...['amount_style', 'render_type'],
];

/** Reads the content of a token (TEP-64) with @ton/core; undefined where it is none. */
export function ownTokenContent(cell: Cell): Record<string, string> | undefined {
  try {
    const slice = cell.beginParse();
    const layout = slice.loadUint(8);
    if (layout === 1) return { uri: textOf(snake(slice)) };
    return layout === 0 ? attributes(slice) : undefined;
  } catch {
    return undefined;
  }
}

function attributes(slice: Slice): Record<string, string> {
  const values = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  const content: Record<string, string> = {};
  for (const name of NAMES) {
    const value = values.get(hashOnce('sha256', name, 'buffer'))?.beginParse();
    if (value === undefined) continue;
    const form = value.loadUint(8);
    const bytes = form === 0 ? snake(value) : chunks(value);
    content[name] = name === 'image_data' ? bytes.toString('base64') : textOf(bytes);
  }
  return content;
}

function chunks(slice: Slice): Buffer {
  const parts = slice.loadDict(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  return Buffer.concat([...parts.keys()].map((key) => bytesOf(parts.get(key)!.beginParse())));
}

function snake(slice: Slice): Buffer {
  const bytes = bytesOf(slice);
  return slice.remainingRefs > 0 ? Buffer.concat([bytes, snake(slice.loadRef().beginParse())]) : bytes;
}

function bytesOf(slice: Slice): Buffer {
  return slice.loadBuffer(slice.remainingBits / 8);
}

function textOf(bytes: Buffer): string {
  return new TextDecoder('utf8', { fatal: true, ignoreBOM: true }).decode(bytes).replaceAll('\0', '');
}
