import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getWalletInformationExamples } from '../examples/get-wallet-information.ts';
import { accountRefusals } from '../params/account-refusals.ts';
import { address } from '../params/address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { WalletInformation, walletInformation } from '../shapes/wallet-information.ts';

/** What a wallet's data says. */
export const getWalletInformation = defineOperation({
  name: 'getWalletInformation',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'Kind, seqno and id of a wallet',
  description:
    'For wallets v1 to v5. Any other account, be it a contract, frozen or missing, is answered with `wallet: false` ' +
    'and without the members of a wallet.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: WalletInformation,
  cache: 'immutable',
  examples: [...getWalletInformationExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: V2Call) => {
    const at = await readAccountAt(call, address, seqno);
    call.lasting = seqno !== undefined;
    return walletInformation(at);
  },
});
