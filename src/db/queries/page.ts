import { type RawBuilder, sql } from 'kysely';

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
export interface PageParts {
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
