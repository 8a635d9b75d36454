import { usePages } from '../api/use-pages.ts';
import { ListPanel } from '../show/list-panel.tsx';
import { Badge } from '../show/panel.tsx';
import { nftPage } from '../show/token.tsx';
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
    <ListPanel title="NFTs" pages={pages} empty="This account has no NFTs.">
      {(items) => (
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
      )}
    </ListPanel>
  );
}
