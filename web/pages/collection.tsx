import { getFirst } from '../api/client.ts';
import { usePages } from '../api/use-pages.ts';
import type { NFTCollection } from '../api/v3.d.ts';
import type { PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { Badge } from '../show/panel.tsx';
import { ListCards } from '../show/token.tsx';
import { TokenPage, TokenSummary } from '../show/token-page.tsx';

const PAGE_ITEMS = 48;

const load = (address: string, abort: AbortSignal) =>
  getFirst('/api/v3/nft/collections', 'nft_collections', { collection_address: [address] }, abort);

export function Page({ path }: PageProps) {
  return (
    <TokenPage kind="NFT collection" type="nft_collections" address={path.address!} load={load}>
      {(collection) => <Collection collection={collection} />}
    </TokenPage>
  );
}

function Collection({ collection }: { readonly collection: NFTCollection }) {
  const { address, owner_address: owner, next_item_index: next, collection_content: content } = collection;
  const query = { collection_address: [address], limit: PAGE_ITEMS };
  return (
    <>
      <TokenSummary
        address={address}
        type="nft_collections"
        content={content}
        facts={{
          Owner: <Address address={owner} />,
          // Collections whose items are not numbered say -1.
          'Next index': next !== '-1' && <ChainText text={next} max={80} />,
        }}
      />
      <ListCards
        title="Items"
        type="nft_items"
        pages={usePages('/api/v3/nft/items', query, ['nft_items', 'address'])}
        empty="The index has no item of this collection."
        note={({ index, on_sale: isOnSale }) => (
          <>
            {index.length <= 12 && `#${index}`} {isOnSale && <Badge>for sale</Badge>}
          </>
        )}
      />
    </>
  );
}
