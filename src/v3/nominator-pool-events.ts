import type { Static } from 'typebox';
import Type from 'typebox';
import { NOMINATOR_EVENT_TYPES } from '../chain/contracts/nominator-pool.ts';
import { defineOperation, type Operation, type Parameter, type ParameterValues } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import {
  NOMINATOR_EVENT_KEYS,
  type NominatorEventRow,
  POOL_VALIDATOR_EVENT_KEYS,
  type PoolValidatorEventRow,
  readNominatorEvents,
  readPoolValidatorEvents,
} from '../index/read/nominator-pools.ts';
import { addressBookFields, loadAddressBookFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import {
  checkLimit,
  type ListLimits,
  lateBoundParams,
  noteNextCursor,
  readBounds,
  toWindow,
  uncheckedWindowParams,
  withDefaultLimit,
} from './list-parameters.ts';
import { accountParam, choiceParam, stringParam } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, formatHash, TextOf } from './values.ts';

const DEFAULT_LIMIT = 100;
const NO_POOL = 'pool parameter is required';
const NO_NOMINATOR_OR_POOL = 'nominator and pool parameters are required';
const NEITHER = 'validator or pool parameter is required';
const NO_VALIDATOR_OR_POOL = 'validator and pool parameters are required';
const WRONG_BOUNDS = 'start_utime must be less than or equal to end_utime';
/** Of the examples: any account has no events there. */
const BACKWARDS = { start_utime: 2, end_utime: 1 };

/** What happened to the nominators of a pool. */
export function createNominatorEvents(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'staking/nominatorPools/nominatorEvents',
    methods: ['GET'],
    tag: 'staking',
    summary: 'Events of nominators',
    description:
      'What happened to the nominators of a pool, newest first: rewards, deposits, withdrawals. A transaction may have several events, each begins where the one before ends. Amounts are nanotons.',
    parameters: {
      pool: neededParam('The pool.'),
      nominator: accountParam({ description: 'Events of this nominator.' }),
      type: choiceParam(NOMINATOR_EVENT_TYPES, { description: 'Events of this kind.' }),
      ...listParams(limits),
    },
    result: Type.Object(
      { ...boundFields, events: Type.Array(nominatorEventSchema), ...addressBookFields },
      { title: 'NominatorPoolEventsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('staking/nominatorPools/nominatorEvents'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NO_POOL } },
      {
        title: 'An empty span',
        params: { pool: '{alice}', ...BACKWARDS },
        failure: { code: 422, text: WRONG_BOUNDS },
      },
    ],
    handler: (params, call: V3Call) => {
      const { pool, nominator, type } = params;
      if (pool === undefined) throw invalidParameter('pool', NO_POOL);
      const { span, bounds } = toBounds(params, limits);
      const page = toWindow(params, NOMINATOR_EVENT_KEYS);
      return readIndex(call, async (db) => {
        const rows = await readNominatorEvents(db, { filter: { pool, nominator, type, span }, page });
        noteNextCursor(call, NOMINATOR_EVENT_KEYS, page, rows);
        const accounts = [pool, nominator, ...rows.map((row) => row.nominator)];
        return {
          ...bounds,
          events: rows.map(toNominatorEvent),
          ...(await loadAddressBookFields(call, db, accounts)),
        };
      });
    },
  });
}

/** What a nominator earned in a pool. */
export function createNominatorRewards(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'staking/nominatorPools/nominatorRewards',
    methods: ['GET'],
    tag: 'staking',
    summary: 'Rewards of a nominator',
    description:
      'What a nominator earned in a pool, newest first; a reward is negative if the stake lost. Amounts are nanotons.',
    parameters: {
      nominator: neededParam('The nominator.'),
      pool: neededParam('The pool.'),
      ...listParams(limits),
    },
    result: Type.Object(
      { ...boundFields, ...totalField, rewards: Type.Array(nominatorRewardSchema), ...addressBookFields },
      { title: 'NominatorRewardsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('staking/nominatorPools/nominatorRewards'),
      {
        title: 'No pool',
        params: { nominator: '{alice}' },
        failure: { code: 422, text: NO_NOMINATOR_OR_POOL },
      },
      {
        title: 'An empty span',
        params: { nominator: '{alice}', pool: '{alice}', ...BACKWARDS },
        failure: { code: 422, text: WRONG_BOUNDS },
      },
    ],
    handler: (params, call: V3Call) => {
      const [nominator, pool] = bothOf(params.nominator, params.pool, NO_NOMINATOR_OR_POOL);
      const { span, bounds } = toBounds(params, limits);
      const page = toWindow(params, NOMINATOR_EVENT_KEYS);
      return readIndex(call, async (db) => {
        const filter = { pool, nominator, type: 'reward', span };
        const rows = await readNominatorEvents(db, { filter, page });
        noteNextCursor(call, NOMINATOR_EVENT_KEYS, page, rows);
        return {
          ...bounds,
          total_on_page: sumOf(rows.map(({ amount }) => BigInt(amount))),
          rewards: rows.map((row) => ({
            utime: BigInt(row.utime),
            reward: row.amount,
            stake_before: row.balance_before,
            tx_hash: formatHash(row.tx_hash),
            tx_lt: row.lt,
          })),
          ...(await loadAddressBookFields(call, db, [pool, nominator])),
        };
      });
    },
  });
}

