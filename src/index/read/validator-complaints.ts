import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tables } from '../../db/tables/tables.ts';
import type { ValidatorComplaintsTable, ValidatorMembersTable } from '../../db/tables/validator-tables.ts';
import { type ListWindow, type OrderKey, sliceParts } from './lists.ts';
import { all, isBetween, isEqual, type StakeFilter, type TimeFilter } from './validators.ts';

/** A complaint with what is known of its cycle and of the set that votes on it. */
export interface ComplaintRow extends Selectable<ValidatorComplaintsTable> {
  /** Of the set that the accused was elected into. */
  readonly cycle_start: string;
  /** Of the accused in that set; null for a key that is not in it. */
  readonly adnl: Buffer | null;
  /** Who staked for the accused; null if that was not seen. */
  readonly holder: Buffer | null;
  /** The start of the voting set; null if there are votes of a set that is not known. */
  readonly voting_start: string | null;
  /** The weight of the set that votes, or of its own cycle. */
  readonly voting_weight: string;
}

/** What complaints are ordered by. */
export function complaintKeys(sort: 'asc' | 'desc'): OrderKey[] {
  return [
    { by: sql`complaint.created_at`, type: 'bigint', direction: sort },
    { by: sql`complaint.hash`, type: 'bytea', direction: 'asc' },
    { by: sql`complaint.election_id`, type: 'bigint', direction: 'asc' },
  ];
}

interface ComplaintQuery {
  readonly filter: StakeFilter &
    TimeFilter & { readonly cycleStart?: number | undefined; readonly electionId?: number | undefined };
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

/** A set that nobody has voted with is that of the block that showed the complaint: the one that had started last. */
const FROM_COMPLAINTS = sql`
  validator_complaints complaint
  cross join lateral (
    select cycle_start, total_weight from validator_cycles cycle
    where cycle.election_id = complaint.election_id order by cycle_start limit 1
  ) own
  left join lateral (
    select adnl from validator_cycle_members member
    where member.cycle_start = own.cycle_start and member.pubkey = complaint.pubkey order by index limit 1
  ) accused on true
  left join lateral (
    select cycle_start, total_weight from validator_cycles cycle
    where cycle.set_hash = complaint.set_hash order by cycle_start limit 1
  ) named on true
  left join lateral (
    select cycle_start, total_weight from validator_cycles cycle
    where cardinality(complaint.voters) = 0 and cycle.cycle_start <= complaint.source_utime
    order by cycle_start desc limit 1
  ) current on true`;

const COLUMNS = sql`
  complaint.*, own.cycle_start, accused.adnl,
  coalesce(named.cycle_start, current.cycle_start) as voting_start,
  coalesce(named.total_weight, current.total_weight, own.total_weight) as voting_weight`;

/** The account that staked for the accused. */
function holderOf(holder: Buffer | undefined): RawBuilder<unknown> {
  const isTheirs = holder === undefined ? sql`` : sql`and stake.holder = ${holder}`;
  return sql`(select stake.holder from validator_election_participants stake
    where stake.election_id = complaint.election_id and stake.pubkey = complaint.pubkey ${isTheirs}
    order by stake.stake desc, stake.holder limit 1)`;
}

/** Reads a page of complaints about validators of known cycles, by the times at which they were made. */
export async function readComplaints(
  db: Kysely<Tables>,
  { filter, sort, page }: ComplaintQuery,
): Promise<(ComplaintRow & { readonly cursor: readonly string[] })[]> {
  const { holder, publicKey, adnlAddress, cycleStart, electionId } = filter;
  const { where, tail, cursor } = sliceParts(complaintKeys(sort), page);
  const conditions = [
    ...isEqual('own.cycle_start', cycleStart),
    ...isEqual('complaint.election_id', electionId),
    ...isEqual('complaint.pubkey', publicKey),
    ...isEqual('accused.adnl', adnlAddress),
    ...(holder === undefined ? [] : [sql`${holderOf(holder)} is not null`]),
    ...isBetween('complaint.created_at', filter),
    where,
  ];
  const { rows } = await sql<ComplaintRow & { readonly cursor: readonly string[] }>`
    select ${COLUMNS}, ${holderOf(holder)} as holder, ${cursor} as cursor
    from ${FROM_COMPLAINTS} where ${all(conditions)} ${tail}`.execute(db);
  return rows;
}

/** Reads all complaints about validators of some cycles, the newest first. */
export async function readComplaintsOf(
  db: Kysely<Tables>,
  { cycles }: { readonly cycles: readonly string[] },
): Promise<ComplaintRow[]> {
  if (cycles.length === 0) return [];
  const { rows } = await sql<ComplaintRow>`
    select ${COLUMNS}, ${holderOf(undefined)} as holder from ${FROM_COMPLAINTS}
    where own.cycle_start = any(${cycles}::bigint[])
    order by complaint.created_at desc, complaint.hash`.execute(db);
  return rows;
}

/** Reads the validators that voted for complaints. */
export async function readVoters(
  db: Kysely<Tables>,
  { complaints }: { readonly complaints: readonly Pick<ComplaintRow, 'voting_start' | 'voters'>[] },
): Promise<Selectable<ValidatorMembersTable>[]> {
  const voted = complaints.filter(({ voters }) => voters.length > 0);
  const cycles = [...new Set(voted.flatMap(({ voting_start }) => voting_start ?? []))];
  if (cycles.length === 0) return [];
  const places = [...new Set(voted.flatMap(({ voters }) => voters))];
  return db
    .selectFrom('validator_cycle_members')
    .selectAll()
    .where('cycle_start', 'in', cycles)
    .where('index', 'in', places)
    .execute();
}
