import { type Selectable, sql } from 'kysely';
import { readRows } from '../../db/driver.ts';
import type { NominatorPoolsTable } from '../../db/tables/contract-tables.ts';
import type { NominatorPoolEventsTable, PoolValidatorEventsTable } from '../../db/tables/pool-tables.ts';
import type { Db } from '../../db/tables/tables.ts';
import { isShown } from '../snapshot.ts';
import { type ListWindow, type Lookup, type LookupList, lookupSlice, orderBy, rawAddress } from './lists.ts';
import { inSpan, type Span } from './time-bounds.ts';

type BalanceColumn = 'nominator_balances' | 'nominator_pending_balances';

/** A pool; balances are in the order of the nominators. */
export interface NominatorPoolRow extends Omit<Selectable<NominatorPoolsTable>, BalanceColumn> {
  readonly balances: readonly string[];
  readonly pendingBalances: readonly string[];
}

export async function readNominatorPool(db: Db, { account }: { readonly account: Buffer }) {
  const rows = await readRows<NominatorPoolRow>(db)`
    select *, nominator_balances::text[] as balances, nominator_pending_balances::text[] as "pendingBalances"
    from nominator_pools where account = ${account}`;
  return rows[0];
}

/** What a pool keeps for a nominator. */
export interface NominatorPositionRow {
  readonly account: Buffer;
  readonly balance: string;
  readonly pending: string;
}

/** Reads what all pools keep for a nominator, by the address of the pool. */
export async function readNominatorPositions(db: Db, { nominator }: { readonly nominator: Buffer }) {
  const place = sql`array_position(nominators, ${nominator}::bytea)`;
  return readRows<NominatorPositionRow>(db)`
    select account, nominator_balances[${place}]::text as balance, nominator_pending_balances[${place}]::text as pending
    from nominator_pools where nominators @> array[${nominator}::bytea]
    order by ${rawAddress('account')}`;
}

type UtimeSpan = Pick<Span, 'startUtime' | 'endUtime'>;

/** Which events of nominators are wanted; undefined does not filter. */
export interface NominatorEventFilter {
  readonly pool: Buffer;
  readonly nominator?: Buffer | undefined;
  readonly type?: string | undefined;
  readonly span: UtimeSpan;
}

export const NOMINATOR_EVENT_KEYS = orderBy('desc', {
  utime: 'bigint',
  lt: 'bigint',
  event_index: 'integer',
});

type Listed<Row> = Selectable<Row> & { readonly cursor: readonly string[] };

export type NominatorEventRow = Listed<NominatorPoolEventsTable>;

export function readNominatorEvents(
  db: Db,
  { filter, page }: { readonly filter: NominatorEventFilter; readonly page: ListWindow },
): Promise<NominatorEventRow[]> {
  const { pool, nominator, type, span } = filter;
  const ofNominator = nominator === undefined ? sql`true` : sql`nominator = ${nominator}`;
  const lookup: Lookup = {
    values: [pool],
    rows: (value) => sql`nominator_pool_events where pool = ${value} and ${ofNominator}`,
  };
  return readEvents<NominatorEventRow>(db, {
    columns: sql`pool, lt, event_index, nominator, utime, tx_hash, type, amount, balance_before, balance_after,
      pending_before, pending_after, withdraw_before, withdraw_after, mc_seqno`,
    lookups: [lookup],
    where: conditions(db, type, span),
    keys: NOMINATOR_EVENT_KEYS,
    page,
  });
}

async function readEvents<Row>(db: Db, list: LookupList): Promise<Row[]> {
  return readRows<Row>(db)`
    with ${lookupSlice(db, { ...list, isOfOneTable: true })} select * from page order by place`;
}

function conditions(db: Db, type: string | undefined, span: UtimeSpan) {
  const isOfType = type === undefined ? [] : [sql`type = ${type}`];
  return [...isOfType, isShown(db, sql`mc_seqno`), inSpan(span, sql`utime`, sql`lt`)];
}

/** Which events of validators are wanted: of a pool, of a validator, or of both. */
export interface PoolValidatorEventFilter {
  readonly pool?: Buffer | undefined;
  readonly validator?: Buffer | undefined;
  readonly type?: string | undefined;
  readonly span: UtimeSpan;
}

export const POOL_VALIDATOR_EVENT_KEYS = orderBy('desc', { utime: 'bigint', lt: 'bigint', pool: 'bytea' });

export type PoolValidatorEventRow = Listed<PoolValidatorEventsTable>;

export function readPoolValidatorEvents(
  db: Db,
  { filter, page }: { readonly filter: PoolValidatorEventFilter; readonly page: ListWindow },
): Promise<PoolValidatorEventRow[]> {
  const { pool, validator, type, span } = filter;
  const column = pool === undefined ? sql`validator` : sql`pool`;
  const isOfBoth = pool === undefined || validator === undefined ? [] : [sql`validator = ${validator}`];
  const lookup: Lookup = {
    values: [pool ?? validator!],
    rows: (value) => sql`pool_validator_events where ${column} = ${value}`,
  };
  return readEvents<PoolValidatorEventRow>(db, {
    columns: sql`pool, lt, validator, utime, tx_hash, type, balance_before, balance_after, query_id, cycle_start,
      validator_reward_share, mc_seqno`,
    lookups: [lookup],
    where: [...isOfBoth, ...conditions(db, type, span)],
    keys: POOL_VALIDATOR_EVENT_KEYS,
    page,
  });
}
