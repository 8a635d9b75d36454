import type { ClientBase } from 'pg';
import type { EventFacts } from '../decode/event-facts.ts';
import { keyOf } from '../hash-key.ts';
import { copyIn } from '../write/copy-in.ts';
import type { FigureBook } from '../write/write-figures.ts';
import { EVENT_COLUMNS, EventRows, type EventTable } from './event-rows.ts';
import { findTokens, type KnownTokens } from './find-tokens.ts';
import { lockEvents } from './in-transaction.ts';
import { settleWaiting } from './settle-waiting.ts';

/**
 * Writes the events of accounts that are tokens, lets those of accounts wait that may be some, and settles what waits for
 * accounts that were judged, as anything (see settleWaiting). To be called when the contracts and the missing cells of the batch are written;
 * nothing that others may have locked comes after it.
 */
export async function writeEvents(
  client: ClientBase,
  events: readonly EventFacts[],
  { judged }: { readonly judged: readonly Buffer[] },
  book: FigureBook,
): Promise<void> {
  book.add({ rows: await settleWaiting(client, judged), bytes: 0 });
  if (events.length === 0) return;
  await lockEvents(client);
  const accounts = new Map(events.map(({ account }) => [keyOf(account), account]));
  const tokens = await findTokens(client, [...accounts.values()]);
  const rows = new EventRows();
  for (const event of events) addEvent(rows, event, tokens);
  for (const table of Object.keys(EVENT_COLUMNS) as EventTable[])
    book.add(await copyIn(client, table, EVENT_COLUMNS[table], [rows.tables[table].rows()]));
}

function addEvent(rows: EventRows, event: EventFacts, { wallets, items, unknown }: KnownTokens): void {
  const key = keyOf(event.account);
  const isOfItem = event.kind === 'nft_transfer';
  const jetton = isOfItem ? undefined : wallets.get(key);
  const item = isOfItem ? items.get(key) : undefined;
  if (jetton !== undefined) rows.addJetton(event, jetton);
  else if (item !== undefined) rows.addItem(event, item);
  else if (unknown.has(key)) rows.addWaiting(event);
}
