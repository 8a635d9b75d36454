import type { ColumnType } from 'kysely';

/** A `bigint`: pg hands it out as a decimal string, because it may be larger than a number can say exactly. */
export type BigInteger = ColumnType<string, string | number | bigint, string | number | bigint>;

/** A `bigint[]`, handed out as decimal strings. */
export type BigIntegers = ColumnType<
  readonly string[],
  readonly (string | number | bigint)[],
  readonly (string | number | bigint)[]
>;

/** A `numeric` that holds a whole number, handed out as a decimal string. */
export type Decimal = ColumnType<string, string | number | bigint, string | number | bigint>;

/** Extra currencies as `jsonb`: amounts by currency id, both decimal; null when there are none. */
export type ExtraCurrencies = ColumnType<Readonly<Record<string, string>>, string, string>;

/** A `timestamptz` that the database fills in when it is left out. */
export type DefaultTime = ColumnType<Date, Date | undefined, Date>;
