import { Address, BitString, type Builder, beginCell, type Cell, ExternalAddress } from '@ton/core';
import {
  type Expression,
  isExpression,
  type Layout,
  type MessageConstructor,
  type RecordItem,
  type Scheme,
  type TypeConstructor,
  usedNames,
} from '../../../src/chain/messages/notation.ts';

/** A body and what is to be said of it. */
interface MadeBody {
  readonly cell: Cell;
  readonly json: string;
}

/** What names stand for in a constructor. */
interface Names {
  readonly numbers: Map<string, number>;
  readonly layouts: ReadonlyMap<string, Layout>;
}

const DEEPEST = 4;
const TEXTS = ['', 'a', 'Привет, "мир"\n', 'x'.repeat(30), '🙂\u0001<&>', 'te6 is no bag'];

/**
 * Makes bodies out of the tables that the decoder reads, but by other means: values are chosen by chance, stored by
 * @ton/core, and what is to be said of them is put together beside.
 */
export function createBodyMaker(scheme: Scheme, below: Below) {
  function put(builder: Builder, layout: Layout, choice: Choice, names: Names, depth: number): unknown {
    switch (layout.kind) {
      case 'uint': {
        const value = makeNumber(choice, layout.bits);
        builder.storeUint(value, layout.bits);
        return String(value);
      }
      case 'int':
        return putInt(builder, choice, layout.bits);
      case 'bits':
        return putBits(builder, choice, layout.bits);
      case 'bitsOf':
        return putBits(builder, choice, evaluate(layout.length, names));
      case 'varUint':
        return putVarUint(builder, choice, layout.lengthBits);
      case 'amount':
        return { '@type': layout.name, amount: putVarUint(builder, choice, 4) };
      case 'bool':
      case 'bit': {
        const bit = below(2);
        builder.storeBit(bit);
        return layout.kind === 'bool' ? bit === 1 : { bit: String(bit) };
      }
      case 'rest':
        return putRest(builder, choice);
      case 'snake': {
        const text = TEXTS[below(choice.plain ? 2 : TEXTS.length)]!;
        builder.storeStringTail(text);
        return text;
      }
      case 'address':
        return putAddress(builder, choice, layout.allowed);
      case 'ref': {
        const child = beginCell();
        const json = put(child, layout.of, choice, names, depth + 1);
        builder.storeRef(child);
        return json;
      }
      case 'maybe': {
        const isThere = depth < DEEPEST && below(2) === 1;
        builder.storeBit(isThere);
        if (!isThere) return NOTHING;
        return { '@type': 'something_from_maybe', value: put(builder, layout.of, choice, names, depth) };
      }
      case 'either': {
        const isRight = choice.plain || below(2) === 1;
        builder.storeBit(isRight);
        const value = put(builder, isRight ? layout.right : layout.left, choice, names, depth);
        return { '@type': isRight ? 'second_from_either' : 'first_from_either', value };
      }
      case 'dict': {
        const isThere = below(2) === 1;
        builder.storeBit(isThere);
        if (!isThere) return { '@type': 'hashmap_empty' };
        const tree: Layout = { ...layout, kind: 'tree' };
        const root = put(builder, { kind: 'ref', of: tree }, choice, names, depth);
        return { '@type': 'hashmap_root', root };
      }
      case 'tree':
        return putTree(builder, choice, layout.keyBits, (leaf) =>
          put(leaf, layout.value, choice, names, depth + 1),
        );
      case 'record':
        return putRecord(builder, undefined, layout.parts, choice, names, depth);
      case 'named':
        return putNamed(builder, layout, choice, names, depth);
      case 'never':
        throw new Error('nothing fits');
    }
  }

  /** A cell that means something, nothing, or nothing that is known. */
  function putRest(builder: Builder, { plain }: Choice): unknown {
    const rest = beginCell();
    const way = plain ? 0 : below(4);
    if (way === 1) rest.storeUint(0, 32).storeStringTail('inside');
    if (way === 2) rest.storeUint(below(2 ** 20), 21);
    if (way === 3) rest.storeUint(0xfffffff1, 32).storeRef(beginCell().storeUint(5, 3));
    builder.storeSlice(rest.asSlice());
    if (way === 0) return { '@type': 'empty_cell' };
    if (way === 1) return { '@type': 'text_comment', text: 'inside' };
    return rest.endCell().toBoc({ idx: false, crc32: false }).toString('base64');
  }

  function putRecord(
    builder: Builder,
    name: string | undefined,
    parts: readonly RecordItem[],
    choice: Choice,
    names: Names,
    depth: number,
  ): object {
    const json: Record<string, unknown> = name === undefined ? {} : { '@type': name };
    const used = usedNames(parts);
    for (const part of parts) {
      if (part.kind === 'constraint') continue;
      const { layout, when } = part;
      if (when !== undefined) {
        const number = names.numbers.get(when.name)!;
        if (when.bit === undefined ? number === 0 : ((number >> when.bit) & 1) === 0) continue;
      }
      if (layout.kind === 'uint' && used.has(part.name)) {
        const number = fittingNumber(part.name, parts, layout.bits);
        names.numbers.set(part.name, number);
        builder.storeUint(number, layout.bits);
        json[part.name] = String(number);
      } else json[part.name] = put(builder, layout, choice, names, depth);
    }
    return json;
  }

  /** A number that all constraints allow; lengths and counts are small. */
  function fittingNumber(name: string, parts: readonly RecordItem[], bits: number): number {
    let [least, most] = [0, Math.min(3, 2 ** bits - 1)];
    for (const part of parts) {
      if (part.kind !== 'constraint' || part.left.kind !== 'name' || part.left.name !== name) continue;
      if (part.right.kind !== 'number') throw new Error('a bound that is not known');
      const { value } = part.right;
      if (part.order !== '<=') [least, most] = [value, part.order === '=' ? value : 2 ** bits - 1];
      if (part.order === '<=') most = value;
    }
    return least + below(most - least + 1);
  }

  function putNamed(
    builder: Builder,
    { name, arguments: given }: Layout & { kind: 'named' },
    choice: Choice,
    names: Names,
    depth: number,
  ): unknown {
    const layout = names.layouts.get(name);
    if (layout !== undefined) return put(builder, layout, choice, names, depth);
    const numbers = given.filter(isExpression).map((expression) => evaluate(expression, names));
    const layouts = given.filter((argument) => !isExpression(argument));
    return putType(builder, name, choice, depth, numbers, layouts);
  }

  function putType(
    builder: Builder,
    type: string,
    choice: Choice,
    depth: number,
    numbers: readonly number[],
    layouts: readonly Layout[] = [],
  ): object {
    const fitting = scheme.types.get(type)!.filter((form) => numbersOf(form, numbers) !== undefined);
    // Below, lists come to their end.
    const short = fitting.toSorted((one, other) => one.parts.length - other.parts.length);
    const form = depth > DEEPEST ? short[0]! : fitting[below(fitting.length)]!;
    const layoutNames = form.parameters.flatMap((parameter) =>
      parameter.kind === 'layout' ? [parameter.name] : [],
    );
    builder.storeUint(form.tag, form.tagBits);
    const names = {
      numbers: numbersOf(form, numbers)!,
      layouts: new Map(layoutNames.map((name, i) => [name, layouts[i]!])),
    };
    return putRecord(builder, form.name, form.parts, choice, names, depth + 1);
  }

  /** Chooses again until everything fits into its cell, plain values after a while. */
  function attempts(make: (choice: Choice) => MadeBody): MadeBody {
    for (let left = 20; ; left--) {
      try {
        return make({ below, plain: left < 15 });
      } catch (error) {
        if (left === 0 || !/overflow|Too many references/.test(String(error))) throw error;
      }
    }
  }

  return {
    /** A body with an opcode. */
    message: ({ name, opcode, parts }: MessageConstructor): MadeBody =>
      attempts((choice) => {
        const builder = beginCell().storeUint(opcode, 32);
        const names = { numbers: new Map(), layouts: new Map() };
        const json = putRecord(builder, name, parts, choice, names, 0);
        return { cell: builder.endCell(), json: JSON.stringify(json) };
      }),
    /** A value of a type that is used with some numbers. */
    type: (name: string, numbers: readonly number[]): MadeBody =>
      attempts((choice) => {
        const builder = beginCell();
        const json = putType(builder, name, choice, 0, numbers);
        return { cell: builder.endCell(), json: JSON.stringify(json) };
      }),
  };
}

