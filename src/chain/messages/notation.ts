/** A number known while decoding: a literal, a parameter, a field that was read before, or a sum or product of these. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'sum' | 'product';
      readonly left: Expression;
      readonly right: Expression;
    };

/** When a field is present: an earlier field is not zero, or one bit of it is set. */
export interface Condition {
  readonly name: string;
  readonly bit: number | undefined;
}

/** A condition that must hold, otherwise the layout does not match. */
export interface Constraint {
  readonly kind: 'constraint';
  readonly left: Expression;
  readonly order: '<=' | '>=' | '=';
  readonly right: Expression;
}

export interface Field {
  readonly kind: 'field';
  /** Empty for a field without a name. */
  readonly name: string;
  readonly layout: Layout;
  readonly when: Condition | undefined;
}

export type RecordItem = Field | Constraint;

export type Layout =
  | { readonly kind: 'uint' | 'int' | 'bits'; readonly bits: number }
  | { readonly kind: 'bitsOf'; readonly length: Expression }
  /** VarUInteger: the byte length, then the number. */
  | { readonly kind: 'varUint'; readonly lengthBits: number }
  /** A VarUInteger 16 that is shown as an amount. */
  | { readonly kind: 'amount'; readonly name: 'nanocoins' | 'nanograms' }
  /** `rest`: everything that is left, as a separate cell; `never`: matches nothing. */
  | { readonly kind: 'bool' | 'bit' | 'rest' | 'snake' | 'never' }
  | { readonly kind: 'address'; readonly allowed: 'any' | 'internal' | 'external' }
  | { readonly kind: 'ref' | 'maybe'; readonly of: Layout }
  | { readonly kind: 'either'; readonly left: Layout; readonly right: Layout }
  /** `dict` is a HashmapE, `tree` a Hashmap that starts right here. */
  | { readonly kind: 'dict' | 'tree'; readonly keyBits: number; readonly value: Layout }
  | { readonly kind: 'record'; readonly parts: readonly RecordItem[] }
  | { readonly kind: 'named'; readonly name: string; readonly arguments: readonly Argument[] };

type Argument = Layout | Expression;

const EXPRESSIONS: ReadonlySet<string> = new Set(['number', 'name', 'sum', 'product']);

export function isExpression(argument: Argument): argument is Expression {
  return EXPRESSIONS.has(argument.kind);
}

export interface MessageConstructor {
  readonly name: string;
  readonly opcode: number;
  /** Of the bodies with the same opcode, lower groups are tried first. */
  readonly group: number;
  readonly parts: readonly RecordItem[];
}

/** A parameter of a constructor: a fixed number, a variable (`n`, or `n+1` for numbers from 1 on), or a layout. */
export type Parameter =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string; readonly added: number }
  | { readonly kind: 'layout'; readonly name: string };

export interface TypeConstructor {
  /** Undefined where the JSON has no `@type`. */
  readonly name: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly tag: number;
  /** 0 without a tag. */
  readonly tagBits: number;
  readonly parts: readonly RecordItem[];
}

export interface Scheme {
  /** By opcode, in the order they are tried. */
  readonly messages: ReadonlyMap<number, readonly MessageConstructor[]>;
  readonly types: ReadonlyMap<string, readonly TypeConstructor[]>;
}

