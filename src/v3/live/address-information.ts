import Type, { type Static } from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import { toAccountBytes } from '../account-bytes.ts';
import type { KnownAccount } from '../accounts/known-account.ts';
import { loadAccount } from '../accounts/load-accounts.ts';
import type { V3Call } from '../call.ts';
import { Nullable } from '../nullable.ts';
import { accountParams } from './account-params.ts';
import { asServerFault } from './as-server-fault.ts';
import { liveBoc } from './live-accounts.ts';
import type { LiveAccount } from './live-chain.ts';
import { liveMembers } from './live-members.ts';

const schema = Type.Object({
  balance: PlainText({ description: 'Nanotons.' }),
  code: Nullable(PlainText({ description: 'Null also when it is not in the index yet.' })),
  data: Nullable(PlainText({ description: 'Null also when it is not in the index yet.' })),
  last_transaction_lt: PlainText(),
  last_transaction_hash: PlainText(),
  frozen_hash: Nullable(PlainText({ description: 'Only with `use_v2`.' })),
  status: Type.String(),
});

type AddressInformation = Static<typeof schema>;

const NOBODY: AddressInformation = {
  ...{ ...liveMembers(undefined), status: 'uninit' },
  ...{ code: null, data: null, frozen_hash: null },
};
const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';

/** An account with its code and data. */
export function createAddressInformation(): Operation<V3Call> {
  return defineOperation({
    name: 'addressInformation',
    aliases: ['account'],
    methods: ['GET'],
    tag: 'api/v2',
    summary: 'Balance, code and data of an account',
    description: 'An account that nobody knows is answered like one without balance.',
    parameters: accountParams(),
    result: schema,
    errors: [{ code: 500, when: 'With `use_v2`: a lite server failed' }],
    cache: 'head',
    examples: [
      { title: 'An account', params: { address: ELECTOR }, varies: true, result: NOBODY },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'address of account is required' } },
      {
        title: 'No address',
        params: { address: 'nobody' },
        failure: { code: 422, text: 'failed to decode: schema: error converting value for "address"' },
      },
    ],
    handler: async ({ address, use_v2 }, call: V3Call) => {
      if (use_v2) {
        const live = await asServerFault(call.ports.live.accountState(address, call));
        call.answer.isLive = true;
        return fromLive(live);
      }
      const wish = { codes: true, dataOf: () => true };
      const row = await loadAccount(call, toAccountBytes(address), wish);
      return row === undefined ? NOBODY : fromIndex(row);
    },
  });
}

function fromIndex({
  balance,
  code,
  data,
  last_trans_lt,
  last_trans_hash,
  status,
}: KnownAccount): AddressInformation {
  return {
    balance,
    code: code?.toString('base64') ?? null,
    data: data?.toString('base64') ?? null,
    last_transaction_lt: last_trans_lt,
    last_transaction_hash: last_trans_hash.toString('base64'),
    // By contract; `accountStates` has it.
    frozen_hash: null,
    status,
  };
}

function fromLive(live: LiveAccount | undefined): AddressInformation {
  return {
    ...liveMembers(live),
    code: live?.code ? liveBoc(live.code, true).toString('base64') : null,
    data: live?.data ? liveBoc(live.data, true).toString('base64') : null,
    frozen_hash: live?.frozenHash?.toString('base64') ?? null,
  };
}
