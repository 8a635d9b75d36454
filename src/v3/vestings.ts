import type { Static } from 'typebox';
import Type from 'typebox';
import { defineOperation, type Operation } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import type { ListedContract } from '../index/read/lists.ts';
import { readVestings, VESTING_KEYS, type VestingFilter } from '../index/read/vestings.ts';
import { addressBookFields, loadAddressBookFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, noteNextCursor, toWindow, windowParams } from './list-parameters.ts';
import { accountsParam, booleanParam } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { formatAccount } from './values.ts';

const OWNER = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';
const VESTING = '0:6B8F5A1C3D7E9F20416385A7C9EB0D2F41638507A9CBED0F21436587A9CBED0F';
const NEITHER = 'at least one of contract_address or wallet_address is required';
const BOTH = 'only one of contract_address or wallet_address should be specified';

/** Vesting contracts. */
export function createVesting(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'vesting',
    methods: ['GET'],
    tag: 'vesting',
    summary: 'Vesting contracts',
    description: 'Ordered by when they were indexed.',
    parameters: {
      contract_address: accountsParam({ description: 'Vesting contract addresses.' }),
      wallet_address: accountsParam({
        description: 'Vesting contracts with one of these as owner or sender.',
      }),
      check_whitelist: booleanParam({
        description: 'Also contracts that have `wallet_address` in their whitelist.',
        fallback: false,
      }),
      ...windowParams(limits),
    },
    result: Type.Object(
      { vesting_contracts: Type.Array(vestingSchema), ...addressBookFields },
      { title: 'VestingContractsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('vesting'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NEITHER } },
      {
        title: 'Both given',
        params: { contract_address: [VESTING], wallet_address: [OWNER] },
        failure: { code: 422, text: BOTH },
      },
    ],
    handler: (params, call: V3Call) => {
      const { contract_address: accounts, wallet_address: members } = params;
      if (accounts.length > 0 && members.length > 0) throw invalidParameter('contract_address', BOTH);
      if (accounts.length === 0 && members.length === 0) throw invalidParameter('contract_address', NEITHER);
      const byMembers = { members, includesWhitelist: params.check_whitelist };
      const filter: VestingFilter = accounts.length > 0 ? { accounts } : byMembers;
      const page = toWindow(params, VESTING_KEYS);
      return readIndex(call, async (db) => {
        const rows = await readVestings(db, { filter, page });
        noteNextCursor(call, VESTING_KEYS, page, rows);
        const shown = rows.flatMap((row) => [row.account, row.sender, row.owner, ...row.whitelist]);
        return { vesting_contracts: rows.map(toVesting), ...(await loadAddressBookFields(call, db, shown)) };
      });
    },
  });
}

const vestingSchema = Type.Object(
  {
    address: PlainText(),
    start_time: Int64(),
    total_duration: Int64(),
    unlock_period: Int64(),
    cliff_duration: Int64(),
    sender_address: PlainText(),
    owner_address: PlainText(),
    total_amount: PlainText(),
    whitelist: Type.Array(PlainText(), { description: 'Addresses that may be paid at any time.' }),
  },
  { title: 'VestingInfo' },
);

function toVesting(row: ListedContract<'vestings'>): Static<typeof vestingSchema> {
  return {
    address: formatAccount(row.account),
    start_time: BigInt(row.start_time),
    total_duration: BigInt(row.total_duration),
    unlock_period: BigInt(row.unlock_period),
    cliff_duration: BigInt(row.cliff_duration),
    sender_address: formatAccount(row.sender),
    owner_address: formatAccount(row.owner),
    total_amount: row.total_amount,
    whitelist: row.whitelist.map(formatAccount).sort(),
  };
}
