import type { ClientBase } from 'pg';
import { accountKey } from '../../chain/address.ts';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import type { Election } from '../../chain/contracts/elector.ts';
import type { WriteStatsRecorder } from './copy-in.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';
import type { ValidatorUpdate, ValidatorUpdates } from './validator-update.ts';
import { toJson } from './write-contracts.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row is replaced only by one of the same or a later block. */
const IF_NEWER = 'where excluded.source_seqno >= old.source_seqno';

/** The tables whose rows show the newest state of the elector. */
const KEYS = {
  validator_elections: ['election_id'],
  validator_election_participants: ['election_id', 'pubkey', 'holder'],
  validator_complaints: ['election_id', 'hash'],
} as const;

/** What happens to rows that exist: they are replaced by newer ones, or stay. */
type OnExisting = 'replace' | 'keep';

const HASH_BYTES = 32;

export async function writeValidatorEvents(
  client: ClientBase,
  seqnos: readonly DecodedSeqno[],
  stats: WriteStatsRecorder,
): Promise<void> {
  const rows = seqnos.flatMap(({ mcSeqno, traces, validators }) =>
    validators.events.map(({ slot, type, holder, queryId, amount, stake, reason }) => ({
      tx_hash: traces.hashes.subarray(slot * HASH_BYTES, (slot + 1) * HASH_BYTES),
      lt: traces.lts[slot],
      utime: traces.nows[slot],
      mc_seqno: mcSeqno,
      type,
      holder,
      pubkey: stake?.publicKey ?? null,
      adnl: stake?.adnlAddress ?? null,
      election_id: stake?.electionId ?? null,
      query_id: queryId,
      amount,
      reason: reason ?? null,
    })),
  );
  await insert(client, 'validator_events', rows, 'on conflict do nothing', stats);
}

/** Writes what the states of blocks show, and which of them are missing. */
export async function writeValidatorUpdates(
  client: ClientBase,
  { updates, missing }: ValidatorUpdates,
  stats: WriteStatsRecorder,
  onExisting: OnExisting = 'replace',
): Promise<void> {
  const newest = newestRows(updates);
  await insertNewer(client, 'validator_elections', newest.elections, onExisting, stats);
  await insertNewer(client, 'validator_election_participants', newest.participants, onExisting, stats);
  for (const update of updates) await writeCycles(client, update, stats);
  await insertNewer(client, 'validator_complaints', newest.complaints, onExisting, stats);
  const missed = missing.map((mc_seqno) => ({ mc_seqno }));
  await insert(client, 'missing_elector_states', missed, 'on conflict do nothing', stats);
}

/** The last row of each key: a statement cannot write a row twice. */
function newestRows(updates: readonly ValidatorUpdate[]) {
  const elections = new Map<string, Row>();
  const participants = new Map<string, Row>();
  const complaints = new Map<string, Row>();
  for (const { mcSeqno, utime, election, complaints: shown } of updates) {
    if (election !== undefined) {
      elections.set(`${election.id}`, electionRow(election, mcSeqno));
      for (const row of participantRows(election, mcSeqno))
        participants.set(
          `${row.election_id} ${row.pubkey.toString('hex')} ${row.holder.toString('hex')}`,
          row,
        );
    }
    for (const { electionId, complaint } of shown)
      complaints.set(`${electionId} ${complaint.hash.toString('hex')}`, {
        election_id: electionId,
        hash: complaint.hash,
        pubkey: complaint.publicKey,
        description: complaint.description ?? null,
        created_at: complaint.createdAt,
        severity: complaint.severity,
        reward: accountKey(MASTERCHAIN, complaint.rewardAddress),
        paid: complaint.paid,
        suggested_fine: complaint.suggestedFine,
        suggested_fine_part: complaint.suggestedFinePart,
        voters: complaint.voters,
        set_hash: complaint.setHash,
        weight_remaining: complaint.weightRemaining,
        source_seqno: mcSeqno,
        source_utime: utime,
      });
  }
  return {
    elections: [...elections.values()],
    participants: [...participants.values()],
    complaints: [...complaints.values()],
  };
}

function electionRow({ id, closeAt, minStake, totalStake, failed, finished }: Election, mcSeqno: number) {
  return {
    election_id: id,
    elect_close: closeAt,
    min_stake: minStake,
    total_stake: totalStake,
    failed,
    finished,
    source_seqno: mcSeqno,
  };
}

function participantRows({ id, participants }: Election, mcSeqno: number) {
  return participants.map(({ publicKey, holder, stake, maxFactor, adnlAddress }) => ({
    election_id: id,
    pubkey: publicKey,
    holder: accountKey(MASTERCHAIN, holder),
    stake,
    max_factor: maxFactor,
    adnl: adnlAddress,
    source_seqno: mcSeqno,
  }));
}

async function insertNewer(
  client: ClientBase,
  table: keyof typeof KEYS,
  rows: readonly Row[],
  onExisting: OnExisting,
  stats: WriteStatsRecorder,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const keys: readonly string[] = KEYS[table];
  const sets = Object.keys(first).filter((column) => !keys.includes(column));
  const conflict =
    onExisting === 'keep'
      ? 'on conflict do nothing'
      : `on conflict (${keys.join(', ')}) do update set
          ${sets.map((column) => `${column} = excluded.${column}`).join(', ')} ${IF_NEWER}`;
  await insert(
    client,
    table,
    rows,
    `order by ${keys.map((key) => `row.${key}`).join(', ')} ${conflict}`,
    stats,
  );
}

