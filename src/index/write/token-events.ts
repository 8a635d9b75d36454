import type { ClientBase } from 'pg';
import { ACCOUNT_BYTES } from '../../chain/address.ts';
import type { TokenRequestKind } from '../../chain/messages/token-requests.ts';
import { EVENT_LOCK } from '../../db/advisory-locks.ts';
import { CopyBuffer } from '../../db/copy.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { accountPrefix, type Position } from '../format/position.ts';
import { copyIn, type Sent, type WriteStatsRecorder } from './copy-in.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';

/** A transaction that received a token request. */
export interface TokenEvent {
  readonly kind: TokenRequestKind;
  /** 33 bytes: the account of the transaction, perhaps a token. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly now: number;
  readonly at: Position;
  readonly mcSeqno: number;
  readonly aborted: boolean;
  /** Prefix of the sender. */
  readonly src8: bigint;
  /** Prefix of the new owner, if there is one. */
  readonly dst8: bigint | undefined;
}

/** The events of seqnos with the positions of their transactions. */
export function tokenEvents(
  seqnos: readonly DecodedSeqno[],
  positions: readonly Float64Array[],
): TokenEvent[] {
  return seqnos.flatMap(({ mcSeqno, events, traces }, i) =>
    events.map(({ slot, kind, aborted, source, destination }) => ({
      kind,
      account: traces.accounts.subarray(slot * ACCOUNT_BYTES, (slot + 1) * ACCOUNT_BYTES),
      lt: traces.lts[slot]!,
      now: traces.nows[slot]!,
      at: positions[i]![slot]!,
      mcSeqno,
      aborted,
      src8: accountPrefix(source),
      dst8: destination && accountPrefix(destination),
    })),
  );
}

/**
 * Writes the events of token accounts, stores events of undetected accounts in `waiting_events`, and settles the waiting
 * events of newly detected accounts (see settleWaiting). Call it after the contracts and missing cells of the batch are
 * written; no other lock may be taken after it.
 */
export async function writeEvents(
  client: ClientBase,
  events: readonly TokenEvent[],
  { detected }: { readonly detected: readonly Buffer[] },
  stats: WriteStatsRecorder,
): Promise<void> {
  stats.add({ rows: await settleWaiting(client, detected), bytes: 0 });
  if (events.length === 0) return;
  await lockEvents(client);
  const accounts = new Map(events.map(({ account }) => [bytesKey(account), account]));
  const tokens = await findTokens(client, [...accounts.values()]);
  for (const sent of await copyEvents(client, events, tokens)) stats.add(sent);
}

const TRANSACTION_COLUMNS = ['lt', 'now', 'at', 'src8', 'mc_seqno', 'aborted'] as const;

/** Columns of the event tables in the order of their COPY rows. */
const EVENT_COLUMNS = {
  jetton_transfers: [...TRANSACTION_COLUMNS, 'acc8', 'token8', 'jetton', 'dst8'],
  jetton_burns: [...TRANSACTION_COLUMNS, 'acc8', 'token8', 'jetton'],
  nft_transfers: [...TRANSACTION_COLUMNS, 'acc8', 'token8', 'collection', 'index', 'dst8'],
  waiting_events: [...TRANSACTION_COLUMNS, 'account', 'kind', 'dst8'],
} as const;

type EventTable = keyof typeof EVENT_COLUMNS;

/** Copies events to the tables where they belong; those of accounts that are no tokens are dropped. */
async function copyEvents(
  client: ClientBase,
  events: readonly TokenEvent[],
  { wallets, items, unknown }: KnownTokens,
): Promise<Sent[]> {
  const rows = new EventRows();
  for (const event of events) {
    const key = bytesKey(event.account);
    const isOfItem = event.kind === 'nft_transfer';
    const jetton = isOfItem ? undefined : wallets.get(key);
    const item = isOfItem ? items.get(key) : undefined;
    if (jetton !== undefined) rows.addJetton(event, jetton);
    else if (item !== undefined) rows.addItem(event, item);
    else if (unknown.has(key)) rows.addWaiting(event);
  }
  const sent: Sent[] = [];
  for (const table of Object.keys(EVENT_COLUMNS) as EventTable[])
    sent.push(await copyIn(client, table, EVENT_COLUMNS[table], [rows.tables[table].rows()]));
  return sent;
}

class EventRows {
  readonly tables: Readonly<Record<EventTable, CopyBuffer>> = {
    jetton_transfers: new CopyBuffer(),
    jetton_burns: new CopyBuffer(),
    nft_transfers: new CopyBuffer(),
    waiting_events: new CopyBuffer(),
  };

  /** Adds a jetton transfer or burn. */
  addJetton(event: TokenEvent, jetton: Buffer): void {
    const isBurn = event.kind === 'jetton_burn';
    const row = this.#row(isBurn ? 'jetton_burns' : 'jetton_transfers', event);
    row.int8(accountPrefix(event.account)).int8(accountPrefix(jetton)).bytes(jetton);
    if (!isBurn) row.int8(event.dst8);
  }

