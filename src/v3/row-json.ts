import type { Static, TObject, TOptional, TSchema, TSchemaOptions, TUnsafe } from 'typebox';
import Type from 'typebox';
import { Int64, PlainText } from '../http/serializer.ts';
import { formatAccount, formatHash, MapOf, Nullable } from './values.ts';

/** One member of the JSON of a row: its schema, and its value, which is null if its column is. */
interface Member<Row, S extends TSchema> {
  readonly schema: S;
  readonly of: (row: Row) => unknown;
  readonly accountsOf?: (row: Row) => readonly Buffer[];
}

type MemberSet = Readonly<Record<string, Member<never, TSchema>>>;

type RowOf<M extends MemberSet> = {
  [K in keyof M]: M[K] extends Member<infer Row, TSchema> ? (row: Row) => void : never;
}[keyof M] extends (row: infer Row) => void
  ? Row
  : never;

type ObjectOf<M extends MemberSet> = TObject<{ [K in keyof M]: M[K]['schema'] }>;

/** Declares the JSON of a row: the schema of the object, its writer, and the accounts that rows mention. */
export function defineRow<M extends MemberSet>(title: string | undefined, members: M) {
  const entries = Object.entries(members);
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  return {
    schema: Type.Object(properties, title === undefined ? {} : { title }) as unknown as ObjectOf<M>,
    write: (row: RowOf<M>): Static<ObjectOf<M>> => {
      const json: Record<string, unknown> = {};
      for (const [name, { of }] of entries) json[name] = of(row as never);
      return json as Static<ObjectOf<M>>;
    },
    accountsOf: (rows: readonly RowOf<M>[]): Buffer[] =>
      rows.flatMap((row) => entries.flatMap(([, { accountsOf }]) => accountsOf?.(row as never) ?? [])),
  };
}

/** A member of any schema and value. */
export function member<Row, S extends TSchema>(
  schema: S,
  of: (row: Row) => Static<S> | undefined,
): Member<Row, S> {
  return { schema, of };
}

/** Declares members that are one column of a row each. */
export function column<S extends TSchema, T>(
  schemaOf: (options: TSchemaOptions) => S,
  convert: (value: T) => Static<S>,
  accountsIn: (value: T) => readonly Buffer[] = () => [],
) {
  return <C extends string>(name: C, description?: string): Member<{ readonly [K in C]: T }, S> => ({
    schema: schemaOf(description === undefined ? {} : { description }),
    of: (row) => (row[name] === null ? null : convert(row[name])),
    accountsOf: (row) => (row[name] === null ? [] : accountsIn(row[name])),
  });
}

/** A text of digits, hex or base64, as it is. */
export const text = column(PlainText, (value: string) => value);

export const words = column(Type.String, (value: string) => value);

/** The raw address of an account, which the address book has. */
export const account = column(PlainText, formatAccount, (value) => [value]);

/** The raw address of an account that the address book need not have. */
export const plainAddress = column(PlainText, formatAccount);

export const accounts = column(
  (options) => Type.Array(PlainText(), options),
  (values: readonly Buffer[]) => values.map(formatAccount),
  (values) => values,
);

/** Bytes: a hash, a bag of cells. */
export const base64 = column(PlainText, formatHash);

export const integer = column(Type.Integer, (value: number | string) => Number(value));

export const int64 = column(Int64, (value: number | string) => BigInt(value));

export const attributes = column(
  (options) => MapOf(Type.String(), options),
  (values: Readonly<Record<string, string>>) => values,
);

export const flag = column(Type.Boolean, (value: boolean) => value);

type OrNull<Row> = { readonly [K in keyof Row]: Row[K] | null };

/** A member that is left out where its column is null. */
export function optional<Row, S extends TSchema>(given: Member<Row, S>): Member<OrNull<Row>, TOptional<S>> {
  const { schema, of, ...rest } = given as Member<OrNull<Row>, S>;
  return { ...rest, schema: Type.Optional(schema) as TOptional<S>, of: (row) => of(row) ?? undefined };
}

/** A member that is null where its column is. */
export function nullable<Row, S extends TSchema & { readonly type: string }>(
  given: Member<Row, S>,
): Member<OrNull<Row>, TUnsafe<Static<S> | null>> {
  return { ...(given as Member<OrNull<Row>, S>), schema: Nullable(given.schema) };
}

/** The account state in which a contract was recognised. */
export const contractState = {
  last_transaction_lt: text('last_transaction_lt'),
  code_hash: base64('code_hash'),
  data_hash: base64('data_hash'),
};
