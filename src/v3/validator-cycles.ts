import type { Static } from 'typebox';
import Type from 'typebox';
import { defineOperation, type Operation } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import {
  type ComplaintRow,
  type CycleRow,
  complaintKeys,
  cycleKeys,
  type MemberRow,
  readComplaints,
  readComplaintsOf,
  readCycles,
  readMembers,
  readVoters,
} from '../index/read/validators.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { addressBookFields, loadAddressBookFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, noteNextCursor, toWindow } from './list-parameters.ts';
import { booleanParam, int32Param } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatKey, readValidatorQuery, validatorParams } from './validator-parameters.ts';
import { BOTH_GIVEN } from './validators.ts';
import { formatAccount, formatHash, Nullable } from './values.ts';

type Voters = Awaited<ReturnType<typeof readVoters>>;

/** Complaints about validators. */
export function createValidatorComplaints(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'validators/complaints',
    methods: ['GET'],
    tag: 'validators',
    summary: 'Complaints about validators',
    description:
      'Complaints in the elector and the votes for them, ordered by the time at which they were made.',
    parameters: {
      cycle_start: int32Param({ description: 'Complaints about validators of the cycle with this start.' }),
      election_id: int32Param({ description: 'Complaints about validators of this election.' }),
      ...validatorParams(limits, { utime: 'Complaints made' }),
    },
    result: Type.Object(
      { complaints: Type.Array(complaintSchema), ...addressBookFields },
      { title: 'ValidatorComplaintsResponse' },
    ),
    cache: 'head',
    examples: [recordedExample('validators/complaints'), BOTH_GIVEN],
    handler: (params, call: V3Call) => {
      const { cycle_start: cycleStart, election_id: electionId } = params;
      const { filter: stakes, sort } = readValidatorQuery(params, limits);
      const filter = { ...stakes, cycleStart, electionId };
      const page = toWindow(params, complaintKeys(sort));
      return readIndex(call, async (db) => {
        const rows = await readComplaints(db, { filter, sort, page });
        noteNextCursor(call, complaintKeys(sort), page, rows);
        const writeComplaint = createComplaintWriter(await readVoters(db, { complaints: rows }));
        const accounts = [filter.holder, ...rows.flatMap(({ holder, reward }) => [holder, reward])];
        return {
          complaints: rows.map(writeComplaint),
          ...(await loadAddressBookFields(call, db, accounts)),
        };
      });
    },
  });
}

const voteSchema = Type.Object(
  {
    validator_index: Int64({ description: 'Its place in the voting set.' }),
    validator_pubkey: Type.Optional(PlainText({ description: 'Absent if the voting set is not known.' })),
    adnl_addr: Type.Optional(PlainText()),
    weight: Type.Optional(PlainText()),
  },
  { title: 'ValidatorComplaintVote' },
);

const complaintSchema = Type.Object(
  {
    cycle_start: Int64(),
    election_id: Int64(),
    complaint_hash: PlainText(),
    validator_pubkey: PlainText({ description: 'Of the accused.' }),
    adnl_addr: Nullable(PlainText({ description: 'Null for a key that is not in the set.' })),
    stake_holder_address: Type.Optional(PlainText()),
    description_boc: PlainText({ description: 'Bag of cells in base64; empty if there is nothing in it.' }),
    created_at: Int64(),
    severity: Int64(),
    reward_address: PlainText(),
    paid: PlainText(),
    suggested_fine: PlainText(),
    suggested_fine_part: Int64({ description: 'In 1/2^32 of the stake.' }),
    voted_validators: Type.Array(voteSchema),
    vset_id: PlainText({ description: 'Hash of the voting set; zeros without votes.' }),
    weight_remaining: PlainText({ description: 'Still needed; negative when the complaint has passed.' }),
    approved_percent: Type.Number(),
    is_passed: Type.Boolean(),
  },
  { title: 'ValidatorComplaint' },
);