  addItem(event: TokenEvent, { collection, index }: ItemPlace): void {
    const row = this.#row('nft_transfers', event).int8(accountPrefix(event.account));
    row
      .int8(collection && accountPrefix(collection))
      .bytes(collection)
      .numeric(index)
      .int8(event.dst8);
  }

  addWaiting(event: TokenEvent): void {
    this.#row('waiting_events', event).bytes(event.account).text(event.kind).int8(event.dst8);
  }

  #row(table: EventTable, { lt, now, at, src8, mcSeqno, aborted }: TokenEvent): CopyBuffer {
    const row = this.tables[table].row(EVENT_COLUMNS[table].length);
    return row.int8(lt).int8(now).int8(at).int8(src8).int4(mcSeqno).bool(aborted);
  }
}

const FIND_WAITING = 'select distinct account from waiting_events where account = any($1::bytea[])';

/** $1 and $2 are the accounts whose jetton and NFT events need not wait any more. Rows of dropped seqnos are discarded. */
const TAKE_WAITING = `
with taken as (
  delete from waiting_events where account = any($1::bytea[]) and kind <> 'nft_transfer'
    or account = any($2::bytea[]) and kind = 'nft_transfer'
  returning *
)
select * from taken where mc_seqno >= (select first_seqno from index_origin)`;

interface WaitingRow {
  readonly account: Buffer;
  readonly lt: string;
  readonly now: string;
  readonly at: string;
  readonly src8: string;
  readonly dst8: string | null;
  readonly mc_seqno: number;
  readonly aborted: boolean;
  readonly kind: TokenRequestKind;
}

/**
 * Writes the waiting events of accounts that turned out to be tokens, drops those of other detected accounts, and returns
 * the number of rows written. Call it after removing accounts from `missing_cells` or adding them to contract tables, in
 * the same transaction; no other lock may be taken after it. Accounts that were not in `missing_cells` have no waiting
 * events and may be left out.
 */
export async function settleWaiting(client: ClientBase, accounts: readonly Buffer[]): Promise<number> {
  if (accounts.length === 0) return 0;
  await lockEvents(client);
  const found = await client.query<{ account: Buffer }>(FIND_WAITING, [accounts]);
  if (found.rows.length === 0) return 0;
  const waiting = found.rows.map(({ account }) => account);
  const tokens = await findTokens(client, waiting);
  const settled = (known: ReadonlyMap<HashKey, unknown>) =>
    waiting.filter((account) => known.has(bytesKey(account)) || !tokens.unknown.has(bytesKey(account)));
  const { rows } = await client.query<WaitingRow>(TAKE_WAITING, [
    settled(tokens.wallets),
    settled(tokens.items),
  ]);
  const sent = await copyEvents(client, rows.map(toEvent), tokens);
  return sent.reduce((sum, one) => sum + one.rows, 0);
}

function toEvent({ lt, now, at, src8, dst8, mc_seqno: mcSeqno, ...same }: WaitingRow): TokenEvent {
  return {
    ...same,
    lt: BigInt(lt),
    now: Number(now),
    at: Number(at),
    src8: BigInt(src8),
    dst8: dst8 === null ? undefined : BigInt(dst8),
    mcSeqno,
  };
}

/** What the index knows about the accounts of events. */
interface KnownTokens {
  /** Jetton masters by wallet. */
  readonly wallets: ReadonlyMap<HashKey, Buffer>;
  readonly items: ReadonlyMap<HashKey, ItemPlace>;
  /** Accounts whose newest state is not detected yet. */
  readonly unknown: ReadonlySet<HashKey>;
}

interface ItemPlace {
  readonly collection: Buffer | undefined;
  readonly index: bigint;
}

/** One lookup by key per table: a join might scan a table of a hundred million rows. */
const FIND_TOKENS = `
select account, 'wallet' as role, jetton, null::bytea as collection, null::numeric as index
from jetton_wallets where account = any($1::bytea[])
union all select account, 'item', null, collection, index from nft_items where account = any($1::bytea[])
union all select account, 'unknown', null, null, null from missing_cells where account = any($1::bytea[])`;

interface TokenRow {
  readonly account: Buffer;
  readonly role: 'wallet' | 'item' | 'unknown';
  readonly jetton: Buffer | null;
  readonly collection: Buffer | null;
  readonly index: string | null;
}

/** Looks up accounts as this transaction sees them. */
async function findTokens(client: ClientBase, accounts: readonly Buffer[]): Promise<KnownTokens> {
  const wallets = new Map<HashKey, Buffer>();
  const items = new Map<HashKey, ItemPlace>();
  const unknown = new Set<HashKey>();
  const { rows } = await client.query<TokenRow>(FIND_TOKENS, [accounts]);
  for (const { account, role, jetton, collection, index } of rows) {
    const key = bytesKey(account);
    if (role === 'wallet') wallets.set(key, jetton!);
    else if (role === 'item') items.set(key, { collection: collection ?? undefined, index: BigInt(index!) });
    else unknown.add(key);
  }
  return { wallets, items, unknown };
}

/**
 * Holds the event lock until the end of the transaction: a transaction that stores a waiting event and one that detects its
 * account must see each other's rows.
 */
async function lockEvents(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [EVENT_LOCK]);
}
