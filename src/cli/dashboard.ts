import {
  type DashboardDetails,
  type DashboardSummary,
  SERIES,
  type SeriesName,
} from '../admin/dashboard-routes.ts';
import type { Settings } from '../config/settings.ts';
import type { RequestTotals } from '../observe/metrics.ts';
import { createRequestMeter, type RequestRates } from '../observe/request-rates.ts';
import { createSamples } from '../observe/samples.ts';
import type { Shutdown } from '../observe/shutdown.ts';
import { type Figures, rounded } from './figures.ts';

const INTERVAL_MS = 5000;
const KEPT_MS = 3_600_000;
const MIN_GROWTH_SECONDS = 60;
const NO_RATES: RequestRates = {
  requestsPerSecond: 0,
  errorsPerSecond: 0,
  limitedPerSecond: 0,
  p50Seconds: undefined,
  p99Seconds: undefined,
};

interface DashboardParts {
  readonly version: string;
  readonly settings: Pick<Settings, 'network' | 'grafanaUrl'>;
  readonly shutdown: Shutdown;
  readonly uptimeSeconds: () => number;
  readonly read: (isSample?: boolean) => Figures;
}

/** Samples figures for the dashboard. */
export function startDashboard(parts: DashboardParts) {
  const { settings, shutdown, read } = parts;
  const samples = createSamples(Object.keys(SERIES) as SeriesName[], KEPT_MS / INTERVAL_MS);
  let requests: readonly RequestTotals[] = [];
  const meter = createRequestMeter(() => requests);
  let rates = NO_RATES;

  function sample(): void {
    const figures = read(true);
    const { index, head, streams, vm } = figures;
    requests = figures.requests;
    rates = meter.sample();
    const [main] = figures.liteServers;
    const live = figures.liteServers.filter(({ group, state }) => group === main?.group && state === 'live');
    samples.add(Math.round(Date.now() / 1000), {
      head_age_seconds: rounded(head.ageSeconds),
      index_lag_seqnos: index.lag,
      index_percent: rounded(index.percent),
      actions_lag_seconds: rounded(index.actionsLagSeconds),
      requests_per_second: rounded(rates.requestsPerSecond),
      errors_per_second: rounded(rates.errorsPerSecond),
      limited_per_second: rounded(rates.limitedPerSecond),
      p50_ms: toMs(rates.p50Seconds) ?? undefined,
      p99_ms: toMs(rates.p99Seconds) ?? undefined,
      event_loop_ms: rounded(figures.eventLoopMs),
      lite_latency_ms: live.length === 0 ? undefined : Math.min(...live.map((one) => one.latency_ms)),
      lite_live: live.length,
      vm_busy: vm.busy,
      vm_queued: vm.queued,
      streams: streams ? streams.sse + streams.websocket : undefined,
      webhook_waiting: figures.webhooks?.waiting,
      database_bytes: figures.databaseBytes,
      memory_bytes: figures.memoryBytes,
    });
  }

  function summary(): DashboardSummary {
    const { head, index } = read();
    return {
      version: parts.version,
      network: settings.network,
      uptime_seconds: Math.floor(parts.uptimeSeconds()),
      head: { seqno: head.seqno ?? null, age_seconds: rounded(head.ageSeconds) ?? null },
      index: {
        state: index.state ?? null,
        last_seqno: index.last ?? null,
        lag_seqnos: index.lag ?? null,
        percent: rounded(index.percent) ?? null,
        seqnos_per_second: rounded(index.seqnosPerSecond) ?? null,
        eta_seconds: index.etaSeconds === undefined ? null : Math.ceil(index.etaSeconds),
        actions_lag_seconds: rounded(index.actionsLagSeconds) ?? null,
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
    const kept = samples.read();
    const figures = read();
    return {
      grafana_url: settings.grafanaUrl ?? null,
      interval_seconds: INTERVAL_MS / 1000,
      samples: kept,
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
      refused: figures.refused,
      lite_servers: figures.liteServers,
      vm: figures.vm,
      streams: figures.streams,
      webhooks: figures.webhooks,
      database: {
        bytes: figures.databaseBytes ?? null,
        bytes_per_hour: growthPerHour(kept.at, kept.series.database_bytes),
        pools: figures.pools,
      },
      last_error: figures.index.lastError ?? null,
    };
  }

  const timer = setInterval(sample, INTERVAL_MS).unref();
  sample();
  shutdown.add('dashboard', async () => clearInterval(timer));
  return { summary, details };
}

/** Growth between the first and the last known value; null for less than a minute of them. */
function growthPerHour(at: readonly number[], bytes: readonly (number | null)[]): number | null {
  const first = bytes.findIndex((value) => value !== null);
  const last = bytes.findLastIndex((value) => value !== null);
  const seconds = first === -1 ? 0 : at[last]! - at[first]!;
  return seconds < MIN_GROWTH_SECONDS ? null : Math.round(((bytes[last]! - bytes[first]!) / seconds) * 3600);
}

function toMs(seconds: number | undefined): number | null {
  return seconds === undefined ? null : rounded(seconds * 1000);
}
