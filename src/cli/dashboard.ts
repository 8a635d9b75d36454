import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  type DashboardDetails,
  type DashboardSummary,
  SERIES,
  type SeriesName,
} from '../admin/dashboard-routes.ts';
import type { Settings } from '../config/settings.ts';
import { readDatabaseBytes } from '../index/sizes.ts';
import type { RequestTotals } from '../observe/metrics.ts';
import { createRequestMeter, type RequestRates } from '../observe/request-rates.ts';
import { createSamples } from '../observe/samples.ts';
import type { Shutdown } from '../observe/shutdown.ts';
import type { StreamStats } from '../observe/stream-metrics.ts';
import type { WebhookFigures } from '../observe/webhook-metrics.ts';
import { readWebhookTotals } from '../webhooks/stored-events.ts';
import type { ChainAccess } from './chain-access.ts';
import type { Indexing } from './indexing.ts';
import type { ServerParts } from './open-process.ts';

/** What the dashboard shows of a process, or of all processes of a server. */
export interface Figures {
  readonly head: { readonly seqno: number | undefined; readonly ageSeconds: number | undefined };
  readonly index: {
    readonly state: string | undefined;
    readonly last: number | undefined;
    readonly lag: number | undefined;
    readonly percent: number | undefined;
    readonly seqnosPerSecond: number | undefined;
    readonly etaSeconds: number | undefined;
    readonly actionsLagSeconds: number | undefined;
    readonly lastError: string | undefined;
  };
  readonly requests: readonly RequestTotals[];
  readonly refused: DashboardDetails['refused'];
  readonly liteServers: DashboardDetails['lite_servers'];
  readonly vm: DashboardDetails['vm'];
  readonly streams: DashboardDetails['streams'];
  readonly webhooks: DashboardDetails['webhooks'];
  readonly databaseBytes: number | undefined;
  readonly pools: DashboardDetails['database']['pools'];
  readonly eventLoopMs: number;
  readonly memoryBytes: number;
}

export const NO_FIGURES: Figures = {
  head: { seqno: undefined, ageSeconds: undefined },
  index: {
    state: undefined,
    last: undefined,
    lag: undefined,
    percent: undefined,
    seqnosPerSecond: undefined,
    etaSeconds: undefined,
    actionsLagSeconds: undefined,
    lastError: undefined,
  },
  requests: [],
  refused: [],
  liteServers: [],
  vm: { threads: 0, busy: 0, queued: 0 },
  streams: null,
  webhooks: null,
  databaseBytes: undefined,
  pools: [],
  eventLoopMs: 0,
  memoryBytes: 0,
};

interface FigureParts extends ServerParts {
  readonly chain: ChainAccess;
  readonly indexing?: Pick<Indexing, 'progress' | 'classification'> | undefined;
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

/** The figures of all processes that serve. `ended` are the last ones of those that serve no more: what they counted still counts. */
export function sumFigures(all: readonly Figures[], ended: readonly Figures[]): Figures | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const counted = [...all, ...ended];
  const sum = (read: (figures: Figures) => number | undefined) =>
    all.reduce((total, figures) => total + (read(figures) ?? 0), 0);
  const best = all.reduce((a, b) => ((b.head.seqno ?? 0) > (a.head.seqno ?? 0) ? b : a));
  return {
    ...best,
    requests: sumRequests(counted.flatMap(({ requests }) => requests)),
    refused: sumBy(
      counted.flatMap(({ refused }) => refused),
      ({ reason }) => reason,
      (a, b) => ({ ...a, count: a.count + b.count }),
    ),
    vm: {
      threads: sum(({ vm }) => vm.threads),
      busy: sum(({ vm }) => vm.busy),
      queued: sum(({ vm }) => vm.queued),
    },
    streams: first.streams && {
      sse: sum(({ streams }) => streams?.sse),
      websocket: sum(({ streams }) => streams?.websocket),
      watched: sum(({ streams }) => streams?.watched),
      queued_messages: sum(({ streams }) => streams?.queued_messages),
    },
    pools: sumBy(
      all.flatMap(({ pools }) => pools),
      ({ name }) => name,
      (a, b) => ({
        ...a,
        total: a.total + b.total,
        idle: a.idle + b.idle,
        waiting: a.waiting + b.waiting,
      }),
    ),
    eventLoopMs: Math.max(...all.map(({ eventLoopMs }) => eventLoopMs)),
    memoryBytes: sum(({ memoryBytes }) => memoryBytes),
  };
}

function sumRequests(totals: readonly RequestTotals[]): RequestTotals[] {
  return sumBy(
    totals,
    (one) => `${one.interface} ${one.operation}`,
    (a, b) => ({
      ...a,
      requests: a.requests + b.requests,
      errors: a.errors + b.errors,
      limited: a.limited + b.limited,
      buckets: a.buckets.map((count, at) => count + b.buckets[at]!),
    }),
  );
}

function sumBy<T>(items: readonly T[], keyOf: (item: T) => string, add: (a: T, b: T) => T): T[] {
  const sums = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const before = sums.get(key);
    sums.set(key, before === undefined ? item : add(before, item));
  }
  return [...sums.values()];
}

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
