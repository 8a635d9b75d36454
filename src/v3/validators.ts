import type { Selectable } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import { VALIDATOR_EVENT_TYPES } from '../chain/messages/elector-messages.ts';
import type { ValidatorEventsTable } from '../db/tables/validator-tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import {
  type ElectionRow,
  electionKeys,
  eventKeys,
  type ParticipantRow,
  readElections,
  readParticipants,
  readValidatorEvents,
} from '../index/read/validators.ts';
import { addressBookFields, loadAddressBookFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, noteNextCursor, toWindow } from './list-parameters.ts';
import { booleanParam, int32Param, stringKind } from './parameter-kinds.ts';
import { type ParameterKind, scalarParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { formatKey, readValidatorQuery, validatorParams } from './validator-parameters.ts';
import { formatAccount, formatHash, TextOf } from './values.ts';

/** Any text is accepted; nothing is found for one that is no type. */
const eventTypeKind: ParameterKind<string> = {
  ...stringKind,
  schema: Type.String({ enum: [...VALIDATOR_EVENT_TYPES] }),
};

const HOLDER = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';
const KEY = 'AB'.repeat(32);

/** The refusal of a request for both, with the examples of every list about validators. */
export const BOTH_GIVEN = {
  title: 'Stake holder and ADNL address given',
  params: { stake_holder_address: HOLDER, adnl_address: KEY },
  failure: { code: 422, text: 'provide either stake_holder_address or adnl_address, not both' },
} as const;

/** What happened to stakes. */
export function createValidatorEvents(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'validators/events',
    methods: ['GET'],
    tag: 'validators',
    summary: 'Stakes of validators: accepted, rejected and recovered',
    description: 'Stakes that the elector accepted, rejected or returned, ordered by time.',
    parameters: {
      ...validatorParams(limits, { utime: 'Transactions' }),
      type: scalarParam(eventTypeKind, { description: 'Events of this type.' }),
    },
    result: Type.Object(
      {
        start_utime: Type.Optional(Int64()),
        end_utime: Type.Optional(Int64()),
        events: Type.Array(eventSchema),
        ...addressBookFields,
      },
      { title: 'ValidatorEventsResponse' },
    ),
    cache: 'head',
    examples: [recordedExample('validators/events'), BOTH_GIVEN],
    handler: (params, call: V3Call) => {
      const { filter: stakes, sort } = readValidatorQuery(params, limits);
      const { from, to } = stakes;
      const filter = { ...stakes, type: params.type };
      const page = toWindow(params, eventKeys(sort));
      return readIndex(call, async (db) => {
        const rows = await readValidatorEvents(db, { filter, sort, page });
        noteNextCursor(call, eventKeys(sort), page, rows);
        return {
          ...(from !== undefined && { start_utime: BigInt(from) }),
          ...(to !== undefined && { end_utime: BigInt(to) }),
          events: rows.map(toEvent),
          ...(await loadAddressBookFields(call, db, [filter.holder, ...rows.map(({ holder }) => holder)])),
        };
      });
    },
  });
}

const eventSchema = Type.Object(
  {
    tx_hash: PlainText(),
    tx_lt: PlainText(),
    utime: Int64(),
    type: TextOf(VALIDATOR_EVENT_TYPES),
    stake_holder_address: PlainText({ description: 'Who sent or received the stake.' }),
    validator_pubkey: Type.Optional(PlainText({ description: 'Of stakes that were accepted or rejected.' })),
    adnl_addr: Type.Optional(PlainText()),
    election_id: Type.Optional(Int64()),
    query_id: Type.Optional(PlainText()),
    amount: PlainText(),
    reason: Type.Optional(
      Int64({
        description:
          'Why a stake was rejected: 0 no open election or sender not in the masterchain, 1 bad signature, 2 less than ' +
          '1/4096 of the total, 3 another election, 4 key staked by another address, 5 below the minimum, 6 factor below 1.',
      }),
    ),
  },
  { title: 'ValidatorEvent' },
);

