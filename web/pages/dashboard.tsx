import { useEffect } from 'preact/hooks';
import { AdminKeyBox, isRefusal, LockButton } from '../admin/admin-key.tsx';
import { type AdminAnswer, adminGet } from '../api/admin-client.ts';
import { CallError } from '../api/client.ts';
import { useCall } from '../api/use-call.ts';
import { Chart } from '../charts/chart.tsx';
import { formatBytes, formatCount, formatMs } from '../show/figures.ts';
import { Badge, Empty, Facts, Loaded, Panel, ScrollRegion } from '../show/panel.tsx';
import { formatSpan } from '../show/time.tsx';
import '../admin/admin.css';
import '../show/figures.css';
import './dashboard.css';

type Summary = AdminAnswer<'/api/dashboard'>;
type Details = AdminAnswer<'/api/dashboard/details'>;

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

/** How the server is. */
export function Page() {
  const call = useCall(load, 'dashboard');
  const details = call.data?.details;
  const isLocked = details instanceof CallError;
  const grafanaUrl = details === undefined || details instanceof CallError ? null : details.grafana_url;
  useEffect(() => {
    const timer = setInterval(() => {
      // Nobody sees a hidden page, and wrong keys are counted.
      if (!document.hidden && !isLocked) call.reload();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [call.reload, isLocked]);
  return (
    <>
      <div class="title-row">
        <h1 tabIndex={-1}>Dashboard</h1>
        <div class="title-tools">
          {grafanaUrl !== null && (
            <a href={grafanaUrl} target="_blank" rel="noreferrer">
              Grafana board
            </a>
          )}
          <LockButton onChange={call.reload} />
        </div>
      </div>
      <Loaded call={call}>
        {({ summary, details }) => (
          <>
            <Figures summary={summary} />
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

function Figures({
  summary: { head, index, requests, uptime_seconds: uptime },
}: {
  readonly summary: Summary;
}) {
  const isBehind = index.percent !== null && index.percent < 100;
  return (
    <dl class="figures">
      <div>
        <dt>Masterchain head</dt>
        <dd>
          {unknown(head.seqno, formatCount)}
          <small>{unknown(head.age_seconds, (age) => `${formatSpan(age)} old`)}</small>
        </dd>
      </div>
      <div>
        <dt>Index</dt>
        <dd>
          {index.percent === null ? 'by another process' : `${index.percent} %`}
          <small>
            {unknown(index.lag_seqnos, (lag) =>
              lag === 0 ? 'at the head' : `${formatCount(lag)} blocks behind`,
            )}
            {isBehind && index.eta_seconds !== null && `, ${formatSpan(index.eta_seconds)} left`}
          </small>
          {isBehind && <progress aria-label="Index progress" max={100} value={index.percent!} />}
        </dd>
      </div>
      <div>
        <dt>Requests per second</dt>
        <dd>
          {formatCount(requests.per_second)}
          <small>
            {formatCount(requests.errors_per_second)} errors, {formatCount(requests.limited_per_second)} above
            their rate
          </small>
        </dd>
      </div>
      <div>
        <dt>Duration, p99</dt>
        <dd>
          {unknown(requests.p99_ms, formatMs)}
          <small>p50 {unknown(requests.p50_ms, formatMs)}</small>
        </dd>
      </div>
      <div>
        <dt>Up for</dt>
        <dd>{formatSpan(uptime)}</dd>
      </div>
    </dl>
  );
}

function DetailParts({ summary, details }: { readonly summary: Summary; readonly details: Details }) {
  return (
    <>
      <Charts details={details} />
      {details.last_error !== null && (
        <Panel title="Last error of the indexer">
          <p class="bad">{details.last_error}</p>
        </Panel>
      )}
      <Operations operations={details.operations} />
      <LiteServers servers={details.lite_servers} />
      <div class="halves">
        <OtherFigures summary={summary} details={details} />
        <Limits refused={details.refused} />
      </div>
    </>
  );
}

type SeriesName = keyof Details['samples']['series'];

interface ChartPlan {
  readonly title: string;
  readonly lines: readonly (readonly [label: string, series: SeriesName])[];
  readonly format: (value: number) => string;
}

const seconds = (value: number) => `${formatCount(value)} s`;

const CHARTS: readonly ChartPlan[] = [
  {
    title: 'Requests per second',
    lines: [
      ['all', 'requests_per_second'],
      ['errors', 'errors_per_second'],
      ['above the rate', 'limited_per_second'],
    ],
    format: formatCount,
  },
  {
    title: 'Duration of requests',
    lines: [
      ['p50', 'p50_ms'],
      ['p99', 'p99_ms'],
    ],
    format: formatMs,
  },
  { title: 'Age of the head', lines: [['age', 'head_age_seconds']], format: seconds },
  { title: 'Index behind the head', lines: [['blocks', 'index_lag_seqnos']], format: formatCount },
  { title: 'Lite server latency', lines: [['fastest', 'lite_latency_ms']], format: formatMs },
  {
    title: 'TVM threads',
    lines: [
      ['busy', 'vm_busy'],
      ['waiting', 'vm_queued'],
    ],
    format: formatCount,
  },
  { title: 'Streams', lines: [['open', 'streams']], format: formatCount },
  { title: 'Webhook events', lines: [['waiting', 'webhook_waiting']], format: formatCount },
  { title: 'Database size', lines: [['size', 'database_bytes']], format: formatBytes },
  { title: 'Memory', lines: [['resident', 'memory_bytes']], format: formatBytes },
  { title: 'Event loop delay', lines: [['longest', 'event_loop_ms']], format: formatMs },
  { title: 'Actions behind the index', lines: [['behind', 'actions_lag_seconds']], format: seconds },
];

function Charts({ details: { samples } }: { readonly details: Details }) {
  return (
    <div class="charts">
      {CHARTS.map(({ title, lines, format }) => (
        <Panel key={title} title={title}>
          <Chart
            at={samples.at}
            lines={lines.map(([label, name]) => ({ label, values: samples.series[name] }))}
            format={format}
          />
        </Panel>
      ))}
    </div>
  );
}

function Operations({ operations }: { readonly operations: Details['operations'] }) {
  return (
    <Panel title="Operations" count={operations.length === 0 ? undefined : `last minute`}>
      {operations.length === 0 ? (
        <Empty>No requests in the last hour.</Empty>
      ) : (
        <ScrollRegion name="Operations">
          <table>
            <thead>
              <tr>
                <th>Operation</th>
                <th class="number">Per second</th>
                <th class="number">Errors</th>
                <th class="number">Above rate</th>
                <th class="number">p50</th>
                <th class="number">p99</th>
                <th>Last hour</th>
              </tr>
            </thead>
            <tbody>
              {operations.slice(0, MAX_OPERATIONS).map((one) => (
                <tr key={`${one.interface} ${one.operation}`}>
                  <td class="nowrap">
                    {one.operation !== one.interface && <span class="muted">{one.interface} </span>}
                    {one.operation}
                  </td>
                  <td class="number">{formatCount(one.requests_per_second)}</td>
                  <td class="number">
                    <Alarming value={one.errors_per_second} />
                  </td>
                  <td class="number">{formatCount(one.limited_per_second)}</td>
                  <td class="number">{unknown(one.p50_ms, formatMs)}</td>
                  <td class="number">{unknown(one.p99_ms, formatMs)}</td>
                  <td>
                    <Spark values={one.by_minute} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Panel>
  );
}

function Alarming({ value }: { readonly value: number }) {
  return <span class={value > 0 ? 'bad' : ''}>{formatCount(value)}</span>;
}

const SPARK_WIDTH = 120;
const SPARK_HEIGHT = 22;

/** A small line without axes. */
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
      <ScrollRegion name="Lite servers">
        <table>
          <thead>
            <tr>
              <th>Server</th>
              <th>State</th>
              <th class="number">Latency</th>
              <th class="number">Behind</th>
              <th class="number">In flight</th>
              <th class="number">Failures</th>
              <th class="number">Wrong</th>
            </tr>
          </thead>
          <tbody>
            {servers.map((server) => (
              <tr key={`${server.group} ${server.index}`}>
                <td class="nowrap">
                  {server.name} {server.archival && <Badge>archive</Badge>}
                </td>
                <td>
                  <Badge kind={STATE_KINDS[server.state] ?? 'bad'}>{server.state}</Badge>
                </td>
                <td class="number">{formatMs(server.latency_ms)}</td>
                <td class="number">{unknown(server.lag_blocks, formatCount)}</td>
                <td class="number">{formatCount(server.in_flight + server.queued)}</td>
                <td class="number">{formatCount(server.failures)}</td>
                <td class="number">
                  <Alarming value={server.wrong_answers} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}

function OtherFigures({ summary, details }: { readonly summary: Summary; readonly details: Details }) {
  const { database, streams, webhooks, vm } = details;
  const { index } = summary;
  return (
    <Panel title="Figures">
      <Facts
        facts={[
          ['Database', unknown(database.bytes, formatBytes)],
          ['Growth', unknown(database.bytes_per_hour, (bytes) => `${formatBytes(bytes)} per hour`)],
          [
            'Connections',
            database.pools.map(({ name, total, idle, waiting }) => (
              <div key={name}>
                {name}: {total - idle} of {total} busy, {waiting} waiting
              </div>
            )),
          ],
          ['Indexing', unknown(index.seqnos_per_second, (rate) => `${formatCount(rate)} blocks per second`)],
          ['TVM', `${vm.busy} of ${vm.threads} threads busy, ${vm.queued} runs waiting`],
          [
            'Streams',
            streams === null
              ? 'off'
              : `${streams.sse} SSE, ${streams.websocket} WebSocket, ${formatCount(streams.watched)} accounts watched`,
          ],
          [
            'Webhooks',
            webhooks === null
              ? 'unknown'
              : webhooks.webhooks === 0
                ? 'none'
                : `${webhooks.webhooks}, ${formatCount(webhooks.waiting)} events waiting, ${formatCount(webhooks.dead)} given up`,
          ],
        ]}
      />
    </Panel>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  unknown_key: 'API key does not exist',
  network_not_allowed: 'Key of another network',
  rate_limited: 'Above the rate',
  response_bytes: 'Bytes of responses used up',
  overloaded: 'Server overloaded',
  connections: 'Too many connections',
};

function Limits({ refused }: { readonly refused: Details['refused'] }) {
  return (
    <Panel title="Limits hit" count="since the start">
      {refused.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <Facts facts={refused.map(({ reason, count }) => [REASONS[reason] ?? reason, formatCount(count)])} />
      )}
    </Panel>
  );
}
