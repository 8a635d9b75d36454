import type { CellBuilder } from '../boc/builder.ts';
import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';

/** How a field is read and written. */
interface FieldCodec<T> {
  readonly read: (slice: Slice) => T;
  readonly write: (builder: CellBuilder, value: T) => unknown;
}

/** The cell of a reference. */
export const REF: FieldCodec<number> = {
  read: (slice) => slice.ref(),
  write: (builder, cell) => builder.ref(cell),
};
export const COINS: FieldCodec<bigint> = {
  read: (slice) => slice.coins(),
  write: (builder, amount) => builder.coins(amount),
};
export const INT32: FieldCodec<number> = {
  read: (slice) => slice.int(32),
  write: (builder, value) => builder.int(value, 32),
};
export const HASH: FieldCodec<Buffer> = {
  read: (slice) => slice.hash(),
  write: (builder, hash) => builder.hash(hash),
};

/** An unsigned number of up to 64 bits. */
export function bigUint(bits: number): FieldCodec<bigint> {
  return { read: (slice) => slice.bigUint(bits), write: (builder, value) => builder.bigUint(value, bits) };
}

// biome-ignore lint/suspicious/noExplicitAny: a table has fields of any types, which are both read and written.
type Fields = Readonly<Record<string, FieldCodec<any>>>;

/** Constructors by kind: the bits of the tag, and the fields in their order. */
type Constructors = Readonly<Record<string, readonly [tag: string, fields: Fields]>>;

type ValueOf<F> = F extends FieldCodec<infer T> ? T : never;

/** A value of one of the constructors; `kind` says which. */
export type ConstructorValue<Table extends Constructors> = {
  [Kind in keyof Table]: { readonly kind: Kind } & {
    readonly [Name in keyof Table[Kind][1]]: ValueOf<Table[Kind][1][Name]>;
  };
}[keyof Table];

/**
 * The reader and the writer of a type with several constructors, from one table. They look at the table for every value:
 * types that every transaction has are read by hand. `what` is for error texts.
 */
export function constructorCodec<Table extends Constructors>(
  what: string,
  table: Table,
): FieldCodec<ConstructorValue<Table>> {
  const constructors = Object.entries(table)
    .map(([kind, [tag, fields]]) => ({
      kind,
      tag: Number.parseInt(tag, 2),
      bits: tag.length,
      fields: Object.entries(fields),
    }))
    // A value may end right after a short tag.
    .sort((a, b) => a.bits - b.bits);
  return {
    read(slice) {
      const match = constructors.find(({ tag, bits }) => slice.peek(bits) === tag);
      if (match === undefined) throw new CellError(`unknown tag of ${what}`);
      slice.skip(match.bits);
      const value: Record<string, unknown> = { kind: match.kind };
      for (const [name, { read }] of match.fields) value[name] = read(slice);
      return value as ConstructorValue<Table>;
    },
    write(builder, value) {
      const { tag, bits, fields } = constructors.find(({ kind }) => kind === value.kind)!;
      builder.uint(tag, bits);
      for (const [name, { write }] of fields) write(builder, value[name as keyof typeof value]);
    },
  };
}