function toEvent(row: Selectable<ValidatorEventsTable>): Static<typeof eventSchema> {
  return {
    tx_hash: formatHash(row.tx_hash),
    tx_lt: row.lt,
    utime: BigInt(row.utime),
    type: row.type,
    stake_holder_address: formatAccount(row.holder),
    ...(row.pubkey !== null && { validator_pubkey: formatKey(row.pubkey) }),
    ...(row.adnl !== null && { adnl_addr: formatKey(row.adnl) }),
    ...(row.election_id !== null && { election_id: BigInt(row.election_id) }),
    query_id: row.query_id,
    amount: row.amount,
    ...(row.reason !== null && { reason: BigInt(row.reason) }),
  };
}

/** Elections of validators. */
export function createValidatorElections(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'validators/elections',
    methods: ['GET'],
    tag: 'validators',
    summary: 'Elections of validators',
    description:
      'Elections as the elector last showed them, ordered by id, which is the time at which the elected set starts. ' +
      'Candidates stay listed when the elector has forgotten the election.',
    parameters: {
      election_id: int32Param({ description: 'The election with this id.' }),
      ...validatorParams(limits, { utime: 'Election ids' }),
      finished: booleanParam({ description: 'Only elections that are finished, or only others.' }),
      return_participants: booleanParam({
        description: 'Include candidates: those that match the filters. At most 100 rows then.',
        fallback: false,
      }),
    },
    result: Type.Object(
      { elections: Type.Array(electionSchema), ...addressBookFields },
      { title: 'ValidatorElectionsResponse' },
    ),
    cache: 'head',
    examples: [recordedExample('validators/elections'), BOTH_GIVEN],
    handler: (params, call: V3Call) => {
      const { election_id: electionId, finished, return_participants } = params;
      const embedding = return_participants ? 'return_participants' : undefined;
      const { filter: stakes, sort } = readValidatorQuery(params, limits, embedding);
      const page = toWindow(params, electionKeys(sort));
      return readIndex(call, async (db) => {
        const rows = await readElections(db, { filter: { ...stakes, electionId, finished }, sort, page });
        noteNextCursor(call, electionKeys(sort), page, rows);
        const elections = return_participants ? rows.map(({ election_id }) => election_id) : [];
        const participants = await readParticipants(db, { elections, filter: stakes });
        const byElection = Map.groupBy(participants, ({ election_id }) => election_id);
        const holders = [stakes.holder, ...participants.map(({ holder }) => holder)];
        return {
          elections: rows.map((row) => toElection(row, byElection.get(row.election_id))),
          ...(await loadAddressBookFields(call, db, holders)),
        };
      });
    },
  });
}

const participantSchema = Type.Object(
  {
    validator_pubkey: PlainText(),
    validator_index: Type.Optional(Int64({ description: 'Its place in the elected set.' })),
    stake: PlainText(),
    max_factor: Int64({ description: '65536 is 1.' }),
    stake_holder_address: PlainText(),
    adnl_addr: PlainText(),
  },
  { title: 'ValidatorElectionParticipant' },
);

const electionSchema = Type.Object(
  {
    election_id: Int64({ description: 'When the elected set starts.' }),
    elect_close: Int64(),
    min_stake: PlainText(),
    total_stake: PlainText(),
    total_participants: Int64({ description: 'All candidates that were ever seen.' }),
    failed: Type.Boolean(),
    finished: Type.Boolean(),
    participants: Type.Optional(
      Type.Array(participantSchema, { description: 'Greatest stakes first. Absent if there are none.' }),
    ),
  },
  { title: 'ValidatorElection' },
);

function toElection(
  row: ElectionRow,
  participants: readonly ParticipantRow[] | undefined,
): Static<typeof electionSchema> {
  return {
    election_id: BigInt(row.election_id),
    elect_close: BigInt(row.elect_close),
    min_stake: row.min_stake,
    total_stake: row.total_stake,
    total_participants: BigInt(row.participants),
    failed: row.failed,
    finished: row.finished,
    ...(participants !== undefined && { participants: participants.map(toParticipant) }),
  };
}

function toParticipant(row: ParticipantRow): Static<typeof participantSchema> {
  return {
    validator_pubkey: formatKey(row.pubkey),
    ...(row.index !== null && { validator_index: BigInt(row.index) }),
    stake: row.stake,
    max_factor: BigInt(row.max_factor),
    stake_holder_address: formatAccount(row.holder),
    adnl_addr: formatKey(row.adnl),
  };
}
