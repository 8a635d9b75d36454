import { MetadataFault } from './metadata-fault.ts';
import type { TokenDocument } from './token-fields.ts';

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
    throw new MetadataFault('failed', 'not a JSON object');
  return document as TokenDocument;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MetadataFault('failed', 'not JSON');
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
        if (values > MAX_VALUES) throw new MetadataFault('failed', `JSON of more than ${MAX_VALUES} values`);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > MAX_DEPTH) throw new MetadataFault('failed', `JSON nested deeper than ${MAX_DEPTH}`);
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
