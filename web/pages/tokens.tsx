import { TokenAmount } from '../actions/action-sentence.tsx';
import { usePages } from '../api/use-pages.ts';
import type { PageProps } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { Address } from '../show/address.tsx';
import { ListTable } from '../show/list-panel.tsx';
import { Badge, PageTitle } from '../show/panel.tsx';
import { Tabs } from '../show/tabs.tsx';
import { ListCards, TokenLink } from '../show/token.tsx';

const QUERY = { limit: 50 };

export function Page({ query }: PageProps) {
  return (
    <>
      <PageTitle kind="Tokens">of {serverInfo.value.network}</PageTitle>
      <Tabs
        label="Kinds of tokens"
        first={query.get('tab')}
        tabs={{
          jettons: ['Jettons', () => <JettonList />],
          collections: ['NFT collections', () => <CollectionList />],
        }}
      />
    </>
  );
}

function JettonList() {
  return (
    <ListTable
      title="Jettons"
      pages={usePages('/api/v3/jetton/masters', QUERY, ['jetton_masters', 'address'])}
      empty="The index has no jettons."
      columns={{
        Jetton: ({ address }) => <TokenLink address={address} type="jetton_masters" />,
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
  return (
    <ListCards
      title="NFT collections"
      type="nft_collections"
      pages={usePages('/api/v3/nft/collections', QUERY, ['nft_collections', 'address'])}
      empty="The index has no NFT collections."
      note={({ next_item_index: next }) => next !== '-1' && `${next} items`}
    />
  );
}