/** Creates the writer of complaints of a response. */
function createComplaintWriter(voters: Voters): (row: ComplaintRow) => Static<typeof complaintSchema> {
  const byPlace = new Map(voters.map((voter) => [`${voter.cycle_start} ${voter.index}`, voter]));
  const toVote = (start: string | null, index: number): Static<typeof voteSchema> => {
    const voter = byPlace.get(`${start} ${index}`);
    if (voter === undefined) return { validator_index: BigInt(index) };
    return {
      validator_index: BigInt(index),
      validator_pubkey: formatKey(voter.pubkey),
      adnl_addr: formatKey(voter.adnl),
      weight: voter.weight,
    };
  };
  return (row) => ({
    cycle_start: BigInt(row.cycle_start),
    election_id: BigInt(row.election_id),
    complaint_hash: formatHash(row.hash),
    validator_pubkey: formatKey(row.pubkey),
    adnl_addr: row.adnl && formatKey(row.adnl),
    ...(row.holder !== null && { stake_holder_address: formatAccount(row.holder) }),
    description_boc: row.description?.toString('base64') ?? '',
    created_at: BigInt(row.created_at),
    severity: BigInt(row.severity),
    reward_address: formatAccount(row.reward),
    paid: row.paid,
    suggested_fine: row.suggested_fine,
    suggested_fine_part: BigInt(row.suggested_fine_part),
    voted_validators: row.voters.map((index) => toVote(row.voting_start, index)),
    vset_id: formatHash(row.set_hash),
    ...toVerdict(row),
  });
}

/** Thousandths of a percent in a whole. */
const WHOLE = 100_000n;

/** How far the votes are: a complaint needs more than two thirds of the weight of the voting set. */
function toVerdict({ voting_weight, voters, weight_remaining }: ComplaintRow) {
  const total = BigInt(voting_weight);
  const required = (2n * total) / 3n;
  const remaining = voters.length === 0 ? required : BigInt(weight_remaining);
  const thousandths = ((required - remaining) * WHOLE * 2n + total) / (2n * total);
  return {
    weight_remaining: `${remaining}`,
    approved_percent: Number(thousandths) / 1000,
    is_passed: BigInt(weight_remaining) < 0n,
  };
}

/** Validator sets. */
export function createValidatorCycles(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'validators/cycles',
    methods: ['GET'],
    tag: 'validators',
    summary: 'Validator sets',
    description:
      'Validator sets with the rules of their elections, ordered by start. A set is known from the first key block that has it. ' +
      'Stakes are known if the elector was seen with the election, stake holders if candidates were.',
    parameters: {
      cycle_start: int32Param({ description: 'The cycle with this start.' }),
      election_id: int32Param({ description: 'The cycle of this election.' }),
      ...validatorParams(limits, { utime: 'Cycles that start' }),
      return_validators: booleanParam({
        description: 'Include validators: those that match the filters. At most 100 rows then.',
        fallback: false,
      }),
    },
    result: Type.Object(
      { cycles: Type.Array(cycleSchema), ...addressBookFields },
      { title: 'ValidatorCyclesResponse' },
    ),
    cache: 'head',
    examples: [recordedExample('validators/cycles'), BOTH_GIVEN],
    handler: (params, call: V3Call) => {
      const { cycle_start: cycleStart, election_id: electionId, return_validators } = params;
      const embedding = return_validators ? 'return_validators' : undefined;
      const { filter: stakes, sort } = readValidatorQuery(params, limits, embedding);
      const page = toWindow(params, cycleKeys(sort));
      return readIndex(call, async (db) => {
        const rows = await readCycles(db, { filter: { ...stakes, cycleStart, electionId }, sort, page });
        noteNextCursor(call, cycleKeys(sort), page, rows);
        const cycles = return_validators ? rows.map(({ cycle_start }) => cycle_start) : [];
        const members = await readMembers(db, { cycles, filter: stakes });
        const complaints = await readComplaintsOf(db, { cycles });
        const writeComplaint = createComplaintWriter(await readVoters(db, { complaints }));
        const byAccused = Map.groupBy(complaints, (one) => keyOf(one));
        const shown = members.map((member) => ({ member, complaints: byAccused.get(keyOf(member)) ?? [] }));
        const byCycle = Map.groupBy(shown, ({ member }) => member.cycle_start);
        const accounts = shown.flatMap(({ member: { holder }, complaints }) => [
          holder,
          ...complaints.map(({ reward }) => reward),
        ]);
        return {
          cycles: rows.map((row) =>
            toCycle(
              row,
              byCycle
                .get(row.cycle_start)
                ?.map(({ member, complaints }) => toValidator(member, complaints.map(writeComplaint))),
            ),
          ),
          ...(await loadAddressBookFields(call, db, [stakes.holder, ...accounts])),
        };
      });
    },
  });
}

