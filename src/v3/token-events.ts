import type { Kysely } from 'kysely';
import Type from 'typebox';
import { type EventFilters, type EventQuery, eventKeys } from '../db/queries/token-events.ts';
import type { Tables } from '../db/tables.ts';
import type { ParameterValues } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import {
  noteNextCursor,
  type PageLimits,
  pageParams,
  sortParam,
  spanParams,
  toPage,
  toSpan,
} from './pages.ts';
import { accountsParam, choiceParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, formatHash, Nullable } from './values.ts';

/** The parameters that all lists of transfers and burns have. */
export function eventParams(limits: PageLimits) {
  return {
    address: accountsParam({ description: 'Older name of `owner_address`; counts where that is not given.' }),
    ...spanParams({ utime: 'The time, which then is the order,', lt: 'The logical time' }),
    ...pageParams(limits),
    sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
  };
}

/** The parameter of transfers that chooses a side of `owner_address`. */
export function directionParam() {
  return choiceParam(['in', 'out', 'both'], {
    description: 'What `owner_address` gets, what it sends, or both.',
    fallback: 'both',
  });
}

/** What a request for transfers or burns gave, as far as all of them have it. */
type EventParams = ParameterValues<ReturnType<typeof eventParams>> & {
  readonly owner_address: readonly Buffer[];
  readonly direction?: 'in' | 'out' | 'both';
};

/** One list of transfers or burns. */
interface EventList<Row> extends Pick<EventFilters, 'accounts' | 'token'> {
  readonly read: (db: Kysely<Tables>, query: EventQuery) => Promise<readonly Row[]>;
  /** The accounts of a row that the books tell of. */
  readonly named: (row: Row) => readonly (Buffer | null)[];
}

/** Reads the page of a list that was asked for, and the books of it. */
export function readEventPage<Row extends { readonly cursor: readonly string[] }>(
  call: V3Call,
  params: EventParams,
  { accounts, token, read, named }: EventList<Row>,
) {
  const { owner_address: owners, address, direction, sort } = params;
  const filters: EventFilters = {
    accounts,
    token,
    owners: owners.length > 0 ? owners : address,
    span: toSpan(params),
    direction: direction === 'both' ? undefined : direction,
  };
  const keys = eventKeys({ ...filters, sort });
  const page = toPage(params, keys);
  return readIndex(call, async (db) => {
    const rows = await read(db, { ...filters, sort, page });
    noteNextCursor(call, keys, page, rows);
    return { rows, books: await loadAddressInfoFields(call, db, rows.flatMap(named)) };
  });
}

/** What answers show of the transaction of a transfer or a burn. */
export const eventTransactionSchema = {
  transaction_hash: PlainText(),
  transaction_lt: PlainText(),
  transaction_now: Type.Integer(),
  transaction_aborted: Type.Boolean(),
};

/** A payload. */
export const payloadSchema = Nullable(PlainText({ description: 'A bag of cells; null when there is none.' }));

interface EventTransactionRow {
  readonly hash: Buffer;
  readonly lt: string;
  readonly now: string;
  readonly aborted: boolean;
}

/** Writes the transaction of an event. */
export function toEventTransaction({ hash, lt, now, aborted }: EventTransactionRow) {
  return {
    transaction_hash: formatHash(hash),
    transaction_lt: lt,
    transaction_now: Number(now),
    transaction_aborted: aborted,
  };
}

/** An address that stands in the body of a message, where there may be none. */
export function formatAddressOrNone(account: Buffer | null): string {
  return account === null ? 'addr_none' : formatAccount(account);
}

/** A payload as base64. */
export function formatPayload(boc: Buffer | null): string | null {
  return boc === null ? null : boc.toString('base64');
}
