import type { Slice } from '../../chain/boc/slice.ts';
import {
  type Field,
  type Layout,
  parseScheme,
  type RecordItem,
  type Scheme,
  type TypeConstructor,
} from '../../chain/messages/notation.ts';
import { readMsgAddress, skipMsgAddress } from '../../chain/tlb/msg-address.ts';
import type { Block } from './block.ts';
import type { FieldsByOpcode, FormsOf, MessageFields, MessageNames } from './layout-types.ts';
import { accountAt } from './read-body.ts';
import { RuleMismatch } from './rule.ts';

/** A message of a table. Its fields are read when they are asked for: see `LazyRecord`. */
export interface MessageLayout<Fields = unknown> {
  readonly opcode: number;
  /** The body of a call. */
  read(block: Block): Fields;
  /** A payload, after its opcode, which is not compared. */
  open(payload: Slice): Fields;
  /** A body or payload that starts with the opcode; undefined if it starts with another. */
  match(body: Slice | undefined): Fields | undefined;
}

/** The messages of a table by name, without the prefix that most of them share. */
export type Messages<Table extends string, Prefix extends string = ''> = {
  readonly [Name in MessageNames<Table> as Name extends `${Prefix}${infer Short}`
    ? Short
    : Name]: MessageLayout<MessageFields<Table, Name>>;
};

const MESSAGE_HEAD = /(?:^|;)\s*\d+ ([0-9a-f]{8}) ([^\s;]+)/g;
const OPCODE_BITS = 32;

/** The messages of a table; of several with the same name, the first. Layouts are parsed on first use. */
export function messagesOf<Table extends string, Prefix extends string = ''>(table: Table, prefix?: Prefix) {
  const records = recordsOf(table);
  const messages: Record<string, MessageLayout> = {};
  for (const [, opcode = '', name = ''] of table.matchAll(MESSAGE_HEAD)) {
    const short = prefix && name.startsWith(prefix) ? name.slice(prefix.length) : name;
    messages[short] ??= messageLayout(opcode, () => records.message(opcode, name));
  }
  return messages as Messages<Table, Prefix>;
}

/** The first message of a table with an opcode, for tables where several have the same name. */
export function messageAt<Table extends string, Opcode extends string>(table: Table, opcode: Opcode) {
  const records = recordsOf(table);
  return messageLayout(opcode, () => records.message(opcode)) as MessageLayout<FieldsByOpcode<Table, Opcode>>;
}

/** A reader of a type of a table, for what does not start with an opcode. */
export function recordReader<Table extends string, Name extends string>(table: Table, name: Name) {
  const records = recordsOf(table);
  return (slice: Slice) => records.type(name).open(slice.clone()) as unknown as FormsOf<Name, Table, Table>;
}

function messageLayout(hex: string, compile: () => OpenRecord): MessageLayout {
  const opcode = Number.parseInt(hex, 16);
  let openRecord: OpenRecord | undefined;
  const fieldsAt = (slice: Slice) => {
    openRecord ??= compile();
    return openRecord(slice);
  };
  const open = (payload: Slice) => {
    const rest = payload.clone();
    rest.skip(OPCODE_BITS);
    return fieldsAt(rest);
  };
  return {
    opcode,
    read: (block) => fieldsAt(block.bodyAfterOpcode()),
    open,
    match(body) {
      return body && body.bitsLeft >= OPCODE_BITS && body.peek(OPCODE_BITS) === opcode
        ? open(body)
        : undefined;
    },
  };
}

/** Opens a record at the cursor of a slice, which belongs to the record from then on. */
type OpenRecord = (slice: Slice) => LazyRecord;

/** Reads a value at the cursor and moves behind it. */
type Read = (slice: Slice) => unknown;
type Skip = (slice: Slice) => void;

interface ValueReader {
  readonly read: Read;
  readonly skip: Skip;
}

interface CompiledField extends ValueReader {
  readonly name: string;
  /** Whether the cursor is behind the field after reading it; a record in the same cell gets a cursor of its own. */
  readonly moves: boolean;
  /** Of a record without a name: the names of its fields, which are shown as if they were of the record around it. */
  readonly inner: readonly string[];
}

/**
 * A record whose fields are getters of a class derived from this one. A field is read when it is asked for, and only
 * what is before it is skipped: messages whose tail is missing or has another layout are read as far as they go.
 */
