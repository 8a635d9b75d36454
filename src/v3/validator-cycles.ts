import type { Static } from 'typebox';
import Type from 'typebox';
import { PlainText } from '../http/serializer.ts';
import {
  type ComplaintRow,
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
import { loadAddressBookFields, withAddressBook } from './address-book.ts';
import { readList } from './list-parameters.ts';
import { defineV3Operation, type ListLimits } from './operation.ts';
import { booleanParam, int32Param } from './parameter-kinds.ts';
import { account, base64, defineRow, flag, int64, member, nullable, optional, text } from './row-json.ts';
import { hexKey, readValidatorQuery, validatorParams } from './validators.ts';

export const createValidatorComplaints = (limits: ListLimits) =>
  defineV3Operation({
    name: 'validators/complaints',
    tag: 'validators',
    summary: 'Complaints about validators',
    description:
      'Complaints in the elector and the votes for them, ordered by the time at which they were made.',
    parameters: {
      cycle_start: int32Param('Complaints about validators of the cycle with this start.'),
      election_id: int32Param('Complaints about validators of this election.'),
      ...validatorParams(limits, { utime: 'Complaints made' }),
    },
    result: withAddressBook('ValidatorComplaintsResponse', { complaints: Type.Array(complaint.schema) }),
    handler: (params, call) => {
      const { cycle_start: cycleStart, election_id: electionId } = params;
      const { filter: stakes, sort } = readValidatorQuery(params, limits);
      const filter = { ...stakes, cycleStart, electionId };
      return readList(call, params, {
        keys: complaintKeys(sort),
        read: (db, page) => readComplaints(db, { filter, sort, page }),
        show: async (rows, db) => {
          const writeComplaint = createComplaintWriter(await readVoters(db, { complaints: rows }));
          const accounts = [filter.holder, ...rows.flatMap(({ holder, reward }) => [holder, reward])];
          return {
            complaints: rows.map(writeComplaint),
            ...(await loadAddressBookFields(call, db, accounts)),
          };
        },
      });
    },
  });

const vote = defineRow('ValidatorComplaintVote', {
  validator_index: int64('index', 'Its place in the voting set.'),
  validator_pubkey: optional(hexKey('pubkey', 'Absent if the voting set is not known.')),
  adnl_addr: optional(hexKey('adnl')),
  weight: optional(text('weight')),
});

/** A complaint with the validators that voted for it, and how far the votes are. */
interface ShownComplaint extends Verdict {
  readonly votes: readonly Parameters<typeof vote.write>[0][];
}

const complaint = defineRow('ValidatorComplaint', {
  cycle_start: int64('cycle_start'),
  election_id: int64('election_id'),
  complaint_hash: base64('hash'),
  validator_pubkey: hexKey('pubkey', 'Of the accused.'),
  adnl_addr: nullable(hexKey('adnl', 'Null for a key that is not in the set.')),
  stake_holder_address: optional(account('holder')),
  description_boc: member(
    PlainText({ description: 'Bag of cells in base64; empty if there is nothing in it.' }),
    ({ description }: ComplaintRow) => description?.toString('base64') ?? '',
  ),
  created_at: int64('created_at'),
  severity: int64('severity'),
  reward_address: account('reward'),
  paid: text('paid'),
  suggested_fine: text('suggested_fine'),
  suggested_fine_part: int64('suggested_fine_part', 'In 1/2^32 of the stake.'),
  voted_validators: member(Type.Array(vote.schema), ({ votes }: ShownComplaint) => votes.map(vote.write)),
  vset_id: base64('set_hash', 'Hash of the voting set; zeros without votes.'),
  weight_remaining: text('weightRemaining', 'Still needed; negative when the complaint has passed.'),
  approved_percent: member(Type.Number(), ({ approvedPercent }: ShownComplaint) => approvedPercent),
  is_passed: flag('isPassed'),
});

function createComplaintWriter(voters: Awaited<ReturnType<typeof readVoters>>) {
  const byPlace = new Map(voters.map((voter) => [`${voter.cycle_start} ${voter.index}`, voter]));
  const noVoter = { pubkey: null, adnl: null, weight: null };
  return (row: ComplaintRow) =>
    complaint.write({
      ...row,
      votes: row.voters.map((index) => ({
        ...(byPlace.get(`${row.voting_start} ${index}`) ?? noVoter),
        index,
      })),
      ...toVerdict(row),
    });
}

/** Thousandths of a percent in a whole. */
const WHOLE = 100_000n;

interface Verdict {
  readonly weightRemaining: string;
  readonly approvedPercent: number;
  readonly isPassed: boolean;
}

/** How far the votes are: a complaint needs more than two thirds of the weight of the voting set. */
function toVerdict({ voting_weight, voters, weight_remaining }: ComplaintRow): Verdict {
  const total = BigInt(voting_weight);
  const required = (2n * total) / 3n;
  const remaining = voters.length === 0 ? required : BigInt(weight_remaining);
  const thousandths = ((required - remaining) * WHOLE * 2n + total) / (2n * total);
  return {
    weightRemaining: `${remaining}`,
    approvedPercent: Number(thousandths) / 1000,
    isPassed: BigInt(weight_remaining) < 0n,
  };
}

export const createValidatorCycles = (limits: ListLimits) =>
  defineV3Operation({
    name: 'validators/cycles',
    tag: 'validators',
    summary: 'Validator sets',
    description:
      'Validator sets with the rules of their elections, ordered by start. A set is known from the first key block that has it. ' +
      'Stakes are known if the elector was seen with the election, stake holders if candidates were.',
    parameters: {
      cycle_start: int32Param('The cycle with this start.'),
      election_id: int32Param('The cycle of this election.'),
      ...validatorParams(limits, { utime: 'Cycles that start' }),
      return_validators: booleanParam(
        'Include validators: those that match the filters. At most 100 rows then.',
        { fallback: false },
      ),
    },
    result: withAddressBook('ValidatorCyclesResponse', { cycles: Type.Array(cycle.schema) }),
    handler: (params, call) => {
      const { cycle_start: cycleStart, election_id: electionId, return_validators } = params;
      const embedding = return_validators ? 'return_validators' : undefined;
      const { filter: stakes, sort } = readValidatorQuery(params, limits, embedding);
      const filter = { ...stakes, cycleStart, electionId };
      return readList(call, params, {
        keys: cycleKeys(sort),
        read: (db, page) => readCycles(db, { filter, sort, page }),
        show: async (rows, db) => {
          const cycles = return_validators ? rows.map(({ cycle_start }) => cycle_start) : [];
          const members = await readMembers(db, { cycles, filter: stakes });
          const complaints = await readComplaintsOf(db, { cycles });
          const writeComplaint = createComplaintWriter(await readVoters(db, { complaints }));
          const byAccused = Map.groupBy(complaints, keyOf);
          const shown = members.map((one) => ({ ...one, complaints: byAccused.get(keyOf(one)) ?? [] }));
          const byCycle = Map.groupBy(shown, ({ cycle_start }) => cycle_start);
          const accounts = shown.flatMap(({ holder, complaints }) => [
            holder,
            ...complaints.map(({ reward }) => reward),
          ]);
          const write = (one: (typeof shown)[number]) =>
            validator.write({ ...one, complaints: one.complaints.map(writeComplaint) });
          return {
            cycles: rows.map((row) =>
              cycle.write({ ...row, validators: byCycle.get(row.cycle_start)?.map(write) }),
            ),
            ...(await loadAddressBookFields(call, db, [stakes.holder, ...accounts])),
          };
        },
      });
    },
  });

function keyOf({ cycle_start, pubkey }: Pick<MemberRow, 'cycle_start' | 'pubkey'>): string {
  return `${cycle_start} ${bytesKey(pubkey)}`;
}

const validator = defineRow('ValidatorCycleValidator', {
  validator_index: int64('index'),
  validator_pubkey: hexKey('pubkey'),
  adnl_addr: hexKey('adnl'),
  weight: text('weight'),
  stake_holder_address: optional(account('holder')),
  stake: optional(text('stake', 'What was taken from the stake holder.')),
  max_factor: optional(int64('max_factor', 'As declared; 65536 is 1.')),
  complaints: member(
    Type.Array(complaint.schema, { description: 'The newest first.' }),
    ({ complaints }: { readonly complaints: Static<typeof complaint.schema>[] }) => complaints,
  ),
});

const cycle = defineRow('ValidatorCycle', {
  election_id: optional(int64('election_id', 'Absent if the elector was not seen with its election.')),
  cycle_start: int64('cycle_start'),
  cycle_end: int64('cycle_end'),
  total: int64('total'),
  main: int64('main'),
  total_weight: text('total_weight'),
  total_stake: optional(text('total_stake')),
  validators_elected_for: int64('elected_for'),
  elections_start_before: int64('start_before'),
  elections_end_before: int64('end_before'),
  stake_held_for: int64('stake_held_for'),
  max_validators: int64('max_validators'),
  max_main_validators: int64('max_main_validators'),
  min_validators: int64('min_validators'),
  min_stake: optional(
    text('min_stake', 'The least stake; absent unless the stakes of all validators are known.'),
  ),
  max_stake: optional(text('max_stake')),
  min_stake_limit: text('min_stake_limit'),
  max_stake_limit: text('max_stake_limit'),
  min_total_stake: text('min_total_stake'),
  max_stake_factor: int64('max_stake_factor', '65536 is 1.'),
  validators: member(
    Type.Optional(Type.Array(validator.schema, { description: 'Absent if there are none.' })),
    ({ validators }: { readonly validators: Static<typeof validator.schema>[] | undefined }) => validators,
  ),
});
