import { usePages } from '../api/use-pages.ts';
import { MoreButton } from '../show/more-button.tsx';
import { Badge, Empty, Loaded, Panel } from '../show/panel.tsx';
import { nftPage } from '../show/token.ts';
import { TokenCard, tokenInfoOf, tokenTitle } from '../show/token-card.tsx';
import type { HoldingsProps } from './jettons.tsx';

const PAGE_ITEMS = 48;

/** The NFTs of an account, with those that it offers for sale. */
export function Nfts({ address, round }: HoldingsProps) {
  const pages = usePages('/api/v3/nft/items', {
    query: { owner_address: [address], include_on_sale: true, limit: PAGE_ITEMS },
    rowsOf: ({ nft_items: items }) => items,
    keyOf: (item) => item.address,
    round,
  });
  return (
    <Panel title="NFTs">
      <Loaded call={pages}>
        {(items) =>
          items.length === 0 ? (
            <Empty>This account has no NFTs.</Empty>
          ) : (
            <>
              <ul class="token-cards">
                {items.map(({ address: item, collection_address: collection, on_sale: isOnSale }) => (
                  <TokenCard key={item} address={item} type="nft_items" page={nftPage(item)}>
                    {collection !== null && (
                      <bdi>{tokenTitle(tokenInfoOf(collection, 'nft_collections'), collection)}</bdi>
                    )}{' '}
                    {isOnSale && <Badge>for sale</Badge>}
                  </TokenCard>
                ))}
              </ul>
              <MoreButton pages={pages} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
