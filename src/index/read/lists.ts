import { type RawBuilder, type Selectable, sql } from 'kysely';
import { fence, isCluster, keptStatement, readRows } from '../../db/driver.ts';
import type { ContractTable } from '../../db/tables/contract-tables.ts';
import type { Db, Tables } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { accountsWithPrefixOf } from '../format/position.ts';

/** Types of the expressions that lists are ordered by. */
export type KeyType = 'bigint' | 'integer' | 'numeric' | 'bytea' | 'text';

/** One of the expressions that a list is ordered by; together they must be unique, and none may be null. */
export interface OrderKey {
  readonly by: RawBuilder<unknown>;
  /** Of its texts in cursors. */
  readonly type: KeyType;
  readonly direction: 'asc' | 'desc';
}

export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
  /** The keys of the row before the page, as PostgreSQL texts. */
  readonly after?: readonly string[] | undefined;
}

interface SliceParts {
  /** The condition that a row comes after `after`; true without it. */
  readonly where: RawBuilder<boolean>;
  /** `order by …`. */
  readonly order: RawBuilder<unknown>;
  /** `order by … limit … offset …`. */
  readonly tail: RawBuilder<unknown>;
  /** The keys of a row as `text[]`; select it as `cursor`. */
  readonly cursor: RawBuilder<string[]>;
}

/** Orders by columns that all have one direction. */
export function orderBy(direction: 'asc' | 'desc', columns: Readonly<Record<string, KeyType>>): OrderKey[] {
  return Object.entries(columns).map(([name, type]) => ({ by: sql.ref(name), type, direction }));
}

/** The conditions that columns have these values; undefined does not filter. */
export function areEqual(columns: Readonly<Record<string, unknown>>): RawBuilder<unknown>[] {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
}

/** The condition that all of some conditions hold; at least one. */
export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** Builds the parts of a query that reads one page of a list. */
export function sliceParts(keys: readonly OrderKey[], { limit, offset, after }: ListWindow): SliceParts {
  const order = sql`order by ${sql.join(keys.map(({ by, direction }) => sql`${by} ${sql.raw(direction)}`))}`;
  return {
    where: after === undefined ? sql`true` : isAfter(keys, after),
    order,
    tail: sql`${order} limit ${limit} offset ${offset}`,
    cursor: sql`array[${sql.join(keys.map(({ by }) => sql`(${by})::text`))}]`,
  };
}

/** The condition that a row comes after another. If all keys have one direction, PostgreSQL can start there in an index. */
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
  // The bound on the first key limits the index scan; the rest only decides among equals.
  const bound = sql`${first!.by} ${sql.raw(`${sign(first!)}=`)} ${values[0]}`;
  return sql`(${bound} and (${sql.join(cases, sql` or `)}))`;
}

const [HASH_BYTES, ACCOUNT_BYTES] = [32, 33];

export function hashOfKey(text: string): Buffer {
  return bytesOfKey(text, HASH_BYTES);
}

export function accountOfKey(text: string): Buffer {
  return bytesOfKey(text, ACCOUNT_BYTES);
}

/** Clients may send keys of any length. */
function bytesOfKey(text: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(text.slice(2), 'hex');
  return bytes;
}

function sign({ direction }: OrderKey): '<' | '>' {
  return direction === 'asc' ? '>' : '<';
}

