import { useState } from 'preact/hooks';
import { type AdminAnswer, adminGet, adminPost } from '../api/admin-client.ts';
import { useCall } from '../api/use-call.ts';
import { ChainText } from '../show/chain-text.tsx';
import { formatCount } from '../show/figures.ts';
import { Badge, Empty, Loaded, Panel, ScrollRegion } from '../show/panel.tsx';
import { Ago } from '../show/time.tsx';
import { useChange } from './use-change.ts';

type Webhook = AdminAnswer<'/api/admin/webhooks'>['webhooks'][number];

interface WebhooksProps {
  readonly webhooks: readonly Webhook[];
  readonly reload: () => void;
}

/** Webhooks of all keys. */
export function Webhooks({ webhooks, reload }: WebhooksProps) {
  const { problem, change } = useChange(reload);
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Panel title="Webhooks" count={webhooks.length}>
      {problem !== '' && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      {webhooks.length === 0 ? (
        <Empty>No webhooks.</Empty>
      ) : (
        <ScrollRegion kind="admin-table" name="Webhooks">
          <table>
            <thead>
              <tr>
                <th class="number rank">Id</th>
                <th>URL</th>
                <th>State</th>
                <th class="number">Delivered</th>
                <th class="number">Waiting</th>
                <th class="number">Given up</th>
                <th>Last failure</th>
                <th>
                  <span class="visually-hidden">Changes</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {webhooks.map((webhook) => (
                <tr key={webhook.id}>
                  <td class="number">{webhook.id}</td>
                  <td class="url">
                    <ChainText text={webhook.url} isInline />{' '}
                    <span class="muted nowrap">
                      {webhook.key_id === null ? 'operator' : `key #${webhook.key_id}`}
                    </span>
                  </td>
                  <td>
                    <Badge kind={webhook.state === 'active' ? 'good' : 'warn'}>{webhook.state}</Badge>
                  </td>
                  <td class="number">{formatCount(webhook.delivered)}</td>
                  <td class="number">{formatCount(webhook.waiting)}</td>
                  <td class="number">{formatCount(webhook.dead)}</td>
                  <td>
                    {webhook.last_failure_at === null ? (
                      '–'
                    ) : (
                      <>
                        <ChainText text={webhook.last_failure ?? ''} isInline />{' '}
                        <span class="muted">
                          <Ago at={webhook.last_failure_at} />
                        </span>
                      </>
                    )}
                  </td>
                  <td>
                    <span class="row-tools">
                      <PauseButton webhook={webhook} change={change} />
                      {webhook.dead > 0 && (
                        <button
                          type="button"
                          class="small"
                          aria-expanded={opened === webhook.id}
                          onClick={() => setOpened(opened === webhook.id ? null : webhook.id)}
                        >
                          Dead letters
                        </button>
                      )}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {opened !== null && <DeadLetters key={opened} id={opened} change={change} />}
    </Panel>
  );
}

type Change = (work: () => Promise<unknown>) => Promise<void>;

function PauseButton({
  webhook: { id, state },
  change,
}: {
  readonly webhook: Webhook;
  readonly change: Change;
}) {
  return state === 'active' ? (
    <button
      type="button"
      class="small"
      aria-label={`Pause webhook ${id}`}
      onClick={() => change(() => adminPost('/api/admin/webhooks/{id}/pause', { id }))}
    >
      Pause
    </button>
  ) : (
    <button
      type="button"
      class="small"
      aria-label={`Resume webhook ${id}`}
      onClick={() => change(() => adminPost('/api/admin/webhooks/{id}/resume', { id }))}
    >
      Resume
    </button>
  );
}

/** Events that were given up, and the button that sends them again. */
function DeadLetters({ id, change }: { readonly id: string; readonly change: Change }) {
  const call = useCall((abort) => adminGet('/api/admin/webhooks/{id}/dead', { id }, abort), id);
  const retry = (eventIds?: readonly string[]) =>
    change(() =>
      adminPost('/api/admin/webhooks/{id}/dead/retry', {
        id,
        body: eventIds === undefined ? {} : { event_ids: eventIds },
      }),
    ).then(call.reload);
  return (
    <Loaded call={call}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty>No dead letters are left.</Empty>
        ) : (
          <>
            <div class="admin-form">
              <button type="button" onClick={() => retry()}>
                Send all again
              </button>
            </div>
            <ul class="rows dead-events" aria-label="Dead letters">
              {events.map((event) => (
                <li key={event.event_id}>
                  <span>
                    <code>{event.event_id}</code> <span class="muted">{event.tries} tries, given up</span>{' '}
                    <Ago at={event.dead_at} />
                  </span>
                  <span class="bad">
                    <ChainText text={event.error ?? ''} isInline />
                  </span>
                  <details>
                    <summary>Body</summary>
                    <pre>{JSON.stringify(event.body, null, 2)}</pre>
                  </details>
                  <span>
                    <button type="button" class="small" onClick={() => retry([event.event_id])}>
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
