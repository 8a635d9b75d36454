import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getAddressInformationExamples } from '../examples/get-address-information.ts';
import { accountRefusals } from '../params/account-refusals.ts';
import { address } from '../params/address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readAccountSuspension } from '../reads/account-suspension.ts';
import { FullAccountState, fullAccountState } from '../shapes/full-account-state.ts';

/** An account with its code and data. */
export const getAddressInformation = defineOperation({
  name: 'getAddressInformation',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'Balance, code and data of an account',
  description:
    'An account that does not exist is answered like an uninitialized one without balance. `suspended` tells whether ' +
    'the newest configuration keeps the account from being deployed.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: FullAccountState,
  // Not immutable for an old block either: `suspended` is up to the newest configuration.
  cache: 'head',
  examples: [...getAddressInformationExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: V2Call) => {
    const at = await readAccountSuspension(call, address, seqno);
    return fullAccountState(at, at.suspended, call.ports.memory.codeTexts);
  },
});
