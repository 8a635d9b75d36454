import { readNftCollection } from '../../../chain/contracts/read-nft-collection.ts';
import { MAX_STORED_CONTENT_BYTES, toStoredContent } from '../../../chain/contracts/token-content.ts';
import type { Detector } from '../detector.ts';
import { accountOrNull } from './account-or-null.ts';

/** A collection of NFTs. */
export const NFT_COLLECTION: Detector<'nft_collections'> = {
  table: 'nft_collections',
  methods: [['get_collection_data']],
  async detect(probe) {
    const { nextItemIndex, owner, content } = await readNftCollection(probe, MAX_STORED_CONTENT_BYTES);
    return {
      next_item_index: nextItemIndex,
      owner: accountOrNull(owner),
      content: toStoredContent(content),
    };
  },
};
