import Type from 'typebox';
import { payloadBag } from '../chain/messages/token-requests.ts';
import { type EventFilters, type EventTable, eventOrder } from '../db/queries/token-events.ts';
import type { ParameterValues } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { mapInSlices } from '../lib/slices.ts';
import { loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { TransactionReader } from './indexed-transactions.ts';
import { type ListedEvent, listEvents } from './list-token-events.ts';
import {
  noteCursorAfter,
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

/** A list of transfers or burns. */
interface EventList extends Pick<EventFilters, 'accounts' | 'token'> {
  readonly table: EventTable;
}

/** A transfer or a burn with its payloads as bags of cells. */
export interface ShownEvent extends ListedEvent {
  readonly customPayload: Buffer | null;
  readonly forwardPayload: Buffer | null;
}

/** Reads a page of a list, with its address book and metadata. */
export function readEventPage(call: V3Call, params: EventParams, { table, accounts, token }: EventList) {
  const { owner_address: owners, address, direction, sort } = params;
  const filters: EventFilters = {
    accounts,
    token,
    owners: owners.length > 0 ? owners : address,
    span: toSpan(params),
    direction: direction === 'both' ? undefined : direction,
  };
  const keys = eventOrder({ filters, sort });
  const page = toPage(params, keys);
  return readIndex(call, async (db) => {
    const reader = new TransactionReader(db, call.signal);
    const { items, next } = await listEvents(db, reader, { table, filters, sort, page });
    noteCursorAfter(call, keys, next);
    return {
      events: await mapInSlices(items, withPayloads, call.signal),
      addressInfo: await loadAddressInfoFields(call, db, items.flatMap(accountsOf)),
    };
  });
}

function withPayloads(event: ListedEvent): ShownEvent {
  const { placed, request } = event;
  const payload = (cell: number) => payloadBag(placed.transaction, cell) ?? null;
  return {
    ...event,
    customPayload: payload(request.customPayload),
    forwardPayload: payload(request.forwardPayload),
  };
}

/** The accounts of an event, for the address book. */
function accountsOf({ placed, request, token }: ListedEvent): readonly (Buffer | null | undefined)[] {
  return [placed.account, token, request.source, request.destination, request.responseDestination];
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

/** Writes the transaction fields. */
export function toEventTransaction({ placed: { transaction }, request }: ListedEvent) {
  return {
    transaction_hash: formatHash(transaction.hash),
    transaction_lt: String(transaction.lt),
    transaction_now: transaction.now,
    transaction_aborted: request.aborted,
  };
}

/** An address from a message body, which may be `addr_none`. */
export function formatAddressOrNone(account: Buffer | undefined): string {
  return account === undefined ? 'addr_none' : formatAccount(account);
}

/** A payload as base64. */
export function formatPayload(boc: Buffer | null): string | null {
  return boc === null ? null : boc.toString('base64');
}
