import { internal, toNano } from '@ton/core';
import { textComment } from '../../contracts/message-parts.ts';
import { EXTRA_CURRENCY_ID } from '../../genesis/create-genesis.ts';
import { faucetDeed } from '../faucet-deed.ts';
import type { Scene, Story } from '../story.ts';

const GIVEN = toNano('1000');
const PASSED_ON = toNano('250');

/** An extra currency comes from the masterchain to alice, who gives a part of it to bob. */
export function extraCurrencyStory({ wallets: { alice, bob }, faucets }: Scene): Story {
  const amount = (value: bigint) => ({ extracurrency: { [EXTRA_CURRENCY_ID]: value } });
  return {
    contracts: {},
    deeds: [
      faucetDeed(
        faucets.masterchain,
        internal({ to: alice.address, value: toNano('10'), bounce: false, ...amount(GIVEN) }),
        {
          what: 'The faucet of the masterchain gives some of the extra currency to alice.',
          isDone: (chain) =>
            chain.account(alice.address)?.storage.balance.other?.get(EXTRA_CURRENCY_ID) !== undefined,
        },
      ),
      {
        round: 2,
        what: 'alice gives some of the extra currency to bob.',
        by: alice,
        sends: [
          internal({
            to: bob.address,
            value: toNano('1'),
            bounce: false,
            body: textComment('Some of my extra currency'),
            ...amount(PASSED_ON),
          }),
        ],
      },
    ],
  };
}
