import type { DashboardDetails } from '../admin/dashboard-routes.ts';
import type { RequestTotals } from '../observe/metrics.ts';

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

export function rounded<T extends number | undefined>(value: T): T {
  return (value === undefined ? undefined : Math.round(value * 100) / 100) as T;
}
