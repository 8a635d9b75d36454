import Type from 'typebox';
import { VALIDATOR_EVENT_TYPES } from '../chain/messages/elector-messages.ts';
import type { ParameterValues } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import {
  electionKeys,
  eventKeys,
  type ParticipantRow,
  readElections,
  readParticipants,
  readValidatorEvents,
  type StakeFilter,
  type TimeFilter,
} from '../index/read/validators.ts';
import { loadAddressBookFields, withAddressBook } from './address-book.ts';
import {
  checkLimit,
  lateBoundParams,
  readBounds,
  readList,
  sortParam,
  uncheckedWindowParams,
} from './list-parameters.ts';
import { defineV3Operation, type ListLimits } from './operation.ts';
import { accountParam, booleanParam, choiceParam, hashKind, int32Param } from './parameter-kinds.ts';
import { invalidParameter, lateParam, type ParameterKind, scalarParam } from './parameters.ts';
import { account, base64, column, defineRow, flag, int64, member, optional, text } from './row-json.ts';
import { TextOf } from './values.ts';

const keyKind: ParameterKind<Buffer> = {
  ...hashKind,
  refusal: (name) => `${name} must be a 32-byte value in hex, base64 or base64url format`,
};

/** Rows of a page that contain the members of a set each. */
const MAX_SETS = 100;

/** The parameters that all lists about validators have; `utime` says what the bounds are of. */
export function validatorParams(limits: ListLimits, { utime }: { readonly utime: string }) {
  return {
    stake_holder_address: accountParam('The account that staked. Not together with `adnl_address`.'),
    adnl_address: keyParam('ADNL address of the validator, in hex or base64.'),
    validator_pubkey: keyParam('Public key of the validator, in hex or base64.'),
    ...lateBoundParams(utime),
    ...uncheckedWindowParams(limits),
    sort: lateParam(sortParam('Sort direction.', { fallback: 'desc' })),
  };
}

function keyParam(description: string) {
  return lateParam(scalarParam(keyKind, description));
}

/**
 * Reads what a request asks for; the first error is that of the contract. `embedding` is a parameter that includes the
 * members of sets, if it is true.
 */
export function readValidatorQuery(
  params: ParameterValues<ReturnType<typeof validatorParams>>,
  limits: ListLimits,
  embedding?: string,
) {
  const { stake_holder_address: holder, limit } = params;
  if (holder !== undefined && params.adnl_address.isGiven)
    throw invalidParameter('adnl_address', 'provide either stake_holder_address or adnl_address, not both');
  const publicKey = params.validator_pubkey.read();
  const adnlAddress = params.adnl_address.read();
  if (embedding !== undefined && limit > MAX_SETS)
    throw invalidParameter('limit', `limit must not exceed ${MAX_SETS} when ${embedding} is true`);
  const { from, to } = readBounds(params);
  const sort = params.sort.read();
  checkLimit(limit, limits);
  const filter: StakeFilter & TimeFilter = { holder, adnlAddress, publicKey, from, to };
  return { filter, sort };
}

/** Key material in the spelling of responses about validators. */
export const hexKey = column(PlainText, (key: Buffer) => key.toString('hex').toUpperCase());

export const createValidatorEvents = (limits: ListLimits) =>
  defineV3Operation({
    name: 'validators/events',
    tag: 'validators',
    summary: 'Stakes of validators: accepted, rejected and recovered',
    description: 'Stakes that the elector accepted, rejected or returned, ordered by time.',
    parameters: {
      ...validatorParams(limits, { utime: 'Transactions' }),
      type: choiceParam(VALIDATOR_EVENT_TYPES, 'Events of this type.'),
    },
    result: withAddressBook('ValidatorEventsResponse', {
      start_utime: Type.Optional(Int64()),
      end_utime: Type.Optional(Int64()),
      events: Type.Array(event.schema),
    }),
    handler: (params, call) => {
      const { filter: stakes, sort } = readValidatorQuery(params, limits);
      const { from, to } = stakes;
      const filter = { ...stakes, type: params.type };
      return readList(call, params, {
        keys: eventKeys(sort),
        read: (db, page) => readValidatorEvents(db, { filter, sort, page }),
        show: async (rows, db) => ({
          ...(from !== undefined && { start_utime: BigInt(from) }),
          ...(to !== undefined && { end_utime: BigInt(to) }),
          events: rows.map(event.write),
          ...(await loadAddressBookFields(call, db, [filter.holder, ...event.accountsOf(rows)])),
        }),
      });
    },
  });

