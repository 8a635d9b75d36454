import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getAddressBalanceExamples } from '../examples/get-address-balance.ts';
import { accountRefusals } from '../params/account-refusals.ts';
import { address } from '../params/address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { accountFacts } from '../reads/account-facts.ts';
import { AmountText } from '../shapes/account-summary.ts';

/** The balance of an account. */
export const getAddressBalance = defineOperation({
  name: 'getAddressBalance',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'Balance of an account',
  description: 'In nanotons. An account that does not exist has a balance of 0.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: AmountText(),
  cache: 'immutable',
  examples: [...getAddressBalanceExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: V2Call) => {
    const { proven } = await readAccountAt(call, address, seqno);
    call.lasting = seqno !== undefined;
    return String(accountFacts(proven).balance);
  },
});
