import { internal, SendMode, toNano } from '@ton/core';
import { textComment } from '../contracts/contract.ts';
import { approveOrder, multisigOrder, multisigWallet, newOrder, packOrder } from '../contracts/multisig.ts';
import type { DemoWallet } from './demo-wallets.ts';
import { type Story, type StoryContext, step } from './story.ts';

const TEN_YEARS_SECONDS = 10 * 365 * 86_400;

/** Two of three signers decide over a wallet: one order is executed, another one waits for a second approval. */
export function multisigStory({ wallets, genesisTime: beginning }: StoryContext): Story {
  const { bank, dave, erin, frank, grace, heidi } = wallets;
  const multisig = multisigWallet({
    threshold: 2,
    signers: [dave.address, erin.address, frank.address],
    proposers: [grace.address],
  });
  const [executed, open] = [0n, 1n].map((seqno) => multisigOrder(multisig.address, seqno).address);
  const expiration = beginning + TEN_YEARS_SECONDS;
  const payment = (to: DemoWallet, value: string) =>
    packOrder([
      {
        kind: 'send',
        mode: SendMode.PAY_GAS_SEPARATELY,
        message: internal({
          to: to.address,
          value: toNano(value),
          bounce: false,
          body: textComment('From us all'),
        }),
      },
    ]);
  const toMultisig = { to: multisig.address, value: toNano('0.5') };

  return {
    contracts: {
      multisig: multisig.address,
      'multisig order that was executed': executed!,
      'multisig order that is open': open!,
    },
    steps: [
      step(1, bank, 'The bank deploys a multisig wallet of dave, erin and frank.', [
        internal({ to: multisig.address, value: toNano('100'), init: multisig.init }),
      ]),
      step(2, dave, 'dave proposes to pay heidi from the multisig.', [
        internal({
          ...toMultisig,
          body: newOrder({ by: 'signer', index: 0, expiration, order: payment(heidi, '5') }),
        }),
      ]),
      step(3, erin, 'erin approves the payment to heidi, which is thus made.', [
        internal({ to: executed!, value: toNano('0.1'), body: approveOrder(1) }),
      ]),
      step(3, grace, 'grace, who may only propose, proposes to pay herself.', [
        internal({
          ...toMultisig,
          body: newOrder({ by: 'proposer', index: 0, expiration, order: payment(grace, '50') }),
        }),
      ]),
      step(4, frank, 'frank approves the payment to grace; one approval is missing.', [
        internal({ to: open!, value: toNano('0.1'), body: approveOrder(2) }),
      ]),
    ],
  };
}
