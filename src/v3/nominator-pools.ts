import Type from 'typebox';
import { NOMINATOR_EVENT_TYPES, VALIDATOR_EVENT_TYPES } from '../chain/contracts/nominator-pool.ts';
import type { Db } from '../db/tables/tables.ts';
import type { Parameter, ParameterValues } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import type { ListWindow, OrderKey } from '../index/read/lists.ts';
import {
  NOMINATOR_EVENT_KEYS,
  type NominatorEventRow,
  type NominatorPoolRow,
  POOL_VALIDATOR_EVENT_KEYS,
  type PoolValidatorEventRow,
  readNominatorEvents,
  readNominatorPool,
  readNominatorPositions,
  readPoolValidatorEvents,
} from '../index/read/nominator-pools.ts';
import type { Span } from '../index/read/time-bounds.ts';
import { Failure } from '../lib/errors.ts';
import { loadAddressBookFields, withAddressBook } from './address-book.ts';
import {
  checkLimit,
  lateBoundParams,
  readBounds,
  readList,
  uncheckedWindowParams,
  withDefaultLimit,
} from './list-parameters.ts';
import { defineV3Operation, type ListLimits, type V3Call } from './operation.ts';
import { accountParam, choiceParam, requiredAccountParam, stringParam } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { account, base64, defineRow, flag, int64, integer, member, optional, text } from './row-json.ts';
import { TextOf } from './values.ts';

const NO_POOL = 'pool parameter is required';

export const createNominatorPool = () =>
  defineV3Operation({
    name: 'staking/nominatorPools/pool',
    tag: 'staking',
    summary: 'Nominator pool',
    description: 'A nominator pool as it is now, with all its nominators. Amounts are nanotons.',
    parameters: {
      pool: requiredAccountParam('The pool.', NO_POOL),
    },
    result: withAddressBook('NominatorPoolInfo', { ...nominatorPool.schema.properties }),
    errors: [{ code: 404, when: 'The address is not that of a nominator pool.' }],
    handler: ({ pool: account }, call) =>
      readIndex(call, async (db) => {
        const pool = await readNominatorPool(db, { account });
        if (pool === undefined) throw new Failure('not_found', 'Pool not found');
        const accounts = [account, pool.validator, ...pool.nominators];
        return { ...nominatorPool.write(pool), ...(await loadAddressBookFields(call, db, accounts)) };
      }),
  });

const position = {
  balance: text('balance', 'Takes part in the stake.'),
  pending_balance: text('pending', 'Joins the balance when the current stake returns.'),
};

const activeNominator = defineRow('ActiveNominatorInfo', { address: account('account'), ...position });

const nominatorPool = defineRow(undefined, {
  stake_amount_sent: text('stake_amount_sent'),
  validator_amount: text('validator_amount', 'What the validator has in the pool.'),
  validator_address: account('validator'),
  validator_reward_share: integer('validator_reward_share', 'In 1/10000.'),
  state: integer('state', '0: idle, 1: the stake is sent to the elector, 2: it is accepted.'),
  nominators_count: integer('nominators_count'),
  max_nominators_count: integer('max_nominators_count'),
  min_validator_stake: text('min_validator_stake'),
  min_nominator_stake: text('min_nominator_stake'),
  active_nominators: member(
    Type.Array(activeNominator.schema),
    ({ nominators, balances, pendingBalances }: NominatorPoolRow) =>
      nominators.map((account, i) =>
        activeNominator.write({ account, balance: balances[i]!, pending: pendingBalances[i]! }),
      ),
  ),
});

export const createNominatorPositions = () =>
  defineV3Operation({
    name: 'staking/nominatorPools/nominator',
    tag: 'staking',
    summary: 'Pools of a nominator',
    description:
      'What all nominator pools keep for an account now, by address of the pool. Amounts are nanotons.',
    parameters: {
      nominator: requiredAccountParam('The nominator.', 'nominator parameter is required'),
    },
    result: withAddressBook('NominatorPoolsResponse', {
      nominator_pools: Type.Array(nominatorPosition.schema),
    }),
    handler: ({ nominator }, call) =>
      readIndex(call, async (db) => {
        const rows = await readNominatorPositions(db, { nominator });
        const accounts = [nominator, ...rows.map(({ account }) => account)];
        return {
          nominator_pools: rows.map(nominatorPosition.write),
          ...(await loadAddressBookFields(call, db, accounts)),
        };
      }),
  });

const nominatorPosition = defineRow('NominatorPoolPosition', {
  pool_address: account('account'),
  ...position,
});

const DEFAULT_LIMIT = 100;

