/** A run of digits that may be an integer above 2^53 - 1 and so not survive a double. */
const LONG_INTEGER = /[0-9]{16}/;

/** `JSON.parse` passes the source text of primitives to its reviver (ES2026); the types do not say so yet. */
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/**
 * Parses JSON without losing digits: integers outside the safe range come back as bigint. Throws SyntaxError
 * for malformed text and RangeError when values are nested deeper than `maxDepth`.
 */
export function parseJson(text: string, maxDepth: number): unknown {
  // A value nested n deep needs at least 2n characters, so short texts need no scan.
  if (text.length > maxDepth * 2) checkDepth(text, maxDepth);
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  return parseWithSource(text, (_key, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    return /^-?[0-9]+$/.test(context.source ?? '') ? BigInt(context.source!) : value;
  });
}

function checkDepth(text: string, maxDepth: number): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) {
      inString = true;
    } else if (char === 0x7b || char === 0x5b) {
      if (++depth > maxDepth) throw new RangeError(`JSON is nested deeper than ${maxDepth}`);
    } else if (char === 0x7d || char === 0x5d) {
      depth--;
    }
  }
}
