import { ActionList } from '../actions/action-list.tsx';
import { TokenAmount } from '../actions/action-sentence.tsx';
import { type Pages, usePages } from '../api/use-pages.ts';
import type { Action } from '../api/v3.d.ts';
import { Address } from '../show/address.tsx';
import { ListPanel, ListTable } from '../show/list-panel.tsx';
import { Badge, Panel } from '../show/panel.tsx';
import { Jetton, TokenCard, tokenInfoOf, tokenTitle } from '../show/token.tsx';
import { TransactionRows } from '../show/transaction-rows.tsx';

const PAGE_ROWS = 50;
const PAGE_ITEMS = 48;

interface HistoryProps {
  readonly pending: readonly Action[];
  readonly isLive: boolean;
  readonly pages: Pages<Action>;
}

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

/** The transactions of an account, the newest first. */
export function Transactions({ address, round }: HoldingsProps) {
  const pages = usePages('/api/v3/transactions', {
    query: { account: [address], limit: PAGE_ROWS, sort: 'desc' },
    rowsOf: ({ transactions }) => transactions,
    keyOf: (transaction) => transaction.hash,
    round,
  });
  return (
    <ListPanel title="Transactions" pages={pages} empty="The index has no transaction of this account.">
      {(transactions) => <TransactionRows transactions={transactions} isOfAccount />}
    </ListPanel>
  );
}

interface HoldingsProps {
  readonly address: string;
  /** Grows when the account changed. */
  readonly round: number;
}

/** The jettons that an account has. */
export function Jettons({ address, round }: HoldingsProps) {
  const pages = usePages('/api/v3/jetton/wallets', {
    query: { owner_address: [address], exclude_zero_balance: true, limit: PAGE_ROWS },
    rowsOf: ({ jetton_wallets: wallets }) => wallets,
    keyOf: (wallet) => wallet.address,
    round,
  });
  return (
    <ListTable
      title="Jettons"
      pages={pages}
      empty="This account has no jettons."
      columns={{
        Jetton: ({ jetton }) => <Jetton address={jetton} />,
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
            <TokenCard key={item} address={item} type="nft_items">
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