/** The numbers of a form that is used with some, or undefined if it is another form's turn. */
function numbersOf(
  { parameters }: TypeConstructor,
  given: readonly number[],
): Map<string, number> | undefined {
  const numbers = new Map<string, number>();
  for (const [i, parameter] of parameters.filter(({ kind }) => kind !== 'layout').entries()) {
    if (parameter.kind === 'number' && parameter.value !== given[i]) return undefined;
    if (parameter.kind !== 'name') continue;
    if (given[i]! < parameter.added) return undefined;
    numbers.set(parameter.name, given[i]! - parameter.added);
  }
  return numbers;
}

function evaluate(expression: Expression, names: Names): number {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind === 'name') return names.numbers.get(expression.name)!;
  const [left, right] = [evaluate(expression.left, names), evaluate(expression.right, names)];
  return expression.kind === 'sum' ? left + right : left * right;
}

/** Stores a value in a leaf and gives what is to be said of it. */
type PutValue = (builder: Builder) => unknown;

/** Stores a dictionary of a few entries, with labels of every form whether they are the shortest or not. */
function putTree(builder: Builder, choice: Choice, keyBits: number, putValue: PutValue, forks = 2): object {
  const { below } = choice;
  const isLeaf = forks === 0 || keyBits === 0 || below(2) === 0;
  const bits = isLeaf ? keyBits : below(keyBits);
  const label = putLabel(builder, choice, bits, keyBits);
  if (isLeaf) {
    const value = putValue(builder);
    return { '@type': 'hashmap_edge', label, node: { '@type': 'hashmap_node_leaf', value } };
  }
  const [left, right] = [0, 1].map(() => {
    const child = beginCell();
    const json = putTree(child, choice, keyBits - bits - 1, putValue, forks - 1);
    builder.storeRef(child);
    return json;
  });
  return { '@type': 'hashmap_edge', label, node: { '@type': 'hashmap_node_fork', left, right } };
}

