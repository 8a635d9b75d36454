import { AdminKeyBox, isRefusal, LockButton } from '../admin/admin-key.tsx';
import type { DashboardDetails as Details, DashboardSummary as Summary } from '../api/admin.d.ts';
import { adminGet } from '../api/admin-client.ts';
import { CallError } from '../api/client.ts';
import { useCall, useRefresh } from '../api/use-call.ts';
import { Chart } from '../charts/chart.tsx';
import { formatBytes, formatCount, formatMs } from '../show/figures.ts';
import { Badge, Empty, type FactRecord, Facts, Loaded, Panel } from '../show/panel.tsx';
import { Table } from '../show/table.tsx';
import { formatSpan } from '../show/time.tsx';
import '../admin/admin.css';
import './dashboard.css';

const REFRESH_MS = 5000;
const MAX_OPERATIONS = 20;

/** Details are left out for those who may not see them; that is not a failure of the page. */
async function load(abort: AbortSignal) {
  const [summary, details] = await Promise.all([
    adminGet('/api/dashboard', {}, abort),
    adminGet('/api/dashboard/details', {}, abort).catch((error: unknown) => {
      if (error instanceof CallError && isRefusal(error)) return error;
      throw error;
    }),
  ]);
  return { summary, details };
}

export function Page() {
  const call = useCall(load, 'dashboard');
  const details = call.data?.details;
  // Wrong keys are counted.
  useRefresh(call.reload, details instanceof CallError ? null : REFRESH_MS);
  return (
    <>
      <div class="title-row">
        <h1 tabIndex={-1}>Dashboard</h1>
        <div class="tools">
          {details !== undefined && 'grafana_url' in details && details.grafana_url !== null && (
            <a href={details.grafana_url} target="_blank" rel="noreferrer">
              Grafana board
            </a>
          )}
          <LockButton onChange={call.reload} />
        </div>
      </div>
      <Loaded call={call}>
        {({ summary, details }) => (
          <>
            <Facts kind="figures" facts={figuresOf(summary)} />
            {details instanceof CallError ? (
              <AdminKeyBox error={details} onChange={call.reload} />
            ) : (
              <DetailParts summary={summary} details={details} />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const unknown = (value: number | null, show: (value: number) => string): string =>
  value === null ? '–' : show(value);

/** A figure, and a note in small type. */
const noted = (value: string, note: string) => (
  <>
    {value}
    <small>{note}</small>
  </>
);

function figuresOf({ head, index, requests, uptime_seconds: uptime }: Summary): FactRecord {
  const isBehind = index.percent !== null && index.percent < 100;
  const lag = unknown(index.lag_seqnos, (count) =>
    count === 0 ? 'at the head' : `${formatCount(count)} blocks behind`,
  );
  const left = isBehind && index.eta_seconds !== null ? `, ${formatSpan(index.eta_seconds)} left` : '';
  return {
    'Masterchain head': noted(
      unknown(head.seqno, formatCount),
      unknown(head.age_seconds, (age) => `${formatSpan(age)} old`),
    ),
    Index: (
      <>
        {noted(index.percent === null ? 'by another process' : `${index.percent} %`, lag + left)}
        {isBehind && <progress aria-label="Index progress" max={100} value={index.percent!} />}
      </>
    ),
    'Requests per second': noted(
      formatCount(requests.per_second),
      `${formatCount(requests.errors_per_second)} errors, ${formatCount(requests.limited_per_second)} above their rate`,
    ),
    'Duration, p99': noted(unknown(requests.p99_ms, formatMs), `p50 ${unknown(requests.p50_ms, formatMs)}`),
    'Up for': formatSpan(uptime),
  };
}

function DetailParts({ summary, details }: { readonly summary: Summary; readonly details: Details }) {
  const { samples, last_error: lastError, refused } = details;
  const limits = refused.map(({ reason, count }) => [REASONS[reason] ?? reason, formatCount(count)]);
  return (
    <>
      <div class="columns charts">
        {CHARTS.map(([title, format, series]) => (
          <Panel key={title} title={title}>
            <Chart
              at={samples.at}
              lines={Object.entries(series).map(([label, name]) => ({ label, values: samples.series[name] }))}
              format={format}
            />
          </Panel>
        ))}
      </div>
      {lastError !== null && (
        <Panel title="Last error of the indexer">
          <p class="bad">{lastError}</p>
        </Panel>
      )}
      <Operations operations={details.operations} />
      <LiteServers servers={details.lite_servers} />
      <div class="columns">
        <Panel title="Figures" facts={otherFigures(summary, details)} />
        <Panel title="Limits hit" count="since the start">
          {limits.length === 0 ? <Empty>None.</Empty> : <Facts facts={Object.fromEntries(limits)} />}
        </Panel>
      </div>
    </>
  );
}

const seconds = (value: number) => `${formatCount(value)} s`;

const CHARTS: readonly (readonly [
  title: string,
  format: (value: number) => string,
  Readonly<Record<string, keyof Details['samples']['series']>>,
])[] = [
  [
    'Requests per second',
    formatCount,
    { all: 'requests_per_second', errors: 'errors_per_second', 'above the rate': 'limited_per_second' },
  ],
  ['Duration of requests', formatMs, { p50: 'p50_ms', p99: 'p99_ms' }],
  ['Age of the head', seconds, { age: 'head_age_seconds' }],
  ['Index behind the head', formatCount, { blocks: 'index_lag_seqnos' }],
  ['Lite server latency', formatMs, { fastest: 'lite_latency_ms' }],
  ['TVM threads', formatCount, { busy: 'vm_busy', waiting: 'vm_queued' }],
  ['Streams', formatCount, { open: 'streams' }],
  ['Webhook events', formatCount, { waiting: 'webhook_waiting' }],
  ['Database size', formatBytes, { size: 'database_bytes' }],
  ['Memory', formatBytes, { resident: 'memory_bytes' }],
  ['Event loop delay', formatMs, { longest: 'event_loop_ms' }],
  ['Actions behind the index', seconds, { behind: 'actions_lag_seconds' }],
];

/** The name under which requests are counted that met no operation. */
const NO_OPERATION = 'none';

function Operations({ operations }: { readonly operations: Details['operations'] }) {
  return (
    <Panel title="Operations" count={operations.length === 0 ? undefined : `last minute`}>
      <Table
        name="Operations"
        rows={operations.slice(0, MAX_OPERATIONS)}
        empty="No requests in the last hour."
        keyOf={(one) => `${one.interface} ${one.operation}`}
        columns={{
          Operation: {
            kind: 'nowrap',
            show: (one) => (
              <>
                {one.operation !== one.interface && <span class="muted">{one.interface} </span>}
                {one.operation === NO_OPERATION ? 'unknown path' : one.operation}
              </>
            ),
          },
          'Per second': { kind: 'number', show: (one) => formatCount(one.requests_per_second) },
          Errors: { kind: 'number', show: (one) => <Alarming value={one.errors_per_second} /> },
          'Above rate': { kind: 'number', show: (one) => formatCount(one.limited_per_second) },
          p50: { kind: 'number', show: (one) => unknown(one.p50_ms, formatMs) },
          p99: { kind: 'number', show: (one) => unknown(one.p99_ms, formatMs) },
          'Last hour': (one) => <Spark values={one.by_minute} />,
        }}
      />
    </Panel>
  );
}

function Alarming({ value }: { readonly value: number }) {
  return <span class={value > 0 ? 'bad' : ''}>{formatCount(value)}</span>;
}

const SPARK_WIDTH = 120;
const SPARK_HEIGHT = 22;

function Spark({ values }: { readonly values: readonly number[] }) {
  const top = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = (index / Math.max(1, values.length - 1)) * SPARK_WIDTH;
    return `${x.toFixed(1)},${(SPARK_HEIGHT - 1 - (value / top) * (SPARK_HEIGHT - 2)).toFixed(1)}`;
  });
  const total = values.reduce((all, value) => all + value, 0);
  return (
    <svg class="spark" viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} role="img">
      <title>{`${formatCount(total)} requests in the last hour`}</title>
      <polyline points={points.join(' ')} />
    </svg>
  );
}

const STATE_KINDS: Readonly<Record<string, 'good' | 'warn'>> = { live: 'good', lagging: 'warn' };

function LiteServers({ servers }: { readonly servers: Details['lite_servers'] }) {
  const live = servers.filter(({ state }) => state === 'live').length;
  return (
    <Panel title="Lite servers" count={`${live} of ${servers.length} live`}>
      <Table
        name="Lite servers"
        rows={servers}
        keyOf={({ group, index }) => `${group} ${index}`}
        columns={{
          Server: {
            kind: 'nowrap',
            show: ({ name, archival }) => (
              <>
                {name} {archival && <Badge>archive</Badge>}
              </>
            ),
          },
          State: ({ state }) => <Badge kind={STATE_KINDS[state] ?? 'bad'}>{state}</Badge>,
          Latency: { kind: 'number', show: (server) => formatMs(server.latency_ms) },
          Behind: { kind: 'number', show: (server) => unknown(server.lag_blocks, formatCount) },
          'In flight': { kind: 'number', show: (server) => formatCount(server.in_flight + server.queued) },
          Failures: { kind: 'number', show: (server) => formatCount(server.failures) },
          Wrong: { kind: 'number', show: (server) => <Alarming value={server.wrong_answers} /> },
        }}
      />
    </Panel>
  );
}

function otherFigures({ index }: Summary, { database, streams, webhooks, vm }: Details): FactRecord {
  return {
    Database: unknown(database.bytes, formatBytes),
    Growth: unknown(database.bytes_per_hour, (bytes) => `${formatBytes(bytes)} per hour`),
    Connections: database.pools.map(({ name, total, idle, waiting }) => (
      <div key={name}>
        {name}: {total - idle} of {total} busy, {waiting} waiting
      </div>
    )),
    'Blocks indexed': unknown(index.seqnos_per_second, (rate) => `${formatCount(rate)} per second`),
    TVM: `${vm.busy} of ${vm.threads} threads busy, ${vm.queued} runs waiting`,
    Streams:
      streams === null
        ? 'off'
        : `${streams.sse} SSE, ${streams.websocket} WebSocket, ${formatCount(streams.watched)} accounts watched`,
    Webhooks:
      webhooks === null
        ? 'unknown'
        : webhooks.webhooks === 0
          ? 'none'
          : `${webhooks.webhooks}, ${formatCount(webhooks.waiting)} events waiting, ${formatCount(webhooks.dead)} given up`,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  unknown_key: 'API key does not exist',
  network_not_allowed: 'Key of another network',
  rate_limited: 'Above the rate',
  response_bytes: 'Bytes of responses used up',
  overloaded: 'Server overloaded',
  connections: 'Too many connections',
};
