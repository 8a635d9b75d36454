import { Jetton } from '../account/jettons.tsx';
import { jettonDecimals, TokenName } from '../actions/action-sentence.tsx';
import { usePages } from '../api/use-pages.ts';
import type { PageProps } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { Address } from '../show/address.tsx';
import { formatUnits } from '../show/amount.tsx';
import { MoreButton } from '../show/more-button.tsx';
import { Badge, Empty, Loaded, PageTitle, Panel, ScrollRegion } from '../show/panel.tsx';
import { Tabs } from '../show/tabs.tsx';
import { collectionPage } from '../show/token.ts';
import { TokenCard } from '../show/token-card.tsx';

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
    <Panel title="Jettons">
      <Loaded call={pages}>
        {(masters) =>
          masters.length === 0 ? (
            <Empty>The index has no jettons.</Empty>
          ) : (
            <>
              <ScrollRegion name="Table of jettons">
                <table>
                  <thead>
                    <tr>
                      <th>Jetton</th>
                      <th class="number">Supply</th>
                      <th>Admin</th>
                      <th>Mintable</th>
                    </tr>
                  </thead>
                  <tbody>
                    {masters.map(({ address, total_supply: supply, admin_address: admin, mintable }) => (
                      <tr key={address}>
                        <td>
                          <Jetton address={address} />
                        </td>
                        <td class="number">
                          {formatUnits(supply, jettonDecimals(address))}{' '}
                          <TokenName address={address} isSymbol />
                        </td>
                        <td>
                          <Address address={admin} />
                        </td>
                        <td>{mintable ? <Badge kind="warn">yes</Badge> : <Badge>no</Badge>}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
              <MoreButton pages={pages} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function CollectionList() {
  const pages = usePages('/api/v3/nft/collections', {
    query: { limit: PAGE_ROWS },
    rowsOf: ({ nft_collections: collections }) => collections,
    keyOf: (collection) => collection.address,
  });
  return (
    <Panel title="NFT collections">
      <Loaded call={pages}>
        {(collections) =>
          collections.length === 0 ? (
            <Empty>The index has no NFT collections.</Empty>
          ) : (
            <>
              <ul class="token-cards">
                {collections.map(({ address, next_item_index: next }) => (
                  <TokenCard
                    key={address}
                    address={address}
                    type="nft_collections"
                    page={collectionPage(address)}
                  >
                    {next !== '-1' && `${next} items`}
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