function putLabel(builder: Builder, { below, plain }: Choice, bits: number, most: number): object {
  const width = most === 0 ? 0 : Math.floor(Math.log2(most)) + 1;
  const bytes = Buffer.from(Array.from({ length: Math.ceil(bits / 8) }, () => below(256)));
  const s = new BitString(bytes, 0, bits);
  switch (plain && bits > 8 ? 2 : below(3)) {
    case 0: {
      builder.storeBit(0);
      for (let i = 0; i < bits; i++) builder.storeBit(1);
      builder.storeBit(0).storeBits(s);
      let len: object = { '@type': 'unary_zero' };
      for (let i = 0; i < bits; i++) len = { '@type': 'unary_succ', x: len };
      return { '@type': 'hashmap_label_short', len, s: s.toString() };
    }
    case 1:
      builder.storeUint(0b10, 2).storeUint(bits, width).storeBits(s);
      return { '@type': 'hashmap_label_long', n: String(bits), s: s.toString() };
    default: {
      const v = below(2) === 1;
      builder.storeUint(0b11, 2).storeBit(v).storeUint(bits, width);
      return { '@type': 'hashmap_label_same', v, n: String(bits) };
    }
  }
}

/** Where chance comes from: a whole number from 0 to `limit - 1`. */
export type Below = (limit: number) => number;

/** How values are chosen: plain ones are small, so that everything fits into its cell. */
interface Choice {
  readonly below: Below;
  readonly plain: boolean;
}

/** A number of so many bits: often one at the edge of what fits. */
function makeNumber({ below }: Choice, bits: number): bigint {
  const limit = 1n << BigInt(bits);
  const edge = below(6);
  if (edge === 0) return 0n;
  if (edge === 1) return limit - 1n;
  let value = 0n;
  for (let left = bits; left > 0; left -= 16) value = (value << 16n) | BigInt(below(65536));
  return value % limit;
}

/** Stores a signed number, and gives it. */
function putInt(builder: Builder, choice: Choice, bits: number): string {
  const value = BigInt.asIntN(bits, makeNumber(choice, bits));
  builder.storeInt(value, bits);
  return String(value);
}

