import { type Address, internal, toNano } from '@ton/core';
import { textComment } from '../contracts/contract.ts';
import { addToWhitelist, vestingSend, vestingWallet } from '../contracts/vesting.ts';
import { type Story, type StoryContext, step } from './story.ts';

const DAY_SECONDS = 86_400;
const LOCKED = toNano('1000');
const FREE = toNano('100');

/** The bank locks money for grace, who spends what is free and stakes some of what is locked. */
export function vestingStory({
  wallets: { bank, grace, heidi, judy },
  genesisTime: beginning,
}: StoryContext): Story {
  const vesting = vestingWallet({
    publicKey: grace.keys.publicKey,
    startTime: beginning,
    totalDuration: 360 * DAY_SECONDS,
    unlockPeriod: 30 * DAY_SECONDS,
    cliffDuration: 90 * DAY_SECONDS,
    totalAmount: LOCKED,
    sender: bank.address,
    owner: grace.address,
  });
  const spend = (to: Address, value: string, comment: string) =>
    internal({
      to: vesting.address,
      value: toNano('0.2'),
      body: vestingSend(internal({ to, value: toNano(value), body: textComment(comment) })),
    });

  return {
    contracts: { 'vesting wallet': vesting.address },
    steps: [
      step(1, bank, 'The bank locks money for grace for a year, and allows her to stake it with heidi.', [
        internal({ to: vesting.address, value: LOCKED + FREE, init: vesting.init }),
        internal({ to: vesting.address, value: toNano('0.2'), body: addToWhitelist([heidi.address]) }),
      ]),
      step(3, grace, 'grace spends some of the money that is not locked.', [
        spend(judy.address, '5', 'What is free goes to anybody'),
      ]),
      step(4, grace, 'grace stakes some of the locked money with heidi.', [spend(heidi.address, '200', 'd')]),
    ],
  };
}
