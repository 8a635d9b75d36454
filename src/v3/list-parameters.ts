import Type from 'typebox';
import type { Db } from '../db/tables/tables.ts';
import type { Parameter, ParameterValues } from '../http/operation.ts';
import type { KeyType, ListWindow, OrderKey } from '../index/read/lists.ts';
import type { Span } from '../index/read/time-bounds.ts';
import { quoted } from '../lib/wrong-value.ts';
import type { ListLimits, V3Call } from './operation.ts';
import { int32Kind, stringKind, uint64Param, utimeParam } from './parameter-kinds.ts';
import {
  invalidParameter,
  lateParam,
  MAX_INT32,
  type ParameterKind,
  readTogether,
  type ScalarOptions,
  scalarParam,
} from './parameters.ts';
import { readIndex } from './read-index.ts';

/** The parameters of operations that return one page of a list. */
export function windowParams(limits: ListLimits) {
  return { limit: limitParam(limits), ...placeParams() };
}

/** The same for a list that can be turned around; the newest rows come first. */
export function sortedWindowParams(limits: ListLimits) {
  return { ...windowParams(limits), sort: sortParam('Sort direction.', { fallback: 'desc' }) };
}

/** The same for operations that call `checkLimit` after their other checks. */
export function uncheckedWindowParams(limits: ListLimits) {
  return { limit: uncheckedLimitParam(limits), ...placeParams() };
}

function placeParams() {
  return {
    offset: offsetParam(),
    cursor: scalarParam(
      stringKind,
      'Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it.',
    ),
  };
}

export type WindowParams = ParameterValues<ReturnType<typeof windowParams>>;

/** The part of a key of a list that cursors carry. */
type ListKey = Pick<OrderKey, 'type' | 'direction'>;

const KEY_FORMS: Readonly<Record<KeyType, (text: string) => boolean>> = {
  bigint: (text) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text),
  integer: (text) => /^-?\d{1,10}$/.test(text) && (Number(text) | 0) === Number(text),
  numeric: (text) => /^-?\d{1,100}$/.test(text),
  bytea: (text) => /^\\x(?:[0-9a-f]{2}){0,64}$/.test(text),
  text: (text) => !text.includes('\0') && text.isWellFormed(),
};

/** The requested page of a list in an order; refuses a cursor of another order. */
export function toWindow({ limit, offset, cursor }: WindowParams, keys: readonly ListKey[]): ListWindow {
  if (cursor === undefined) return { limit, offset };
  const after = decodeCursor(cursor, keys);
  if (after === undefined)
    throw invalidParameter('cursor', `cursor is not one of this list in this order: ${quoted(cursor)}`);
  return { limit, offset, after };
}

interface List<Row, T> {
  readonly keys: readonly ListKey[];
  /** The keys of a row, as PostgreSQL texts. */
  readonly cursorOf: (row: Row) => readonly string[];
  readonly read: (db: Db, page: ListWindow) => Promise<readonly Row[]>;
  /** Makes the response of the rows of the page. */
  readonly show: (rows: readonly Row[], db: Db) => T | Promise<T>;
}

/** Reads the requested page of a list, and tells the caller where the next one starts if this one is full. */
export function readList<Row extends { readonly cursor: readonly string[] }, T>(
  call: V3Call,
  params: WindowParams,
  list: Omit<List<Row, T>, 'cursorOf'>,
): Promise<T> {
  return readKeyedList(call, params, { ...list, cursorOf: ({ cursor }) => cursor });
}

/** The same for rows that have their keys in other columns. */
export function readKeyedList<Row, T>(
  call: V3Call,
  params: WindowParams,
  { keys, cursorOf, read, show }: List<Row, T>,
): Promise<T> {
  const page = toWindow(params, keys);
  return readIndex(call, async (db) => {
    const rows = await read(db, page);
    noteCursorAfter(call, keys, rows.length === page.limit ? cursorOf(rows.at(-1)!) : undefined);
    return show(rows, db);
  });
}

/** Tells the caller where the next page starts: after a row with these keys; undefined at the end of the list. */
export function noteCursorAfter(
  { notes }: Pick<V3Call, 'notes'>,
  keys: readonly ListKey[],
  last: readonly string[] | undefined,
): void {
  if (last !== undefined) notes.nextCursor = encodeCursor(last, keys);
}

function encodeCursor(values: readonly string[], keys: readonly ListKey[]): string {
  return Buffer.from(JSON.stringify([shapeOf(keys), ...values])).toString('base64url');
}

function decodeCursor(cursor: string, keys: readonly ListKey[]): readonly string[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parsed) || parsed.length !== keys.length + 1 || parsed[0] !== shapeOf(keys))
    return undefined;
  const values = parsed.slice(1);
  const isValid = keys.every(({ type }, at) => typeof values[at] === 'string' && KEY_FORMS[type](values[at]));
  return isValid ? values : undefined;
}

