import type { FastifyPluginAsync } from 'fastify';
import Type, { type Static } from 'typebox';
import type { OperatorAccess } from '../access/operator.ts';
import { guardRoutes } from '../http/guarded-routes.ts';
import { addRestRoutes, createRouteDefiner, type RestRoute } from '../http/rest-routes.ts';

const number = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}; null if unknown.` });
const series = () => Type.Array(Type.Union([Type.Number(), Type.Null()]));

/** The series of the charts, and their meaning. */
export const SERIES = {
  head_age_seconds: 'Age of the newest masterchain block',
  index_lag_seqnos: 'Masterchain blocks between the index and the head',
  index_percent: 'Indexed share of the history in percent',
  actions_lag_seconds: 'How long the oldest indexed trace has waited for its actions',
  requests_per_second: 'Requests per second',
  errors_per_second: 'Responses with 5xx per second',
  limited_per_second: 'Responses with 429 per second',
  p50_ms: 'Median duration of requests in milliseconds',
  p99_ms: '99th percentile of the duration of requests in milliseconds',
  event_loop_ms: 'Longest delay of the event loop in milliseconds',
  lite_latency_ms: 'Latency of the fastest live lite server in milliseconds',
  lite_live: 'Live lite servers',
  vm_busy: 'TVM threads that are busy',
  vm_queued: 'TVM runs that wait',
  streams: 'Open streams',
  webhook_waiting: 'Events that wait for a webhook',
  database_bytes: 'Size of the database in bytes',
  memory_bytes: 'Memory in bytes',
} as const;

export type SeriesName = keyof typeof SERIES;

const SummarySchema = Type.Object(
  {
    version: Type.String(),
    network: Type.String(),
    uptime_seconds: Type.Integer(),
    head: Type.Object({
      seqno: number('Seqno of the newest masterchain block'),
      age_seconds: number('Its age'),
    }),
    index: Type.Object({
      state: Type.Union([Type.String(), Type.Null()], {
        description: 'State of the indexer of this server; null if it has none.',
      }),
      last_seqno: number('Newest indexed seqno'),
      lag_seqnos: number('Seqnos behind the head'),
      percent: number('Indexed share of the history'),
      seqnos_per_second: number('Speed'),
      eta_seconds: number('Time until all is indexed'),
      actions_lag_seconds: number('How long the oldest indexed trace has waited for its actions'),
    }),
    requests: Type.Object({
      per_second: Type.Number(),
      errors_per_second: Type.Number(),
      limited_per_second: Type.Number(),
      p50_ms: number('Median duration'),
      p99_ms: number('99th percentile of the duration'),
    }),
  },
  { title: 'DashboardSummary' },
);

const DetailsSchema = Type.Object(
  {
    grafana_url: Type.Union([Type.String(), Type.Null()]),
    interval_seconds: Type.Integer({ description: 'Time between two samples.' }),
    samples: Type.Object({
      at: Type.Array(Type.Number(), { description: 'Unix seconds.' }),
      series: Type.Object(
        Object.fromEntries(Object.keys(SERIES).map((name) => [name, series()])) as Record<
          SeriesName,
          ReturnType<typeof series>
        >,
      ),
    }),
    operations: Type.Array(
      Type.Object({
        interface: Type.String(),
        operation: Type.String(),
        requests_per_second: Type.Number({ description: 'In the last minute.' }),
        errors_per_second: Type.Number(),
        limited_per_second: Type.Number(),
        p50_ms: number('Median duration'),
        p99_ms: number('99th percentile of the duration'),
        by_minute: Type.Array(Type.Number(), {
          description: 'Requests of the last hour by minute, oldest first.',
        }),
      }),
    ),
    refused: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }), {
      description: 'Rejected requests and connections since the start.',
    }),
    lite_servers: Type.Array(
      Type.Object({
        group: Type.String(),
        index: Type.Integer(),
        name: Type.String({ description: 'Host and port.' }),
        state: Type.String(),
        seqno: number('Newest block'),
        lag_blocks: number('Blocks behind'),
        latency_ms: Type.Number(),
        in_flight: Type.Integer(),
        queued: Type.Integer(),
        failures: Type.Integer(),
        wrong_answers: Type.Integer(),
        archival: Type.Boolean(),
      }),
    ),
    vm: Type.Object({ threads: Type.Integer(), busy: Type.Integer(), queued: Type.Integer() }),
    streams: Type.Union([
      Type.Object({
        sse: Type.Integer(),
        websocket: Type.Integer(),
        watched: Type.Integer(),
        queued_messages: Type.Integer(),
      }),
      Type.Null(),
    ]),
    webhooks: Type.Union([
      Type.Object({
        webhooks: Type.Integer(),
        waiting: Type.Integer(),
        dead: Type.Integer(),
        oldest_seconds: Type.Number(),
      }),
      Type.Null(),
    ]),
    database: Type.Object({
      bytes: number('Size'),
      bytes_per_hour: number('Growth in the sampled time, per hour'),
      pools: Type.Array(
        Type.Object({
          name: Type.String(),
          total: Type.Integer(),
          idle: Type.Integer(),
          waiting: Type.Integer(),
          lag_ms: number('Lag of a replica'),
        }),
      ),
    }),
    last_error: Type.Union([Type.String(), Type.Null()], { description: 'Of the indexer.' }),
  },
  { title: 'DashboardDetails' },
);

export type DashboardSummary = Static<typeof SummarySchema>;
export type DashboardDetails = Static<typeof DetailsSchema>;

export interface DashboardPorts {
  readonly summary: () => DashboardSummary | Promise<DashboardSummary>;
  readonly details: () => DashboardDetails | Promise<DashboardDetails>;
}

const DETAILS_PATH = '/details';
const family = { tag: 'dashboard' };

const dashboardRoutes: readonly RestRoute<DashboardPorts>[] = [
  createRouteDefiner<DashboardPorts>({ ...family, ignoreUnknownProperties: true })({
    method: 'GET',
    path: '/',
    operation: 'dashboard',
    summary: 'Get a summary of how the server is',
    description: 'Needs no key.',
    result: SummarySchema,
    handler: (_call, { summary }) => summary(),
  }),
  createRouteDefiner<DashboardPorts>(family)({
    method: 'GET',
    path: DETAILS_PATH,
    operation: 'dashboardDetails',
    summary: 'Get details, and samples of the last hour',
    description: 'For the operator.',
    result: DetailsSchema,
    handler: (_call, { details }) => details(),
  }),
];

export function createDashboardRoutes(ports: DashboardPorts, access: OperatorAccess): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    guardRoutes(app, access.checkAdministration, (url) => url.endsWith(DETAILS_PATH));
    addRestRoutes(app, {
      routes: dashboardRoutes,
      ports,
      config: { interface: 'dashboard', public: true },
    });
  };
}
