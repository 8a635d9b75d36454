import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getAddressStateExamples } from '../examples/get-address-state.ts';
import { accountRefusals } from '../params/account-refusals.ts';
import { address } from '../params/address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { accountFacts } from '../reads/account-facts.ts';
import { AccountStatus } from '../shapes/account-summary.ts';

/** Whether an account runs code. */
export const getAddressState = defineOperation({
  name: 'getAddressState',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'State of an account',
  description: 'An account that does not exist, or that has no code, is `uninitialized`.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: AccountStatus(),
  cache: 'immutable',
  examples: [...getAddressStateExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: V2Call) => {
    const { proven } = await readAccountAt(call, address, seqno);
    call.lasting = seqno !== undefined;
    return accountFacts(proven).status;
  },
});
