import type { Slice } from '@ton/core';
import type { ChainTransaction } from './chain-transaction.ts';
import { accountBytes, readBytes } from './core-readers.ts';
import type { Row } from './differences.ts';
import { expectedDescription } from './expected-description.ts';
import type { PlacedTransaction } from './expected-rows.ts';

/** The tables of transfers and burns. */
export const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const;

/** The name of one of them. */
export type EventTable = (typeof EVENT_TABLES)[number];

/** A request to move or burn a token that a transaction got; a row if its account is a token. */
export interface ExpectedEvent {
  readonly table: EventTable;
  readonly placed: PlacedTransaction;
  /** What the transaction says of the row; of cells the hashes. */
  readonly row: Row;
}

/** The events of the transactions of a seqno. */
export function expectedEvents(mcSeqno: number, placed: readonly PlacedTransaction[]): ExpectedEvent[] {
  return placed.flatMap((one) => {
    const { account, transaction } = one;
    const event = readEvent(transaction);
    if (event === undefined) return [];
    const { lt, now } = transaction;
    return [
      { table: event.table, placed: one, row: { account, lt, mc_seqno: mcSeqno, now, ...event.columns } },
    ];
  });
}

function readEvent({ inMessage, endStatus, description }: ChainTransaction) {
  if (inMessage?.kind !== 'internal' || inMessage.source === null || endStatus !== 'active') return undefined;
  if (inMessage.body.isExotic) return undefined;
  const slice = inMessage.body.beginParse();
  const request = slice.remainingBits < 32 ? undefined : REQUESTS[slice.loadUint(32)];
  if (request === undefined) return undefined;
  const { kind, aborted } = expectedDescription(description);
  if (request.table !== 'nft_transfers' && kind !== 'ord') return undefined;
  const fields = whatFits(() => request.read(slice));
  const common = { aborted: kind === 'ord' && aborted, [request.sender]: inMessage.source };
  return fields && { table: request.table, columns: { ...common, ...fields } };
}

interface RequestForm {
  readonly table: EventTable;
  readonly sender: string;
  readonly read: (slice: Slice) => Row;
}

const REQUESTS: Readonly<Record<number, RequestForm>> = {
  260734629: {
    ...{ table: 'jetton_transfers', sender: 'source' },
    read: (slice) => {
      const head = { query_id: slice.loadUintBig(64), amount: slice.loadCoins() };
      const places = { destination: readPlace(slice), response_destination: readPlace(slice) };
      const custom = readPayload(slice);
      const ton = slice.loadCoins();
      const forward = { forward_ton_amount: ton, forward_payload: readPayload(slice) };
      return { ...head, ...places, custom_payload: custom, ...forward };
    },
  },
  1499400124: {
    ...{ table: 'jetton_burns', sender: 'owner' },
    read: (slice) => {
      const head = { query_id: slice.loadUintBig(64), amount: slice.loadCoins() };
      return { ...head, response_destination: readPlace(slice), custom_payload: readPayload(slice) };
    },
  },
  1607220500: {
    ...{ table: 'nft_transfers', sender: 'old_owner' },
    read: (slice) => {
      const head = { query_id: slice.loadUintBig(64), new_owner: readPlace(slice) };
      const response = readPlace(slice);
      const custom = readPayload(slice);
      const forward = { forward_amount: slice.loadCoins(), forward_payload: readPayload(slice) };
      return { ...head, response_destination: response, custom_payload: custom, ...forward };
    },
  },
};

/** A bit, and a cell if it is set. */
function readPayload(slice: Slice): Buffer | null {
  return slice.loadMaybeRef()?.hash() ?? null;
}

/** An account, or null for none and for one outside the chain; other forms are refused. */
function readPlace(slice: Slice): Buffer | null {
  const form = slice.loadUint(2);
  if (form === 1) slice.skip(slice.loadUint(9));
  if (form < 2) return null;
  if (form === 3 || slice.loadBit()) throw new Error('an address that is no plain one');
  return accountBytes(slice.loadInt(8), readBytes(slice));
}

function whatFits(read: () => Row): Row | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
