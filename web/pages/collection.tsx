import { get } from '../api/client.ts';
import { usePages } from '../api/use-pages.ts';
import type { NFTCollection } from '../api/v3.d.ts';
import type { PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { ListPanel } from '../show/list-panel.tsx';
import { Badge } from '../show/panel.tsx';
import { TokenCard } from '../show/token.tsx';
import { TokenPage, TokenSummary } from '../show/token-page.tsx';

const PAGE_ITEMS = 48;

async function load(address: string, abort: AbortSignal): Promise<NFTCollection | null> {
  const query = { collection_address: [address], limit: 1 };
  return (await get('/api/v3/nft/collections', query, abort)).nft_collections[0] ?? null;
}

/** A collection of NFTs. */
export function Page({ path }: PageProps) {
  return (
    <TokenPage
      kind="NFT collection"
      type="nft_collections"
      address={path.address!}
      load={load}
      notFound="The index has no NFT collection at this address."
    >
      {(collection) => (
        <>
          <Summary collection={collection} />
          <Items address={collection.address} />
        </>
      )}
    </TokenPage>
  );
}

function Summary({ collection }: { readonly collection: NFTCollection }) {
  const { address, owner_address: owner, next_item_index: next, collection_content: content } = collection;
  return (
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
  );
}

function Items({ address }: { readonly address: string }) {
  const pages = usePages('/api/v3/nft/items', {
    query: { collection_address: [address], limit: PAGE_ITEMS },
    rowsOf: ({ nft_items: items }) => items,
    keyOf: (item) => item.address,
  });
  return (
    <ListPanel title="Items" pages={pages} empty="The index has no item of this collection.">
      {(items) => (
        <ul class="token-cards">
          {items.map(({ address: item, index, on_sale: isOnSale }) => (
            <TokenCard key={item} address={item} type="nft_items">
              {index.length <= 12 && `#${index}`} {isOnSale && <Badge>for sale</Badge>}
            </TokenCard>
          ))}
        </ul>
      )}
    </ListPanel>
  );
}
