import type { Kysely } from 'kysely';
import Type from 'typebox';
import { type EventFilters, type EventQuery, eventKeys } from '../db/queries/token-events.ts';
import type { Tables } from '../db/tables.ts';
import type { ParameterValues } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { TransactionReader } from './indexed-transactions.ts';
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

/** The parameters that all lists of transfers and burns share. */
export function eventParams(limits: PageLimits) {
  return {
    address: accountsParam({ description: 'Older name of `owner_address`, used if that is absent.' }),
    ...spanParams({ utime: 'Transaction time (the list is then ordered by it)', lt: 'Logical time' }),
    ...pageParams(limits),
    sort: sortParam({ description: 'Sort direction.', fallback: 'desc' }),
  };
}

/** The parameter of transfers that selects a side of `owner_address`. */
export function directionParam() {
  return choiceParam(['in', 'out', 'both'], {
    description: 'Transfers to `owner_address` (`in`), from it (`out`), or both.',
    fallback: 'both',
  });
}

/** The parameter values that all lists of transfers and burns share. */
type EventParams = ParameterValues<ReturnType<typeof eventParams>> & {
  readonly owner_address: readonly Buffer[];
  readonly direction?: 'in' | 'out' | 'both';
};

/** How one list of transfers or burns is read. */
interface EventList<Row> extends Pick<EventFilters, 'accounts' | 'token'> {
  readonly read: (db: Kysely<Tables>, query: EventQuery) => Promise<readonly Row[]>;
  /** The accounts of a row, for the address book. */
  readonly accountsOf: (row: Row) => readonly (Buffer | null)[];
}

/** The key of the transaction of an event. */
interface EventKey {
  readonly account: Buffer;
  readonly lt: string;
}

/** An event with the hashes of its transaction and of its trace. */
export type PlacedEvent<Row> = Row & { readonly hash: Buffer; readonly traceId: Buffer };

/** Reads a page of a list, with its address book and metadata. */
export function readEventPage<Row extends EventKey & { readonly cursor: readonly string[] }>(
  call: V3Call,
  params: EventParams,
  { accounts, token, read, accountsOf }: EventList<Row>,
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
    return {
      rows: await placeEvents(new TransactionReader(db, call.signal), rows),
      addressInfo: await loadAddressInfoFields(call, db, rows.flatMap(accountsOf)),
    };
  });
}

async function placeEvents<Row extends EventKey>(
  reader: TransactionReader,
  rows: readonly Row[],
): Promise<PlacedEvent<Row>[]> {
  const keyOf = (account: Buffer, lt: bigint | string) => `${bytesKey(account)}${lt}`;
  const found = await reader.readByLt(rows.map(({ account, lt }) => ({ account, lt: BigInt(lt) })));
  const placed = new Map(found.map((one) => [keyOf(one.account, one.transaction.lt), one]));
  return rows.flatMap((row) => {
    const one = placed.get(keyOf(row.account, row.lt));
    return one === undefined ? [] : [{ ...row, hash: one.transaction.hash, traceId: one.traceId }];
  });
}

/** The transaction fields of a transfer or a burn. */
export const eventTransactionSchema = {
  transaction_hash: PlainText(),
  transaction_lt: PlainText(),
  transaction_now: Type.Integer(),
  transaction_aborted: Type.Boolean(),
};

/** A payload field. */
export const payloadSchema = Nullable(
  PlainText({ description: 'A bag of cells in base64; null if there is none.' }),
);

interface EventTransactionRow extends Pick<EventKey, 'lt'> {
  readonly hash: Buffer;
  readonly now: string;
  readonly aborted: boolean;
}

/** Writes the transaction fields. */
export function toEventTransaction({ hash, lt, now, aborted }: EventTransactionRow) {
  return {
    transaction_hash: formatHash(hash),
    transaction_lt: lt,
    transaction_now: Number(now),
    transaction_aborted: aborted,
  };
}

/** An address from a message body, which may be `addr_none`. */
export function formatAddressOrNone(account: Buffer | null): string {
  return account === null ? 'addr_none' : formatAccount(account);
}

/** A payload as base64. */
export function formatPayload(boc: Buffer | null): string | null {
  return boc === null ? null : boc.toString('base64');
}
