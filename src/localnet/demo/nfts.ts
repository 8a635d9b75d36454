import { type Address, internal, toNano } from '@ton/core';
import { onChainContent, textComment } from '../contracts/contract.ts';
import {
  deployItems,
  LISTING_TON,
  listItem,
  newItem,
  nftCollection,
  nftItem,
  nftMarketplace,
  nftSale,
  SALE_HANDLING_TON,
  transferItem,
} from '../contracts/nft.ts';
import { deploy, type Story, type StoryContext, send, step } from './story.ts';

const PRICE = toNano('10');
// Shares of the price in 1/1000 of a percent.
const FEE_SHARE = 2_000;
const ROYALTY_SHARE = 5_000;
const NAMES = ['Sunrise', 'Noon', 'Sunset', 'Night'];

/** A collection gets four items: one is given away, one is sold, one is up for sale, and one stays where it is. */
export function nftStory({ wallets: { bank, bob, carol, erin }, genesisTime }: StoryContext): Story {
  const collection = nftCollection({
    owner: bob.address,
    content: onChainContent({ name: 'Demo collection', description: 'Times of the day' }),
    royalty: { numerator: 5, denominator: 100, destination: bob.address },
  });
  const itemAt = (index: number): Address => nftItem({ collection: collection.address, index }).address;
  const [gift, sold, listed] = [itemAt(0), itemAt(1), itemAt(2)];
  const items = NAMES.map((name, index) => {
    const content = onChainContent({ name, description: `Item ${index} of the demo collection` });
    return [BigInt(index), { ton: toNano('0.1'), item: newItem(bob.address, content) }] as const;
  });
  const fee = { feeAddress: bank.address, feeShare: FEE_SHARE };
  const marketplace = nftMarketplace(fee);
  const terms = { price: PRICE, royaltyAddress: bob.address, royaltyShare: ROYALTY_SHARE };
  const sale = nftSale({
    item: sold,
    seller: bob.address,
    marketplace: marketplace.address,
    ...fee,
    ...terms,
    createdAt: genesisTime,
  });
  const fromBob = { responseTo: bob.address, forwardTon: toNano('0.05') };
  const listing = {
    to: marketplace.address,
    ...fromBob,
    forwardTon: LISTING_TON,
    forwardPayload: listItem(terms),
  };

  return {
    contracts: {
      'NFT collection': collection.address,
      'NFT that was given away': gift,
      'NFT that was sold': sold,
      'NFT that is for sale': listed,
      'NFT that was kept': itemAt(3),
      'NFT marketplace': marketplace.address,
      'NFT sale that is over': sale.address,
    },
    steps: [
      step(1, bank, 'The bank opens a marketplace for NFTs.', [deploy(marketplace, '1')]),
      step(2, bob, 'bob makes a collection with four NFTs.', [
        deploy(collection, '1', deployItems(new Map(items))),
      ]),
      step(
        3,
        bob,
        'bob gives an NFT to carol, puts one up for sale on his own, and one through the marketplace.',
        [
          send(
            gift,
            '0.2',
            transferItem({ to: carol.address, forwardPayload: textComment('A gift'), ...fromBob }),
          ),
          deploy(sale, '0.1'),
          send(sold, '0.2', transferItem({ to: sale.address, ...fromBob })),
          send(listed, '0.4', transferItem(listing)),
        ],
      ),
      step(4, erin, 'erin buys an NFT from bob.', [
        internal({ to: sale.address, value: PRICE + SALE_HANDLING_TON }),
      ]),
    ],
  };
}