function keyOf({ cycle_start, pubkey }: Pick<MemberRow, 'cycle_start' | 'pubkey'>): string {
  return `${cycle_start} ${bytesKey(pubkey)}`;
}

const validatorSchema = Type.Object(
  {
    validator_index: Int64(),
    validator_pubkey: PlainText(),
    adnl_addr: PlainText(),
    weight: PlainText(),
    stake_holder_address: Type.Optional(PlainText()),
    stake: Type.Optional(PlainText({ description: 'What was taken from the stake holder.' })),
    max_factor: Type.Optional(Int64({ description: 'As declared; 65536 is 1.' })),
    complaints: Type.Array(complaintSchema, { description: 'The newest first.' }),
  },
  { title: 'ValidatorCycleValidator' },
);

function toValidator(
  row: MemberRow,
  complaints: Static<typeof complaintSchema>[],
): Static<typeof validatorSchema> {
  return {
    validator_index: BigInt(row.index),
    validator_pubkey: formatKey(row.pubkey),
    adnl_addr: formatKey(row.adnl),
    weight: row.weight,
    ...(row.holder !== null && { stake_holder_address: formatAccount(row.holder) }),
    ...(row.stake !== null && { stake: row.stake }),
    ...(row.max_factor !== null && { max_factor: BigInt(row.max_factor) }),
    complaints,
  };
}

const cycleSchema = Type.Object(
  {
    election_id: Type.Optional(
      Int64({ description: 'Absent if the elector was not seen with its election.' }),
    ),
    cycle_start: Int64(),
    cycle_end: Int64(),
    total: Int64(),
    main: Int64(),
    total_weight: PlainText(),
    total_stake: Type.Optional(PlainText()),
    validators_elected_for: Int64(),
    elections_start_before: Int64(),
    elections_end_before: Int64(),
    stake_held_for: Int64(),
    max_validators: Int64(),
    max_main_validators: Int64(),
    min_validators: Int64(),
    min_stake: Type.Optional(
      PlainText({ description: 'The least stake; absent unless the stakes of all validators are known.' }),
    ),
    max_stake: Type.Optional(PlainText()),
    min_stake_limit: PlainText(),
    max_stake_limit: PlainText(),
    min_total_stake: PlainText(),
    max_stake_factor: Int64({ description: '65536 is 1.' }),
    validators: Type.Optional(Type.Array(validatorSchema, { description: 'Absent if there are none.' })),
  },
  { title: 'ValidatorCycle' },
);

function toCycle(
  row: CycleRow,
  validators: Static<typeof validatorSchema>[] | undefined,
): Static<typeof cycleSchema> {
  return {
    ...(row.election_id !== null && { election_id: BigInt(row.election_id) }),
    cycle_start: BigInt(row.cycle_start),
    cycle_end: BigInt(row.cycle_end),
    total: BigInt(row.total),
    main: BigInt(row.main),
    total_weight: row.total_weight,
    ...(row.total_stake !== null && { total_stake: row.total_stake }),
    validators_elected_for: BigInt(row.elected_for),
    elections_start_before: BigInt(row.start_before),
    elections_end_before: BigInt(row.end_before),
    stake_held_for: BigInt(row.stake_held_for),
    max_validators: BigInt(row.max_validators),
    max_main_validators: BigInt(row.max_main_validators),
    min_validators: BigInt(row.min_validators),
    ...(row.min_stake !== null && { min_stake: row.min_stake }),
    ...(row.max_stake !== null && { max_stake: row.max_stake }),
    min_stake_limit: row.min_stake_limit,
    max_stake_limit: row.max_stake_limit,
    min_total_stake: row.min_total_stake,
    max_stake_factor: BigInt(row.max_stake_factor),
    ...(validators !== undefined && { validators }),
  };
}
