import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { HAS_CRC, hashInside } from './check-seqno.ts';
import { type Findings, keyOf, type Row, rowsByKey } from './differences.ts';
import { EVENT_TABLES, type EventTable, type ExpectedEvent, expectedEvents } from './expected-events.ts';
import type { PlacedTransaction } from './expected-rows.ts';

const KEY = ['mc_seqno', 'account', 'lt'];

/** Where it stands which accounts are tokens, with what events say of them. */
const TOKENS: Readonly<Record<EventTable, readonly [table: string, columns: readonly string[]]>> = {
  jetton_transfers: ['jetton_wallets', ['jetton']],
  jetton_burns: ['jetton_wallets', ['jetton']],
  nft_transfers: ['nft_items', ['collection', 'index']],
};

/**
 * Compares the transfers and burns of one seqno. Accounts that are tokens now must have all of theirs, as far as their
 * code was the same then; others may have some from the time when they were tokens.
 */
export async function checkEvents(
  db: Kysely<Tables>,
  findings: Findings,
  mcSeqno: number,
  placed: readonly PlacedTransaction[],
): Promise<void> {
  const events = expectedEvents(mcSeqno, placed);
  for (const table of EVENT_TABLES) {
    const own = events.filter((event) => event.table === table);
    // Tokens first: rows that are written while this runs are too many for nobody.
    const tokens = await tokensOf(db, table, own);
    const found = rowsByKey(await eventsOf(db, table, mcSeqno, placed), KEY);
    const expected = byKey(own);
    for (const [key, event] of expected) {
      const token = tokens.get(event.placed.account.toString('hex'));
      const columns = token !== undefined && hadCode(event.placed, token.code_hash) ? token : undefined;
      const row = found.get(key);
      if (columns === undefined && row === undefined) continue;
      findings.compareRow(table, key, { ...event.row, ...ofToken(table, columns) }, row);
    }
    for (const key of found.keys())
      if (!expected.has(key)) findings.add({ table, key, expected: undefined, found: 'a row' });
  }
  await checkWaiting(db, findings, mcSeqno, byKey(events));
}

function byKey(events: readonly ExpectedEvent[]): Map<string, ExpectedEvent> {
  return new Map(events.map((event) => [keyOf(event.row, KEY), event]));
}

async function tokensOf(
  db: Kysely<Tables>,
  table: EventTable,
  events: readonly ExpectedEvent[],
): Promise<Map<string, Row>> {
  if (events.length === 0) return new Map();
  const accounts = events.map(({ placed }) => placed.account);
  const { rows } = await sql<Row>`
    select * from ${sql.table(TOKENS[table][0])} where account = any(${accounts}::bytea[])`.execute(db);
  return rowsByKey(rows, ['account']);
}

function ofToken(table: EventTable, token: Row | undefined): Row {
  return token === undefined
    ? {}
    : Object.fromEntries(TOKENS[table][1].map((column) => [column, token[column]]));
}

/** Whether the account had this code when its block ended. */
function hadCode({ block, transaction }: PlacedTransaction, code: unknown): boolean {
  const state = block.after.get(transaction.address.toString('hex'));
  return Buffer.isBuffer(code) && state?.codeHash?.equals(code) === true;
}

/** The rows of the transactions of a seqno, with the hashes of cells in place of them. */
async function eventsOf(
  db: Kysely<Tables>,
  table: EventTable,
  mcSeqno: number,
  placed: readonly PlacedTransaction[],
): Promise<Row[]> {
  const accounts = placed.map(({ account }) => account);
  const lts = placed.map(({ transaction }) => String(transaction.lt));
  const { rows } = await sql<Row>`
    select e.* from unnest(${accounts}::bytea[], ${lts}::bigint[]) as page (account, lt)
    join ${sql.table(table)} e on e.account = page.account and e.lt = page.lt and e.mc_seqno = ${mcSeqno}`.execute(
    db,
  );
  return rows.map(withHashes);
}

function withHashes(row: Row): Row {
  const hashOf = (boc: unknown) => (Buffer.isBuffer(boc) ? hashInside(boc, HAS_CRC) : boc);
  return {
    ...row,
    custom_payload: hashOf(row.custom_payload),
    forward_payload: hashOf(row.forward_payload),
  };
}

/** Events may only wait while it is not known what the account is. */
async function checkWaiting(
  db: Kysely<Tables>,
  findings: Findings,
  mcSeqno: number,
  events: ReadonlyMap<string, ExpectedEvent>,
): Promise<void> {
  const { rows } = await sql<Row>`
    select w.*, m.account is not null as is_unknown from waiting_events w
    left join missing_cells m using (account) where w.mc_seqno = ${mcSeqno}`.execute(db);
  for (const [key, row] of rowsByKey(rows.map(withHashes), KEY)) {
    const event = events.get(key);
    if (event === undefined || row.is_unknown !== true)
      findings.add({ table: 'waiting_events', key, expected: undefined, found: 'a row' });
    else findings.compareRow('waiting_events', key, waitingRow(event), row);
  }
}

function waitingRow({ table, row }: ExpectedEvent): Row {
  const { forward_ton_amount: ton, owner, old_owner: oldOwner, new_owner: newOwner, ...same } = row;
  return {
    ...{ amount: null, ...same, kind: table.slice(0, -1) },
    source: same.source ?? owner ?? oldOwner,
    destination: same.destination ?? newOwner,
    forward_amount: same.forward_amount ?? ton,
  };
}