class LazyRecord {
  readonly #fields: readonly CompiledField[];
  /** Before the field `#at`. */
  readonly #cursor: Slice;
  readonly #startBit: number;
  readonly #startRef: number;
  #at = 0;
  #inner: Record<string, unknown>[] | undefined;

  constructor(cursor: Slice, fields: readonly CompiledField[]) {
    this.#cursor = cursor;
    this.#fields = fields;
    this.#startBit = cursor.bit;
    this.#startRef = cursor.refAt;
  }

  slice(): Slice {
    return this.#moveTo(0).clone();
  }

  sliceAt(name: string): Slice {
    return this.#moveTo(this.#indexOf(name)).clone();
  }

  through(name: string): this {
    this.#moveTo(this.#indexOf(name) + 1);
    return this;
  }

  valueAt(index: number, { read, moves }: CompiledField): unknown {
    const cursor = this.#moveTo(index);
    if (!moves) return read(cursor.clone());
    // If it throws, the cursor may be anywhere.
    this.#at = BROKEN;
    const value = read(cursor);
    this.#at = index + 1;
    return value;
  }

  /** The value of a field of a record without a name. */
  innerValue(index: number, field: CompiledField, name: string): unknown {
    this.#inner ??= [];
    this.#inner[index] ??= this.valueAt(index, field) as Record<string, unknown>;
    return this.#inner[index][name];
  }

  #indexOf(name: string): number {
    return this.#fields.findIndex((field) => field.name === name);
  }

  #moveTo(index: number): Slice {
    const cursor = this.#cursor;
    let at = this.#at;
    if (at > index) {
      cursor.bit = this.#startBit;
      cursor.refAt = this.#startRef;
      at = 0;
    }
    this.#at = BROKEN;
    for (; at < index; at++) this.#fields[at]!.skip(cursor);
    this.#at = index;
    return cursor;
  }
}

/** Behind every field, so that the cursor starts again. */
const BROKEN = Number.POSITIVE_INFINITY;

