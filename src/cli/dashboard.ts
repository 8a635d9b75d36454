import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  type DashboardDetails,
  type DashboardPorts,
  type DashboardSummary,
  SERIES,
  type SeriesName,
} from '../admin/dashboard-routes.ts';
import { readDatabaseBytes } from '../index/sizes.ts';
import { createRequestMeter, type RequestRates } from '../observe/request-rates.ts';
import { createSamples } from '../observe/samples.ts';
import type { StreamStats } from '../observe/stream-metrics.ts';
import type { WebhookFigures } from '../observe/webhook-metrics.ts';
import { readWebhookTotals } from '../webhooks/stored-events.ts';
import type { ChainAccess } from './chain-access.ts';
import type { Indexing } from './indexing.ts';
import type { ServerParts } from './open-process.ts';

interface DashboardParts extends ServerParts {
  readonly version: string;
  readonly chain: ChainAccess;
  readonly indexing?: Indexing | undefined;
  readonly streams: () => StreamStats | undefined;
}

const INTERVAL_MS = 5000;
const KEPT_MS = 3_600_000;
/** Figures that the database is asked for. */
const SLOW_INTERVAL_MS = 60_000;
const EVENT_LOOP_RESOLUTION_MS = 20;
const NO_RATES: RequestRates = {
  requestsPerSecond: 0,
  errorsPerSecond: 0,
  limitedPerSecond: 0,
  p50Seconds: undefined,
  p99Seconds: undefined,
};

