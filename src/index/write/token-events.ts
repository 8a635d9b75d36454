import type { Selectable } from 'kysely';
import type { ClientBase } from 'pg';
import { ACCOUNT_BYTES } from '../../chain/address.ts';
import type { TokenRequestKind } from '../../chain/messages/token-requests.ts';
import { EVENT_LOCK } from '../../db/advisory-locks.ts';
import { type CopyBuffer, createRowFormat } from '../../db/copy.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { accountPrefix, type Position } from '../format/position.ts';
import { copyFormat, type Sent, type WriteStatsRecorder } from './copy-in.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';

export interface TokenEvent {
  readonly kind: TokenRequestKind;
  /** 33 bytes: the account of the transaction, perhaps a token. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly now: number;
  readonly at: Position;
  readonly mcSeqno: number;
  readonly aborted: boolean;
  readonly src8: bigint;
  /** Prefix of the new owner, if there is one. */
  readonly dst8: bigint | undefined;
}

/** The events of seqnos with the positions of their transactions. */
export function tokenEvents(seqnos: readonly DecodedSeqno[], positions: readonly Float64Array[]) {
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

/** An event with its token: the jetton, or the collection and the number of an item. */
interface FoundEvent extends TokenEvent {
  readonly token?: Buffer | undefined;
  readonly index?: bigint;
}

const OF_TRANSACTION = {
  lt: (row: CopyBuffer, { lt }: TokenEvent) => row.int8(lt),
  now: (row: CopyBuffer, { now }: TokenEvent) => row.int8(now),
  at: (row: CopyBuffer, { at }: TokenEvent) => row.int8(at),
  src8: (row: CopyBuffer, { src8 }: TokenEvent) => row.int8(src8),
  mc_seqno: (row: CopyBuffer, { mcSeqno }: TokenEvent) => row.int4(mcSeqno),
  aborted: (row: CopyBuffer, { aborted }: TokenEvent) => row.bool(aborted),
};
const OF_TOKEN = {
  ...OF_TRANSACTION,
  acc8: (row: CopyBuffer, { account }: FoundEvent) => row.int8(accountPrefix(account)),
  token8: (row: CopyBuffer, { token }: FoundEvent) => row.int8(token && accountPrefix(token)),
};
const dst8 = (row: CopyBuffer, event: TokenEvent) => row.int8(event.dst8);
const jetton = (row: CopyBuffer, { token }: FoundEvent) => row.bytes(token);

const FORMATS = {
  jetton_transfers: createRowFormat<FoundEvent>({ ...OF_TOKEN, jetton, dst8 }),
  jetton_burns: createRowFormat<FoundEvent>({ ...OF_TOKEN, jetton }),
  nft_transfers: createRowFormat<FoundEvent>({
    ...OF_TOKEN,
    collection: (row, { token }) => row.bytes(token),
    index: (row, { index }) => row.numeric(index),
    dst8,
  }),
  waiting_events: createRowFormat<FoundEvent>({
    ...OF_TRANSACTION,
    account: (row, { account }) => row.bytes(account),
    kind: (row, { kind }) => row.text(kind),
    dst8,
  }),
};

const TABLES = {
  jetton_transfer: 'jetton_transfers',
  jetton_burn: 'jetton_burns',
  nft_transfer: 'nft_transfers',
} as const satisfies Record<TokenRequestKind, keyof typeof FORMATS>;

/** Copies events to the tables where they belong; those of accounts that are no tokens are dropped. */
async function copyEvents(
  client: ClientBase,
  events: readonly TokenEvent[],
  { wallets, items, unknown }: KnownTokens,
): Promise<Sent[]> {
  const rows = Map.groupBy(
    events.flatMap((event): { table: keyof typeof FORMATS; event: FoundEvent }[] => {
      const key = bytesKey(event.account);
      const isOfItem = event.kind === 'nft_transfer';
      const token = isOfItem ? items.get(key) : wallets.get(key);
      if (token !== undefined) return [{ table: TABLES[event.kind], event: { ...event, ...token } }];
      return unknown.has(key) ? [{ table: 'waiting_events', event }] : [];
    }),
    ({ table }) => table,
  );
  const sent: Sent[] = [];
  for (const table of Object.keys(FORMATS) as (keyof typeof FORMATS)[]) {
    const own = (rows.get(table) ?? []).map(({ event }) => event);
    sent.push(await copyFormat(client, table, FORMATS[table], own));
  }
  return sent;
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

type WaitingRow = Selectable<Tables['waiting_events']>;

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
  readonly wallets: ReadonlyMap<HashKey, Pick<FoundEvent, 'token'>>;
  readonly items: ReadonlyMap<HashKey, Pick<FoundEvent, 'token' | 'index'>>;
  /** Accounts whose newest state is not detected yet. */
  readonly unknown: ReadonlySet<HashKey>;
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
  const wallets = new Map<HashKey, Pick<FoundEvent, 'token'>>();
  const items = new Map<HashKey, Pick<FoundEvent, 'token' | 'index'>>();
  const unknown = new Set<HashKey>();
  const { rows } = await client.query<TokenRow>(FIND_TOKENS, [accounts]);
  for (const { account, role, jetton, collection, index } of rows) {
    const key = bytesKey(account);
    if (role === 'wallet') wallets.set(key, { token: jetton! });
    else if (role === 'item') items.set(key, { token: collection ?? undefined, index: BigInt(index!) });
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
