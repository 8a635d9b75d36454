import { usePages } from '../api/use-pages.ts';
import { MoreButton } from '../show/more-button.tsx';
import { Empty, Loaded, Panel } from '../show/panel.tsx';
import { TransactionRows } from '../show/transaction-rows.tsx';
import type { HoldingsProps } from './jettons.tsx';

const PAGE_ROWS = 50;

/** The transactions of an account, the newest first. */
export function Transactions({ address, round }: HoldingsProps) {
  const pages = usePages('/api/v3/transactions', {
    query: { account: [address], limit: PAGE_ROWS, sort: 'desc' },
    rowsOf: ({ transactions }) => transactions,
    keyOf: (transaction) => transaction.hash,
    round,
  });
  return (
    <Panel title="Transactions">
      <Loaded call={pages}>
        {(transactions) =>
          transactions.length === 0 ? (
            <Empty>The index has no transaction of this account.</Empty>
          ) : (
            <>
              <TransactionRows transactions={transactions} isOfAccount />
              <MoreButton pages={pages} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
