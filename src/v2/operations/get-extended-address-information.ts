import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getExtendedAddressInformationExamples } from '../examples/get-extended-address-information.ts';
import { accountRefusals } from '../params/account-refusals.ts';
import { address } from '../params/address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { ExtendedAccountState, extendedAccountState } from '../shapes/extended-account-state.ts';

/** An account with what is known of its kind. */
export const getExtendedAddressInformation = defineOperation({
  name: 'getExtendedAddressInformation',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'An account with what is known of its kind',
  description:
    'The kind is told by the code: wallets v3 and v4, highload wallets, restricted wallets, manual DNS and old payment ' +
    'channels are decoded, every other account is shown with its code and data.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: ExtendedAccountState,
  cache: 'immutable',
  examples: [...getExtendedAddressInformationExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: V2Call) => {
    const at = await readAccountAt(call, address, seqno);
    call.lasting = seqno !== undefined;
    return extendedAccountState(address, at);
  },
});
