import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import { findApiKey } from '../access/stored-keys.ts';
import { EVENTS, readUsage, type UsageCounts } from '../access/stored-usage.ts';
import { type DocumentOptions, securitySchemes } from '../http/openapi.ts';
import { addRestRoutes, createRouteDefiner, restErrors } from '../http/rest-routes.ts';
import { Failure } from '../lib/errors.ts';
import { countMembers, countsJson, rangeParameters, readRange, type UsagePorts } from './usage-range.ts';

/** More operations and days than there are. */
const MAX_ROWS = 100_000;
const NO_COUNTS: UsageCounts = { requests: 0, limited: 0, rejected: 0, failed: 0 };

const usage = createRouteDefiner<UsagePorts>({ tag: 'usage' })({
  method: 'GET',
  path: '/usage',
  operation: 'usage',
  summary: 'Get the usage of the key',
  description:
    'Calls of the key by day and operation, and what the key may do. Calls of the last seconds may be missing. Rows of the interface `events` count events that streams were sent and requests to webhooks; they are not in `total`.',
  parameters: rangeParameters,
  result: Type.Object(
    {
      key: Type.Object({
        id: Type.String(),
        name: Type.String(),
        owner: Type.Union([Type.String(), Type.Null()]),
        plan: Type.String(),
        rps: Type.Integer({ description: 'Requests per second.' }),
        shared: Type.Boolean({ description: 'Whether all keys of the owner share that rate.' }),
        networks: Type.Array(Type.String(), { description: 'Empty for all.' }),
        created_at: Type.Integer({ description: 'Unix seconds.' }),
      }),
      from: Type.String({ description: 'First day.' }),
      to: Type.String({ description: 'Last day.' }),
      total: Type.Object(countMembers),
      usage: Type.Array(
        Type.Object({
          day: Type.String(),
          interface: Type.String(),
          operation: Type.String(),
          ...countMembers,
        }),
      ),
    },
    { title: 'MyUsage' },
  ),
  handler: async ({ values, keyId }, { database, flushUsage, clock = Date.now }) => {
    if (keyId === null) throw new Failure('unknown_key', 'API key is required');
    const range = readRange(values, clock());
    await flushUsage().catch(() => {});
    const key = await database.write((db) => findApiKey(db, { id: keyId }));
    if (key === undefined) throw new Failure('unknown_key', 'API key does not exist');
    const rows = await database.write((db) =>
      readUsage(db, { ...range, by: ['day', 'operation'], keyId, limit: MAX_ROWS }),
    );
    const { owner } = key;
    const { plan, rps } = owner?.shared ?? key;
    return {
      key: {
        id: key.id,
        name: key.name,
        owner: owner?.name ?? null,
        plan,
        rps,
        shared: owner !== null && owner.shared !== null,
        networks: [...key.networks],
        created_at: key.createdAt,
      },
      ...range,
      total: rows.filter((row) => row.interface !== EVENTS).reduce(sumOf, NO_COUNTS),
      usage: rows.map((row) => ({
        day: row.day!,
        interface: row.interface!,
        operation: row.operation!,
        ...countsJson(row),
      })),
    };
  },
});

function sumOf(a: UsageCounts, b: UsageCounts): UsageCounts {
  return {
    requests: a.requests + b.requests,
    limited: a.limited + b.limited,
    rejected: a.rejected + b.rejected,
    failed: a.failed + b.failed,
  };
}

export function createMeRoutes(ports: UsagePorts): FastifyPluginAsync {
  return async (app) => addRestRoutes(app, { routes: [usage], ports, config: { interface: 'me' } });
}

/** The OpenAPI document of what holders of keys have: their usage and their webhooks. */
export const accountDocument: DocumentOptions = {
  title: 'tongate account API',
  version: '1.0.0',
  description: 'What the holder of an API key has: its usage and its webhooks. Every call needs the key.',
  tags: {
    usage: 'How much a key is used.',
    webhooks: 'Requests to a URL for every event of some accounts.',
  },
  errors: restErrors,
  securitySchemes,
};
