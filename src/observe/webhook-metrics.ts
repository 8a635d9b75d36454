import { Gauge, type Registry } from 'prom-client';
import { createInstruments } from './instruments.ts';

/** Figures over all webhooks of the database. */
export interface WebhookFigures {
  readonly webhooks: number;
  readonly waiting: number;
  readonly dead: number;
  /** Of the oldest waiting event; 0 if none waits. */
  readonly oldestSeconds: number;
}

export function createWebhookMetrics(registry: Registry) {
  let read: (() => Promise<WebhookFigures>) | undefined;
  const registers = [registry];
  const { count, countBy } = createInstruments(registry);
  const attempt = countBy<'success' | 'failure' | 'dead'>(
    'tongate_webhook_attempts_total',
    'Requests to webhooks, by outcome; dead: the event was given up with it',
    'outcome',
  );
  const queued = count('tongate_webhook_events_total', 'Events queued for webhooks by this process');
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const [dead, age, webhooks] = [
    gauge('tongate_webhook_dead_events', 'Events of all webhooks that were given up'),
    gauge('tongate_webhook_queue_age_seconds', 'Age of the oldest event that waits for a webhook'),
    gauge('tongate_webhooks', 'Webhooks'),
  ];
  new Gauge({
    name: 'tongate_webhook_waiting_events',
    help: 'Events that wait for a webhook, of all processes together',
    registers,
    async collect() {
      // The figures of the last time stay if the database does not respond.
      const figures = await read?.().catch(() => undefined);
      if (figures === undefined) return;
      this.set(figures.waiting);
      dead.set(figures.dead);
      age.set(figures.oldestSeconds);
      webhooks.set(figures.webhooks);
    },
  });
  return {
    attempt,
    queued,
    /** Sets where gauges read the present state. */
    observe(source: () => Promise<WebhookFigures>) {
      read = source;
    },
  };
}
