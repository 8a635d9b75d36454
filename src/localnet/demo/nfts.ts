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
import { type Story, type StoryContext, step } from './story.ts';

const PRICE = toNano('10');
// Shares of the price in 1/1000 of a percent.
const FEE_SHARE = 2_000;
const ROYALTY_SHARE = 5_000;
const NAMES = ['Sunrise', 'Noon', 'Sunset', 'Night'];

/** A collection gets four items: one is given away, one is sold, one is up for sale, and one stays where it is. */
export function nftStory({
  wallets: { bank, bob, carol, erin },
  genesisTime: beginning,
}: StoryContext): Story {
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
  const marketplace = nftMarketplace({ feeAddress: bank.address, feeShare: FEE_SHARE });
  const sale = nftSale({
    item: sold,
    seller: bob.address,
    marketplace: marketplace.address,
    price: PRICE,
    feeAddress: bank.address,
    feeShare: FEE_SHARE,
    royaltyAddress: bob.address,
    royaltyShare: ROYALTY_SHARE,
    createdAt: beginning,
  });
  const listing = listItem({ price: PRICE, royaltyAddress: bob.address, royaltyShare: ROYALTY_SHARE });
  const fromBob = { responseTo: bob.address, forwardTon: toNano('0.05') };

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
      step(1, bank, 'The bank opens a marketplace for NFTs.', [
        internal({ to: marketplace.address, value: toNano('1'), init: marketplace.init }),
      ]),
      step(2, bob, 'bob makes a collection with four NFTs.', [
        internal({
          to: collection.address,
          value: toNano('1'),
          init: collection.init,
          body: deployItems(new Map(items)),
        }),
      ]),
      step(
        3,
        bob,
        'bob gives an NFT to carol, puts one up for sale on his own, and one through the marketplace.',
        [
          internal({
            to: gift,
            value: toNano('0.2'),
            body: transferItem({ to: carol.address, forwardPayload: textComment('A gift'), ...fromBob }),
          }),
          internal({ to: sale.address, value: toNano('0.1'), init: sale.init }),
          internal({
            to: sold,
            value: toNano('0.2'),
            body: transferItem({ to: sale.address, ...fromBob }),
          }),
          internal({
            to: listed,
            value: toNano('0.4'),
            body: transferItem({
              to: marketplace.address,
              forwardPayload: listing,
              ...fromBob,
              forwardTon: LISTING_TON,
            }),
          }),
        ],
      ),
      step(4, erin, 'erin buys an NFT from bob.', [
        internal({ to: sale.address, value: PRICE + SALE_HANDLING_TON }),
      ]),
    ],
  };
}
