import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tables } from '../../db/tables/tables.ts';
import type {
  ValidatorComplaintsTable,
  ValidatorCyclesTable,
  ValidatorElectionsTable,
  ValidatorEventsTable,
  ValidatorMembersTable,
  ValidatorParticipantsTable,
} from '../../db/tables/validator-tables.ts';
import { isShown } from '../snapshot.ts';
import { type ListWindow, type OrderKey, sliceParts } from './lists.ts';

/** Whose stakes are wanted; filters that are given all hold. */
export interface StakeFilter {
  /** The account that staked. */
  readonly holder?: Buffer | undefined;
  readonly publicKey?: Buffer | undefined;
  readonly adnlAddress?: Buffer | undefined;
}

/** Unix times, both ends inclusive. */
export interface TimeFilter {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

interface ValidatorQuery<Filter> {
  readonly filter: Filter & StakeFilter & TimeFilter;
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

type Listed<Row> = Row & { readonly cursor: readonly string[] };

/** The condition that a column has a value; none if there is no value. */
export function isEqual(column: string, value: unknown): RawBuilder<unknown>[] {
  return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`];
}

/** The conditions that a column is in a span. */
export function isBetween(column: string, { from, to }: TimeFilter): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${sql.ref(column)} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${sql.ref(column)} <= ${to}`]),
  ];
}

/** Conditions that all hold. */
export function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** What events are ordered by. */
export function eventKeys(sort: 'asc' | 'desc'): OrderKey[] {
  return [
    { by: sql`utime`, type: 'bigint', direction: sort },
    { by: sql`lt`, type: 'bigint', direction: sort },
    { by: sql`tx_hash`, type: 'bytea', direction: sort },
  ];
}

/** Reads a page of what happened to stakes, by the times of transactions. */
export async function readValidatorEvents(
  db: Kysely<Tables>,
  { filter, sort, page }: ValidatorQuery<{ readonly type?: string | undefined }>,
): Promise<Listed<Selectable<ValidatorEventsTable>>[]> {
  const { where, tail, cursor } = sliceParts(eventKeys(sort), page);
  const conditions = [
    ...isEqual('holder', filter.holder),
    ...isEqual('pubkey', filter.publicKey),
    ...isEqual('adnl', filter.adnlAddress),
    ...isEqual('type', filter.type),
    ...isBetween('utime', filter),
    isShown(db, sql`mc_seqno`),
    where,
  ];
  const { rows } = await sql<Listed<Selectable<ValidatorEventsTable>>>`
    select *, ${cursor} as cursor from validator_events where ${all(conditions)} ${tail}`.execute(db);
  return rows;
}

/** What elections are ordered by. */
export function electionKeys(sort: 'asc' | 'desc'): OrderKey[] {
  return [{ by: sql`election_id`, type: 'bigint', direction: sort }];
}

/** An election of a list. */
export interface ElectionRow extends Selectable<ValidatorElectionsTable> {
  readonly participants: number;
}

const isStake = ({ holder, publicKey, adnlAddress }: StakeFilter) => [
  ...isEqual('stake.holder', holder),
  ...isEqual('stake.pubkey', publicKey),
  ...isEqual('stake.adnl', adnlAddress),
];

/** Reads a page of elections, by their ids, which are times. */
export async function readElections(
  db: Kysely<Tables>,
  {
    filter,
    sort,
    page,
  }: ValidatorQuery<{ readonly electionId?: number | undefined; readonly finished?: boolean | undefined }>,
): Promise<Listed<ElectionRow>[]> {
  const { where, tail, cursor } = sliceParts(electionKeys(sort), page);
  const ofStake = isStake(filter);
  const hasStake = sql`exists (select from validator_election_participants stake
    where stake.election_id = election.election_id and ${all(ofStake)})`;
  const conditions = [
    ...isEqual('election_id', filter.electionId),
    ...isEqual('finished', filter.finished),
    ...isBetween('election_id', filter),
    ...(ofStake.length === 0 ? [] : [hasStake]),
    where,
  ];
  const { rows } = await sql<Listed<ElectionRow>>`
    select *, ${cursor} as cursor,
      (select count(*)::integer from validator_election_participants stake
       where stake.election_id = election.election_id) as participants
    from validator_elections election where ${all(conditions)} ${tail}`.execute(db);
  return rows;
}

/** A candidate of an election. */
export interface ParticipantRow extends Selectable<ValidatorParticipantsTable> {
  /** Its place in the set that was elected; null if it has none. */
  readonly index: number | null;
}

