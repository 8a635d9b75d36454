import { useState } from 'preact/hooks';
import { type AdminAnswer, adminDelete, adminGet, adminPost } from '../api/admin-client.ts';
import { useCall } from '../api/use-call.ts';
import { ChainText } from '../show/chain-text.tsx';
import { formatCount } from '../show/figures.ts';
import { Badge, Empty, Loaded, Panel } from '../show/panel.tsx';
import { Table } from '../show/table.tsx';
import { Ago } from '../show/time.tsx';
import { type Change, ConfirmButton, useChange } from './changes.tsx';

type WebhooksProps = AdminAnswer<'/api/admin/webhooks'> & { readonly reload: () => void };

export function Webhooks({ webhooks, reload }: WebhooksProps) {
  const { problem, change } = useChange(reload);
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Panel title="Webhooks" count={webhooks.length}>
      {problem}
      <Table
        name="Webhooks"
        kind="admin-table"
        rows={webhooks}
        empty="No webhooks."
        keyOf={({ id }) => id}
        columns={{
          Id: { kind: 'number rank', show: ({ id }) => id },
          URL: {
            kind: 'url',
            show: ({ url, key_id: key }) => (
              <>
                <ChainText text={url} isInline />{' '}
                <span class="muted nowrap">{key === null ? 'operator' : `key #${key}`}</span>
              </>
            ),
          },
          State: ({ state }) => <Badge kind={state === 'active' ? 'good' : 'warn'}>{state}</Badge>,
          Delivered: { kind: 'number', show: ({ delivered }) => formatCount(delivered) },
          Waiting: { kind: 'number', show: ({ waiting }) => formatCount(waiting) },
          'Given up': { kind: 'number', show: ({ dead }) => formatCount(dead) },
          'Last failure': ({ last_failure: text, last_failure_at: at }) =>
            at === null ? (
              '–'
            ) : (
              <>
                <ChainText text={text ?? ''} isInline />{' '}
                <span class="muted">
                  <Ago at={at} clock="machine" />
                </span>
              </>
            ),
          Changes: {
            isUnnamed: true,
            show: ({ id, state, dead }) => (
              <span class="row-tools">
                {state !== 'revoked' && <PauseButton id={id} isActive={state === 'active'} change={change} />}
                {dead > 0 && (
                  <button
                    type="button"
                    class="small"
                    aria-expanded={opened === id}
                    onClick={() => setOpened(opened === id ? null : id)}
                  >
                    Dead letters
                  </button>
                )}
                <ConfirmButton
                  label={`Delete webhook ${id}`}
                  question="Delete with all its events"
                  onConfirm={() => change(() => adminDelete('/api/admin/webhooks/{id}', { id }))}
                >
                  Delete
                </ConfirmButton>
              </span>
            ),
          },
        }}
      />
      {opened !== null && <DeadLetters key={opened} id={opened} change={change} />}
    </Panel>
  );
}

interface WebhookProps {
  readonly id: string;
  readonly change: Change;
}

function PauseButton({ id, isActive, change }: WebhookProps & { readonly isActive: boolean }) {
  const [name, command] = isActive ? (['Pause', 'pause'] as const) : (['Resume', 'resume'] as const);
  return (
    <button
      type="button"
      class="small"
      aria-label={`${name} webhook ${id}`}
      onClick={() => change(() => adminPost(`/api/admin/webhooks/{id}/${command}`, { id }))}
    >
      {name}
    </button>
  );
}

/** Events that were given up, and the button that sends them again. */
function DeadLetters({ id, change }: WebhookProps) {
  const call = useCall((abort) => adminGet('/api/admin/webhooks/{id}/dead', { id }, abort), id);
  const retry = (body: { readonly event_ids?: readonly string[] }) =>
    change(() => adminPost('/api/admin/webhooks/{id}/dead/retry', { id, body })).then(call.reload);
  return (
    <Loaded call={call}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty>No dead letters are left.</Empty>
        ) : (
          <>
            <div class="admin-form">
              <button type="button" onClick={() => retry({})}>
                Send all again
              </button>
            </div>
            <ul class="rows dead-events" aria-label="Dead letters">
              {events.map((event) => (
                <li key={event.event_id}>
                  <span>
                    <code>{event.event_id}</code> <span class="muted">{event.tries} tries, given up</span>{' '}
                    <Ago at={event.dead_at} clock="machine" />
                  </span>
                  <span class="bad">
                    <ChainText text={event.error ?? ''} isInline />
                  </span>
                  <details>
                    <summary>Body</summary>
                    <pre>{JSON.stringify(event.body, null, 2)}</pre>
                  </details>
                  <span>
                    <button
                      type="button"
                      class="small"
                      onClick={() => retry({ event_ids: [event.event_id] })}
                    >
                      Send again
                    </button>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Loaded>
  );
}