/** Stores bits, and gives them in hex. */
function putBits(builder: Builder, choice: Choice, bits: number): string {
  const bytes = Buffer.from(Array.from({ length: Math.ceil(bits / 8) }, () => choice.below(256)));
  const value = new BitString(bytes, 0, bits);
  builder.storeBits(value);
  return value.toString();
}

/** Stores a number of whole bytes after its length. */
function putVarUint(builder: Builder, choice: Choice, lengthBits: number): object {
  const bytes = choice.plain ? choice.below(3) : choice.below(2 ** lengthBits);
  // The length need not be the least possible.
  const value = makeNumber(choice, bytes * 8);
  builder.storeUint(bytes, lengthBits).storeUint(value, bytes * 8);
  return { '@type': 'var_uint', len: String(bytes), value: String(value) };
}

/** Stores an address of an allowed kind. */
function putAddress(builder: Builder, choice: Choice, allowed: 'any' | 'internal' | 'external'): object {
  const { below, plain } = choice;
  const kinds = {
    any: ['none', 'external', 'std', 'var'],
    internal: ['std', 'var'],
    external: ['none', 'external'],
  };
  const kind = plain
    ? allowed === 'external'
      ? 'none'
      : 'std'
    : kinds[allowed][below(kinds[allowed].length)];
  if (kind === 'none') {
    builder.storeAddress(null);
    return { '@type': 'addr_none' };
  }
  if (kind === 'external') {
    const bits = below(100);
    const value = makeNumber(choice, bits);
    builder.storeAddress(new ExternalAddress(value, bits));
    const shown = beginCell().storeUint(value, bits).endCell().bits.toString();
    return { '@type': 'addr_external', len: String(bits), external_address: shown };
  }
  if (kind === 'std' && (plain || below(3) > 0)) {
    const [workchain, hash] = [below(3) - 1, Buffer.from(Array.from({ length: 32 }, () => below(256)))];
    builder.storeAddress(new Address(workchain, hash));
    const address = hash.toString('hex').toUpperCase();
    return { '@type': 'addr_std', anycast: NOTHING, workchain_id: String(workchain), address };
  }
  builder.storeUint(kind === 'std' ? 0b10 : 0b11, 2);
  const anycast = putAnycast(builder, choice);
  if (kind === 'std')
    return {
      '@type': 'addr_std',
      anycast,
      workchain_id: putInt(builder, choice, 8),
      address: putBits(builder, choice, 256),
    };
  const bits = below(80);
  builder.storeUint(bits, 9);
  return {
    '@type': 'addr_var',
    anycast,
    addr_len: String(bits),
    workchain_id: putInt(builder, choice, 32),
    address: putBits(builder, choice, bits),
  };
}

const NOTHING = { '@type': 'nothing_from_maybe' };

function putAnycast(builder: Builder, choice: Choice): object {
  const depth = choice.below(31);
  builder.storeBit(depth > 0);
  if (depth === 0) return NOTHING;
  builder.storeUint(depth, 5);
  const value = {
    '@type': 'anycast_info',
    depth: String(depth),
    rewrite_pfx: putBits(builder, choice, depth),
  };
  return { '@type': 'something_from_maybe', value };
}

/** Whether a constructor gives its opcode a name and fits nothing. */
export function isNameOnly({ parts }: MessageConstructor): boolean {
  return parts.some((part) => part.kind === 'field' && part.layout.kind === 'never');
}

/** The types of bodies of wallets with numbers that they are used with: how many messages and other actions. */
export const WALLET_FORMS: readonly [type: string, numbers: readonly number[]][] = [
  ['W5MsgBody', [1, 0]],
  ['W5MsgBody', [4, 2]],
  ['W5MsgBody', [0, 1]],
  ['HighloadV3InternalRequest', [3]],
  ['PreprocessedWalletV2MsgBody', [1]],
  ['PreprocessedWalletV2MsgBody', [4]],
  ['HighloadV3MsgBody', []],
  ['HighloadV2MsgBody', []],
  ['HighloadV1MsgBody', []],
  ['W4MsgBody', [0]],
  ['W4MsgBody', [4]],
  ['W3MsgBody', [1]],
  ['W3MsgBody', [3]],
  ['W1W2MsgBody', [0]],
  ['W1W2MsgBody', [2]],
];
