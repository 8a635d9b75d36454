/** Limits of a JSON text; more is refused before anything is made of it. Where a limit is absent, any number goes. */
export interface JsonLimits {
  readonly depth: number;
  /** Values in all: elements and members of every depth. */
  readonly values?: number;
  /** Members of one object. */
  readonly members?: number;
  /** Characters of one number. */
  readonly numberChars?: number;
}

/**
 * Limits for what callers send. An integer of TVM has 78 digits, no operation has 256 parameters, and a message of three
 * thousand cells has 20 000 values, which take 25 ms to parse at most.
 */
export const CALLER_LIMITS = { values: 20_000, members: 256, numberChars: 100 };

/** A run of digits that may be an integer above 2^53 - 1 and so not survive a double. */
const LONG_INTEGER = /[0-9]{16}/;
const LONG_INTEGER_CHARS = 16;
/** A text of this length has few values. */
const SHORT_CHARS = 1024;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** `JSON.parse` passes the source text of primitives to its reviver (ES2026); the types do not say so yet. */
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/**
 * Parses JSON without losing digits: integers outside the safe range come back as bigint. Throws SyntaxError
 * for malformed text and RangeError for a text above the limits.
 */
export function parseJson(text: string, limits: JsonLimits): unknown {
  // A value nested n deep needs at least 2n characters.
  const isShort = text.length <= Math.min(SHORT_CHARS, limits.depth * 2);
  const isPlain = isShort && !LONG_INTEGER.test(text);
  if (isPlain || !scan(text, limits)) return JSON.parse(text);
  return parseWithSource(text, (_key, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    return /^-?[0-9]+$/.test(context.source ?? '') ? BigInt(context.source!) : value;
  });
}

/** Checks the limits, and returns whether there is a number with many digits. The text need not be well-formed. */
function scan(text: string, limits: JsonLimits): boolean {
  const { depth: maxDepth, values: maxValues = Infinity, members: maxMembers = Infinity } = limits;
  const { numberChars: maxNumberChars = Infinity } = limits;
  const members = [0];
  let depth = 0;
  let values = 0;
  let longestNumber = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) {
      i = endOfString(text, i);
    } else if (char === COMMA) {
      values++;
    } else if (char === COLON) {
      const count = members[depth]! + 1;
      if (count > maxMembers) throw new RangeError(`JSON has an object of more than ${maxMembers} members`);
      members[depth] = count;
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      if (++depth > maxDepth) throw new RangeError(`JSON is nested deeper than ${maxDepth}`);
      members[depth] = 0;
      values++;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      if (depth > 0) depth--;
    } else if (isInNumber(char)) {
      const start = i;
      while (i - start < maxNumberChars && isInNumber(text.charCodeAt(i + 1))) i++;
      const chars = i + 1 - start;
      if (chars > maxNumberChars)
        throw new RangeError(`JSON has a number of more than ${maxNumberChars} characters`);
      if (chars > longestNumber) longestNumber = chars;
    }
    if (values > maxValues) throw new RangeError(`JSON has more than ${maxValues} values`);
  }
  return longestNumber >= LONG_INTEGER_CHARS;
}

/** The position of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
  } while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** Digits, signs, points and exponents; the letters of `true`, `false` and `null` that are no exponent are not. */
function isInNumber(char: number): boolean {
  return (char >= 0x2b && char <= 0x39 && char !== COMMA) || char === 0x65 || char === 0x45;
}