const event = defineRow('ValidatorEvent', {
  tx_hash: base64('tx_hash'),
  tx_lt: text('lt'),
  utime: int64('utime'),
  type: member(TextOf(VALIDATOR_EVENT_TYPES), ({ type }: { readonly type: string }) => type),
  stake_holder_address: account('holder', 'Who sent or received the stake.'),
  validator_pubkey: optional(hexKey('pubkey', 'Of stakes that were accepted or rejected.')),
  adnl_addr: optional(hexKey('adnl')),
  election_id: optional(int64('election_id')),
  query_id: optional(text('query_id')),
  amount: text('amount'),
  reason: optional(
    int64(
      'reason',
      'Why a stake was rejected: 0 no open election or sender not in the masterchain, 1 bad signature, 2 less than ' +
        '1/4096 of the total, 3 another election, 4 key staked by another address, 5 below the minimum, 6 factor below 1.',
    ),
  ),
});

export const createValidatorElections = (limits: ListLimits) =>
  defineV3Operation({
    name: 'validators/elections',
    tag: 'validators',
    summary: 'Elections of validators',
    description:
      'Elections as the elector last showed them, ordered by id, which is the time at which the elected set starts. ' +
      'Candidates stay listed when the elector has forgotten the election.',
    parameters: {
      election_id: int32Param('The election with this id.'),
      ...validatorParams(limits, { utime: 'Election ids' }),
      finished: booleanParam('Only elections that are finished, or only others.'),
      return_participants: booleanParam(
        'Include candidates: those that match the filters. At most 100 rows then.',
        { fallback: false },
      ),
    },
    result: withAddressBook('ValidatorElectionsResponse', { elections: Type.Array(election.schema) }),
    handler: (params, call) => {
      const { election_id: electionId, finished, return_participants } = params;
      const embedding = return_participants ? 'return_participants' : undefined;
      const { filter: stakes, sort } = readValidatorQuery(params, limits, embedding);
      const filter = { ...stakes, electionId, finished };
      return readList(call, params, {
        keys: electionKeys(sort),
        read: (db, page) => readElections(db, { filter, sort, page }),
        show: async (rows, db) => {
          const elections = return_participants ? rows.map(({ election_id }) => election_id) : [];
          const participants = await readParticipants(db, { elections, filter: stakes });
          const byElection = Map.groupBy(participants, ({ election_id }) => election_id);
          const holders = [stakes.holder, ...participant.accountsOf(participants)];
          return {
            elections: rows.map((row) =>
              election.write({ ...row, candidates: byElection.get(row.election_id) }),
            ),
            ...(await loadAddressBookFields(call, db, holders)),
          };
        },
      });
    },
  });

const participant = defineRow('ValidatorElectionParticipant', {
  validator_pubkey: hexKey('pubkey'),
  validator_index: optional(int64('index', 'Its place in the elected set.')),
  stake: text('stake'),
  max_factor: int64('max_factor', '65536 is 1.'),
  stake_holder_address: account('holder'),
  adnl_addr: hexKey('adnl'),
});

const election = defineRow('ValidatorElection', {
  election_id: int64('election_id', 'When the elected set starts.'),
  elect_close: int64('elect_close'),
  min_stake: text('min_stake'),
  total_stake: text('total_stake'),
  total_participants: int64('participants', 'All candidates that were ever seen.'),
  failed: flag('failed'),
  finished: flag('finished'),
  participants: member(
    Type.Optional(
      Type.Array(participant.schema, { description: 'Greatest stakes first. Absent if there are none.' }),
    ),
    ({ candidates }: { readonly candidates: readonly ParticipantRow[] | undefined }) =>
      candidates?.map(participant.write),
  ),
});