/** What happened to the validators of pools. */
export function createPoolValidatorEvents(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'staking/nominatorPools/validatorEvents',
    methods: ['GET'],
    tag: 'staking',
    summary: 'Events of validators of pools',
    description:
      'What happened to the part of the validator in nominator pools, newest first: rewards, penalties, deposits, withdrawals. Amounts are nanotons.',
    parameters: {
      validator: accountParam({ description: 'Events of this validator; it or `pool` is required.' }),
      pool: accountParam({ description: 'Events in this pool.' }),
      type: stringParam({
        description: 'Events of this kind: `reward`, `penalty`, `deposit` or `withdrawal`.',
      }),
      ...listParams(limits),
    },
    result: Type.Object(
      { ...boundFields, events: Type.Array(validatorEventSchema), ...addressBookFields },
      { title: 'NominatorPoolValidatorEventsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('staking/nominatorPools/validatorEvents'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NEITHER } },
      {
        title: 'An empty span',
        params: { pool: '{alice}', ...BACKWARDS },
        failure: { code: 422, text: WRONG_BOUNDS },
      },
    ],
    handler: (params, call: V3Call) => {
      const { pool, validator, type } = params;
      if (pool === undefined && validator === undefined) throw invalidParameter('validator', NEITHER);
      const { span, bounds } = toBounds(params, limits);
      const page = toWindow(params, POOL_VALIDATOR_EVENT_KEYS);
      return readIndex(call, async (db) => {
        const rows = await readPoolValidatorEvents(db, { filter: { pool, validator, type, span }, page });
        noteNextCursor(call, POOL_VALIDATOR_EVENT_KEYS, page, rows);
        const accounts = [pool, validator, ...rows.flatMap((row) => [row.pool, row.validator])];
        return {
          ...bounds,
          events: rows.map(toValidatorEvent),
          ...(await loadAddressBookFields(call, db, accounts)),
        };
      });
    },
  });
}

/** What a validator earned in a pool. */
export function createPoolValidatorRewards(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'staking/nominatorPools/validatorRewards',
    methods: ['GET'],
    tag: 'staking',
    summary: 'Rewards of the validator of a pool',
    description:
      'What a validator earned in a nominator pool, newest first, without penalties. Amounts are nanotons.',
    parameters: {
      validator: neededParam('The validator.'),
      pool: neededParam('The pool.'),
      ...listParams(limits),
    },
    result: Type.Object(
      { ...boundFields, ...totalField, rewards: Type.Array(validatorRewardSchema), ...addressBookFields },
      { title: 'NominatorPoolValidatorRewardsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('staking/nominatorPools/validatorRewards'),
      {
        title: 'No pool',
        params: { validator: '{alice}' },
        failure: { code: 422, text: NO_VALIDATOR_OR_POOL },
      },
      {
        title: 'An empty span',
        params: { validator: '{alice}', pool: '{alice}', ...BACKWARDS },
        failure: { code: 422, text: WRONG_BOUNDS },
      },
    ],
    handler: (params, call: V3Call) => {
      const [validator, pool] = bothOf(params.validator, params.pool, NO_VALIDATOR_OR_POOL);
      const { span, bounds } = toBounds(params, limits);
      const page = toWindow(params, POOL_VALIDATOR_EVENT_KEYS);
      return readIndex(call, async (db) => {
        const filter = { pool, validator, type: 'reward', span };
        const rows = await readPoolValidatorEvents(db, { filter, page });
        noteNextCursor(call, POOL_VALIDATOR_EVENT_KEYS, page, rows);
        return {
          ...bounds,
          total_on_page: sumOf(rows.map(deltaOf)),
          rewards: rows.map((row) => ({
            utime: BigInt(row.utime),
            reward: String(deltaOf(row)),
            balance_before: row.balance_before,
            tx_hash: formatHash(row.tx_hash),
            tx_lt: row.lt,
            ...causeOf(row),
          })),
          ...(await loadAddressBookFields(call, db, [pool, validator])),
        };
      });
    },
  });
}

/** A required account: the handler refuses its absence, after what is wrong in other parameters. */
function neededParam(description: string): Parameter<Buffer | undefined> {
  return { ...accountParam({ description }), required: true };
}

function bothOf(account: Buffer | undefined, pool: Buffer | undefined, text: string): [Buffer, Buffer] {
  if (account === undefined || pool === undefined) throw invalidParameter('pool', text);
  return [account, pool];
}

function listParams(limits: ListLimits) {
  return {
    ...lateBoundParams('Transaction time'),
    ...uncheckedWindowParams(withDefaultLimit(limits, DEFAULT_LIMIT)),
  };
}

