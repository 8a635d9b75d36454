import { type RawBuilder, type Selectable, sql } from 'kysely';
import { readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import type {
  ValidatorComplaintsTable,
  ValidatorCyclesTable,
  ValidatorElectionsTable,
  ValidatorEventsTable,
  ValidatorMembersTable,
  ValidatorParticipantsTable,
} from '../../db/tables/validator-tables.ts';
import { isShown } from '../snapshot.ts';
import { allOf, areEqual, type ListWindow, type OrderKey, orderBy, sliceParts } from './lists.ts';

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

interface CycleFilter {
  readonly electionId?: number | undefined;
  readonly cycleStart?: number | undefined;
}

type Listed<Row> = Row & { readonly cursor: readonly string[] };

/** The conditions that a column is in a span. */
function isBetween(column: string, { from, to }: TimeFilter): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${sql.ref(column)} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${sql.ref(column)} <= ${to}`]),
  ];
}

export function eventKeys(sort: 'asc' | 'desc'): OrderKey[] {
  return orderBy(sort, { utime: 'bigint', lt: 'bigint', tx_hash: 'bytea' });
}

/** Reads a page of what happened to stakes, by the times of transactions. */
export async function readValidatorEvents(
  db: Db,
  { filter, sort, page }: ValidatorQuery<{ readonly type?: string | undefined }>,
): Promise<Listed<Selectable<ValidatorEventsTable>>[]> {
  const { holder, publicKey, adnlAddress, type } = filter;
  const { where, tail, cursor } = sliceParts(eventKeys(sort), page);
  const conditions = [
    ...areEqual({ holder, pubkey: publicKey, adnl: adnlAddress, type }),
    ...isBetween('utime', filter),
    isShown(db, sql`mc_seqno`),
    where,
  ];
  return readRows<Listed<Selectable<ValidatorEventsTable>>>(db)`
    select *, ${cursor} as cursor from validator_events where ${allOf(conditions)} ${tail}`;
}

export function electionKeys(sort: 'asc' | 'desc'): OrderKey[] {
  return orderBy(sort, { election_id: 'bigint' });
}

export interface ElectionRow extends Selectable<ValidatorElectionsTable> {
  readonly participants: number;
}

const isStake = ({ holder, publicKey, adnlAddress }: StakeFilter) =>
  areEqual({ 'stake.holder': holder, 'stake.pubkey': publicKey, 'stake.adnl': adnlAddress });

/** Reads a page of elections, by their ids, which are times. */
export async function readElections(
  db: Db,
  {
    filter,
    sort,
    page,
  }: ValidatorQuery<{ readonly electionId?: number | undefined; readonly finished?: boolean | undefined }>,
): Promise<Listed<ElectionRow>[]> {
  const { where, tail, cursor } = sliceParts(electionKeys(sort), page);
  const ofStake = isStake(filter);
  const hasStake = sql`exists (select from validator_election_participants stake
    where stake.election_id = election.election_id and ${allOf(ofStake)})`;
  const conditions = [
    ...areEqual({ election_id: filter.electionId, finished: filter.finished }),
    ...isBetween('election_id', filter),
    ...(ofStake.length === 0 ? [] : [hasStake]),
    where,
  ];
  return readRows<Listed<ElectionRow>>(db)`
    select *, ${cursor} as cursor,
      (select count(*)::integer from validator_election_participants stake
       where stake.election_id = election.election_id) as participants
    from validator_elections election where ${allOf(conditions)} ${tail}`;
}

/** A candidate of an election. */
export interface ParticipantRow extends Selectable<ValidatorParticipantsTable> {
  /** Its place in the set that was elected; null if it has none. */
  readonly index: number | null;
}

/** Reads the candidates of elections that a filter matches, greatest stakes first. */
export async function readParticipants(
  db: Db,
  { elections, filter }: { readonly elections: readonly string[]; readonly filter: StakeFilter },
): Promise<ParticipantRow[]> {
  if (elections.length === 0) return [];
  return readRows<ParticipantRow>(db)`
    select stake.*, (
      select member.index from validator_cycles cycle join validator_cycle_members member using (cycle_start)
      where cycle.election_id = stake.election_id and member.pubkey = stake.pubkey
      order by cycle_start limit 1) as index
    from validator_election_participants stake
    where ${allOf([sql`stake.election_id = any(${elections}::bigint[])`, ...isStake(filter)])}
    order by stake.election_id, stake.stake desc, stake.pubkey, stake.holder`;
}

export function cycleKeys(sort: 'asc' | 'desc'): OrderKey[] {
  return orderBy(sort, { cycle_start: 'bigint' });
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
    ...areEqual({ 'member.pubkey': publicKey, 'member.adnl': adnlAddress }),
    ...(holder === undefined ? [] : [isStaked]),
  ];
}

/** Reads a page of cycles, by their starts. */
export async function readCycles(db: Db, { filter, sort, page }: ValidatorQuery<CycleFilter>) {
  const { where, tail, cursor } = sliceParts(cycleKeys(sort), page);
  const ofMember = isMember(filter);
  const hasMember = sql`exists (select from validator_cycle_members member
    where member.cycle_start = cycle.cycle_start and ${allOf(ofMember)})`;
  const conditions = [
    ...areEqual({ cycle_start: filter.cycleStart, election_id: filter.electionId }),
    ...isBetween('cycle_start', filter),
    ...(ofMember.length === 0 ? [] : [hasMember]),
    where,
  ];
  return readRows<Listed<CycleRow>>(db)`
    with page as (
      select *, ${cursor} as cursor from validator_cycles cycle where ${allOf(conditions)} ${tail}
    ), stakes as (
      select cycle_start, min(stake) as min_stake, max(stake) as max_stake from validator_cycle_members
      where cycle_start in (select cycle_start from page)
      group by cycle_start having count(*) = count(stake)
    )
    select page.*, stakes.min_stake, stakes.max_stake from page left join stakes using (cycle_start)
    ${sliceParts(cycleKeys(sort), page).order}`;
}

/** A validator of a cycle; the last two are null if its stake was not seen in the election. */
export interface MemberRow extends Selectable<ValidatorMembersTable> {
  readonly holder: Buffer | null;
  readonly max_factor: string | null;
}

/** Reads the members of cycles that a filter matches, in the order of their places. */
export async function readMembers(
  db: Db,
  { cycles, filter }: { readonly cycles: readonly string[]; readonly filter: StakeFilter },
): Promise<MemberRow[]> {
  if (cycles.length === 0) return [];
  return readRows<MemberRow>(db)`
    select member.*, stake.holder, stake.max_factor
    from validator_cycle_members member join validator_cycles cycle using (cycle_start)
    left join lateral (
      select holder, max_factor from validator_election_participants stake
      where stake.election_id = cycle.election_id and stake.pubkey = member.pubkey
      ${filter.holder === undefined ? sql`` : sql`and stake.holder = ${filter.holder}`}
      order by stake.stake desc, holder limit 1
    ) stake on true
    where ${allOf([sql`member.cycle_start = any(${cycles}::bigint[])`, ...isMember(filter)])}
    order by member.cycle_start, member.index`;
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

export function complaintKeys(sort: 'asc' | 'desc'): OrderKey[] {
  return [
    ...orderBy(sort, { 'complaint.created_at': 'bigint' }),
    ...orderBy('asc', { 'complaint.hash': 'bytea', 'complaint.election_id': 'bigint' }),
  ];
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
export async function readComplaints(db: Db, { filter, sort, page }: ValidatorQuery<CycleFilter>) {
  const { holder, publicKey, adnlAddress, cycleStart, electionId } = filter;
  const { where, tail, cursor } = sliceParts(complaintKeys(sort), page);
  const conditions = [
    ...areEqual({ 'own.cycle_start': cycleStart, 'complaint.election_id': electionId }),
    ...areEqual({ 'complaint.pubkey': publicKey, 'accused.adnl': adnlAddress }),
    ...(holder === undefined ? [] : [sql`${holderOf(holder)} is not null`]),
    ...isBetween('complaint.created_at', filter),
    where,
  ];
  return readRows<Listed<ComplaintRow>>(db)`
    select ${COLUMNS}, ${holderOf(holder)} as holder, ${cursor} as cursor
    from ${FROM_COMPLAINTS} where ${allOf(conditions)} ${tail}`;
}

/** Reads all complaints about validators of some cycles, the newest first. */
export async function readComplaintsOf(db: Db, { cycles }: { readonly cycles: readonly string[] }) {
  if (cycles.length === 0) return [];
  return readRows<ComplaintRow>(db)`
    select ${COLUMNS}, ${holderOf(undefined)} as holder from ${FROM_COMPLAINTS}
    where own.cycle_start = any(${cycles}::bigint[])
    order by complaint.created_at desc, complaint.hash`;
}

/** Reads the validators that voted for complaints. */
export async function readVoters(
  db: Db,
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
