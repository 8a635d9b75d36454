import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type OrderKey, type Page, pageParts } from './page.ts';

/** Rows that belong to one of some values. An index has them in order only for one value at a time. */
export interface Lookup {
  readonly values: readonly (Buffer | string)[];
  /** What the values are; `bytea` unless told otherwise. */
  readonly type?: 'bytea' | 'text';
  /** `<table> where <it belongs to the value>`. */
  readonly rows: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** A list of which one page is wanted. */
export interface LookedUpList {
  /** What is selected: names of columns, those that the keys use among them. */
  readonly columns: RawBuilder<unknown>;
  /** A row is in the list if one of them finds it. */
  readonly lookups: readonly Lookup[];
  /** What else has to be true of a row. */
  readonly where: readonly RawBuilder<unknown>[];
  /** Whether the query may be long, as for a table that is one: the planner takes its time for each partition. */
  readonly isOfOneTable?: boolean;
  readonly keys: readonly OrderKey[];
  readonly page: Page;
}

/**
 * A common table `page` with the columns of the rows of one page, their `cursor`, and their `place` to order by. Each
 * value gives the rows that the page could have of it, from an index that has the order; these are merged.
 */
export function lookedUpPage(list: LookedUpList): RawBuilder<unknown> {
  const { columns, keys, page } = list;
  const { where: after, cursor, order, tail } = pageParts(keys, page);
  const conditions = sql.join([...list.where, after], sql` and `);
  const { tail: first } = pageParts(keys, { limit: page.limit + page.offset, offset: 0 });
  const candidates = ({ values, type = 'bytea', rows }: Lookup) =>
    values.length === 1
      ? sql`(select ${columns} from ${rows(literal(values, type))} and ${conditions} ${first})`
      : sql`
        select each.* from unnest(${values}::${sql.raw(type)}[]) as wanted (value)
        cross join lateral (select ${columns} from ${rows(sql`wanted.value`)} and ${conditions} ${first}) each`;
  const parts = list.lookups.flatMap((lookup) => partsOf(lookup, list.isOfOneTable ? MAX_PARTS : 1));
  const [only] = parts;
  const source =
    parts.length === 1 && only!.values.length === 1
      ? sql`${only!.rows(literal(only!.values, only!.type))} and ${conditions}`
      : sql`(${sql.join(parts.map(candidates), sql` union `)}) found`;
  return sql`page as materialized (
    select *, row_number() over (${order}) as place from (
      select ${columns}, ${cursor} as cursor from ${source} ${tail}) listed)`;
}

function literal([value]: Lookup['values'], type: Lookup['type'] = 'bytea'): RawBuilder<unknown> {
  return sql`${value}::${sql.raw(type)}`;
}

const MAX_PARTS = 16;

/** With a value itself in the query, the planner knows how many rows it has; for many values that would take too long. */
function partsOf(lookup: Lookup, most: number): Lookup[] {
  const { values } = lookup;
  return values.length > most ? [lookup] : values.map((value) => ({ ...lookup, values: [value] }));
}

/**
 * Allows the planner to sort, or makes it take rows out of an index that has their order, in the rest of the transaction.
 * It believes that values that it does not know have few rows each, which it could as well fetch all and sort.
 */
export async function allowSorting(db: Kysely<Tables>, isAllowed: boolean): Promise<void> {
  // Before PostgreSQL 18 a plan that cannot do without sorting seems so costly that it would be compiled.
  const settings = isAllowed ? ['enable_sort = on'] : ['enable_sort = off', 'jit = off'];
  await sql.raw(settings.map((setting) => `set local ${setting}`).join('; ')).execute(db);
}

/** For lists that are not looked up by anything: all rows of a table. */
export function allRows(table: string): Lookup {
  return { values: [Buffer.alloc(0)], rows: () => sql`${sql.table(table)} where true` };
}

/** Rows that have one of the values in a column. */
export function rowsWith(table: string, column: string, values: readonly Buffer[]): Lookup {
  return { values, rows: (value) => sql`${sql.table(table)} where ${sql.ref(column)} = ${value}` };
}

/** The condition that a column has one of the values; no condition where none are given. */
export function hasOneOf(column: string, values: readonly Buffer[]): RawBuilder<unknown>[] {
  return values.length === 0 ? [] : [sql`${sql.ref(column)} = any(${values}::bytea[])`];
}

/** Looks up by the first column for which there are values; what is asked of the others are conditions. */
export function lookUpBy(
  table: string,
  filters: Readonly<Record<string, readonly Buffer[]>>,
): Pick<LookedUpList, 'lookups' | 'where'> {
  const [first, ...others] = Object.entries(filters).filter(([, values]) => values.length > 0);
  return {
    lookups: [first === undefined ? allRows(table) : rowsWith(table, ...first)],
    where: others.flatMap(([column, values]) => hasOneOf(column, values)),
  };
}
