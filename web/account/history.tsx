import { ActionList } from '../actions/action-list.tsx';
import type { Pages } from '../api/use-pages.ts';
import type { Action } from '../api/v3.d.ts';
import { ListPanel } from '../show/list-panel.tsx';
import { Badge, Panel } from '../show/panel.tsx';

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
