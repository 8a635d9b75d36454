import { useMemo, useState } from 'preact/hooks';
import { type AdminAnswer, adminGet } from '../api/admin-client.ts';
import { useCall } from '../api/use-call.ts';
import { Chart } from '../charts/chart.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { Select } from '../show/field.tsx';
import { formatCount, formatNumber } from '../show/figures.ts';
import { Loaded, Panel } from '../show/panel.tsx';
import { Table } from '../show/table.tsx';

type Row = AdminAnswer<'/api/admin/usage'>['usage'][number];

const DAY_SECONDS = 86_400;
const SPANS = ['7', '30', '90', '365'].map((days) => [days, `${days} days`] as const);
const MAX_ROWS = 50;
const GROUPS = [
  ['key', 'By key'],
  ['owner', 'By owner'],
  ['operation', 'By operation'],
] as const;
type Group = (typeof GROUPS)[number][0];

/** Usage over days, summed up by key, owner or operation. */
export function Usage() {
  const [span, setSpan] = useState('30');
  const [by, setBy] = useState<Group>('key');
  const days = Number(span);
  const to = dayText(Date.now() / 1000);
  const from = dayText(Date.parse(to) / 1000 - (days - 1) * DAY_SECONDS);
  const call = useCall(async (abort) => {
    const [daily, grouped] = await Promise.all([
      adminGet('/api/admin/usage', { query: { from, to, by: 'day', limit: days } }, abort),
      adminGet('/api/admin/usage', { query: { from, to, by, limit: MAX_ROWS } }, abort),
    ]);
    return { daily: daily.usage, grouped: grouped.usage };
  }, `${from} ${to} ${by}`);
  const tools = (
    <div class="tools">
      <Select label="Days" value={span} options={SPANS} onChange={setSpan} />
      <Select label="Sum up" value={by} options={GROUPS} onChange={setBy} />
      <button type="button" onClick={call.reload}>
        Refresh
      </button>
    </div>
  );
  return (
    <Panel title="Usage" tools={tools}>
      <Loaded call={call}>
        {({ daily, grouped }) => (
          <>
            <DayChart from={from} days={days} rows={daily} />
            <Rows rows={grouped} by={by} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function dayText(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().slice(0, 10);
}

interface DayChartProps {
  readonly from: string;
  readonly days: number;
  readonly rows: readonly Row[];
}

/** Calls by day. */
function DayChart({ from, days, rows }: DayChartProps) {
  const { at, lines } = useMemo(() => {
    const start = Date.parse(from) / 1000;
    const times = Array.from({ length: days }, (_, index) => start + index * DAY_SECONDS);
    const byDay = new Map(rows.map((row) => [dayText(Date.parse(row.day!) / 1000), row]));
    const line = (label: string, countOf: (row: Row) => number) => ({
      label,
      values: times.map((time) => {
        const row = byDay.get(dayText(time));
        return row === undefined ? 0 : countOf(row);
      }),
    });
    return {
      at: times,
      lines: [
        line('calls', ({ requests }) => requests),
        line('errors', ({ rejected, failed }) => rejected + failed),
        line('above the rate', ({ limited }) => limited),
      ],
    };
  }, [from, days, rows]);
  return <Chart at={at} lines={lines} format={formatCount} isDaily />;
}

function Rows({ rows, by }: { readonly rows: readonly Row[]; readonly by: Group }) {
  const used = rows.filter(({ requests }) => requests > 0);
  const most = Math.max(...used.map(({ requests }) => requests));
  return (
    <Table
      name="Usage"
      kind="admin-table"
      rows={used}
      empty="Nothing was called in these days."
      keyOf={(row) => `${row.key_id} ${row.owner_id} ${row.interface} ${row.operation}`}
      columns={{
        [by.replace(/^./, (first) => first.toUpperCase())]: (row: Row) => <Name row={row} by={by} />,
        Calls: { kind: 'number', show: ({ requests }) => formatNumber(requests) },
        'Above rate': { kind: 'number', show: ({ limited }) => formatNumber(limited) },
        '4xx': { kind: 'number', show: ({ rejected }) => formatNumber(rejected) },
        '5xx': { kind: 'number', show: ({ failed }) => formatNumber(failed) },
        Share: {
          isUnnamed: true,
          show: ({ requests }) => (
            <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect width={Math.max(1, (requests / most) * 100)} height="8" rx="1" fill="currentColor" />
            </svg>
          ),
        },
      }}
    />
  );
}

function Name({ row, by }: { readonly row: Row; readonly by: Group }) {
  if (by === 'operation')
    return (
      <>
        <span class="muted">{row.interface}</span> {row.operation}
      </>
    );
  if (by === 'owner')
    return row.owner === null ? <span class="muted">no owner</span> : <ChainText text={row.owner} isInline />;
  if (row.key_id === null) return <span class="muted">without a key</span>;
  return (
    <>
      <ChainText text={row.key ?? 'removed key'} isInline /> <span class="muted">#{row.key_id}</span>
    </>
  );
}
