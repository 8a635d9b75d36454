import { ActionList } from '../actions/action-list.tsx';
import { type Pages, usePages } from '../api/use-pages.ts';
import type { Action } from '../api/v3.d.ts';
import { ListPanel } from '../show/list-panel.tsx';
import { Badge, Panel } from '../show/panel.tsx';
import { TransactionRows } from '../show/transaction-rows.tsx';

const PAGE_ROWS = 50;

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
export function Transactions({ address, round }: { readonly address: string; readonly round: number }) {
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