/** The records of a table, compiled on first use. */
function recordsOf(table: string) {
  let scheme: Scheme | undefined;
  const types = new Map<string, TypeReader>();

  function message(hex: string, name?: string): OpenRecord {
    scheme ??= parseScheme([table]);
    const match = scheme.messages.get(Number.parseInt(hex, 16))?.find((one) => !name || one.name === name);
    if (!match) throw new Error(`no message ${hex} ${name ?? ''} in the table`);
    return compileRecord(match.parts, undefined).open;
  }

  function typeReader(name: string): TypeReader {
    let reader = types.get(name);
    if (!reader) {
      scheme ??= parseScheme([table]);
      const constructors = scheme.types.get(name);
      reader = constructors ? createTypeReader(constructors) : OPAQUE;
      types.set(name, reader);
    }
    return reader;
  }

  /** Types may be recursive, so each is compiled on first use. */
  function createTypeReader(constructors: readonly TypeConstructor[]): TypeReader {
    let forms: readonly (CompiledRecord & { readonly form: TypeConstructor })[] | undefined;
    const choose = (slice: Slice) => {
      forms ??= constructors.map((form) => ({ form, ...compileRecord(form.parts, form.name) }));
      const chosen =
        forms.find(
          ({ form: { tag, tagBits } }) =>
            tagBits > 0 && slice.bitsLeft >= tagBits && slice.peek(tagBits) === tag,
        ) ?? forms.find(({ form }) => form.tagBits === 0);
      if (!chosen) throw new RuleMismatch('no constructor of the type fits');
      slice.skip(chosen.form.tagBits);
      return chosen;
    };
    // New constructors of an enumeration do not matter for what follows.
    const [{ tagBits }] = constructors as [TypeConstructor];
    const isEnumeration = constructors.every((one) => one.tagBits === tagBits && one.parts.length === 0);
    return {
      open: (slice) => choose(slice).open(slice),
      skip: isEnumeration ? (slice) => slice.skip(tagBits) : (slice) => choose(slice).skip(slice),
      names: () => namesOf(constructors[0]!.parts),
    };
  }

  function compileRecord(parts: readonly RecordItem[], type: string | undefined): CompiledRecord {
    const fields = parts.filter((part) => part.kind === 'field').map(compileField);
    class Fields extends LazyRecord {
      constructor(slice: Slice) {
        super(slice, fields);
      }
    }
    const getter = (name: string, get: (this: LazyRecord) => unknown) =>
      Object.defineProperty(Fields.prototype, name, { get });
    if (type !== undefined) getter('@type', () => type);
    for (const [index, field] of fields.entries()) {
      const { name, inner } = field;
      if (name !== '')
        getter(name, function () {
          return this.valueAt(index, field);
        });
      for (const one of inner)
        getter(one, function () {
          return this.innerValue(index, field, one);
        });
    }
    return {
      open: (slice) => new Fields(slice),
      skip: (slice) => {
        for (const field of fields) field.skip(slice);
      },
    };
  }

  function compileField({ name, layout, when }: Field): CompiledField {
    // No rule reads what comes after such a field.
    if (when) return { name, read: notReadable, skip: notReadable, moves: false, inner: [] };
    return {
      name,
      ...compile(layout),
      moves: !isInCell(layout),
      inner: name === '' ? innerNames(layout) : [],
    };
  }

  function innerNames(layout: Layout): readonly string[] {
    if (layout.kind === 'ref') return innerNames(layout.of);
    if (layout.kind === 'record') return namesOf(layout.parts);
    return layout.kind === 'named' ? typeReader(layout.name).names() : [];
  }

  function compile(layout: Layout): ValueReader {
    switch (layout.kind) {
      case 'uint':
        return numberField(
          layout.bits,
          layout.bits <= 32 ? (slice) => slice.uint(layout.bits) : (slice) => slice.bigUint(layout.bits),
        );
      case 'int':
        return numberField(
          layout.bits,
          layout.bits <= 32 ? (slice) => slice.int(layout.bits) : (slice) => slice.bigInt(layout.bits),
        );
      case 'bits':
        return numberField(layout.bits, (slice) => slice.bytes(layout.bits / 8));
      case 'bool':
        return numberField(1, (slice) => slice.boolean());
      case 'varUint':
        return {
          read: (slice) => slice.varUint(layout.lengthBits),
          skip: (slice) => slice.skip(8 * slice.uint(layout.lengthBits)),
        };
      case 'amount':
        return { read: (slice) => slice.coins(), skip: (slice) => slice.skip(8 * slice.uint(4)) };
      case 'address':
        return { read: (slice) => accountAt(readMsgAddress(slice)), skip: skipMsgAddress };
      case 'rest':
        return { read: (slice) => slice, skip: skipAll };
      case 'dict':
        return {
          read: (slice) => (slice.boolean() ? slice.refSlice() : undefined),
          skip: (slice) => slice.maybeRef(),
        };
      case 'ref': {
        const { read } = compile(layout.of);
        return { read: (slice) => read(slice.refSlice()), skip: (slice) => slice.ref() };
      }
      case 'maybe':
        return choiceField(compile(layout.of), ABSENT);
      case 'either':
        return choiceField(compile(layout.right), compile(layout.left));
      case 'record':
        return recordField(compileRecord(layout.parts, undefined));
      case 'named':
        return recordField(typeReader(layout.name));
      default:
        return { read: notReadable, skip: notReadable };
    }
  }

  return { message, type: typeReader };
}

interface CompiledRecord {
  readonly open: OpenRecord;
  readonly skip: Skip;
}

interface TypeReader extends CompiledRecord {
  /** The fields of its first constructor. */
  readonly names: () => readonly string[];
}

/** A type of another table: only its slice can be read. */
const OPAQUE: TypeReader = { open: (slice) => new LazyRecord(slice, []), skip: notReadable, names: () => [] };

const ABSENT = { read: () => undefined, skip: () => {} };

/** Whether a value is, or may be, a record or slice in the cell of the cursor. */
function isInCell(layout: Layout): boolean {
  if (layout.kind === 'maybe') return isInCell(layout.of);
  return ['record', 'named', 'either', 'rest'].includes(layout.kind);
}

function namesOf(parts: readonly RecordItem[]): string[] {
  return parts.flatMap((part) => (part.kind === 'field' && part.name !== '' ? [part.name] : []));
}

function numberField(bits: number, read: Read): ValueReader {
  return { read, skip: (slice) => slice.skip(bits) };
}

function choiceField(one: ValueReader, zero: ValueReader): ValueReader {
  return {
    read: (slice) => (slice.boolean() ? one : zero).read(slice),
    skip: (slice) => (slice.boolean() ? one : zero).skip(slice),
  };
}

function recordField({ open, skip }: CompiledRecord): ValueReader {
  return { read: open, skip };
}

function skipAll(slice: Slice): void {
  slice.bit = slice.bitEnd;
  slice.refAt = slice.refEnd;
}

function notReadable(): never {
  throw new RuleMismatch('the layout of the field is not for rules');
}
