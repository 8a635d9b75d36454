import type { ComponentChildren } from 'preact';
import { ActionList } from '../actions/action-list.tsx';
import { useGet } from '../api/use-call.ts';
import { usePages } from '../api/use-pages.ts';
import type { components } from '../api/v3.d.ts';
import type { PageProps } from '../router.ts';
import { hrefOf } from '../router.ts';
import { Address } from '../show/address.tsx';
import { parseAddress, rawForm } from '../show/address-forms.ts';
import { Ton } from '../show/amount.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { MoreButton } from '../show/more-button.tsx';
import { Badge, Empty, Facts, Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { Time } from '../show/time.tsx';
import { collectionPage, domainPage } from '../show/token.ts';
import { metadataFacts, TokenHead, tokenInfoOf, tokenTitle } from '../show/token-card.tsx';

type Item = components['schemas']['NFTItem'];

const PAGE_ACTIONS = 20;

/** An NFT. */
export function Page({ path }: PageProps) {
  const parsed = parseAddress(path.address!);
  const address = parsed === null ? null : rawForm(parsed);
  const call = useGet('/api/v3/nft/items', address === null ? null : { address: [address], limit: 1 });
  if (address === null) return <NoItem />;
  return (
    <>
      <PageTitle kind="NFT">
        <bdi>{tokenTitle(tokenInfoOf(address, 'nft_items'), address)}</bdi>
      </PageTitle>
      <Loaded call={call}>
        {({ nft_items: [item] }) => (item === undefined ? <NoItem /> : <ItemView item={item} />)}
      </Loaded>
    </>
  );
}

function NoItem() {
  return (
    <Panel title="Not found">
      <Empty>The index has no NFT at this address.</Empty>
    </Panel>
  );
}

function ItemView({ item }: { readonly item: Item }) {
  const info = tokenInfoOf(item.address, 'nft_items');
  const sale = item.sale_contract_address ?? item.auction_contract_address;
  const history = usePages('/api/v3/actions', {
    query: { account: item.address, limit: PAGE_ACTIONS, sort: 'desc' },
    rowsOf: ({ actions }) => actions,
    keyOf: (action) => action.action_id,
  });
  return (
    <>
      <Panel title="Summary">
        <TokenHead address={item.address} info={info}>
          <Facts facts={[...summaryOf(item), ...metadataFacts(info, item.content)]} />
        </TokenHead>
      </Panel>
      {sale !== undefined && <SaleView address={sale} />}
      <Panel title="History">
        <Loaded call={history}>
          {(actions) =>
            actions.length === 0 ? (
              <Empty>The index has no action of this NFT.</Empty>
            ) : (
              <>
                <ActionList actions={actions} />
                <MoreButton pages={history} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

function summaryOf(item: Item): [string, ComponentChildren][] {
  const {
    collection_address: collection,
    owner_address: owner,
    real_owner: seller,
    on_sale: isOnSale,
  } = item;
  const domain = domainOf(item);
  return [
    ['Address', <Address address={item.address} isWhole canCopy canBeName={false} />],
    ['Owner', <Address address={isOnSale ? (seller ?? owner) : owner} />],
    ['For sale', isOnSale ? <Badge kind="good">yes</Badge> : undefined],
    [
      'Collection',
      collection === null ? (
        <span class="muted">none</span>
      ) : (
        <a href={hrefOf(collectionPage(collection))}>
          <bdi>{tokenTitle(tokenInfoOf(collection, 'nft_collections'), collection)}</bdi>
        </a>
      ),
    ],
    ['Index', <ChainText text={item.index} max={80} />],
    ['Initialized', item.init ? undefined : <Badge kind="warn">no</Badge>],
    [
      'Domain',
      domain && (
        <a href={hrefOf(domainPage(domain))}>
          <ChainText text={domain} isInline />
        </a>
      ),
    ],
  ];
}

/** The domain that an item stands for. */
function domainOf({ content }: Item): string | undefined {
  const domain = content?.domain;
  return typeof domain === 'string' && /^[\w-]+(?:\.[\w-]+)+$/.test(domain) ? domain : undefined;
}

function SaleView({ address }: { readonly address: string }) {
  const call = useGet('/api/v3/nft/sales', { address: [address] });
  return (
    <Panel title="Sale">
      <Loaded call={call}>
        {({ nft_sales: [sale] }) => (
          <Facts
            facts={[
              ['Contract', <Address address={address} canCopy />],
              ...(sale === undefined ? [] : saleFacts(sale)),
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function saleFacts(sale: components['schemas']['NFTSale']): [string, ComponentChildren][] {
  const first: [string, ComponentChildren][] = [
    ['Seller', sale.nft_owner_address && <Address address={sale.nft_owner_address} />],
    ['Marketplace', sale.marketplace_address && <Address address={sale.marketplace_address} />],
    ['Created', sale.created_at ? <Time at={sale.created_at} /> : undefined],
  ];
  switch (sale.type) {
    case 'getgems_sale':
      return [
        ['Price', <Ton nano={sale.details.full_price} />],
        ['State', sale.details.is_complete ? <Badge>sold</Badge> : <Badge kind="good">open</Badge>],
        ['Fee goes to', <Address address={sale.details.marketplace_fee_address} />],
        ['Royalty goes to', <Address address={sale.details.royalty_address} />],
        ...first,
      ];
    case 'getgems_auction':
      return [
        ['Last bid', <Ton nano={sale.details.last_bid} />],
        ['Bidder', sale.details.last_member && <Address address={sale.details.last_member} />],
        ['Minimum bid', <Ton nano={sale.details.min_bid} />],
        ['Buy now for', sale.details.max_bid === '0' ? undefined : <Ton nano={sale.details.max_bid} />],
        ['Ends', <Time at={sale.details.end_time} />],
        ...first,
      ];
    default:
      return [
        ['Bid', <Ton nano={sale.details.bid} />],
        ['Minimum bid', <Ton nano={sale.details.min_bid} />],
        ['Ends', sale.details.end_time === 0 ? undefined : <Time at={sale.details.end_time} />],
        ...first,
      ];
  }
}
