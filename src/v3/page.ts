import type { KeyType, OrderKey, Page } from '../db/queries/page.ts';
import type { V3Call } from './call.ts';
import { refuse } from './params/kind.ts';
import { limitParam, type PageLimits } from './params/limit.ts';
import { offsetParam } from './params/offset.ts';
import { plainStringKind } from './params/plain-string.ts';
import { scalarParam } from './params/scalar.ts';

/** The parameters of operations that answer with one page of a list. */
export function pageParams(limits: PageLimits) {
  return {
    limit: limitParam(limits),
    offset: offsetParam(),
    cursor: scalarParam(plainStringKind, {
      description:
        'Where the page begins: what the header `Link` of the page before gave. Rows that are new do not move it.',
    }),
  };
}

/** What a request said of the page it wants. */
export interface AskedPage {
  readonly limit: number;
  readonly offset: number;
  readonly cursor: string | undefined;
}

const FORMS: Readonly<Record<KeyType, (text: string) => boolean>> = {
  bigint: (text) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text),
  integer: (text) => /^-?\d{1,10}$/.test(text) && (Number(text) | 0) === Number(text),
  numeric: (text) => /^-?\d{1,100}$/.test(text),
  bytea: (text) => /^\\x(?:[0-9a-f]{2}){0,64}$/.test(text),
  text: (text) => !text.includes('\0') && text.isWellFormed(),
};

/** The page that was asked for, of a list in an order; refuses a cursor of another order. */
export function openPage({ limit, offset, cursor }: AskedPage, keys: readonly OrderKey[]): Page {
  if (cursor === undefined) return { limit, offset };
  const after = decodeCursor(cursor, keys);
  if (after === undefined) throw refuse('cursor', 'cursor is not one of this list in this order');
  return { limit, offset, after };
}

/** Tells the caller where the next page begins, if this one is full. */
export function notePage(
  { answer }: Pick<V3Call, 'answer'>,
  keys: readonly OrderKey[],
  { limit }: Page,
  rows: readonly { readonly cursor: readonly string[] }[],
): void {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === limit) answer.nextCursor = encodeCursor(last.cursor, keys);
}

function encodeCursor(values: readonly string[], keys: readonly OrderKey[]): string {
  return Buffer.from(JSON.stringify([shapeOf(keys), ...values])).toString('base64url');
}

function decodeCursor(cursor: string, keys: readonly OrderKey[]): readonly string[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parsed) || parsed.length !== keys.length + 1 || parsed[0] !== shapeOf(keys))
    return undefined;
  const values = parsed.slice(1);
  const isSound = keys.every(({ type }, at) => typeof values[at] === 'string' && FORMS[type](values[at]));
  return isSound ? values : undefined;
}

/** Directions and types: enough to tell that a cursor is of another order. */
function shapeOf(keys: readonly OrderKey[]): string {
  return keys.map(({ type, direction }) => `${type} ${direction}`).join();
}
