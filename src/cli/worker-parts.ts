import type { DashboardPorts } from '../admin/dashboard-routes.ts';
import type { MetricsPage, ServerStatus } from '../http/service-routes.ts';
import { mergeReports, type ReadyReport } from '../observe/health.ts';
import type { Place } from '../workers/place.ts';
import { shareRates } from '../workers/rates.ts';
import { startDashboard } from './dashboard.ts';
import type { ServerParts } from './open-process.ts';
import { createFigures, type FigureParts } from './read-figures.ts';

/** What a worker counts together with the others. */
export function shareState({ channel, pageSecret }: Place, { log, metrics }: ServerParts) {
  return {
    rates: shareRates({ channel, log, onError: metrics.rateStoreError }),
    pageSecret: Buffer.from(pageSecret, 'base64'),
  };
}

/** Seconds since the start of the server. */
export function uptimeSeconds(place: Pick<Place, 'startedAt'> | undefined): number {
  return place === undefined ? process.uptime() : (Date.now() - place.startedAt) / 1000;
}

interface Spoken {
  readonly health: { ready(): Promise<ReadyReport> };
  readonly status: () => ServerStatus;
}

/** Readiness and state of the whole server, which any worker tells. */
export function speakForAll({ channel, askAll, workers }: Place, { health, status }: Spoken) {
  channel.on('readiness', () => health.ready());
  channel.on('status', status);
  return {
    async ready() {
      const reports = await askAll<ReadyReport>('readiness');
      return reports.length === 0 ? health.ready() : mergeReports(reports, workers);
    },
    status: async () => mergeStatuses(await askAll<ServerStatus>('status')) ?? status(),
  };
}

/** What workers have together; anything else is that of the first. */
const SUMMED = [
  'threads',
  'busy',
  'queued',
  'messages',
  'waiting',
  'sse',
  'websocket',
  'watched',
  'queued_messages',
];

function mergeStatuses(all: readonly ServerStatus[]): ServerStatus | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const merged: Record<string, unknown> = { ...first, workers: all.length };
  for (const part of ['vm', 'pending', 'streaming'] as const) {
    const parts = all.map((one) => (one[part] ?? {}) as Record<string, unknown>);
    const sums = SUMMED.filter((name) => typeof parts[0]![name] === 'number').map((name) => [
      name,
      parts.reduce((sum, one) => sum + Number(one[name] ?? 0), 0),
    ]);
    if (first[part] !== undefined) merged[part] = { ...first[part], ...Object.fromEntries(sums) };
  }
  return merged as ServerStatus;
}

/** The metrics of the whole server. */
export function metricsPageOf({ metrics, place }: ServerParts): MetricsPage {
  const { contentType, render } = metrics;
  return { contentType, render: place === undefined ? render : () => place.channel.call<string>('metrics') };
}

interface DashboardParts extends FigureParts {
  readonly version: string;
}

/** The dashboard of this process, or that of several processes, which their parent has. */
export function openDashboard(parts: DashboardParts): DashboardPorts {
  const { place, settings, version, shutdown } = parts;
  const read = createFigures(parts);
  if (place === undefined)
    return startDashboard({ settings, version, shutdown, read, uptimeSeconds: process.uptime });
  const { channel } = place;
  channel.on('figures', read);
  return {
    summary: () => channel.call('dashboardSummary'),
    details: () => channel.call('dashboardDetails'),
  };
}
