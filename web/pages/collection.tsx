import { useGet } from '../api/use-call.ts';
import { usePages } from '../api/use-pages.ts';
import type { components } from '../api/v3.d.ts';
import type { PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { parseAddress, rawForm } from '../show/address-forms.ts';
import { ChainText } from '../show/chain-text.tsx';
import { MoreButton } from '../show/more-button.tsx';
import { Badge, Empty, Facts, Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { nftPage } from '../show/token.ts';
import { metadataFacts, TokenCard, TokenHead, tokenInfoOf, tokenTitle } from '../show/token-card.tsx';

type Collection = components['schemas']['NFTCollection'];

const PAGE_ITEMS = 48;

/** A collection of NFTs. */
export function Page({ path }: PageProps) {
  const parsed = parseAddress(path.address!);
  const address = parsed === null ? null : rawForm(parsed);
  const call = useGet(
    '/api/v3/nft/collections',
    address === null ? null : { collection_address: [address], limit: 1 },
  );
  if (address === null) return <NoCollection />;
  return (
    <>
      <PageTitle kind="NFT collection">
        <bdi>{tokenTitle(tokenInfoOf(address, 'nft_collections'), address)}</bdi>
      </PageTitle>
      <Loaded call={call}>
        {({ nft_collections: [collection] }) =>
          collection === undefined ? <NoCollection /> : <CollectionView collection={collection} />
        }
      </Loaded>
    </>
  );
}

function NoCollection() {
  return (
    <Panel title="Not found">
      <Empty>The index has no NFT collection at this address.</Empty>
    </Panel>
  );
}

function CollectionView({ collection }: { readonly collection: Collection }) {
  const { address, owner_address: owner, next_item_index: next } = collection;
  const info = tokenInfoOf(address, 'nft_collections');
  return (
    <>
      <Panel title="Summary">
        <TokenHead address={address} info={info}>
          <Facts
            facts={[
              ['Address', <Address address={address} isWhole canCopy canBeName={false} />],
              ['Owner', <Address address={owner} />],
              // Collections whose items are not numbered say -1.
              ['Next index', next === '-1' ? undefined : <ChainText text={next} max={80} />],
              ...metadataFacts(info, collection.collection_content),
            ]}
          />
        </TokenHead>
      </Panel>
      <Items address={address} />
    </>
  );
}

function Items({ address }: { readonly address: string }) {
  const pages = usePages('/api/v3/nft/items', {
    query: { collection_address: [address], limit: PAGE_ITEMS },
    rowsOf: ({ nft_items: items }) => items,
    keyOf: (item) => item.address,
  });
  return (
    <Panel title="Items">
      <Loaded call={pages}>
        {(items) =>
          items.length === 0 ? (
            <Empty>The index has no item of this collection.</Empty>
          ) : (
            <>
              <ul class="token-cards">
                {items.map(({ address: item, index, on_sale: isOnSale }) => (
                  <TokenCard key={item} address={item} type="nft_items" page={nftPage(item)}>
                    {index.length <= 12 && `#${index}`} {isOnSale && <Badge>for sale</Badge>}
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