/** The bounds of a request, for its query and for its response, which repeats them; checks its limit after them. */
function toBounds(params: ParameterValues<ReturnType<typeof listParams>>, limits: ListLimits) {
  const { from, to } = readBounds(params);
  checkLimit(params.limit, limits);
  return {
    span: {
      startUtime: from === undefined ? undefined : BigInt(from),
      endUtime: to === undefined ? undefined : BigInt(to),
    },
    bounds: {
      ...(from !== undefined && { start_utime: from }),
      ...(to !== undefined && { end_utime: to }),
    },
  };
}

function sumOf(amounts: readonly bigint[]): string {
  return String(amounts.reduce((sum, amount) => sum + amount, 0n));
}

const boundFields = {
  start_utime: Type.Optional(Type.Integer({ description: 'As requested.' })),
  end_utime: Type.Optional(Type.Integer({ description: 'As requested.' })),
};

const totalField = { total_on_page: PlainText({ description: 'The sum of the rewards in this response.' }) };

const transactionFields = { tx_hash: PlainText(), tx_lt: PlainText(), utime: Int64() };

function transactionOf({ tx_hash, lt, utime }: Pick<NominatorEventRow, 'tx_hash' | 'lt' | 'utime'>) {
  return { tx_hash: formatHash(tx_hash), tx_lt: lt, utime: BigInt(utime) };
}

const nominatorEventSchema = Type.Object(
  {
    ...transactionFields,
    pool_address: PlainText(),
    nominator_address: PlainText(),
    type: TextOf(NOMINATOR_EVENT_TYPES),
    amount: PlainText({ description: 'Negative for a reward of a stake that lost.' }),
    balance_delta: PlainText(),
    pending_balance_delta: PlainText(),
    balance_before: PlainText(),
    balance_after: PlainText(),
    pending_balance_before: PlainText(),
    pending_balance_after: PlainText(),
    withdraw_request_before: Type.Boolean(),
    withdraw_request_after: Type.Boolean(),
  },
  { title: 'NominatorPoolEvent' },
);

function toNominatorEvent(row: NominatorEventRow): Static<typeof nominatorEventSchema> {
  return {
    ...transactionOf(row),
    pool_address: formatAccount(row.pool),
    nominator_address: formatAccount(row.nominator),
    type: row.type,
    amount: row.amount,
    balance_delta: String(deltaOf(row)),
    pending_balance_delta: String(BigInt(row.pending_after) - BigInt(row.pending_before)),
    balance_before: row.balance_before,
    balance_after: row.balance_after,
    pending_balance_before: row.pending_before,
    pending_balance_after: row.pending_after,
    withdraw_request_before: row.withdraw_before,
    withdraw_request_after: row.withdraw_after,
  };
}

function deltaOf(row: Pick<PoolValidatorEventRow, 'balance_before' | 'balance_after'>): bigint {
  return BigInt(row.balance_after) - BigInt(row.balance_before);
}

const nominatorRewardSchema = Type.Object(
  {
    utime: Int64(),
    reward: PlainText(),
    stake_before: PlainText(),
    tx_hash: PlainText(),
    tx_lt: PlainText(),
  },
  { title: 'NominatorReward' },
);

const causeFields = {
  query_id: Type.Optional(PlainText()),
  cycle_start: Type.Optional(
    // Unix time of the election that the stake was sent for.
    Int64(),
  ),
};

function causeOf({ query_id, cycle_start }: Pick<PoolValidatorEventRow, 'query_id' | 'cycle_start'>) {
  return {
    ...(query_id !== null && { query_id }),
    ...(cycle_start !== null && { cycle_start: BigInt(cycle_start) }),
  };
}

const validatorEventSchema = Type.Object(
  {
    ...transactionFields,
    pool_address: PlainText(),
    validator_address: PlainText(),
    type: TextOf(['reward', 'penalty', 'deposit', 'withdrawal']),
    amount: PlainText({ description: 'Without a sign.' }),
    balance_delta: PlainText(),
    balance_before: PlainText(),
    balance_after: PlainText(),
    ...causeFields,
    validator_reward_share: Type.Integer({ description: 'In 1/10000.' }),
  },
  { title: 'NominatorPoolValidatorEvent' },
);

function toValidatorEvent(row: PoolValidatorEventRow): Static<typeof validatorEventSchema> {
  const delta = deltaOf(row);
  return {
    ...transactionOf(row),
    pool_address: formatAccount(row.pool),
    validator_address: formatAccount(row.validator),
    type: row.type,
    amount: String(delta < 0n ? -delta : delta),
    balance_delta: String(delta),
    balance_before: row.balance_before,
    balance_after: row.balance_after,
    ...causeOf(row),
    validator_reward_share: row.validator_reward_share,
  };
}

const validatorRewardSchema = Type.Object(
  {
    utime: Int64(),
    reward: PlainText(),
    balance_before: PlainText(),
    tx_hash: PlainText(),
    tx_lt: PlainText(),
    ...causeFields,
  },
  { title: 'NominatorPoolValidatorReward' },
);
