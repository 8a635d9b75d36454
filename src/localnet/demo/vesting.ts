import { type Address, internal, toNano } from '@ton/core';
import { addToWhitelist, vestingSend, vestingWallet } from '../contracts/vesting.ts';
import { deploy, type Story, type StoryContext, send, step } from './story.ts';

const DAY_SECONDS = 86_400;

/** The bank locks 1000 TON for grace, who spends some of the 100 that are free and stakes some of what is locked. */
export function vestingStory({ wallets: { bank, grace, heidi, judy }, genesisTime }: StoryContext): Story {
  const vesting = vestingWallet({
    publicKey: grace.keys.publicKey,
    startTime: genesisTime,
    totalDuration: 360 * DAY_SECONDS,
    unlockPeriod: 30 * DAY_SECONDS,
    cliffDuration: 90 * DAY_SECONDS,
    totalAmount: toNano('1000'),
    sender: bank.address,
    owner: grace.address,
  });
  const { address } = vesting;
  const spend = (to: Address, value: string, comment: string) =>
    send(address, '0.2', vestingSend(internal({ to, value, body: comment })));

  return {
    contracts: { 'vesting wallet': address },
    steps: [
      step(1, bank, 'The bank locks money for grace for a year, and allows her to stake it with heidi.', [
        deploy(vesting, '1100'),
        send(address, '0.2', addToWhitelist([heidi.address])),
      ]),
      step(3, grace, 'grace spends some of the money that is not locked.', [
        spend(judy.address, '5', 'What is free goes to anybody'),
      ]),
      step(4, grace, 'grace stakes some of the locked money with heidi.', [spend(heidi.address, '200', 'd')]),
    ],
  };
}
