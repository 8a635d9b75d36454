import type { Action } from '../api/v3.d.ts';
import { hrefOf } from '../router.ts';
import { Badge, Empty } from '../show/panel.tsx';
import { Ago } from '../show/time.tsx';
import { tracePage } from '../show/transaction-rows.tsx';
import { ActionSentence } from './action-sentence.tsx';
import './action-list.css';

interface ActionListProps {
  readonly actions: readonly Action[];
  /** Without time and link, for the page of their trace. */
  readonly isPlain?: boolean;
  readonly empty?: string;
}

export function ActionList({ actions, isPlain = false, empty }: ActionListProps) {
  if (actions.length === 0 && empty !== undefined) return <Empty>{empty}</Empty>;
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
              <When action={action} />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

/** When an action happened, as a link to its trace; that of a predicted one has the hash of its external message. */
function When({ action }: { readonly action: Action }) {
  const time = <Ago at={action.end_utime} />;
  const id = action.trace_id ?? action.trace_external_hash_norm ?? action.trace_external_hash;
  return id === undefined ? (
    time
  ) : (
    <a href={hrefOf(tracePage(id))} title={id}>
      {time}
    </a>
  );
}