export const createNominatorEvents = (limits: ListLimits) =>
  defineV3Operation({
    name: 'staking/nominatorPools/nominatorEvents',
    tag: 'staking',
    summary: 'Events of nominators',
    description:
      'What happened to the nominators of a pool, newest first: rewards, deposits, withdrawals. A transaction may have several events, each begins where the one before ends. Amounts are nanotons.',
    parameters: {
      pool: neededParam('The pool.'),
      nominator: accountParam('Events of this nominator.'),
      type: choiceParam(NOMINATOR_EVENT_TYPES, 'Events of this kind.'),
      ...listParams(limits),
    },
    result: withAddressBook('NominatorPoolEventsResponse', {
      ...boundFields,
      events: Type.Array(nominatorEvent.schema),
    }),
    handler: (params, call) => {
      const { pool, nominator, type } = params;
      if (pool === undefined) throw invalidParameter('pool', NO_POOL);
      return readEvents(call, params, limits, {
        ...NOMINATOR_LIST,
        filter: { pool, nominator, type },
        show: (rows) => ({ events: rows.map(nominatorEvent.write) }),
        accounts: (rows) => [pool, nominator, ...nominatorEvent.accountsOf(rows)],
      });
    },
  });

export const createNominatorRewards = (limits: ListLimits) =>
  defineV3Operation({
    name: 'staking/nominatorPools/nominatorRewards',
    tag: 'staking',
    summary: 'Rewards of a nominator',
    description:
      'What a nominator earned in a pool, newest first; a reward is negative if the stake lost. Amounts are nanotons.',
    parameters: {
      nominator: neededParam('The nominator.'),
      pool: neededParam('The pool.'),
      ...listParams(limits),
    },
    result: withAddressBook('NominatorRewardsResponse', {
      ...boundFields,
      ...totalField,
      rewards: Type.Array(nominatorReward.schema),
    }),
    handler: (params, call) => {
      const { nominator, pool } = params;
      if (nominator === undefined || pool === undefined)
        throw invalidParameter('pool', 'nominator and pool parameters are required');
      return readEvents(call, params, limits, {
        ...NOMINATOR_LIST,
        filter: { pool, nominator, type: 'reward' },
        show: (rows) => ({
          total_on_page: sumOf(rows.map(({ amount }) => BigInt(amount))),
          rewards: rows.map(nominatorReward.write),
        }),
        accounts: () => [pool, nominator],
      });
    },
  });

export const createPoolValidatorEvents = (limits: ListLimits) =>
  defineV3Operation({
    name: 'staking/nominatorPools/validatorEvents',
    tag: 'staking',
    summary: 'Events of validators of pools',
    description:
      'What happened to the part of the validator in nominator pools, newest first: rewards, penalties, deposits, withdrawals. Amounts are nanotons.',
    parameters: {
      validator: accountParam('Events of this validator; it or `pool` is required.'),
      pool: accountParam('Events in this pool.'),
      // Not checked, as in the reference.
      type: stringParam('Events of this kind: `reward`, `penalty`, `deposit` or `withdrawal`.'),
      ...listParams(limits),
    },
    result: withAddressBook('NominatorPoolValidatorEventsResponse', {
      ...boundFields,
      events: Type.Array(validatorEvent.schema),
    }),
    handler: (params, call) => {
      const { pool, validator, type } = params;
      if (pool === undefined && validator === undefined)
        throw invalidParameter('validator', 'validator or pool parameter is required');
      return readEvents(call, params, limits, {
        ...VALIDATOR_LIST,
        filter: { pool, validator, type },
        show: (rows) => ({ events: rows.map(validatorEvent.write) }),
        accounts: (rows) => [pool, validator, ...validatorEvent.accountsOf(rows)],
      });
    },
  });

export const createPoolValidatorRewards = (limits: ListLimits) =>
  defineV3Operation({
    name: 'staking/nominatorPools/validatorRewards',
    tag: 'staking',
    summary: 'Rewards of the validator of a pool',
    description:
      'What a validator earned in a nominator pool, newest first, without penalties. Amounts are nanotons.',
    parameters: {
      validator: neededParam('The validator.'),
      pool: neededParam('The pool.'),
      ...listParams(limits),
    },
    result: withAddressBook('NominatorPoolValidatorRewardsResponse', {
      ...boundFields,
      ...totalField,
      rewards: Type.Array(validatorReward.schema),
    }),
    handler: (params, call) => {
      const { validator, pool } = params;
      if (validator === undefined || pool === undefined)
        throw invalidParameter('pool', 'validator and pool parameters are required');
      return readEvents(call, params, limits, {
        ...VALIDATOR_LIST,
        filter: { pool, validator, type: 'reward' },
        show: (rows) => ({
          total_on_page: sumOf(rows.map(deltaOf)),
          rewards: rows.map(validatorReward.write),
        }),
        accounts: () => [pool, validator],
      });
    },
  });

/** A required account: the handler refuses its absence, after what is wrong in other parameters. */
function neededParam(description: string): Parameter<Buffer | undefined> {
  return { ...accountParam(description), required: true };
}

function listParams(limits: ListLimits) {
  return {
    ...lateBoundParams('Transaction time'),
    ...uncheckedWindowParams(withDefaultLimit(limits, DEFAULT_LIMIT)),
  };
}

