import Type from 'typebox';
import { readVestings, VESTING_KEYS, type VestingFilter } from '../../db/queries/vestings.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { bookSchema, loadBook } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { accountsParam } from '../params/accounts.ts';
import { booleanParam } from '../params/boolean.ts';
import { refuse } from '../params/kind.ts';
import type { PageLimits } from '../params/limit.ts';
import { readIndex } from '../read-index.ts';
import { toVesting, vestingSchema } from './vesting.ts';

const OWNER = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';
const VESTING = '0:6B8F5A1C3D7E9F20416385A7C9EB0D2F41638507A9CBED0F21436587A9CBED0F';
const NEITHER = 'at least one of contract_address or wallet_address is required';
const BOTH = 'only one of contract_address or wallet_address should be specified';

/** Vesting wallets. */
export function createVesting(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'vesting',
    methods: ['GET'],
    tag: 'vesting',
    summary: 'Vesting wallets',
    description: 'In the order in which they were found.',
    parameters: {
      contract_address: accountsParam({ description: 'Vesting wallets with these addresses.' }),
      wallet_address: accountsParam({ description: 'Vesting wallets that these own or paid for.' }),
      check_whitelist: booleanParam({
        description: 'Also those that may pay `wallet_address` at any time.',
        fallback: false,
      }),
      ...pageParams(limits),
    },
    result: Type.Object({ vesting_contracts: Type.Array(vestingSchema), ...bookSchema }),
    cache: 'head',
    examples: [
      {
        title: 'What somebody owns',
        params: { wallet_address: [OWNER] },
        varies: true,
        result: {
          vesting_contracts: [
            {
              address: VESTING,
              start_time: 1730000000,
              total_duration: 31536000,
              unlock_period: 2628000,
              cliff_duration: 0,
              sender_address: OWNER,
              owner_address: OWNER,
              total_amount: '1000000000',
              whitelist: [],
            },
          ],
          address_book: {},
        },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NEITHER } },
      {
        title: 'Both given',
        params: { contract_address: [VESTING], wallet_address: [OWNER] },
        failure: { code: 422, text: BOTH },
      },
    ],
    handler: (params, call: V3Call) => {
      const { contract_address: accounts, wallet_address: people } = params;
      if (accounts.length > 0 && people.length > 0) throw refuse('contract_address', BOTH);
      if (accounts.length === 0 && people.length === 0) throw refuse('contract_address', NEITHER);
      const byPeople = { people, countsWhitelist: params.check_whitelist };
      const filter: VestingFilter = accounts.length > 0 ? { accounts } : byPeople;
      const page = openPage(params, VESTING_KEYS);
      return readIndex(call, async (db) => {
        const rows = await readVestings(db, { filter, page });
        notePage(call, VESTING_KEYS, page, rows);
        const named = rows.flatMap((row) => [row.account, row.sender, row.owner, ...row.whitelist]);
        return { vesting_contracts: rows.map(toVesting), ...(await loadBook(call, db, named)) };
      });
    },
  });
}