/** Reads the candidates of elections that a filter matches, greatest stakes first. */
export async function readParticipants(
  db: Kysely<Tables>,
  { elections, filter }: { readonly elections: readonly string[]; readonly filter: StakeFilter },
): Promise<ParticipantRow[]> {
  if (elections.length === 0) return [];
  const { rows } = await sql<ParticipantRow>`
    select stake.*, (
      select member.index from validator_cycles cycle join validator_cycle_members member using (cycle_start)
      where cycle.election_id = stake.election_id and member.pubkey = stake.pubkey
      order by cycle_start limit 1) as index
    from validator_election_participants stake
    where ${all([sql`stake.election_id = any(${elections}::bigint[])`, ...isStake(filter)])}
    order by stake.election_id, stake.stake desc, stake.pubkey, stake.holder`.execute(db);
  return rows;
}

/** What cycles are ordered by. */
export function cycleKeys(sort: 'asc' | 'desc'): OrderKey[] {
  return [{ by: sql`cycle_start`, type: 'bigint', direction: sort }];
}

/** A cycle of a list; the least and greatest stakes are null unless those of all members are known. */
export interface CycleRow extends Selectable<ValidatorCyclesTable> {
  readonly min_stake: string | null;
  readonly max_stake: string | null;
}

/** Conditions on a member, of a cycle with the alias `cycle`. */
function isMember({ holder, publicKey, adnlAddress }: StakeFilter): RawBuilder<unknown>[] {
  const isStaked = sql`exists (select from validator_election_participants stake
    where stake.election_id = cycle.election_id and stake.pubkey = member.pubkey and stake.holder = ${holder})`;
  return [
    ...isEqual('member.pubkey', publicKey),
    ...isEqual('member.adnl', adnlAddress),
    ...(holder === undefined ? [] : [isStaked]),
  ];
}

/** Reads a page of cycles, by their starts. */
export async function readCycles(
  db: Kysely<Tables>,
  {
    filter,
    sort,
    page,
  }: ValidatorQuery<{ readonly electionId?: number | undefined; readonly cycleStart?: number | undefined }>,
): Promise<Listed<CycleRow>[]> {
  const { where, tail, cursor } = sliceParts(cycleKeys(sort), page);
  const ofMember = isMember(filter);
  const hasMember = sql`exists (select from validator_cycle_members member
    where member.cycle_start = cycle.cycle_start and ${all(ofMember)})`;
  const conditions = [
    ...isEqual('cycle_start', filter.cycleStart),
    ...isEqual('election_id', filter.electionId),
    ...isBetween('cycle_start', filter),
    ...(ofMember.length === 0 ? [] : [hasMember]),
    where,
  ];
  const { rows } = await sql<Listed<CycleRow>>`
    with page as (
      select *, ${cursor} as cursor from validator_cycles cycle where ${all(conditions)} ${tail}
    ), stakes as (
      select cycle_start, min(stake) as min_stake, max(stake) as max_stake from validator_cycle_members
      where cycle_start in (select cycle_start from page)
      group by cycle_start having count(*) = count(stake)
    )
    select page.*, stakes.min_stake, stakes.max_stake from page left join stakes using (cycle_start)
    ${sliceParts(cycleKeys(sort), page).order}`.execute(db);
  return rows;
}

/** A validator of a cycle; the last two are null if its stake was not seen in the election. */
export interface MemberRow extends Selectable<ValidatorMembersTable> {
  readonly holder: Buffer | null;
  readonly max_factor: string | null;
}

/** Reads the members of cycles that a filter matches, in the order of their places. */
export async function readMembers(
  db: Kysely<Tables>,
  { cycles, filter }: { readonly cycles: readonly string[]; readonly filter: StakeFilter },
): Promise<MemberRow[]> {
  if (cycles.length === 0) return [];
  const { rows } = await sql<MemberRow>`
    select member.*, stake.holder, stake.max_factor
    from validator_cycle_members member join validator_cycles cycle using (cycle_start)
    left join lateral (
      select holder, max_factor from validator_election_participants stake
      where stake.election_id = cycle.election_id and stake.pubkey = member.pubkey
      ${filter.holder === undefined ? sql`` : sql`and stake.holder = ${filter.holder}`}
      order by stake.stake desc, holder limit 1
    ) stake on true
    where ${all([sql`member.cycle_start = any(${cycles}::bigint[])`, ...isMember(filter)])}
    order by member.cycle_start, member.index`.execute(db);
  return rows;
}

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
