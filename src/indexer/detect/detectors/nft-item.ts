import { orNothing } from '../../../chain/contracts/not-that.ts';
import { readNftItem } from '../../../chain/contracts/read-nft-item.ts';
import { MAX_STORED_CONTENT_BYTES, toStoredContent } from '../../../chain/contracts/token-content.ts';
import type { Detector } from '../detector.ts';
import { accountOrNull } from './account-or-null.ts';
import { readDomainName, zoneOf } from './domain-name.ts';

/** An NFT, if the collection that it names agrees to it; the content of a domain says its name too. */
export const NFT_ITEM: Detector<'nft_items'> = {
  table: 'nft_items',
  methods: [['get_nft_data']],
  async detect(probe, { zones }) {
    const { init, index, collection, owner, content } = await readNftItem(probe, MAX_STORED_CONTENT_BYTES);
    const zone = zoneOf(zones, collection);
    const domain = zone && (await orNothing(readDomainName(probe, zone)));
    return {
      init,
      index,
      collection: accountOrNull(collection),
      owner: accountOrNull(owner),
      content: { ...toStoredContent(content), ...(domain !== undefined && { domain }) },
    };
  },
};
