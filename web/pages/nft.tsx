import { ActionList } from '../actions/action-list.tsx';
import { get } from '../api/client.ts';
import { useGet } from '../api/use-call.ts';
import { usePages } from '../api/use-pages.ts';
import type { NFTItem, NFTSale } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { Ton } from '../show/amount.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { ListPanel } from '../show/list-panel.tsx';
import { Badge, type FactRecord, Facts, Loaded, Panel } from '../show/panel.tsx';
import { Time } from '../show/time.tsx';
import { collectionPage, DomainLink, tokenInfoOf, tokenTitle } from '../show/token.tsx';
import { TokenPage, TokenSummary } from '../show/token-page.tsx';

const PAGE_ACTIONS = 20;

async function load(address: string, abort: AbortSignal): Promise<NFTItem | null> {
  return (await get('/api/v3/nft/items', { address: [address], limit: 1 }, abort)).nft_items[0] ?? null;
}

/** An NFT. */
export function Page({ path }: PageProps) {
  return (
    <TokenPage
      kind="NFT"
      type="nft_items"
      address={path.address!}
      load={load}
      notFound="The index has no NFT at this address."
    >
      {(item) => <ItemView item={item} />}
    </TokenPage>
  );
}

function ItemView({ item }: { readonly item: NFTItem }) {
  const sale = item.sale_contract_address ?? item.auction_contract_address;
  const history = usePages('/api/v3/actions', {
    query: { account: item.address, limit: PAGE_ACTIONS, sort: 'desc' },
    rowsOf: ({ actions }) => actions,
    keyOf: (action) => action.action_id,
  });
  return (
    <>
      <TokenSummary address={item.address} type="nft_items" content={item.content} facts={factsOf(item)} />
      {sale !== undefined && <SaleView address={sale} />}
      <ListPanel title="History" pages={history} empty="The index has no action of this NFT.">
        {(actions) => <ActionList actions={actions} />}
      </ListPanel>
    </>
  );
}

function factsOf(item: NFTItem): FactRecord {
  const {
    collection_address: collection,
    owner_address: owner,
    real_owner: seller,
    on_sale: isOnSale,
  } = item;
  const domain = domainOf(item);
  return {
    Owner: <Address address={isOnSale ? (seller ?? owner) : owner} />,
    'For sale': isOnSale && <Badge kind="good">yes</Badge>,
    Collection:
      collection === null ? (
        <span class="muted">none</span>
      ) : (
        <a href={hrefOf(collectionPage(collection))}>
          <bdi>{tokenTitle(tokenInfoOf(collection, 'nft_collections'), collection)}</bdi>
        </a>
      ),
    Index: <ChainText text={item.index} max={80} />,
    Initialized: !item.init && <Badge kind="warn">no</Badge>,
    Domain: domain && <DomainLink domain={domain} />,
  };
}

function domainOf({ content }: NFTItem): string | undefined {
  const domain = content?.domain;
  return typeof domain === 'string' && /^[\w-]+(?:\.[\w-]+)+$/.test(domain) ? domain : undefined;
}

function SaleView({ address }: { readonly address: string }) {
  const call = useGet('/api/v3/nft/sales', { address: [address] });
  return (
    <Panel title="Sale">
      <Loaded call={call}>
        {({ nft_sales: [sale] }) => (
          <Facts facts={{ Contract: <Address address={address} canCopy />, ...(sale && saleFacts(sale)) }} />
        )}
      </Loaded>
    </Panel>
  );
}

function saleFacts(sale: NFTSale): FactRecord {
  const rest = {
    Seller: sale.nft_owner_address && <Address address={sale.nft_owner_address} />,
    Marketplace: sale.marketplace_address && <Address address={sale.marketplace_address} />,
    Created: sale.created_at ? <Time at={sale.created_at} /> : undefined,
  };
  switch (sale.type) {
    case 'getgems_sale':
      return {
        Price: <Ton nano={sale.details.full_price} />,
        State: sale.details.is_complete ? <Badge>sold</Badge> : <Badge kind="good">open</Badge>,
        'Fee goes to': <Address address={sale.details.marketplace_fee_address} />,
        'Royalty goes to': <Address address={sale.details.royalty_address} />,
        ...rest,
      };
    case 'getgems_auction':
      return {
        'Last bid': <Ton nano={sale.details.last_bid} />,
        Bidder: sale.details.last_member && <Address address={sale.details.last_member} />,
        'Minimum bid': <Ton nano={sale.details.min_bid} />,
        'Buy now for': sale.details.max_bid !== '0' && <Ton nano={sale.details.max_bid} />,
        Ends: <Time at={sale.details.end_time} />,
        ...rest,
      };
    default:
      return {
        Bid: <Ton nano={sale.details.bid} />,
        'Minimum bid': <Ton nano={sale.details.min_bid} />,
        Ends: sale.details.end_time !== 0 && <Time at={sale.details.end_time} />,
        ...rest,
      };
  }
}
