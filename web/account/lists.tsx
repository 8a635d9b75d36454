import { ActionList } from '../actions/action-list.tsx';
import { TokenAmount } from '../actions/action-sentence.tsx';
import { type Pages, usePages } from '../api/use-pages.ts';
import type { Action } from '../api/v3.d.ts';
import { Address } from '../show/address.tsx';
import { ListPanel, ListTable } from '../show/list-panel.tsx';
import { Badge, Panel } from '../show/panel.tsx';
import { ListCards, TokenLink, tokenInfoOf, tokenTitle } from '../show/token.tsx';
import { TransactionRows } from '../show/transaction-rows.tsx';
import type { usePending } from './use-account.ts';

const PAGE_ROWS = 50;
const PAGE_ITEMS = 48;

type HistoryProps = ReturnType<typeof usePending> & { readonly pages: Pages<Action> };

/** Everything an account did or that happened to it; pending actions stand first. */
export function History({ pending, isLive, pages }: HistoryProps) {
  return (
    <>
      {pending.length > 0 && (
        <Panel title="Pending" count={pending.length}>
          <div role="status">
            <ActionList actions={pending} />
          </div>
        </Panel>
      )}
      <ListPanel
        title="History"
        tools={isLive && <Badge kind="good">live</Badge>}
        pages={pages}
        empty="The index has no action of this account."
      >
        {(actions) => <ActionList actions={actions} />}
      </ListPanel>
    </>
  );
}

interface HoldingsProps {
  readonly address: string;
  /** Grows when the account changed. */
  readonly round: number;
}

/** The transactions of an account, the newest first. */
export function Transactions({ address, round }: HoldingsProps) {
  const query = { account: [address], limit: PAGE_ROWS, sort: 'desc' as const };
  return (
    <ListPanel
      title="Transactions"
      pages={usePages('/api/v3/transactions', query, ['transactions', 'hash'], round)}
      empty="The index has no transaction of this account."
    >
      {(transactions) => <TransactionRows transactions={transactions} isOfAccount />}
    </ListPanel>
  );
}

export function Jettons({ address, round }: HoldingsProps) {
  const query = { owner_address: [address], exclude_zero_balance: true, limit: PAGE_ROWS };
  return (
    <ListTable
      title="Jettons"
      pages={usePages('/api/v3/jetton/wallets', query, ['jetton_wallets', 'address'], round)}
      empty="This account has no jettons."
      columns={{
        Jetton: ({ jetton }) => <TokenLink address={jetton} type="jetton_masters" />,
        Balance: {
          kind: 'number',
          show: ({ jetton, balance }) => <TokenAmount amount={balance} asset={jetton} />,
        },
        'Jetton wallet': ({ address: wallet }) => <Address address={wallet} />,
      }}
    />
  );
}

/** The NFTs of an account, with those that it offers for sale. */
export function Nfts({ address, round }: HoldingsProps) {
  const query = { owner_address: [address], include_on_sale: true, limit: PAGE_ITEMS };
  return (
    <ListCards
      title="NFTs"
      type="nft_items"
      pages={usePages('/api/v3/nft/items', query, ['nft_items', 'address'], round)}
      empty="This account has no NFTs."
      note={({ collection_address: collection, on_sale: isOnSale }) => (
        <>
          {collection !== null && (
            <bdi>{tokenTitle(tokenInfoOf(collection, 'nft_collections'), collection)}</bdi>
          )}{' '}
          {isOnSale && <Badge>for sale</Badge>}
        </>
      )}
    />
  );
}
