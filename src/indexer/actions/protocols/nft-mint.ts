import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { NotThis, type Rule } from '../rule.ts';

/** What later rules read of a new NFT. */
export interface NftMintData {
  readonly item: string;
  readonly collection: string | null;
  readonly index: bigint;
}

/** A new NFT; throws where a block is something else. */
export function nftMintOf(block: Block): NftMintData {
  if (block.type !== 'nft_mint') throw new NotThis('not a new NFT');
  return block.data as NftMintData;
}

/** A message brings an NFT to life. */
export const nftMint: Rule = {
  name: 'NFT mint',
  test: ({ deployed }) => deployed.size === 1,
  build(block, _found, { interfaces }) {
    const [address] = block.deployed;
    const item = interfaces.nftItem(address ?? '');
    if (!item) return;
    const data: NftMintData = { item: item.address, collection: item.collection, index: item.index };
    const describe = () => ({
      source: block.node.message?.source ?? null,
      destination: data.item,
      asset: data.collection,
      asset_secondary: data.item,
      opcode: block.node.message?.opcode ?? null,
      data: { nft_mint_data: { nft_item_index: data.index } },
    });
    compose({ type: 'nft_mint', data, describe }, [block]);
  },
};
