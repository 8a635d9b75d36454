import { TokenAmount } from '../actions/action-sentence.tsx';
import { usePages } from '../api/use-pages.ts';
import type { PageProps } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { Address } from '../show/address.tsx';
import { ListPanel, ListTable } from '../show/list-panel.tsx';
import { Badge, PageTitle } from '../show/panel.tsx';
import { Tabs } from '../show/tabs.tsx';
import { Jetton, TokenCard } from '../show/token.tsx';

const PAGE_ROWS = 50;

/** Jettons and NFT collections. */
export function Page({ query }: PageProps) {
  return (
    <>
      <PageTitle kind="Tokens">of {serverInfo.value.network}</PageTitle>
      <Tabs
        label="Kinds of tokens"
        first={query.get('tab')}
        tabs={[
          { id: 'jettons', name: 'Jettons', show: () => <JettonList /> },
          { id: 'collections', name: 'NFT collections', show: () => <CollectionList /> },
        ]}
      />
    </>
  );
}

function JettonList() {
  const pages = usePages('/api/v3/jetton/masters', {
    query: { limit: PAGE_ROWS },
    rowsOf: ({ jetton_masters: masters }) => masters,
    keyOf: (master) => master.address,
  });
  return (
    <ListTable
      title="Jettons"
      pages={pages}
      empty="The index has no jettons."
      columns={{
        Jetton: ({ address }) => <Jetton address={address} />,
        Supply: {
          kind: 'number',
          show: ({ address, total_supply: supply }) => <TokenAmount amount={supply} asset={address} />,
        },
        Admin: ({ admin_address: admin }) => <Address address={admin} />,
        Mintable: ({ mintable }) => (mintable ? <Badge kind="warn">yes</Badge> : <Badge>no</Badge>),
      }}
    />
  );
}

function CollectionList() {
  const pages = usePages('/api/v3/nft/collections', {
    query: { limit: PAGE_ROWS },
    rowsOf: ({ nft_collections: collections }) => collections,
    keyOf: (collection) => collection.address,
  });
  return (
    <ListPanel title="NFT collections" pages={pages} empty="The index has no NFT collections.">
      {(collections) => (
        <ul class="token-cards">
          {collections.map(({ address, next_item_index: next }) => (
            <TokenCard key={address} address={address} type="nft_collections">
              {next !== '-1' && `${next} items`}
            </TokenCard>
          ))}
        </ul>
      )}
    </ListPanel>
  );
}
