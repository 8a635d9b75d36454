import { CopyBuffer } from '../../db/copy/copy-buffer.ts';
import type { EventFacts } from '../decode/event-facts.ts';
import type { ItemPlace } from './find-tokens.ts';

const OF_TRANSACTION = ['account', 'lt', 'mc_seqno', 'now', 'aborted', 'query_id'] as const;

/** Columns of the tables of events, in the order in which rows are written. */
export const EVENT_COLUMNS = {
  jetton_transfers: [
    ...OF_TRANSACTION,
    ...['jetton', 'amount', 'source', 'destination', 'response_destination', 'custom_payload'],
    ...['forward_ton_amount', 'forward_payload'],
  ],
  jetton_burns: [
    ...OF_TRANSACTION,
    ...['jetton', 'amount', 'owner', 'response_destination', 'custom_payload'],
  ],
  nft_transfers: [
    ...OF_TRANSACTION,
    ...['collection', 'index', 'old_owner', 'new_owner', 'response_destination', 'custom_payload'],
    ...['forward_amount', 'forward_payload'],
  ],
  waiting_events: [
    ...OF_TRANSACTION,
    ...['kind', 'amount', 'source', 'destination', 'response_destination', 'custom_payload'],
    ...['forward_amount', 'forward_payload'],
  ],
} as const;

/** The name of one of them. */
export type EventTable = keyof typeof EVENT_COLUMNS;

/** Rows of the tables of events. */
export class EventRows {
  readonly tables: Readonly<Record<EventTable, CopyBuffer>> = {
    jetton_transfers: new CopyBuffer(),
    jetton_burns: new CopyBuffer(),
    nft_transfers: new CopyBuffer(),
    waiting_events: new CopyBuffer(),
  };

  /** A transfer or a burn of a jetton. */
  addJetton(event: EventFacts, jetton: Buffer): void {
    const isBurn = event.kind === 'jetton_burn';
    const row = this.#row(isBurn ? 'jetton_burns' : 'jetton_transfers', event);
    row.bytes(jetton).numeric(event.amount).bytes(event.source);
    if (isBurn) row.bytes(event.responseDestination).bytes(event.customPayload);
    else putForward(row, event);
  }

  addItem(event: EventFacts, { collection, index }: ItemPlace): void {
    const row = this.#row('nft_transfers', event).bytes(collection).numeric(index).bytes(event.source);
    putForward(row, event);
  }

  addWaiting(event: EventFacts): void {
    const row = this.#row('waiting_events', event).text(event.kind);
    putForward(row.numeric(event.amount).bytes(event.source), event);
  }

  #row(table: EventTable, { account, lt, mcSeqno, now, aborted, queryId }: EventFacts): CopyBuffer {
    const row = this.tables[table].row(EVENT_COLUMNS[table].length);
    return row.bytes(account).int8(lt).int4(mcSeqno).int8(now).bool(aborted).numeric(queryId);
  }
}

/** What all but burns have after the one who asked. */
function putForward(row: CopyBuffer, event: EventFacts): void {
  row
    .bytes(event.destination)
    .bytes(event.responseDestination)
    .bytes(event.customPayload)
    .numeric(event.forwardAmount)
    .bytes(event.forwardPayload);
}