/** Samples figures of this process for the dashboard. Only two of them need the database, which is asked once a minute. */
export function startDashboard(parts: DashboardParts): DashboardPorts {
  const { settings, metrics, chain, database, shutdown, indexing } = parts;
  const samples = createSamples(Object.keys(SERIES) as SeriesName[], KEPT_MS / INTERVAL_MS);
  const meter = createRequestMeter(metrics.requestTotals);
  const loopDelay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  loopDelay.enable();
  let rates = NO_RATES;
  let webhooks: WebhookFigures | undefined;
  let databaseBytes: number | undefined;
  metrics.observeDatabaseBytes(() => databaseBytes);

  const mainGroup = () => chain.liteStats()[0];

  function sample(): void {
    rates = meter.sample();
    const { index, head } = summary();
    const streams = parts.streams();
    const { busy, queued } = chain.vmStats();
    const live = mainGroup()?.servers.filter(({ state }) => state === 'live') ?? [];
    samples.add(Math.round(Date.now() / 1000), {
      head_age_seconds: head.age_seconds ?? undefined,
      index_lag_seqnos: index.lag_seqnos ?? undefined,
      index_percent: index.percent ?? undefined,
      actions_lag_seconds: index.actions_lag_seconds ?? undefined,
      requests_per_second: rounded(rates.requestsPerSecond),
      errors_per_second: rounded(rates.errorsPerSecond),
      limited_per_second: rounded(rates.limitedPerSecond),
      p50_ms: toMs(rates.p50Seconds) ?? undefined,
      p99_ms: toMs(rates.p99Seconds) ?? undefined,
      event_loop_ms: rounded(loopDelay.max / 1e6),
      lite_latency_ms:
        live.length === 0 ? undefined : rounded(Math.min(...live.map(({ latencyMs }) => latencyMs))),
      lite_live: live.length,
      vm_busy: busy,
      vm_queued: queued,
      streams: streams && streams.connections.sse + streams.connections.ws,
      webhook_waiting: webhooks?.waiting,
      database_bytes: databaseBytes,
      memory_bytes: process.memoryUsage.rss(),
    });
    loopDelay.reset();
  }

  async function sampleDatabase(): Promise<void> {
    // The figures of the last time stay if the database does not respond.
    await database
      .write(async (db) => {
        webhooks = await readWebhookTotals(db);
        databaseBytes = await readDatabaseBytes(db);
      })
      .catch(() => {});
  }

  function summary(): DashboardSummary {
    const group = mainGroup();
    const progress = indexing?.progress();
    const last = progress?.followed ?? parts.streams()?.lastSeqno;
    const lag = progress?.lag ?? distance(group?.headSeqno, last);
    return {
      version: parts.version,
      network: settings.network,
      uptime_seconds: Math.floor(process.uptime()),
      head: { seqno: group?.headSeqno ?? null, age_seconds: rounded(group?.headAgeSeconds) ?? null },
      index: {
        state: progress?.state ?? null,
        last_seqno: last ?? null,
        lag_seqnos: lag ?? null,
        percent: rounded(progress?.percent) ?? null,
        seqnos_per_second: rounded(progress?.seqnosPerSecond) ?? null,
        eta_seconds: progress?.etaSeconds === undefined ? null : Math.ceil(progress.etaSeconds),
        actions_lag_seconds: rounded(indexing?.classification().queue?.oldestSeconds) ?? null,
      },
      requests: {
        per_second: rounded(rates.requestsPerSecond),
        errors_per_second: rounded(rates.errorsPerSecond),
        limited_per_second: rounded(rates.limitedPerSecond),
        p50_ms: toMs(rates.p50Seconds),
        p99_ms: toMs(rates.p99Seconds),
      },
    };
  }

  function details(): DashboardDetails {
    const read = samples.read();
    const streams = parts.streams();
    const { threads, busy, queued } = chain.vmStats();
    return {
      grafana_url: settings.grafanaUrl ?? null,
      interval_seconds: INTERVAL_MS / 1000,
      samples: read,
      operations: meter.operations().map((one) => ({
        interface: one.interface,
        operation: one.operation,
        requests_per_second: rounded(one.requestsPerSecond),
        errors_per_second: rounded(one.errorsPerSecond),
        limited_per_second: rounded(one.limitedPerSecond),
        p50_ms: toMs(one.p50Seconds),
        p99_ms: toMs(one.p99Seconds),
        by_minute: [...one.byMinute],
      })),
      refused: [...metrics.refusedTotals()].map(([reason, count]) => ({ reason, count })),
      lite_servers: liteServers(chain),
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
      database: {
        bytes: databaseBytes ?? null,
        bytes_per_hour: growthPerHour(read.at, read.series.database_bytes),
        pools: database.stats().map(({ name, total, idle, waiting, lagMs }) => ({
          name,
          total,
          idle,
          waiting,
          lag_ms: lagMs ?? null,
        })),
      },
      last_error: indexing?.progress().lastError ?? null,
    };
  }

  const timer = setInterval(sample, INTERVAL_MS).unref();
  const slowTimer = setInterval(() => void sampleDatabase(), SLOW_INTERVAL_MS).unref();
  void sampleDatabase();
  sample();
  shutdown.add('dashboard', async () => {
    clearInterval(timer);
    clearInterval(slowTimer);
    loopDelay.disable();
  });
  return { summary, details };
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

/** Growth between the first and the last known value; null for less than a minute of them. */
function growthPerHour(at: readonly number[], bytes: readonly (number | null)[]): number | null {
  const first = bytes.findIndex((value) => value !== null);
  const last = bytes.findLastIndex((value) => value !== null);
  const seconds = first === -1 ? 0 : at[last]! - at[first]!;
  return seconds < SLOW_INTERVAL_MS / 1000
    ? null
    : Math.round(((bytes[last]! - bytes[first]!) / seconds) * 3600);
}

function distance(head: number | undefined, last: number | undefined): number | undefined {
  return head === undefined || last === undefined ? undefined : Math.max(0, head - last);
}

function toMs(seconds: number | undefined): number | null {
  return seconds === undefined ? null : rounded(seconds * 1000);
}

function rounded<T extends number | undefined>(value: T): T {
  return (value === undefined ? undefined : Math.round(value * 100) / 100) as T;
}