/** Directions and types, which is enough to recognise a cursor of another order. */
function shapeOf(keys: readonly ListKey[]): string {
  return keys.map(({ type, direction }) => `${type} ${direction}`).join();
}

/** The same limits with another default, which the contract of an operation names. */
export function withDefaultLimit({ maxLimit }: ListLimits, defaultLimit: number): ListLimits {
  return { maxLimit, defaultLimit: Math.min(defaultLimit, maxLimit) };
}

/** The parameter `limit`: rows per page, from 1 to the operator's maximum. */
export function limitParam(limits: ListLimits): Parameter<number> {
  const limit = uncheckedLimitParam(limits);
  return {
    ...limit,
    read: (input) => {
      const rows = limit.read(input);
      checkLimit(rows, limits, input.name);
      return rows;
    },
  };
}

/** The same, without the check of how many there are. */
function uncheckedLimitParam({ defaultLimit, maxLimit }: ListLimits): Parameter<number> {
  return {
    ...scalarParam(int32Kind, 'Rows to return.', { fallback: defaultLimit }),
    schema: Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit }),
  };
}

/** Refuses more rows than the operator allows, and less than one. */
export function checkLimit(rows: number, { maxLimit }: ListLimits, name = 'limit'): void {
  if (rows > maxLimit) throw invalidParameter(name, `${name} is not allowed: ${rows} > ${maxLimit}`);
  if (rows < 1) throw invalidParameter(name, `${name} is not allowed: ${rows} < 1`);
}

/** The parameter `offset`: rows to skip before the page. */
export function offsetParam(): Parameter<number> {
  const offset = scalarParam(
    int32Kind,
    'Rows to skip. The plan of the caller has a maximum, above which the error names it; `cursor` has none.',
    { fallback: 0 },
  );
  return {
    ...offset,
    schema: Type.Integer({ minimum: 0, maximum: Number(MAX_INT32), default: 0 }),
    read: (input) => {
      const rows = offset.read(input);
      if (rows < 0) throw invalidParameter(input.name, `${input.name} is not allowed: ${rows} < 0`);
      return rows;
    },
  };
}

/** Refuses to skip more rows than the plan of the caller allows; undefined for no limit. */
export function checkOffset({ offset }: { readonly offset?: unknown }, max: number | undefined): void {
  if (max === undefined || typeof offset !== 'number' || offset <= max) return;
  const text = `offset is not allowed: ${offset} > ${max}`;
  throw invalidParameter('offset', `${text}; continue with cursor, from X-Tongate-Next-Cursor of a page`);
}

export type SortOrder = 'asc' | 'desc';

const SORT_WORDS: ReadonlyMap<string, SortOrder> = new Map([
  ['asc', 'asc'],
  ['a', 'asc'],
  ['desc', 'desc'],
  ['d', 'desc'],
]);

const sortKind: ParameterKind<SortOrder> = {
  schema: Type.String({ enum: ['asc', 'desc'] }),
  convert: (text) => SORT_WORDS.get(text.toLowerCase()),
  empty: 'absent',
  refusal: (name) => `wrong value for ${name} parameter`,
};

export function sortParam<const O extends ScalarOptions<SortOrder>>(description: string, options?: O) {
  return scalarParam(sortKind, description, options);
}

/** The parameters that bound a list by time and logical time, both ends inclusive. */
export function spanParams({ utime, lt }: { readonly utime: string; readonly lt: string }) {
  return {
    start_utime: utimeParam(`${utime} at or after this unix time.`),
    end_utime: utimeParam(`${utime} at or before this unix time.`),
    start_lt: uint64Param(`${lt} at or above this.`),
    end_lt: uint64Param(`${lt} at or below this.`),
  };
}

/** The parameters that bound a list by time alone; they are read after the checks of the operation. */
export function lateBoundParams(utime: string) {
  const { start_utime, end_utime } = spanParams({ utime, lt: '' });
  return { start_utime: lateParam(start_utime), end_utime: lateParam(end_utime) };
}

/** Reads the bounds and refuses those that nothing can be between. */
export function readBounds(params: ParameterValues<ReturnType<typeof lateBoundParams>>): {
  readonly from: number | undefined;
  readonly to: number | undefined;
} {
  const [from, to] = readTogether([params.start_utime, params.end_utime]);
  if (from !== undefined && to !== undefined && from > to)
    throw invalidParameter('start_utime', 'start_utime must be less than or equal to end_utime');
  return { from, to };
}

export function toSpan(params: ParameterValues<ReturnType<typeof spanParams>>): Span {
  const { start_utime: start, end_utime: end } = params;
  return {
    startUtime: start === undefined ? undefined : BigInt(start),
    endUtime: end === undefined ? undefined : BigInt(end),
    startLt: params.start_lt,
    endLt: params.end_lt,
  };
}
