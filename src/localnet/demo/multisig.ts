import { SendMode } from '@ton/core';
import { textComment } from '../contracts/contract.ts';
import { approveOrder, multisigOrder, multisigWallet, newOrder, packOrder } from '../contracts/multisig.ts';
import type { DemoWallet } from './demo-wallets.ts';
import { deploy, pay, type Story, type StoryContext, send, step } from './story.ts';

const TEN_YEARS_SECONDS = 10 * 365 * 86_400;

/** Two of three signers decide over a wallet: one order is executed, another one waits for a second approval. */
export function multisigStory({ wallets, genesisTime }: StoryContext): Story {
  const { bank, dave, erin, frank, grace, heidi } = wallets;
  const multisig = multisigWallet({
    threshold: 2,
    signers: [dave.address, erin.address, frank.address],
    proposers: [grace.address],
  });
  const [executed, open] = [0n, 1n].map((seqno) => multisigOrder(multisig.address, seqno).address);
  const propose = (by: 'signer' | 'proposer', to: DemoWallet, ton: string) => {
    const message = pay(to, ton, textComment('From us all'));
    const order = packOrder([{ kind: 'send', mode: SendMode.PAY_GAS_SEPARATELY, message }]);
    const expiration = genesisTime + TEN_YEARS_SECONDS;
    return send(multisig.address, '0.5', newOrder({ by, index: 0, expiration, order }));
  };

  return {
    contracts: {
      multisig: multisig.address,
      'multisig order that was executed': executed!,
      'multisig order that is open': open!,
    },
    steps: [
      step(1, bank, 'The bank deploys a multisig wallet of dave, erin and frank.', [deploy(multisig, '100')]),
      step(2, dave, 'dave proposes to pay heidi from the multisig.', [propose('signer', heidi, '5')]),
      step(3, erin, 'erin approves the payment to heidi, which is thus made.', [
        send(executed!, '0.1', approveOrder(1)),
      ]),
      step(3, grace, 'grace, who may only propose, proposes to pay herself.', [
        propose('proposer', grace, '50'),
      ]),
      step(4, frank, 'frank approves the payment to grace; one approval is missing.', [
        send(open!, '0.1', approveOrder(2)),
      ]),
    ],
  };
}
