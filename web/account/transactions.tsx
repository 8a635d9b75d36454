import { usePages } from '../api/use-pages.ts';
import { ListPanel } from '../show/list-panel.tsx';
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
    <ListPanel title="Transactions" pages={pages} empty="The index has no transaction of this account.">
      {(transactions) => <TransactionRows transactions={transactions} isOfAccount />}
    </ListPanel>
  );
}