const MESSAGE_HEAD = /^(\d+) ([0-9a-f]{8}) (\S+)$/;
const TYPE_HEAD = /^(\w+)(?:<([^>]+)>)? (\w+)(?: (\$[01]+|#[0-9a-f]+))?$/;
const PARAMETER = /^(?:(\d+)|([a-z])(?:\+(\d+))?|([A-Z]))$/;
const HEAD_END = ' = ';

/**
 * Parses tables of constructors. An entry ends with a semicolon. A message is `group opcode name = fields`, a constructor
 * of a type is `Type<parameters> name tag = fields`; parameters, tag and fields may be missing, and a constructor
 * called `_` has no name in JSON.
 */
export function parseScheme(texts: readonly string[]): Scheme {
  const messages = new Map<number, MessageConstructor[]>();
  const types = new Map<string, TypeConstructor[]>();
  for (const entry of texts.flatMap((text) => text.split(';'))) {
    const line = entry.trim();
    if (line === '') continue;
    const end = line.indexOf(HEAD_END);
    const head = end === -1 ? line : line.slice(0, end);
    const parts = parseFields(end === -1 ? '' : line.slice(end + HEAD_END.length));
    const [, group, opcode, name] = MESSAGE_HEAD.exec(head) ?? [];
    if (opcode !== undefined)
      add(messages, Number.parseInt(opcode, 16), {
        name: name!,
        opcode: Number.parseInt(opcode, 16),
        group: Number(group),
        parts,
      });
    else add(types, ...parseType(head, parts));
  }
  for (const list of messages.values()) list.sort((one, other) => one.group - other.group);
  return { messages, types };
}

function parseType(head: string, parts: readonly RecordItem[]): [string, TypeConstructor] {
  const [, type, parameters, name, tag] = TYPE_HEAD.exec(head) ?? [];
  if (type === undefined) throw new Error(`neither a message nor a type: "${head}"`);
  const form = {
    name: name === '_' ? undefined : name,
    parameters: (parameters?.split(',') ?? []).map((text) => parseParameter(text.trim())),
    ...parseTag(tag),
    parts,
  };
  return [type, form];
}

function parseParameter(text: string): Parameter {
  const [, value, name, added, layout] = PARAMETER.exec(text) ?? [];
  if (value !== undefined) return { kind: 'number', value: Number(value) };
  if (name !== undefined) return { kind: 'name', name, added: Number(added ?? 0) };
  if (layout !== undefined) return { kind: 'layout', name: layout };
  throw new Error(`invalid parameter: "${text}"`);
}

/** `$` is followed by binary digits, `#` by hex digits. */
function parseTag(text = '$'): { tag: number; tagBits: number } {
  const [radix, width] = text.startsWith('$') ? [2, 1] : [16, 4];
  const digits = text.slice(1);
  return { tag: digits === '' ? 0 : Number.parseInt(digits, radix), tagBits: digits.length * width };
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

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
 * Parses the fields of a constructor separated by commas: a name and a
 * layout, or a layout alone. `{a <= 1}` is a constraint.
 *
 *     u8 i8 b8        unsigned and signed integer, bits      b<len*8>          bits with a computed length
 *     vu16 coins …    VarUInteger, amount                    bool bit          one bit
 *     addr addrInt …  MsgAddress                             snake             text in a chain of cells
 *     any cell        everything that is left                never             matches nothing
 *     ^x  ^{fields}   in a reference                         x?                Maybe
 *     either<x, y>    Either                                 name [flags.0] x  present if a field or bit is not zero
 *     dict<32, x>     HashmapE, tree<8, x>: Hashmap          @Type<n+1, x>     named type with arguments
 */
export function parseFields(text: string): RecordItem[] {
  const tokens = new TokenReader(text);
  const parts = tokens.isAtEnd ? [] : readParts(tokens);
  if (!tokens.isAtEnd) throw tokens.unexpected('its end');
  return parts;
}

function readParts(tokens: TokenReader): RecordItem[] {
  const parts: RecordItem[] = [];
  do parts.push(tokens.skip('{') ? readConstraint(tokens) : readField(tokens));
  while (tokens.skip(','));
  return parts;
}

function readConstraint(tokens: TokenReader): Constraint {
  const left = readExpression(tokens);
  if (!ORDERS.includes(tokens.peek() ?? '')) throw tokens.unexpected('a comparison');
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
  if (word === 'dict' || word === 'tree')
    return inBrackets(tokens, () => {
      const keyBits = tokens.number();
      tokens.expect(',');
      return { kind: word, keyBits, value: readLayout(tokens) };
    });
  if (word === 'either')
    return inBrackets(tokens, () => {
      const left = readLayout(tokens);
      tokens.expect(',');
      return { kind: word, left, right: readLayout(tokens) };
    });
  if (word === 'b') return inBrackets(tokens, () => ({ kind: 'bitsOf', length: readExpression(tokens) }));
  const [, letter, bits] = SIZED_WORD.exec(word) ?? [];
  if (letter !== undefined) return { kind: SIZED[letter as keyof typeof SIZED], bits: Number(bits) };
  const layout = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  if (layout === undefined) throw tokens.unexpected(`"${word}" is not a layout, another one`);
  return layout;
}

function inBrackets(tokens: TokenReader, read: () => Layout): Layout {
  tokens.expect('<');
  const layout = read();
  tokens.expect('>');
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

/** A layout if it starts like one; any other word is the name of a number. */
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

const TOKEN = /[A-Za-z_]\w*|\d+|<=|>=|[@^?<>{}[\],.=+*]|\S/g;
const WORD = /^[A-Za-z_]/;
const DIGITS = /^\d+$/;

/** Reads the tokens of a layout. Anything unexpected is an error in our own tables. */
class TokenReader {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(TOKEN) ?? [];
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  peek(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead];
  }

  isWord(ahead = 0): boolean {
    return WORD.test(this.peek(ahead) ?? '');
  }

  next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw this.unexpected('more');
    return token;
  }

  skip(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.#at++;
    return true;
  }

  expect(sign: string): void {
    if (!this.skip(sign)) throw this.unexpected(sign);
  }

  word(): string {
    if (!this.isWord()) throw this.unexpected('a word');
    return this.next();
  }

  number(): number {
    if (!DIGITS.test(this.peek() ?? '')) throw this.unexpected('a number');
    return Number(this.next());
  }

  unexpected(expected: string): Error {
    return new Error(`layout "${this.#text}": ${expected} expected, found "${this.peek() ?? 'its end'}"`);
  }
}

/** The names of all numbers that decoding a record depends on: parameters and earlier fields. */
export function usedNames(parts: readonly RecordItem[]): Set<string> {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { kind, name, when } = part as { kind?: string; name?: string; when?: Condition };
    if (kind === 'name') names.add(name!);
    if (when !== undefined) names.add(when.name);
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(parts);
  return names;
}
