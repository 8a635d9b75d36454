import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { DashboardDetails } from '../admin/dashboard-routes.ts';
import { readDatabaseBytes } from '../index/sizes.ts';
import type { StreamStats } from '../observe/stream-metrics.ts';
import type { WebhookFigures } from '../observe/webhook-metrics.ts';
import { readWebhookTotals } from '../webhooks/stored-events.ts';
import type { ChainAccess } from './chain-access.ts';
import { type Figures, rounded } from './figures.ts';
import type { IndexingView } from './indexing.ts';
import type { ServerParts } from './open-process.ts';

export interface FigureParts extends ServerParts {
  readonly chain: ChainAccess;
  readonly indexing?: IndexingView | undefined;
  readonly streams: () => StreamStats | undefined;
}

/** Figures that the database is asked for. */
const SLOW_INTERVAL_MS = 60_000;
const EVENT_LOOP_RESOLUTION_MS = 20;

/** Creates the function that reads the figures of this process. Only two of them need the database, which is asked once a minute. */
export function createFigures(parts: FigureParts) {
  const { metrics, chain, database, shutdown, indexing } = parts;
  const loopDelay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  loopDelay.enable();
  let webhooks: WebhookFigures | undefined;
  let databaseBytes: number | undefined;
  metrics.observeDatabaseBytes(() => databaseBytes);

  async function sampleDatabase(): Promise<void> {
    // The figures of the last time stay if the database does not respond.
    await database
      .write(async (db) => {
        webhooks = await readWebhookTotals(db);
        databaseBytes = await readDatabaseBytes(db);
      })
      .catch(() => {});
  }

  const timer = setInterval(() => void sampleDatabase(), SLOW_INTERVAL_MS).unref();
  void sampleDatabase();
  shutdown.add('figures', async () => {
    clearInterval(timer);
    loopDelay.disable();
  });

  /** The longest delay of the event loop is that since the last sample. */
  return (isSample = false): Figures => {
    const group = chain.liteStats()[0];
    const progress = indexing?.progress();
    const streams = parts.streams();
    const last = progress?.followed ?? streams?.lastSeqno;
    const { threads, busy, queued } = chain.vmStats();
    const eventLoopMs = loopDelay.max / 1e6;
    if (isSample) loopDelay.reset();
    return {
      head: { seqno: group?.headSeqno, ageSeconds: group?.headAgeSeconds },
      index: {
        state: progress?.state,
        last,
        lag: progress?.lag ?? distance(group?.headSeqno, last),
        percent: progress?.percent,
        seqnosPerSecond: progress?.seqnosPerSecond,
        etaSeconds: progress?.etaSeconds,
        actionsLagSeconds: indexing?.classification().queue?.oldestSeconds,
        lastError: progress?.lastError,
      },
      requests: metrics.requestTotals(),
      refused: [...metrics.refusedTotals()].map(([reason, count]) => ({ reason, count })),
      liteServers: liteServers(chain),
      vm: { threads, busy, queued },
      streams: streams
        ? {
            sse: streams.connections.sse,
            websocket: streams.connections.ws,
            watched: streams.watched,
            queued_messages: streams.queued,
          }
        : null,
      webhooks: webhooks
        ? {
            webhooks: webhooks.webhooks,
            waiting: webhooks.waiting,
            dead: webhooks.dead,
            oldest_seconds: Math.round(webhooks.oldestSeconds),
          }
        : null,
      databaseBytes,
      pools: database.stats().map(({ name, total, idle, waiting, lagMs }) => ({
        name,
        total,
        idle,
        waiting,
        lag_ms: lagMs ?? null,
      })),
      eventLoopMs,
      memoryBytes: process.memoryUsage.rss(),
    };
  };
}

function liteServers(chain: ChainAccess): DashboardDetails['lite_servers'] {
  return [...chain.lite.pools].flatMap(([group, pool]) =>
    pool.servers().map((server) => ({
      group,
      index: server.index,
      name: server.name,
      state: server.state,
      seqno: server.seqno ?? null,
      lag_blocks: server.lagBlocks ?? null,
      latency_ms: rounded(server.latencyMs),
      in_flight: server.inFlight,
      queued: server.queued,
      failures: server.failures,
      wrong_answers: server.wrongResponses,
      archival: server.isArchival,
    })),
  );
}

function distance(head: number | undefined, last: number | undefined): number | undefined {
  return head === undefined || last === undefined ? undefined : Math.max(0, head - last);
}