/** Inserts rows with the columns of the first one. */
async function insert(
  client: ClientBase,
  table: string,
  rows: readonly Row[],
  rest: string,
  stats: WriteStatsRecorder,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const text = JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column) => [column, toJson(row[column])]))),
  );
  const { rowCount } = await client.query(
    `insert into ${table} as old (${columns.map((column) => `"${column}"`).join(', ')})
     select ${columns.map((column) => `row."${column}"`).join(', ')}
     from json_populate_recordset(null::${table}, $1) row ${rest}`,
    [text],
  );
  stats.add({ rows: rowCount ?? 0, bytes: text.length });
}

/** Columns of a cycle that come from the configuration. */
const CONFIG_COLUMNS = [
  'cycle_end',
  'set_hash',
  'total',
  'main',
  'total_weight',
  'elected_for',
  'start_before',
  'end_before',
  'stake_held_for',
  'max_validators',
  'max_main_validators',
  'min_validators',
  'min_stake_limit',
  'max_stake_limit',
  'min_total_stake',
  'max_stake_factor',
];

const isNewer = (newer: string, older: string) =>
  `case when excluded.source_seqno >= old.source_seqno then ${newer} else ${older} end`;

/** The elector forgets elections, and fines lower stakes. A set may be replaced by another one that starts at its time. */
const MERGE_CYCLES = `
order by row.cycle_start on conflict (cycle_start) do update set
  ${CONFIG_COLUMNS.map((column) => `${column} = ${isNewer(`excluded.${column}`, `old.${column}`)}`).join(', ')},
  election_id = coalesce(old.election_id, excluded.election_id),
  total_stake = greatest(old.total_stake, excluded.total_stake),
  source_seqno = greatest(old.source_seqno, excluded.source_seqno)`;

/** $1 are members with the hashes of their sets. Those of a set that another one has replaced are left out. */
const MERGE_MEMBERS = `
insert into validator_cycle_members as old (cycle_start, "index", pubkey, adnl, weight, stake)
select row.cycle_start, row.index, row.pubkey, row.adnl, row.weight, row.stake
from json_to_recordset($1) as row (
  cycle_start bigint, "index" integer, pubkey bytea, adnl bytea, weight numeric, stake numeric, set_hash bytea)
join validator_cycles cycle using (cycle_start, set_hash)
order by row.cycle_start, row.index
on conflict (cycle_start, "index") do update
set pubkey = excluded.pubkey, adnl = excluded.adnl, weight = excluded.weight,
  stake = case when old.pubkey = excluded.pubkey then greatest(old.stake, excluded.stake) else excluded.stake end
where (old.pubkey, old.adnl, old.weight) is distinct from (excluded.pubkey, excluded.adnl, excluded.weight)
  or excluded.stake > coalesce(old.stake, -1)`;

const DROP_SURPLUS_MEMBERS = `
delete from validator_cycle_members member using validator_cycles cycle
where cycle.cycle_start = any($1::bigint[]) and member.cycle_start = cycle.cycle_start
  and member.index >= cycle.total`;

async function writeCycles(
  client: ClientBase,
  { mcSeqno, cycles }: ValidatorUpdate,
  stats: WriteStatsRecorder,
): Promise<void> {
  if (cycles.length === 0) return;
  const rows = cycles.map(({ set, setHash, rules, election }) => ({
    cycle_start: set.since,
    cycle_end: set.until,
    set_hash: setHash,
    election_id: election?.id ?? null,
    total_stake: election?.totalStake ?? null,
    total: set.validators.length,
    main: set.main,
    total_weight: set.totalWeight,
    elected_for: rules.electedFor,
    start_before: rules.startBefore,
    end_before: rules.endBefore,
    stake_held_for: rules.stakeHeldFor,
    max_validators: rules.maxValidators,
    max_main_validators: rules.maxMainValidators,
    min_validators: rules.minValidators,
    min_stake_limit: rules.minStake,
    max_stake_limit: rules.maxStake,
    min_total_stake: rules.minTotalStake,
    max_stake_factor: rules.maxStakeFactor,
    source_seqno: mcSeqno,
  }));
  await insert(client, 'validator_cycles', rows, MERGE_CYCLES, stats);
  const members = cycles.flatMap(({ set, setHash, election }) => {
    const stakes = new Map(
      election?.stakes.map(({ publicKey, stake }) => [publicKey.toString('hex'), stake]),
    );
    return set.validators.map(({ publicKey, adnlAddress, weight }, index) => ({
      cycle_start: set.since,
      index,
      pubkey: toJson(publicKey),
      adnl: toJson(adnlAddress),
      weight: `${weight}`,
      stake: toJson(stakes.get(publicKey.toString('hex')) ?? null),
      set_hash: toJson(setHash),
    }));
  });
  const text = JSON.stringify(members);
  const { rowCount } = await client.query(MERGE_MEMBERS, [text]);
  stats.add({ rows: rowCount ?? 0, bytes: text.length });
  await client.query(DROP_SURPLUS_MEMBERS, [rows.map(({ cycle_start }) => cycle_start)]);
}
