import type { Static } from 'typebox';
import Type from 'typebox';
import { defineOperation, type Operation } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import {
  type NominatorPoolRow,
  readNominatorPool,
  readNominatorPositions,
} from '../index/read/nominator-pools.ts';
import { Failure } from '../lib/errors.ts';
import { addressBookFields, loadAddressBookFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { requiredAccountParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount } from './values.ts';

const NO_POOL = 'pool parameter is required';
const NO_NOMINATOR = 'nominator parameter is required';
const UNKNOWN_POOL = 'Pool not found';

/** A nominator pool as it is now. */
export function createNominatorPool(): Operation<V3Call> {
  return defineOperation({
    name: 'staking/nominatorPools/pool',
    methods: ['GET'],
    tag: 'staking',
    summary: 'Nominator pool',
    description: 'A nominator pool as it is now, with all its nominators. Amounts are nanotons.',
    parameters: {
      pool: requiredAccountParam({ description: 'The pool.', missingText: NO_POOL }),
    },
    result: Type.Object({ ...poolFields, ...addressBookFields }, { title: 'NominatorPoolInfo' }),
    errors: [{ code: 404, when: 'The address is not that of a nominator pool.' }],
    cache: 'head',
    examples: [
      recordedExample('staking/nominatorPools/pool'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NO_POOL } },
      {
        title: 'Not a pool',
        params: { pool: '{alice}' },
        failure: { code: 404, text: UNKNOWN_POOL },
      },
    ],
    handler: ({ pool: account }, call: V3Call) =>
      readIndex(call, async (db) => {
        const pool = await readNominatorPool(db, { account });
        if (pool === undefined) throw new Failure('not_found', UNKNOWN_POOL);
        const accounts = [account, pool.validator, ...pool.nominators];
        return { ...toPool(pool), ...(await loadAddressBookFields(call, db, accounts)) };
      }),
  });
}

const positionFields = {
  balance: PlainText({ description: 'Takes part in the stake.' }),
  pending_balance: PlainText({ description: 'Joins the balance when the current stake returns.' }),
};

const poolFields = {
  stake_amount_sent: PlainText(),
  validator_amount: PlainText({ description: 'What the validator has in the pool.' }),
  validator_address: PlainText(),
  validator_reward_share: Type.Integer({ description: 'In 1/10000.' }),
  state: Type.Integer({ description: '0: idle, 1: the stake is sent to the elector, 2: it is accepted.' }),
  nominators_count: Type.Integer(),
  max_nominators_count: Type.Integer(),
  min_validator_stake: PlainText(),
  min_nominator_stake: PlainText(),
  active_nominators: Type.Array(
    Type.Object({ address: PlainText(), ...positionFields }, { title: 'ActiveNominatorInfo' }),
  ),
};

function toPool(row: NominatorPoolRow): {
  [Name in keyof typeof poolFields]: Static<(typeof poolFields)[Name]>;
} {
  return {
    stake_amount_sent: row.stake_amount_sent,
    validator_amount: row.validator_amount,
    validator_address: formatAccount(row.validator),
    validator_reward_share: Number(row.validator_reward_share),
    state: Number(row.state),
    nominators_count: Number(row.nominators_count),
    max_nominators_count: Number(row.max_nominators_count),
    min_validator_stake: row.min_validator_stake,
    min_nominator_stake: row.min_nominator_stake,
    active_nominators: row.nominators.map((nominator, i) => ({
      address: formatAccount(nominator),
      balance: row.balances[i]!,
      pending_balance: row.pendingBalances[i]!,
    })),
  };
}

/** What all pools keep for a nominator. */
export function createNominatorPositions(): Operation<V3Call> {
  return defineOperation({
    name: 'staking/nominatorPools/nominator',
    methods: ['GET'],
    tag: 'staking',
    summary: 'Pools of a nominator',
    description:
      'What all nominator pools keep for an account now, by address of the pool. Amounts are nanotons.',
    parameters: {
      nominator: requiredAccountParam({ description: 'The nominator.', missingText: NO_NOMINATOR }),
    },
    result: Type.Object(
      { nominator_pools: Type.Array(nominatorPoolSchema), ...addressBookFields },
      { title: 'NominatorPoolsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('staking/nominatorPools/nominator'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NO_NOMINATOR } },
    ],
    handler: ({ nominator }, call: V3Call) =>
      readIndex(call, async (db) => {
        const rows = await readNominatorPositions(db, { nominator });
        const accounts = [nominator, ...rows.map(({ account }) => account)];
        return {
          nominator_pools: rows.map(({ account, balance, pending }) => ({
            pool_address: formatAccount(account),
            balance,
            pending_balance: pending,
          })),
          ...(await loadAddressBookFields(call, db, accounts)),
        };
      }),
  });
}

const nominatorPoolSchema = Type.Object(
  { pool_address: PlainText(), ...positionFields },
  { title: 'NominatorPoolPosition' },
);