/** Rows that belong to one of some values. An index has them in list order only for one value at a time. */
export interface Lookup {
  readonly values: readonly (Buffer | string | bigint)[];
  /** The type of the values; `bytea` by default. */
  readonly type?: 'bytea' | 'text' | 'bigint';
  /** `<table> where <row belongs to the value>`. */
  readonly rows: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** A list that is read page by page. */
export interface LookupList {
  /** Names of the columns to select, including those in the keys. */
  readonly columns: RawBuilder<unknown>;
  /** A row is in the list if one of these finds it. */
  readonly lookups: readonly Lookup[];
  /** Further conditions. */
  readonly where: readonly RawBuilder<unknown>[];
  /** The table is not partitioned, so the query may be long: planning takes time per partition. */
  readonly isOfOneTable?: boolean;
  readonly keys: readonly OrderKey[];
  readonly page: ListWindow;
}

/**
 * A common table expression `page` with the columns of one page, their `cursor`, and `place` to order by. For each value
 * the rows that may be on the page are read from an index in list order; then they are merged.
 */
export function lookupSlice(db: Db, list: LookupList): RawBuilder<unknown> {
  const { columns, keys, page } = list;
  const { where: after, cursor, order, tail } = sliceParts(keys, page);
  const conditions = sql.join([...list.where, after], sql` and `);
  const { tail: first } = sliceParts(keys, { limit: page.limit + page.offset, offset: 0 });
  const candidates = ({ values, type = 'bytea', rows }: Lookup) =>
    values.length === 1
      ? sql`(select ${columns} from ${rows(literal(values, type))} and ${conditions} ${first})`
      : sql`
        select each.* from unnest(${values}::${sql.raw(type)}[]) as wanted (value)
        cross join lateral (select ${columns} from ${rows(sql`wanted.value`)} and ${conditions} ${first}) each`;
  // Citus has no lateral joins with a limit.
  const maxParts = isCluster(db) ? Number.POSITIVE_INFINITY : list.isOfOneTable ? MAX_PARTS : 1;
  const parts = list.lookups.flatMap((lookup) => partsOf(lookup, maxParts));
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

/** With the value itself in the query the planner can estimate its rows; for many values planning would take too long. */
function partsOf(lookup: Lookup, maxParts: number): Lookup[] {
  const { values } = lookup;
  return values.length > maxParts ? [lookup] : values.map((value) => ({ ...lookup, values: [value] }));
}

// Before PostgreSQL 18 a plan that must sort looks so costly without sorting that it would be JIT-compiled.
const forbidSorting = keptStatement(
  () => sql`select set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`,
);
const allowSortingAgain = keptStatement(() => sql`select set_config('enable_sort', 'on', true)`);

/**
 * Lets the planner sort, or makes it read rows from an index in list order, for the rest of the transaction. For unknown
 * values it assumes few rows each, which it would rather fetch all and sort. It is sent with the statement that follows, so
 * nobody waits for it: where it fails, that one does.
 */
export function allowSorting(db: Db, isAllowed: boolean): void {
  (isAllowed ? allowSortingAgain(db) : forbidSorting(db)).catch(() => {});
}

/** All rows of a table, for lists without a lookup. */
export function allRows(table: string): Lookup {
  return { values: [Buffer.alloc(0)], rows: () => sql`${sql.table(table)} where true` };
}

export function rowsWith(table: string, column: string, values: readonly Buffer[]): Lookup {
  return { values, rows: (value) => sql`${sql.table(table)} where ${sql.ref(column)} = ${value}` };
}

/** The condition that a column has one of the values; none if there are no values. */
export function hasOneOf(column: string, values: readonly Buffer[]): RawBuilder<unknown>[] {
  return values.length === 0 ? [] : [sql`${sql.ref(column)} = any(${values}::bytea[])`];
}

/** Looks up by the first column with values; the other columns become conditions. */
export function lookUpBy(table: string, filters: Readonly<Record<string, readonly Buffer[]>>) {
  const [first, ...others] = Object.entries(filters).filter(([, values]) => values.length > 0);
  return {
    lookups: [first === undefined ? allRows(table) : rowsWith(table, ...first)],
    where: others.flatMap(([column, values]) => hasOneOf(column, values)),
  };
}

export type ListedContract<Table extends ContractTable> = Selectable<Tables[Table]> & {
  readonly cursor: readonly string[];
};

/** Orders contracts by when they were indexed. */
export function byId(direction: 'asc' | 'desc'): OrderKey {
  return { by: sql`id`, type: 'bigint', direction };
}

/** Orders contracts by address. */
export const BY_ACCOUNT: OrderKey = { by: sql`account`, type: 'bytea', direction: 'asc' };

/** Reads one page of a contract table; `columns` is needed if the keys use more than `account` and `id`. */
export async function readContractList<Table extends ContractTable>(
  db: Db,
  table: Table,
  list: Omit<LookupList, 'columns'> & Partial<Pick<LookupList, 'columns'>>,
): Promise<ListedContract<Table>[]> {
  const page = { columns: sql`account, id`, isOfOneTable: true, ...list };
  if (isCluster(db)) return readListFromWorkers<Selectable<Tables[Table]>>(db, table, page);
  return readRows<ListedContract<Table>>(db)`
    with ${lookupSlice(db, page)}
    select contract.*, page.cursor from page join ${sql.table(table)} contract using (account)
    order by page.place`;
}

/** Reads the accounts of a page first, and then the contracts from the workers of these accounts. */
export async function readListFromWorkers<Row>(db: Db, table: ContractTable, list: LookupList) {
  const places = await readRows<{ readonly account: Buffer; readonly cursor: readonly string[] }>(db)`
    with ${lookupSlice(db, list)} select account, cursor from page order by place`;
  if (places.length === 0) return [];
  const rows = await readRows<Row & { readonly account: Buffer }>(db)`
    select * from ${sql.table(table)} where account = any(${places.map(({ account }) => account)}::bytea[])`;
  const found = new Map(rows.map((row) => [bytesKey(row.account), row]));
  return places.flatMap(({ account, cursor }) => {
    const row = found.get(bytesKey(account));
    return row === undefined ? [] : [{ ...row, cursor }];
  });
}

/** A list whose rows hold prefixes: only what they refer to can tell whether they belong to it. */
interface CheckedList<Row, Item> {
  readonly keys: readonly ListKey[];
  /** The requested page; its `after` has the keys of an item. */
  readonly page: ListWindow;
  /**
   * How far rows tell whether they belong to the list: those before the page are skipped by the database, or once they
   * were found, or only after what they refer to was read.
   */
  readonly skips: 'unseen' | 'unread' | 'read';
  /** The keys of a row before all rows that may be those of the item with the given keys. */
  readonly rowKeysBefore: (after: readonly string[]) => readonly string[];
  /** Finds the rows of a page, whose `after` has the keys of a row. */
  readonly find: (page: ListWindow) => Promise<FoundRows<Row>>;
  /** Reads the items of rows that belong to the list, in list order. */
  readonly read: (rows: readonly Row[]) => Promise<readonly Item[]>;
  readonly keysOf: (item: Item) => readonly string[];
}

type ListKey = Pick<OrderKey, 'type' | 'direction'>;

interface FoundRows<Row> {
  readonly rows: readonly Row[];
  /** The keys to go on after; undefined at the end of the list. */
  readonly last: readonly string[] | undefined;
}

/** A part of a list, as long as its limit or shorter at the end. */
export interface ListSlice<Item> {
  readonly items: readonly Item[];
  /** If it is full: the keys of its last item, as in cursors. */
  readonly next: readonly string[] | undefined;
}

export const EMPTY_SLICE: ListSlice<never> = { items: [], next: undefined };

/** Rows that are read at a time where few of them belong to the list. */
const MAX_ROWS = 1000;

/** Reads a page of a list: where rows do not belong to it, the search goes on behind them until the page is full. */
export async function readCheckedList<Row, Item>(list: CheckedList<Row, Item>): Promise<ListSlice<Item>> {
  const { keys, page } = list;
  const { limit, after } = page;
  // The rows of a cursor may be those of several items.
  const skips = after === undefined ? list.skips : 'read';
  const items: Item[] = [];
  let skipped = skips === 'unseen' ? 0 : page.offset;
  let offset = page.offset - skipped;
  let from = after && list.rowKeysBefore(after);
  const maxCount = Math.max(limit + 1, MAX_ROWS);
  // The row of the cursor is found again.
  let count = Math.min(limit + skipped + (after === undefined ? 0 : 1), maxCount);
  for (;;) {
    const { rows, last } = await list.find({ limit: count, offset, after: from });
    const unread = skips === 'unread' ? Math.min(skipped, rows.length) : 0;
    skipped -= unread;
    const found = await list.read(rows.slice(unread));
    for (const item of found) {
      if (after !== undefined && compareKeys(keys, list.keysOf(item), after) <= 0) continue;
      if (skipped > 0) skipped--;
      else if (items.length < limit) items.push(item);
    }
    if (items.length === limit) return { items, next: list.keysOf(items.at(-1)!) };
    if (last === undefined) return { items, next: undefined };
    from = last;
    offset = 0;
    const isSparse = 2 * (unread + found.length) < count;
    count = Math.min(isSparse ? 2 * count : limit - items.length + skipped, maxCount);
  }
}

/** A page of items that were all found; they are sorted here. */
export function sliceOfAll<Item>(
  all: readonly Item[],
  keys: readonly ListKey[],
  { limit, offset, after }: ListWindow,
  keysOf: (item: Item) => readonly string[],
): ListSlice<Item> {
  const sorted = all
    .map((item) => ({ item, own: keysOf(item) }))
    .filter(({ own }) => after === undefined || compareKeys(keys, own, after) > 0)
    .sort((a, b) => compareKeys(keys, a.own, b.own));
  const shown = sorted.slice(offset, offset + limit);
  return {
    items: shown.map(({ item }) => item),
    next: shown.length === limit ? shown.at(-1)!.own : undefined,
  };
}

/** Compares the keys of two items in the order of a list. */
export function compareKeys(keys: readonly ListKey[], a: readonly string[], b: readonly string[]): number {
  for (const [at, { type, direction }] of keys.entries()) {
    const [left, right] = type === 'bigint' ? [BigInt(a[at]!), BigInt(b[at]!)] : [a[at]!, b[at]!];
    if (left !== right) return left < right === (direction === 'asc') ? -1 : 1;
  }
  return 0;
}

export function bytesText(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

/** An account as in cursors: the sign of the workchain is flipped, so that the order of bytes is the order of accounts. */
export function signedAccountText(account: Buffer): string {
  const bytes = Buffer.from(account);
  bytes[0] = bytes[0]! ^ 0x80;
  return bytesText(bytes);
}

/**
 * Which of some accounts have a prefix that no other account of the index has. Accounts of other workchains than the first
 * two may share it, and accounts without a state are not known.
 */
export async function findLoneAccounts(db: Db, accounts: readonly Buffer[]): Promise<Buffer[]> {
  if (accounts.length === 0) return [];
  const ranges = accounts.map(accountsWithPrefixOf);
  const rows = await readRows<{ readonly account: Buffer }>(db)`
    select asked.account from unnest(
      ${accounts}::bytea[], ${ranges.map(([first]) => first)}::bytea[], ${ranges.map(([, last]) => last)}::bytea[]
    ) as asked (account, first, last)
    cross join lateral (
      select account from latest_account_states where account between first and last ${fence(db)}) same
    group by asked.account having array_agg(same.account) = array[asked.account]`;
  return rows.map(({ account }) => account);
}

/** Whether none of some accounts can be confused with another account. */
export async function areLoneAccounts(db: Db, accounts: readonly Buffer[]): Promise<boolean> {
  const lone = new Set((await findLoneAccounts(db, accounts)).map(bytesKey));
  return accounts.every((account) => lone.has(bytesKey(account)));
}

/**
 * The raw address of an account column as text, to order by. The bytes of accounts are in another order: they have the
 * masterchain last.
 */
export function rawAddress(column: string): RawBuilder<string> {
  const account = sql.ref(column);
  const workchain = sql`(get_byte(${account}, 0) + 128) % 256 - 128`;
  return sql`(${workchain} || ':' || upper(encode(substr(${account}, 2), 'hex'))) collate "C"`;
}
