import { ActionList } from '../actions/action-list.tsx';
import { getFirst } from '../api/client.ts';
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
import { DomainLink, tokenInfoOf, tokenPage, tokenTitle } from '../show/token.tsx';
import { TokenPage, TokenSummary } from '../show/token-page.tsx';

const PAGE_ACTIONS = 20;

const load = (address: string, abort: AbortSignal) =>
  getFirst('/api/v3/nft/items', 'nft_items', { address: [address] }, abort);

export function Page({ path }: PageProps) {
  return (
    <TokenPage kind="NFT" type="nft_items" address={path.address!} load={load}>
      {(item) => <ItemView item={item} />}
    </TokenPage>
  );
}

function ItemView({ item }: { readonly item: NFTItem }) {
  const sale = item.sale_contract_address ?? item.auction_contract_address;
  const query = { account: item.address, limit: PAGE_ACTIONS, sort: 'desc' } as const;
  const history = usePages('/api/v3/actions', query, ['actions', 'action_id']);
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
  const { collection_address: collection, owner_address: owner, on_sale: isOnSale } = item;
  const domain = item.content?.domain;
  const isDomain = typeof domain === 'string' && /^[\w-]+(?:\.[\w-]+)+$/.test(domain);
  return {
    Owner: <Address address={isOnSale ? (item.real_owner ?? owner) : owner} />,
    'For sale': isOnSale && <Badge kind="good">yes</Badge>,
    Collection:
      collection === null ? (
        <span class="muted">none</span>
      ) : (
        <a href={hrefOf(tokenPage(collection, 'nft_collections'))}>
          <bdi>{tokenTitle(tokenInfoOf(collection, 'nft_collections'), collection)}</bdi>
        </a>
      ),
    Index: <ChainText text={item.index} max={80} />,
    Initialized: !item.init && <Badge kind="warn">no</Badge>,
    Domain: isDomain && <DomainLink domain={domain} />,
  };
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
  return {
    ...termsOf(sale),
    Seller: sale.nft_owner_address && <Address address={sale.nft_owner_address} />,
    Marketplace: sale.marketplace_address && <Address address={sale.marketplace_address} />,
    Created: sale.created_at ? <Time at={sale.created_at} /> : undefined,
  };
}

function termsOf({ type, details }: NFTSale): FactRecord {
  switch (type) {
    case 'getgems_sale':
      return {
        Price: <Ton nano={details.full_price} />,
        State: details.is_complete ? <Badge>sold</Badge> : <Badge kind="good">open</Badge>,
        'Fee goes to': <Address address={details.marketplace_fee_address} />,
        'Royalty goes to': <Address address={details.royalty_address} />,
      };
    case 'getgems_auction':
      return {
        'Last bid': <Ton nano={details.last_bid} />,
        Bidder: details.last_member && <Address address={details.last_member} />,
        'Minimum bid': <Ton nano={details.min_bid} />,
        'Buy now for': details.max_bid !== '0' && <Ton nano={details.max_bid} />,
        Ends: <Time at={details.end_time} />,
      };
    default:
      return {
        Bid: <Ton nano={details.bid} />,
        'Minimum bid': <Ton nano={details.min_bid} />,
        Ends: details.end_time !== 0 && <Time at={details.end_time} />,
      };
  }
}
