import Type from 'typebox';
import { payloadBag, type TokenRequest } from '../chain/messages/token-requests.ts';
import { formatUnusual } from '../chain/tlb/msg-address.ts';
import type { ParameterValues } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import {
  type EventFilters,
  type EventTable,
  eventOrder,
  type FoundEvent,
  type ListedEvent,
  listEvents,
  ReadyEvent,
} from '../index/read/token-events.ts';
import { TransactionReader } from '../index/read/transaction-reader.ts';
import type { JsonText } from '../lib/json-text.ts';
import { mapInSlices } from '../lib/slices.ts';
import { loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import {
  type ListLimits,
  noteCursorAfter,
  sortParam,
  spanParams,
  toSpan,
  toWindow,
  windowParams,
} from './list-parameters.ts';
import { accountsParam, choiceParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, formatHash, Nullable } from './values.ts';

/** The parameters that all lists of transfers and burns share. */
export function eventParams(limits: ListLimits) {
  return {
    address: accountsParam({ description: 'Older name of `owner_address`, used if that is absent.' }),
    ...spanParams({ utime: 'Transaction time (the list is then ordered by it)', lt: 'Logical time' }),
    ...windowParams(limits),
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
  /** Writes the JSON of an event. */
  readonly write: (event: EventWithPayloads, bodies: DecodedBodies) => JsonText;
}

/** A transfer or a burn with its payloads as bags of cells. */
export interface EventWithPayloads extends ListedEvent {
  readonly customPayload: Buffer | null;
  readonly forwardPayload: Buffer | null;
}

/** Reads a page of a list, with its address book and metadata. */
export function readEventPage(
  call: V3Call,
  params: EventParams,
  { table, accounts, token, write }: EventList,
) {
  const { owner_address: owners, address, direction, sort } = params;
  const filters: EventFilters = {
    accounts,
    token,
    owners: owners.length > 0 ? owners : address,
    span: toSpan(params),
    direction: direction === 'both' ? undefined : direction,
  };
  const keys = eventOrder({ filters, sort });
  const page = toWindow(params, keys);
  return readIndex(call, async (db) => {
    const reader = new TransactionReader(db, call);
    const { items, next } = await listEvents(reader, { table, filters, sort, page });
    noteCursorAfter(call, keys, next);
    const events = await mapInSlices(items, (one) => show(call, one, write), call.signal);
    return {
      events: events.map(({ text }) => text),
      addressInfo: await loadAddressInfoFields(
        call,
        db,
        events.flatMap((one) => one.accounts),
      ),
    };
  });
}

/** Writes an event, unless other responses showed it, and keeps it for others. */
function show({ bodies, cache }: V3Call, event: FoundEvent, write: EventList['write']): ReadyEvent {
  if (event instanceof ReadyEvent) return event;
  const shown = new ReadyEvent(event, write(withPayloads(event), bodies));
  if (bodies.areWhole()) cache?.add(event.key, shown, event.placed.version);
  return shown;
}

function withPayloads(event: ListedEvent): EventWithPayloads {
  const { message, request } = event;
  const payload = (cell: number) => payloadBag({ inMessage: message }, cell) ?? null;
  return {
    ...event,
    customPayload: payload(request.customPayload),
    forwardPayload: payload(request.forwardPayload),
  };
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
export function toEventTransaction({ placed, lt, now, request }: ListedEvent) {
  return {
    transaction_hash: formatHash(placed.hash),
    transaction_lt: String(lt),
    transaction_now: now,
    transaction_aborted: request.aborted,
  };
}

/** An address of a request: an account, an address outside the chain, or `addr_none`. */
export function formatRequestAddress(
  request: TokenRequest,
  field: 'destination' | 'responseDestination',
): string {
  const { [field]: account, outside } = request;
  if (account !== undefined) return formatAccount(account);
  return outside[field] === undefined ? 'addr_none' : formatUnusual(outside[field]);
}

/** A payload as base64. */
export function formatPayload(boc: Buffer | null): string | null {
  return boc === null ? null : boc.toString('base64');
}
