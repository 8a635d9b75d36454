import { ActionList } from '../actions/action-list.tsx';
import type { Action } from '../actions/action-sentence.tsx';
import type { Pages } from '../api/use-pages.ts';
import { MoreButton } from '../show/more-button.tsx';
import { Badge, Empty, Loaded, Panel } from '../show/panel.tsx';

interface HistoryProps {
  readonly pending: readonly Action[];
  readonly isLive: boolean;
  readonly pages: Pages<Action>;
}

/** What an account did and what happened to it; what is not in a block yet stands first. */
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
      <Panel title="History" tools={isLive ? <Badge kind="good">live</Badge> : undefined}>
        <Loaded call={pages}>
          {(actions) =>
            actions.length === 0 ? (
              <Empty>The index has no action of this account.</Empty>
            ) : (
              <>
                <ActionList actions={actions} />
                <MoreButton pages={pages} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
