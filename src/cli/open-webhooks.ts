import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import type { UsageCounter } from '../access/usage.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import { Failure } from '../lib/errors.ts';
import { createNameResolver } from '../lib/outbound-http.ts';
import { isPublicAddress } from '../lib/public-address.ts';
import { createWebhookMetrics } from '../observe/webhook-metrics.ts';
import type { Streaming } from '../streaming/create-streaming.ts';
import { readPresentCursor } from '../streaming/follow-index.ts';
import { createConfirmedEvents } from '../webhooks/confirmed-events.ts';
import { createWebhookFeeder } from '../webhooks/feeder.ts';
import type { WebhookTransport } from '../webhooks/request.ts';
import { createWebhookRoutes } from '../webhooks/routes.ts';
import { createWebhookSender, type WebhookSenderOptions } from '../webhooks/sender.ts';
import { createWebhookSlots } from '../webhooks/slots.ts';
import { readWebhookTotals } from '../webhooks/stored-events.ts';
import { createWebhooks, type Webhooks } from '../webhooks/webhooks.ts';
import { isFirst } from '../workers/place.ts';
import type { ServerParts } from './open-process.ts';

const TIMEOUT_MS = 10_000;
/** A server is ready moments before its new index has the first block: who is so early waits for it. */
const FIRST_BLOCK_MS = 10_000;
const LOOK_EVERY_MS = 250;

type WebhookSettings = Pick<
  Settings,
  | 'network'
  | 'rateLimit'
  | 'webhookPrivate'
  | 'webhooksPerKey'
  | 'webhookAddresses'
  | 'webhookAddressesPerRps'
  | 'webhookRequests'
>;

function createTransport({ network, webhookPrivate }: WebhookSettings): WebhookTransport {
  const allowsPrivate = webhookPrivate === 'on' || (webhookPrivate === 'auto' && network === 'localnet');
  return {
    names: createNameResolver(),
    allowsPrivate,
    isPublic: allowsPrivate ? () => true : isPublicAddress,
    timeoutMs: TIMEOUT_MS,
  };
}

/** Opens webhooks to be managed; nothing is sent but tests. */
export function openWebhooks(
  settings: WebhookSettings,
  database: Database,
  options: Partial<Pick<WebhookSenderOptions, 'transport' | 'slots'>> & Pick<ServerParts, 'place'> = {},
): Webhooks {
  const { place, transport = createTransport(settings) } = options;
  const { slots = createWebhookSlots(settings.webhookRequests) } = options;
  return createWebhooks({
    database,
    transport,
    slots,
    limits: {
      perKey: settings.webhooksPerKey,
      addresses: settings.webhookAddresses,
      addressesPerRps: settings.rateLimit ? settings.webhookAddressesPerRps : undefined,
      share: place?.budget('webhook addresses'),
    },
    async startCursor() {
      const endMs = performance.now() + FIRST_BLOCK_MS;
      for (;;) {
        const cursor = await database.write(readPresentCursor);
        if (cursor !== undefined) return cursor;
        if (performance.now() > endMs)
          throw new Failure(
            'unavailable',
            'nothing is indexed yet: create the webhook when the index has started',
            { retryAfterSeconds: 5 },
          );
        await sleep(LOOK_EVERY_MS);
      }
    },
  });
}

interface WebhookParts extends ServerParts {
  readonly streaming: Streaming;
  readonly usage: UsageCounter | undefined;
}

/** Starts to send events to webhooks, which one process of a server does; returns the routes to manage them. */
export function startWebhooks(parts: WebhookParts): FastifyPluginAsync {
  const { settings, database, streaming, log, shutdown, usage, place } = parts;
  if (!isFirst(place)) return createWebhookRoutes({ webhooks: openWebhooks(settings, database, { place }) });
  const transport = createTransport(settings);
  const metrics = createWebhookMetrics(parts.metrics.registry);
  metrics.observe(() => database.write((db) => readWebhookTotals(db)));
  const slots = createWebhookSlots(settings.webhookRequests);
  const sender = createWebhookSender({
    database,
    transport,
    slots,
    log,
    onAttempt(outcome, { keyId }) {
      metrics.attempt(outcome);
      // Those of the operator are nobody's usage.
      if (keyId !== null) usage?.count(keyId, 'events', 'webhook', outcome === 'success' ? 200 : 500);
    },
  });
  const onQueued = (events: number): void => {
    metrics.queued(events);
    sender.wake();
  };
  const feeder = createWebhookFeeder({
    database,
    follower: streaming.follower,
    reader: streaming.reader,
    eventsPerRps: settings.rateLimit ? settings.webhookEventsPerRps : undefined,
    log,
    onQueued,
  });
  const confirmed = createConfirmedEvents({
    database,
    watchEarly: streaming.watchEarly,
    feeder,
    log,
    onQueued,
  });
  shutdown.add('webhooks', async () => {
    await confirmed.close();
    await feeder.close();
    await sender.close();
    transport.names.close();
  });
  return createWebhookRoutes({ webhooks: openWebhooks(settings, database, { place, transport, slots }) });
}
