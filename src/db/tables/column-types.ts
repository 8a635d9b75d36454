import type { ColumnType } from 'kysely';

/** A nullable `timestamptz` that may be omitted on insert. */
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** A `bigint`, which pg returns as a decimal string because it may exceed the safe integers of JavaScript. */
export type BigInteger = ColumnType<string, string | number | bigint, string | number | bigint>;

/** A `bigint[]`, returned as decimal strings. */
export type BigIntegers = ColumnType<
  readonly string[],
  readonly (string | number | bigint)[],
  readonly (string | number | bigint)[]
>;

/** A `numeric` with an integer value, returned as a decimal string. */
export type Decimal = ColumnType<string, string | number | bigint, string | number | bigint>;

/** A `numeric[]` with integer values. The driver would round them, so a query must select it as `text[]`. */
export type Decimals = ColumnType<
  unknown,
  readonly (string | number | bigint)[] | undefined,
  readonly (string | number | bigint)[]
>;

/** Extra currencies as `jsonb`: amounts by currency id, both decimal; null if there are none. */
export type ExtraCurrencies = ColumnType<Readonly<Record<string, string>>, string, string>;

/** A `timestamptz` with a default. */
export type DefaultTime = ColumnType<Date, Date | undefined, Date>;
