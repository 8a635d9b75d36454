import { hrefOf } from '../router.ts';
import { Badge } from '../show/panel.tsx';
import { Ago } from '../show/time.tsx';
import { tracePage } from '../show/transaction-rows.tsx';
import { type Action, ActionSentence } from './action-sentence.tsx';
import './action-list.css';

interface ActionListProps {
  readonly actions: readonly Action[];
  /** Without time and link, for the page of their trace. */
  readonly isPlain?: boolean;
}

/** Actions, one sentence each. */
export function ActionList({ actions, isPlain = false }: ActionListProps) {
  return (
    <ol class="rows actions">
      {actions.map((action) => (
        <li key={action.action_id}>
          <div>
            <ActionSentence action={action} /> {!action.success && <Badge kind="bad">failed</Badge>}{' '}
            {action.finality === 'pending' && <Badge kind="warn">pending</Badge>}
          </div>
          {!isPlain && (
            <div class="when">
              {action.trace_id === null ? (
                <Ago at={action.end_utime} />
              ) : (
                <a href={hrefOf(tracePage(action.trace_id))} title={action.trace_id}>
                  <Ago at={action.end_utime} />
                </a>
              )}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}
