import type { ComponentChildren } from 'preact';
import { jettonDecimals, TokenName } from '../actions/action-sentence.tsx';
import { useGet } from '../api/use-call.ts';
import { usePages } from '../api/use-pages.ts';
import type { components } from '../api/v3.d.ts';
import type { PageProps } from '../router.ts';
import { hrefOf } from '../router.ts';
import { Address } from '../show/address.tsx';
import { parseAddress, rawForm } from '../show/address-forms.ts';
import { formatUnits } from '../show/amount.tsx';
import { Hash } from '../show/hash.tsx';
import { MoreButton } from '../show/more-button.tsx';
import { Badge, Empty, Facts, Loaded, PageTitle, Panel, ScrollRegion } from '../show/panel.tsx';
import { formatShare } from '../show/share.ts';
import { Tabs } from '../show/tabs.tsx';
import { Ago } from '../show/time.tsx';
import { metadataFacts, TokenHead, tokenInfoOf, tokenTitle } from '../show/token-card.tsx';
import { tracePage } from '../show/transaction-rows.tsx';

type Master = components['schemas']['JettonMaster'];

const PAGE_ROWS = 50;

/** A jetton. */
export function Page({ path, query }: PageProps) {
  const parsed = parseAddress(path.address!);
  const address = parsed === null ? null : rawForm(parsed);
  const call = useGet('/api/v3/jetton/masters', address === null ? null : { address: [address], limit: 1 });
  const title = address === null ? '' : tokenTitle(tokenInfoOf(address, 'jetton_masters'), address);
  if (address === null) return <NoJetton />;
  return (
    <>
      <PageTitle kind="Jetton">
        <bdi>{title}</bdi>
      </PageTitle>
      <Loaded call={call}>
        {({ jetton_masters: [master] }) =>
          master === undefined ? <NoJetton /> : <Jetton master={master} tab={query.get('tab')} />
        }
      </Loaded>
    </>
  );
}

function NoJetton() {
  return (
    <Panel title="Not found">
      <Empty>The index has no jetton at this address.</Empty>
    </Panel>
  );
}

function Jetton({ master, tab }: { readonly master: Master; readonly tab: string | null }) {
  const { address } = master;
  const info = tokenInfoOf(address, 'jetton_masters');
  return (
    <>
      <Panel title="Summary">
        <TokenHead address={address} info={info}>
          <Facts facts={[...summaryOf(master), ...metadataFacts(info, master.jetton_content)]} />
        </TokenHead>
      </Panel>
      <Tabs
        label="Parts of the jetton"
        first={tab}
        tabs={[
          { id: 'holders', name: 'Holders', show: () => <Holders master={master} /> },
          { id: 'transfers', name: 'Transfers', show: () => <Transfers address={address} /> },
        ]}
      />
    </>
  );
}

function summaryOf(master: Master): [string, ComponentChildren][] {
  const { address, total_supply: supply, mintable, admin_address: admin } = master;
  const decimals = jettonDecimals(address);
  return [
    ['Address', <Address address={address} isWhole canCopy canBeName={false} />],
    [
      'Supply',
      <span class="amount">
        {formatUnits(supply, decimals)} <TokenName address={address} isSymbol />
      </span>,
    ],
    ['Decimals', decimals],
    ['Mintable', mintable ? <Badge kind="warn">more can be minted</Badge> : <Badge>supply is fixed</Badge>],
    ['Admin', admin === null ? <span class="muted">nobody</span> : <Address address={admin} />],
    ['Code of wallets', <Hash value={master.jetton_wallet_code_hash} name="code hash of jetton wallets" />],
  ];
}

function Holders({ master: { address, total_supply: supply } }: { readonly master: Master }) {
  const pages = usePages('/api/v3/jetton/wallets', {
    query: { jetton_address: [address], exclude_zero_balance: true, sort: 'desc', limit: PAGE_ROWS },
    rowsOf: ({ jetton_wallets: wallets }) => wallets,
    keyOf: (wallet) => wallet.address,
  });
  const decimals = jettonDecimals(address);
  return (
    <Panel title="Holders">
      <Loaded call={pages}>
        {(wallets) =>
          wallets.length === 0 ? (
            <Empty>Nobody holds this jetton.</Empty>
          ) : (
            <>
              <ScrollRegion name="Table of holders">
                <table>
                  <thead>
                    <tr>
                      <th class="number rank">Rank</th>
                      <th>Owner</th>
                      <th class="number">Balance</th>
                      <th class="number">Share</th>
                      <th>Jetton wallet</th>
                    </tr>
                  </thead>
                  <tbody>
                    {wallets.map(({ address: wallet, owner, balance }, i) => (
                      <tr key={wallet}>
                        <td class="number">{i + 1}</td>
                        <td>
                          <Address address={owner} />
                        </td>
                        <td class="number">{formatUnits(balance, decimals)}</td>
                        <td class="number">{formatShare(balance, supply)}</td>
                        <td>
                          <Address address={wallet} />
                        </td>
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

function Transfers({ address }: { readonly address: string }) {
  const pages = usePages('/api/v3/jetton/transfers', {
    query: { jetton_master: address, sort: 'desc', limit: PAGE_ROWS },
    rowsOf: ({ jetton_transfers: transfers }) => transfers,
    keyOf: (transfer) => transfer.transaction_hash,
  });
  const decimals = jettonDecimals(address);
  return (
    <Panel title="Transfers">
      <Loaded call={pages}>
        {(transfers) =>
          transfers.length === 0 ? (
            <Empty>The index has no transfer of this jetton.</Empty>
          ) : (
            <>
              <ScrollRegion name="Table of transfers">
                <table>
                  <thead>
                    <tr>
                      <th>From</th>
                      <th>To</th>
                      <th class="number">Amount</th>
                      <th />
                      <th class="number">Time</th>
                    </tr>
                  </thead>
                  <tbody>
                    {transfers.map((transfer) => (
                      <tr key={transfer.transaction_hash}>
                        <td>
                          <Address address={transfer.source} />
                        </td>
                        <td>
                          <Address address={transfer.destination} />
                        </td>
                        <td class="number">{formatUnits(transfer.amount, decimals)}</td>
                        <td>{transfer.transaction_aborted && <Badge kind="bad">failed</Badge>}</td>
                        <td class="number">
                          <a href={hrefOf(tracePage(transfer.trace_id))} title={transfer.trace_id}>
                            <Ago at={transfer.transaction_now} />
                          </a>
                        </td>
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
