import { internal, toNano } from '@ton/core';
import { textComment } from '../contracts/contract.ts';
import { dnsItem, registerDomain } from '../contracts/dns.ts';
import { demoZone } from './domains.ts';
import { type Story, type StoryContext, step } from './story.ts';

/** The first auction lasts a week from round 3 on, which is not later than this after the genesis. */
const FIRST_AUCTION_OVER_SECONDS = 7 * 86_400 + 2 * 3600;

/** Two domains go to auction: one auction is over, and nobody has claimed the domain; the other has three bids. */
export function auctionStory({ stakers, wallets, genesisTime }: StoryContext): Story {
  const { nora, nick, olga } = stakers;
  const zone = demoZone().address;
  const [over, open] = ['sold-to-nora', 'bid-for-me'].map((name) => dnsItem(zone, name).address);
  const begin = (name: string) => internal({ to: zone, value: toNano('10'), body: registerDomain(name) });
  const bid = (value: string) =>
    internal({ to: open!, value: toNano(value), body: textComment('A bid for bid-for-me.ton') });
  return {
    contracts: {
      'domain sold-to-nora.ton': over!,
      'domain bid-for-me.ton': open!,
    },
    steps: [
      step(1, wallets.bank, 'The bank gives money to olga.', [
        internal({ to: olga.address, value: toNano('100'), bounce: false }),
      ]),
      step(3, nora, 'nora bids for sold-to-nora.ton.', [begin('sold-to-nora')]),
      step(4, nick, 'nick bids for bid-for-me.ton.', [begin('bid-for-me')]),
      step(5, olga, 'olga bids more.', [bid('12')]),
      step(6, nora, 'nora bids most.', [bid('15')]),
    ],
    waits: [
      {
        round: 4,
        what: 'The auction of sold-to-nora.ton ends.',
        until: () => genesisTime + FIRST_AUCTION_OVER_SECONDS,
        isOver: (chain) => chain.now() >= genesisTime + FIRST_AUCTION_OVER_SECONDS,
      },
    ],
  };
}
