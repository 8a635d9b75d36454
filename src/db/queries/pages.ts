import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { ContractTable, Tables } from '../tables.ts';

/** Types of columns that lists are ordered by. */
export type KeyType = 'bigint' | 'integer' | 'numeric' | 'bytea' | 'text';

/** One of the expressions that a list is ordered by; together they must tell all rows apart, and none may be null. */
export interface OrderKey {
  readonly by: RawBuilder<unknown>;
  readonly type: KeyType;
  readonly direction: 'asc' | 'desc';
}

/** Which rows of a list are wanted. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** The keys of the row behind which the page begins, as texts of PostgreSQL. */
  readonly after?: readonly string[] | undefined;
}

/** What a query of a list needs of its order. */
interface PageParts {
  /** The condition that a row comes after; true without one. */
  readonly where: RawBuilder<boolean>;
  /** `order by …`. */
  readonly order: RawBuilder<unknown>;
  /** `order by … limit … offset …`. */
  readonly tail: RawBuilder<unknown>;
  /** The keys of a row as `text[]`; select it as `cursor`. */
  readonly cursor: RawBuilder<string[]>;
}

/** Writes the parts of a query that gives one page of a list. */
export function pageParts(keys: readonly OrderKey[], { limit, offset, after }: Page): PageParts {
  const order = sql`order by ${sql.join(keys.map(({ by, direction }) => sql`${by} ${sql.raw(direction)}`))}`;
  return {
    where: after === undefined ? sql`true` : isAfter(keys, after),
    order,
    tail: sql`${order} limit ${limit} offset ${offset}`,
    cursor: sql`array[${sql.join(keys.map(({ by }) => sql`(${by})::text`))}]`,
  };
}

/** Rows behind a place. Where all keys go one way, PostgreSQL can begin in an index right there. */
function isAfter(keys: readonly OrderKey[], after: readonly string[]): RawBuilder<boolean> {
  const values = keys.map(({ type }, at) => sql`${after[at]}::${sql.raw(type)}`);
  const [first] = keys;
  if (keys.every(({ direction }) => direction === first!.direction)) {
    const left = sql.join(keys.map(({ by }) => by));
    return sql`(${left}) ${sql.raw(sign(first!))} (${sql.join(values)})`;
  }
  const cases = keys.map((key, at) => {
    const equal = keys.slice(0, at).map(({ by }, i) => sql`${by} = ${values[i]}`);
    return sql`(${sql.join([...equal, sql`${key.by} ${sql.raw(sign(key))} ${values[at]}`], sql` and `)})`;
  });
  // The first key alone bounds the index; the rest only chooses among equals.
  const bound = sql`${first!.by} ${sql.raw(`${sign(first!)}=`)} ${values[0]}`;
  return sql`(${bound} and (${sql.join(cases, sql` or `)}))`;
}

function sign({ direction }: OrderKey): '<' | '>' {
  return direction === 'asc' ? '>' : '<';
}

/** Rows that belong to one of some values. An index has them in order only for one value at a time. */
export interface Lookup {
  readonly values: readonly (Buffer | string)[];
  /** What the values are; `bytea` unless told otherwise. */
  readonly type?: 'bytea' | 'text';
  /** `<table> where <it belongs to the value>`. */
  readonly rows: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** A list of which one page is wanted. */
export interface LookupList {
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
export function lookupPage(list: LookupList): RawBuilder<unknown> {
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
): Pick<LookupList, 'lookups' | 'where'> {
  const [first, ...others] = Object.entries(filters).filter(([, values]) => values.length > 0);
  return {
    lookups: [first === undefined ? allRows(table) : rowsWith(table, ...first)],
    where: others.flatMap(([column, values]) => hasOneOf(column, values)),
  };
}

/** A contract on a page. */
export type ListedContract<Table extends ContractTable> = Selectable<Tables[Table]> & {
  readonly cursor: readonly string[];
};

/** Contracts in the order in which they were found. */
export function byId(direction: 'asc' | 'desc'): OrderKey {
  return { by: sql`id`, type: 'bigint', direction };
}

/** Contracts by address. */
export const BY_ACCOUNT: OrderKey = { by: sql`account`, type: 'bytea', direction: 'asc' };

/** One page of a table of contracts; what is to be selected for the order beside `account` and `id` has to be named. */
export async function readContractPage<Table extends ContractTable>(
  db: Kysely<Tables>,
  table: Table,
  list: Omit<LookupList, 'columns'> & Partial<Pick<LookupList, 'columns'>>,
): Promise<ListedContract<Table>[]> {
  const { rows } = await sql<ListedContract<Table>>`
    with ${lookupPage({ columns: sql`account, id`, isOfOneTable: true, ...list })}
    select contract.*, page.cursor from page join ${sql.table(table)} contract using (account)
    order by page.place`.execute(db);
  return rows;
}
