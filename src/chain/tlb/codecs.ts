import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';

/**
 * TL-B types as tables of fields: a value is read and written in the order of its table, and its TypeScript type follows
 * from the table. A reader looks at its table for every value: types that every transaction has are read by hand.
 */

/** How a value is read and written. A field is given the record that it is part of, as far as it is read. */
export interface Codec<T> {
  // biome-ignore lint/suspicious/noExplicitAny: the type of a record follows from its fields.
  readonly read: (slice: Slice, record?: any) => T;
  readonly write: (builder: CellBuilder, value: T, arena: BuildingArena) => unknown;
}

/** The same for a type that can fill a cell. */
export interface CellCodec<T> extends Codec<T> {
  readonly open: (cells: Cells, cell: number) => T;
  readonly build: (arena: BuildingArena, value: T) => number;
}

export type ValueOf<C> = C extends Codec<infer T> ? T : never;

export const BOOL: Codec<boolean> = {
  read: (slice) => slice.boolean(),
  write: (builder, value) => builder.boolean(value),
};
export const INT32: Codec<number> = {
  read: (slice) => slice.int(32),
  write: (builder, value) => builder.int(value, 32),
};
export const INT64: Codec<bigint> = {
  read: (slice) => slice.int64(),
  write: (builder, value) => builder.int64(value),
};
export const COINS: Codec<bigint> = {
  read: (slice) => slice.coins(),
  write: (builder, amount) => builder.coins(amount),
};
export const HASH: Codec<Buffer> = {
  read: (slice) => slice.hash(),
  write: (builder, hash) => builder.hash(hash),
};
/** The cell of a reference. */
export const REF: Codec<number> = {
  read: (slice) => slice.ref(),
  write: (builder, cell) => builder.ref(cell),
};
/** The cell of a reference, or the root of a HashmapE; -1 where absent. */
export const MAYBE_REF: Codec<number> = {
  read: (slice) => slice.maybeRef(),
  write: (builder, cell) => builder.maybeRef(cell),
};

/** An unsigned number of up to 32 bits. Values above `max` are rejected with the text of `problem`. */
export function uint(bits: number, max = 2 ** bits, problem = ''): Codec<number> {
  return {
    read(slice) {
      const value = slice.uint(bits);
      if (value > max) throw new CellError(problem);
      return value;
    },
    write: (builder, value) => builder.uint(value, bits),
  };
}

/** An unsigned number of up to 64 bits. */
export function bigUint(bits: number): Codec<bigint> {
  return { read: (slice) => slice.bigUint(bits), write: (builder, value) => builder.bigUint(value, bits) };
}

export const UINT32 = uint(32);
export const UINT64 = bigUint(64);

/** `Maybe X`. */
export function maybe<T>({ read, write }: Codec<T>): Codec<T | undefined> {
  return {
    read: (slice) => (slice.boolean() ? read(slice) : undefined),
    write(builder, value, arena) {
      builder.boolean(value !== undefined);
      if (value !== undefined) write(builder, value, arena);
    },
  };
}

/** `^X`: a value in a cell of its own, which is read too. */
export function inCell<T>({ read, write }: Codec<T>): Codec<T> {
  return {
    read: (slice) => read(slice.refSlice()),
    write: (builder, value, arena) => builder.ref(buildCell(write, value, arena)),
  };
}

