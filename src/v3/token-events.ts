import Type from 'typebox';
import { payloadBag } from '../chain/messages/token-requests.ts';
import { formatUnusual } from '../chain/tlb/msg-address.ts';
import type { ParameterValues } from '../http/operation.ts';
import { asItem, PlainText } from '../http/serializer.ts';
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
import { type DecodedBodies, decodedBodySchema } from './decoded-bodies.ts';
import { compileReadyText } from './envelope.ts';
import { noteCursorAfter, sortedWindowParams, spanParams, toSpan, toWindow } from './list-parameters.ts';
import type { ListLimits, V3Call } from './operation.ts';
import { accountsParam, choiceParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { base64, integer, member, nullable } from './row-json.ts';
import { formatAccount, formatHash } from './values.ts';

export function listParams(limits: ListLimits) {
  return {
    address: accountsParam('Older name of `owner_address`, used if that is absent.'),
    ...spanParams({ utime: 'Transaction time (the list is then ordered by it)', lt: 'Logical time' }),
    ...sortedWindowParams(limits),
  };
}

/** The parameter of transfers that selects a side of `owner_address`. */
export function directionParam() {
  return choiceParam(
    ['in', 'out', 'both'],
    'Transfers to `owner_address` (`in`), from it (`out`), or both.',
    { fallback: 'both' },
  );
}

type EventParams = ParameterValues<ReturnType<typeof listParams>> & {
  readonly owner_address: readonly Buffer[];
  readonly direction?: 'in' | 'out' | 'both';
};

interface EventList<T, Table extends EventTable> extends Pick<EventFilters, 'accounts' | 'token'> {
  readonly table: Table;
  readonly row: { readonly schema: object; readonly write: (event: ShownEvent) => T };
}

/** A transfer or a burn with its payloads as bags of cells. */
export interface ShownEvent extends ListedEvent {
  readonly customPayload: Buffer | null;
  readonly forwardPayload: Buffer | null;
  readonly bodies: DecodedBodies;
}

/** Reads a page of a list, with its address book and metadata. The rows are under the name of their table. */
export function readPage<T, Table extends EventTable>(
  call: V3Call,
  params: EventParams,
  { table, accounts, token, row }: EventList<T, Table>,
) {
  const writeText = compileReadyText(row.schema);
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
    const events = await mapInSlices(
      items,
      (one) => show(call, one, (event) => writeText(row.write(event))),
      call.signal,
    );
    const shownAccounts = events.flatMap((one) => one.accounts);
    const rows = { [table]: events.map(({ text }) => asItem<T>(text)) } as Record<Table, T[]>;
    return { ...rows, ...(await loadAddressInfoFields(call, db, shownAccounts)) };
  });
}

/** Writes an event, unless other responses showed it, and caches it for others. */
function show(
  { bodies, cache }: V3Call,
  event: FoundEvent,
  write: (event: ShownEvent) => JsonText,
): ReadyEvent {
  if (event instanceof ReadyEvent) return event;
  const { message, request } = event;
  const payload = (cell: number) => payloadBag({ inMessage: message }, cell) ?? null;
  const text = write({
    ...event,
    customPayload: payload(request.customPayload),
    forwardPayload: payload(request.forwardPayload),
    bodies,
  });
  const shown = new ReadyEvent(event, text);
  if (bodies.areWhole()) cache?.add(event.key, shown, event.placed.version);
  return shown;
}

export const transaction = {
  transaction_hash: member(PlainText(), ({ placed }: ShownEvent) => formatHash(placed.hash)),
  transaction_lt: member(PlainText(), ({ lt }: ShownEvent) => String(lt)),
  transaction_now: integer('now'),
  transaction_aborted: member(Type.Boolean(), ({ request }: ShownEvent) => request.aborted),
};

export const queryId = member(PlainText(), ({ request }: ShownEvent) => String(request.queryId));

/** The account that received the request. */
export const account = member(PlainText(), ({ placed }: ShownEvent) => formatAccount(placed.account));

export const token = member(PlainText(), ({ token }: ShownEvent) => formatAccount(token!));

export const traceId = member(PlainText(), ({ placed }: ShownEvent) => formatHash(placed.traceId));

export function requester(description: string) {
  return member(PlainText({ description }), ({ request }: ShownEvent) => formatAccount(request.source));
}

/** An address of a request: an account, an address outside the chain, or `addr_none`. */
export function address(field: 'destination' | 'responseDestination', description: string) {
  return member(PlainText({ description }), ({ request: { [field]: account, outside } }: ShownEvent) => {
    if (account !== undefined) return formatAccount(account);
    return outside[field] === undefined ? 'addr_none' : formatUnusual(outside[field]);
  });
}

export const amount = member(
  PlainText({ description: 'In the smallest unit of the jetton.' }),
  ({ request }: ShownEvent) => String(request.amount),
);

export const forwardAmount = member(PlainText(), ({ request }: ShownEvent) => String(request.forwardAmount));

const payloadDescription = 'A bag of cells in base64; null if there is none.';

export const customPayload = {
  custom_payload: nullable(base64('customPayload', payloadDescription)),
  decoded_custom_payload: member(decodedBodySchema, ({ bodies, customPayload }: ShownEvent) =>
    bodies.decodedJson(customPayload),
  ),
};

export const forwardPayload = {
  forward_payload: nullable(base64('forwardPayload', payloadDescription)),
  decoded_forward_payload: member(decodedBodySchema, ({ bodies, forwardPayload }: ShownEvent) =>
    bodies.decodedJson(forwardPayload),
  ),
};