const NOMINATOR_LIST = { keys: NOMINATOR_EVENT_KEYS, read: readNominatorEvents };
const VALIDATOR_LIST = { keys: POOL_VALIDATOR_EVENT_KEYS, read: readPoolValidatorEvents };

type ListedRow = { readonly cursor: readonly string[] };

interface EventList<Filter extends { readonly span: Span }, Row extends ListedRow, T> {
  readonly keys: readonly OrderKey[];
  readonly read: (
    db: Db,
    query: { readonly filter: Filter; readonly page: ListWindow },
  ) => Promise<readonly Row[]>;
  readonly filter: Omit<Filter, 'span'>;
  readonly show: (rows: readonly Row[]) => T;
  readonly accounts: (rows: readonly Row[]) => readonly (Buffer | undefined)[];
}

/** Reads a page of events. The response repeats the bounds of the request, whose limit is checked after them. */
function readEvents<Filter extends { readonly span: Span }, Row extends ListedRow, T>(
  call: V3Call,
  params: ParameterValues<ReturnType<typeof listParams>>,
  limits: ListLimits,
  { keys, read, filter, show, accounts }: EventList<Filter, Row, T>,
) {
  const { from, to } = readBounds(params);
  checkLimit(params.limit, limits);
  const span = {
    startUtime: from === undefined ? undefined : BigInt(from),
    endUtime: to === undefined ? undefined : BigInt(to),
  };
  return readList(call, params, {
    keys,
    read: (db, page) => read(db, { filter: { ...filter, span } as unknown as Filter, page }),
    show: async (rows, db) => ({
      ...(from !== undefined && { start_utime: from }),
      ...(to !== undefined && { end_utime: to }),
      ...show(rows),
      ...(await loadAddressBookFields(call, db, accounts(rows))),
    }),
  });
}

function sumOf(amounts: readonly bigint[]): string {
  return String(amounts.reduce((sum, amount) => sum + amount, 0n));
}

const boundFields = {
  start_utime: Type.Optional(Type.Integer({ description: 'As requested.' })),
  end_utime: Type.Optional(Type.Integer({ description: 'As requested.' })),
};

const totalField = { total_on_page: PlainText({ description: 'The sum of the rewards in this response.' }) };

const transaction = { tx_hash: base64('tx_hash'), tx_lt: text('lt'), utime: int64('utime') };

const balances = {
  balance_delta: member(PlainText(), (row: Balances) => String(deltaOf(row))),
  balance_before: text('balance_before'),
  balance_after: text('balance_after'),
};

type Balances = Pick<PoolValidatorEventRow, 'balance_before' | 'balance_after'>;

function deltaOf({ balance_before, balance_after }: Balances): bigint {
  return BigInt(balance_after) - BigInt(balance_before);
}

const nominatorEvent = defineRow('NominatorPoolEvent', {
  ...transaction,
  pool_address: account('pool'),
  nominator_address: account('nominator'),
  type: member(TextOf(NOMINATOR_EVENT_TYPES), ({ type }: NominatorEventRow) => type),
  amount: text('amount', 'Negative for a reward of a stake that lost.'),
  balance_delta: balances.balance_delta,
  pending_balance_delta: member(PlainText(), ({ pending_after, pending_before }: NominatorEventRow) =>
    String(BigInt(pending_after) - BigInt(pending_before)),
  ),
  balance_before: balances.balance_before,
  balance_after: balances.balance_after,
  pending_balance_before: text('pending_before'),
  pending_balance_after: text('pending_after'),
  withdraw_request_before: flag('withdraw_before'),
  withdraw_request_after: flag('withdraw_after'),
});

const nominatorReward = defineRow('NominatorReward', {
  utime: transaction.utime,
  reward: text('amount'),
  stake_before: balances.balance_before,
  tx_hash: transaction.tx_hash,
  tx_lt: transaction.tx_lt,
});

const cause = {
  query_id: optional(text('query_id')),
  // Unix time of the election that the stake was sent for.
  cycle_start: optional(int64('cycle_start')),
};

const validatorEvent = defineRow('NominatorPoolValidatorEvent', {
  ...transaction,
  pool_address: account('pool'),
  validator_address: account('validator'),
  type: member(TextOf(VALIDATOR_EVENT_TYPES), ({ type }: PoolValidatorEventRow) => type),
  amount: member(PlainText({ description: 'Without a sign.' }), (row: Balances) =>
    String(deltaOf(row)).replace('-', ''),
  ),
  ...balances,
  ...cause,
  validator_reward_share: integer('validator_reward_share', 'In 1/10000.'),
});

const validatorReward = defineRow('NominatorPoolValidatorReward', {
  utime: transaction.utime,
  reward: balances.balance_delta,
  balance_before: balances.balance_before,
  tx_hash: transaction.tx_hash,
  tx_lt: transaction.tx_lt,
  ...cause,
});
