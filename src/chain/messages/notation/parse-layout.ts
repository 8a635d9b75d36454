import type { Argument, Condition, Constraint, Expression, Field, Layout, RecordPart } from './layout.ts';
import { TokenReader } from './token-reader.ts';

const WORDS: Readonly<Record<string, Layout>> = {
  bool: { kind: 'bool' },
  bit: { kind: 'bit' },
  cell: { kind: 'rest' },
  any: { kind: 'rest' },
  snake: { kind: 'snake' },
  never: { kind: 'never' },
  coins: { kind: 'amount', name: 'nanocoins' },
  grams: { kind: 'amount', name: 'nanograms' },
  vu16: { kind: 'varUint', lengthBits: 4 },
  vu32: { kind: 'varUint', lengthBits: 5 },
  addr: { kind: 'address', allowed: 'any' },
  addrInt: { kind: 'address', allowed: 'internal' },
  addrExt: { kind: 'address', allowed: 'external' },
};
const SIZED = { u: 'uint', i: 'int', b: 'bits' } as const;
const SIZED_WORD = /^([uib])(\d+)$/;
const ORDERS: readonly string[] = ['<=', '>=', '='] satisfies Constraint['order'][];

/**
 * Reads the fields of a constructor in the notation that `protocols/` is written in, separated by commas: a name and a
 * layout, or a layout alone. `{a <= 1}` is no field but what must hold.
 *
 *     u8 i8 b8        number without or with sign, bits      b<len*8>          bits whose number was read before
 *     vu16 coins …    number after its length in bytes       bool bit          one bit
 *     addr addrInt …  address of a message                   snake             text along a chain of cells
 *     any cell        all that is left                       never             fits nothing
 *     ^x  ^{fields}   in a reference                         x?                if a bit says so
 *     either<x, y>    one of two, as a bit says              name [flags.0] x  if a field, or a bit of it, is not zero
 *     dict<32, x>     dictionary, tree<8, x> its root        @Type<n+1, x>     named type, used with numbers and layouts
 */
export function parseFields(text: string): RecordPart[] {
  const tokens = new TokenReader(text);
  const parts = tokens.isAtEnd ? [] : readParts(tokens);
  if (!tokens.isAtEnd) throw tokens.mistake('its end');
  return parts;
}

function readParts(tokens: TokenReader): RecordPart[] {
  const parts: RecordPart[] = [];
  do parts.push(tokens.skip('{') ? readConstraint(tokens) : readField(tokens));
  while (tokens.skip(','));
  return parts;
}

function readConstraint(tokens: TokenReader): Constraint {
  const left = readExpression(tokens);
  if (!ORDERS.includes(tokens.peek() ?? '')) throw tokens.mistake('a comparison');
  const order = tokens.next() as Constraint['order'];
  const right = readExpression(tokens);
  tokens.expect('}');
  return { kind: 'constraint', left, order, right };
}

/** `name layout`, `name [condition] layout`, or a layout alone. */
function readField(tokens: TokenReader): Field {
  const isNamed = tokens.isWord() && (tokens.isWord(1) || ['@', '^', '['].includes(tokens.peek(1) ?? ''));
  const name = isNamed ? tokens.word() : '';
  const when = tokens.skip('[') ? readCondition(tokens) : undefined;
  return { kind: 'field', name, layout: readLayout(tokens), when };
}

function readCondition(tokens: TokenReader): Condition {
  const name = tokens.word();
  const bit = tokens.skip('.') ? tokens.number() : undefined;
  tokens.expect(']');
  return { name, bit };
}

function readLayout(tokens: TokenReader): Layout {
  const layout = readPlain(tokens);
  return tokens.skip('?') ? { kind: 'maybe', of: layout } : layout;
}

function readPlain(tokens: TokenReader): Layout {
  if (tokens.skip('^')) {
    if (!tokens.skip('{')) return { kind: 'ref', of: readPlain(tokens) };
    const parts = readParts(tokens);
    tokens.expect('}');
    return { kind: 'ref', of: { kind: 'record', parts } };
  }
  if (tokens.skip('@')) return { kind: 'named', name: tokens.word(), arguments: readArguments(tokens) };
  return readWord(tokens);
}

function readWord(tokens: TokenReader): Layout {
  const word = tokens.word();
  if (word === 'dict' || word === 'tree') {
    tokens.expect('<');
    const keyBits = tokens.number();
    tokens.expect(',');
    const value = readLayout(tokens);
    tokens.expect('>');
    return { kind: word, keyBits, value };
  }
  if (word === 'either') {
    tokens.expect('<');
    const left = readLayout(tokens);
    tokens.expect(',');
    const right = readLayout(tokens);
    tokens.expect('>');
    return { kind: 'either', left, right };
  }
  if (word === 'b') {
    tokens.expect('<');
    const length = readExpression(tokens);
    tokens.expect('>');
    return { kind: 'bitsOf', length };
  }
  const [, letter, bits] = SIZED_WORD.exec(word) ?? [];
  if (letter !== undefined) return { kind: SIZED[letter as keyof typeof SIZED], bits: Number(bits) };
  const layout = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  if (layout === undefined) throw tokens.mistake(`"${word}" is no layout; another one`);
  return layout;
}

function readArguments(tokens: TokenReader): Argument[] {
  if (!tokens.skip('<')) return [];
  const list: Argument[] = [];
  do list.push(readArgument(tokens));
  while (tokens.skip(','));
  tokens.expect('>');
  return list;
}

/** A layout where one can be; every other word is the name of a number. */
function readArgument(tokens: TokenReader): Argument {
  const token = tokens.peek() ?? '';
  const isLayout = token === '@' || token === '^' || Object.hasOwn(WORDS, token) || SIZED_WORD.test(token);
  return isLayout ? readLayout(tokens) : readExpression(tokens);
}

function readExpression(tokens: TokenReader): Expression {
  const left: Expression = tokens.isWord()
    ? { kind: 'name', name: tokens.word() }
    : { kind: 'number', value: tokens.number() };
  if (tokens.skip('+')) return { kind: 'sum', left, right: readExpression(tokens) };
  if (tokens.skip('*')) return { kind: 'product', left, right: readExpression(tokens) };
  return left;
}
