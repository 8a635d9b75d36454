import { internal, SendMode, toNano } from '@ton/core';
import { textComment } from '../../contracts/contract.ts';
import {
  approveOrder,
  multisigOrder,
  multisigWallet,
  newOrder,
  packOrder,
} from '../../contracts/multisig.ts';
import type { DemoWallet } from '../demo-wallets.ts';
import type { Story, StoryContext } from '../story.ts';

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
      {
        round: 1,
        what: 'The bank deploys a multisig wallet of dave, erin and frank.',
        by: bank,
        sends: [internal({ to: multisig.address, value: toNano('100'), init: multisig.init })],
      },
      {
        round: 2,
        what: 'dave proposes to pay heidi from the multisig.',
        by: dave,
        sends: [
          internal({
            ...toMultisig,
            body: newOrder({ by: 'signer', index: 0, expiration, order: payment(heidi, '5') }),
          }),
        ],
      },
      {
        round: 3,
        what: 'erin approves the payment to heidi, which is thus made.',
        by: erin,
        sends: [internal({ to: executed!, value: toNano('0.1'), body: approveOrder(1) })],
      },
      {
        round: 3,
        what: 'grace, who may only propose, proposes to pay herself.',
        by: grace,
        sends: [
          internal({
            ...toMultisig,
            body: newOrder({ by: 'proposer', index: 0, expiration, order: payment(grace, '50') }),
          }),
        ],
      },
      {
        round: 4,
        what: 'frank approves the payment to grace; one approval is missing.',
        by: frank,
        sends: [internal({ to: open!, value: toNano('0.1'), body: approveOrder(2) })],
      },
    ],
  };
}