/** `flag?X`: a field that is present unless an earlier one is false or 0. */
export function when<T>(flag: string, { read, write }: Codec<T>): Codec<T | undefined> {
  return {
    read: (slice, record) => (record[flag] ? read(slice) : undefined),
    write: (builder, value, arena) => value !== undefined && write(builder, value, arena),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a table has fields of any types, which are both read and written.
type Fields = Readonly<Record<string, Codec<any>>>;

type RecordOf<F extends Fields> = {
  readonly [Name in keyof F as Exclude<Name, '...'>]: ValueOf<F[Name]>;
} & (F extends { readonly '...': Codec<infer T> } ? T : unknown);

/** Fields one after another. The fields of a type under the name `...` become fields of the record. */
export function record<F extends Fields>(table: F): CellCodec<RecordOf<F>> {
  const names = Object.keys(table);
  const codecs = Object.values(table);
  let blank: object | undefined;
  return cellCodec({
    read(slice) {
      const value: Record<string, unknown> = { ...blank };
      for (let i = 0; i < codecs.length; i++) {
        const name = names[i]!;
        if (name === '...') Object.assign(value, codecs[i]!.read(slice));
        else value[name] = codecs[i]!.read(slice, value);
      }
      // V8 turns an object that gets many fields one by one into a slow dictionary, but not a copy of a parsed one.
      blank ??= JSON.parse(JSON.stringify(value, (key, field) => (key === '' ? field : null)));
      return value as RecordOf<F>;
    },
    write(builder, value, arena) {
      for (let i = 0; i < codecs.length; i++) {
        const name = names[i]! as keyof typeof value;
        codecs[i]!.write(builder, names[i] === '...' ? value : value[name], arena);
      }
    },
  });
}

/** A record behind a tag, given as in the scheme: `block#11ef55aa`. Another tag is rejected with the text of `problem`. */
export function tagged<F extends Fields>(name: string, problem: string, table: F): CellCodec<RecordOf<F>> {
  const { tag, bits } = parseTag(name.slice(name.search(/[#$]/)));
  const { read, write } = record(table);
  return cellCodec({
    read(slice) {
      if (slice.uint(bits) !== tag) throw new CellError(problem);
      return read(slice);
    },
    write: (builder, value, arena) => write(builder.uint(tag, bits), value, arena),
  });
}

/** `#` is followed by hex digits, `$` by binary ones. */
function parseTag(text: string): { tag: number; bits: number } {
  const [radix, width] = text.startsWith('#') ? [16, 4] : [2, 1];
  return { tag: Number.parseInt(text.slice(1), radix), bits: (text.length - 1) * width };
}

function cellCodec<T>({ read, write }: Codec<T>): CellCodec<T> {
  return {
    read,
    write,
    open: (cells, cell) => read(new Slice(cells, cell)),
    build: (arena, value) => buildCell(write, value, arena),
  };
}

function buildCell<T>(write: Codec<T>['write'], value: T, arena: BuildingArena): number {
  const builder = new CellBuilder();
  write(builder, value, arena);
  return arena.build(builder);
}

/** Constructors by kind: the bits of the tag, and the fields in their order. */
type Constructors = Readonly<Record<string, readonly [tag: string, fields: Fields]>>;

/** A value of one of the constructors; `kind` says which. */
export type ConstructorValue<Table extends Constructors> = {
  [Kind in keyof Table]: { readonly kind: Kind } & RecordOf<Table[Kind][1]>;
}[keyof Table];

/** A type with several constructors; `what` is for error texts. */
export function constructors<Table extends Constructors>(
  what: string,
  table: Table,
): CellCodec<ConstructorValue<Table>> {
  const forms = Object.entries(table)
    .map(([kind, [tag, fields]]) => ({ kind, ...parseTag(tag), fields: record(fields) }))
    // A value may end right after a short tag.
    .sort((a, b) => a.bits - b.bits);
  return cellCodec({
    read(slice) {
      const match = forms.find(({ tag, bits }) => slice.peek(bits) === tag);
      if (match === undefined) throw new CellError(`unknown tag of ${what}`);
      slice.skip(match.bits);
      return { kind: match.kind, ...match.fields.read(slice) } as ConstructorValue<Table>;
    },
    write(builder, value, arena) {
      const { tag, bits, fields } = forms.find(({ kind }) => kind === value.kind)!;
      fields.write(builder.uint(tag, bits), value, arena);
    },
  });
}
