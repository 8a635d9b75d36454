import Type from 'typebox';
import { PlainText } from '../http/serializer.ts';
import { readVestings, VESTING_KEYS, type VestingFilter } from '../index/read/vestings.ts';
import { loadAddressBookFields, withAddressBook } from './address-book.ts';
import { readList, windowParams } from './list-parameters.ts';
import { defineV3Operation, type ListLimits } from './operation.ts';
import { accountsParam, booleanParam } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { account, column, defineRow, int64, text } from './row-json.ts';
import { formatAccount } from './values.ts';

export const createVesting = (limits: ListLimits) =>
  defineV3Operation({
    name: 'vesting',
    tag: 'vesting',
    summary: 'Vesting contracts',
    description: 'Ordered by when they were indexed.',
    parameters: {
      contract_address: accountsParam('Vesting contract addresses.'),
      wallet_address: accountsParam('Vesting contracts with one of these as owner or sender.'),
      check_whitelist: booleanParam('Also contracts that have `wallet_address` in their whitelist.', {
        fallback: false,
      }),
      ...windowParams(limits),
    },
    result: withAddressBook('VestingContractsResponse', { vesting_contracts: Type.Array(vesting.schema) }),
    handler: (params, call) => {
      const { contract_address: accounts, wallet_address: members } = params;
      if (accounts.length > 0 && members.length > 0)
        throw invalidParameter(
          'contract_address',
          'only one of contract_address or wallet_address should be specified',
        );
      if (accounts.length === 0 && members.length === 0)
        throw invalidParameter(
          'contract_address',
          'at least one of contract_address or wallet_address is required',
        );
      const byMembers = { members, includesWhitelist: params.check_whitelist };
      const filter: VestingFilter = accounts.length > 0 ? { accounts } : byMembers;
      return readList(call, params, {
        keys: VESTING_KEYS,
        read: (db, page) => readVestings(db, { filter, page }),
        show: async (rows, db) => ({
          vesting_contracts: rows.map(vesting.write),
          ...(await loadAddressBookFields(call, db, vesting.accountsOf(rows))),
        }),
      });
    },
  });

const sortedAccounts = column(
  (options) => Type.Array(PlainText(), options),
  (values: readonly Buffer[]) => values.map(formatAccount).sort(),
  (values) => values,
);

const vesting = defineRow('VestingInfo', {
  address: account('account'),
  start_time: int64('start_time'),
  total_duration: int64('total_duration'),
  unlock_period: int64('unlock_period'),
  cliff_duration: int64('cliff_duration'),
  sender_address: account('sender'),
  owner_address: account('owner'),
  total_amount: text('total_amount'),
  whitelist: sortedAccounts('whitelist', 'Addresses that may be paid at any time.'),
});
