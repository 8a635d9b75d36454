import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import { ADMIN_HEADER, type OperatorAccess } from '../access/operator.ts';
import { isRowId } from '../access/stored-keys.ts';
import { readUsage, type UsageGroup } from '../access/stored-usage.ts';
import { guardRoutes } from '../http/guarded-routes.ts';
import type { DocumentOptions } from '../http/openapi.ts';
import {
  addRestRoutes,
  createRouteDefiner,
  integerIn,
  optionalText,
  type RestRoute,
  restErrors,
  textList,
  uncheckedValue,
  wrongParameter,
} from '../http/rest-routes.ts';
import { deadEvent, WebhookSchema, webhookJson } from '../webhooks/routes.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { keyRoutes } from './key-routes.ts';
import { countMembers, countsJson, rangeParameters, readRange, type UsagePorts } from './usage-range.ts';

export interface AdminPorts extends UsagePorts {
  readonly webhooks: Webhooks;
}

const GROUPS: readonly UsageGroup[] = ['owner', 'key', 'operation', 'day'];
const DEFAULT_ROWS = 1000;
const MAX_ROWS = 100_000;
const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 1000;
const nullableText = Type.Union([Type.String(), Type.Null()]);

const usage = createRouteDefiner<AdminPorts>({ tag: 'usage' })({
  method: 'GET',
  path: '/usage',
  operation: 'usage',
  summary: 'Get the usage of all keys',
  description:
    'Sums by what `by` names; members that it does not name are null. Callers without a key have a null `key_id`. Rows of the interface `events` count events of streams and requests to webhooks; sums of several operations are of calls alone.',
  parameters: {
    ...rangeParameters,
    by: textList('What to sum up by, separated by commas; `day` if left out.', GROUPS),
    owner: optionalText('Id of an owner.'),
    key: optionalText('Id of a key; `0` for callers without one.'),
    interface: optionalText('An interface such as `v2`.'),
    operation: optionalText('An operation such as `getTransactions`.'),
    limit: integerIn('Rows at most.', [1, MAX_ROWS], DEFAULT_ROWS),
  },
  result: Type.Object(
    {
      from: Type.String(),
      to: Type.String(),
      usage: Type.Array(
        Type.Object({
          owner_id: nullableText,
          owner: nullableText,
          key_id: nullableText,
          key: nullableText,
          interface: nullableText,
          operation: nullableText,
          day: nullableText,
          ...countMembers,
        }),
      ),
    },
    { title: 'Usage' },
  ),
  handler: async ({ values }, { database, flushUsage, clock = Date.now }) => {
    const range = readRange(values, clock());
    for (const name of ['owner', 'key'] as const)
      if (values[name] !== undefined && !isRowId(values[name]))
        throw wrongParameter(name, 'an id', values[name]);
    await flushUsage().catch(() => {});
    const rows = await database.write((db) =>
      readUsage(db, {
        ...range,
        by: (values.by ?? ['day']) as UsageGroup[],
        ownerId: values.owner,
        keyId: values.key,
        interface: values.interface,
        operation: values.operation,
        limit: values.limit,
      }),
    );
    return {
      ...range,
      usage: rows.map((row) => ({
        owner_id: row.ownerId,
        owner: row.owner,
        key_id: row.keyId,
        key: row.key,
        interface: row.interface,
        operation: row.operation,
        day: row.day,
        ...countsJson(row),
      })),
    };
  },
});

const unknown = [{ code: 404, when: 'There is no such webhook' }];
const AdminWebhookSchema = Type.Intersect([
  WebhookSchema,
  Type.Object({
    key_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for those of the operator.' }),
  }),
]);
const OPERATOR = 'operator';

type State = Parameters<typeof webhookJson>[0];
const adminWebhook = (state: State) => ({ ...webhookJson(state), key_id: state.webhook.keyId });

const defineRoute = createRouteDefiner<AdminPorts>({ tag: 'webhooks' });

const webhookRoutes: readonly RestRoute<AdminPorts>[] = [
  defineRoute({
    method: 'GET',
    path: '/webhooks',
    operation: 'webhooks',
    summary: 'List all webhooks',
    result: Type.Object({ webhooks: Type.Array(AdminWebhookSchema) }),
    handler: async (_call, { webhooks }) => ({
      webhooks: (await webhooks.list(OPERATOR)).map(adminWebhook),
    }),
  }),
  ...(['pause', 'resume'] as const).map((operation) =>
    defineRoute({
      method: 'POST',
      path: `/webhooks/:id/${operation}`,
      operation: `${operation}Webhook`,
      summary:
        operation === 'pause' ? 'Stop sending to a webhook; events wait' : 'Go on sending to a webhook',
      result: AdminWebhookSchema,
      errors: unknown,
      handler: async ({ path }, { webhooks }) =>
        adminWebhook(await webhooks.pause(OPERATOR, path.id!, operation === 'pause')),
    }),
  ),
  defineRoute({
    method: 'DELETE',
    path: '/webhooks/:id',
    operation: 'deleteWebhook',
    summary: 'Delete a webhook with everything that waits for it',
    result: undefined,
    errors: unknown,
    handler: ({ path }, { webhooks }) => webhooks.delete(OPERATOR, path.id!),
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/:id/dead',
    operation: 'deadEvents',
    summary: 'List events of a webhook that were given up',
    parameters: {
      limit: integerIn('Length of the page.', [1, MAX_EVENTS], DEFAULT_EVENTS),
      after: optionalText('Number of the last event of the page before.'),
    },
    result: Type.Object({ events: Type.Array(deadEvent.schema) }),
    errors: unknown,
    handler: async ({ path, values: { limit, after } }, { webhooks }) => {
      if (after !== undefined && !isRowId(after))
        throw wrongParameter('after', 'the number of a dead event', after);
      const page = { limit, ...(after !== undefined && { after }) };
      return { events: (await webhooks.dead(OPERATOR, path.id!, page)).map(deadEvent.write) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/dead/retry',
    operation: 'retryDeadEvents',
    summary: 'Send events that were given up again',
    parameters: { event_ids: uncheckedValue(Type.Array(Type.String()), 'Ids of events; all if left out.') },
    result: Type.Object({ queued: Type.Integer() }),
    errors: unknown,
    handler: async ({ path, values }, { webhooks }) => ({
      queued: await webhooks.retry(OPERATOR, path.id!, values.event_ids),
    }),
  }),
];

const adminRoutes: readonly RestRoute<AdminPorts>[] = [...keyRoutes, usage, ...webhookRoutes];

/** The administration, for the operator only; its calls count against no rate. */
export function createAdminRoutes(ports: AdminPorts, access: OperatorAccess): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    guardRoutes(app, access.checkAdministration);
    addRestRoutes(app, { routes: adminRoutes, ports, config: { interface: 'admin', public: true } });
  };
}

/** The OpenAPI document of the administration and of the dashboard. */
export const adminDocument: DocumentOptions = {
  title: 'tongate administration API',
  version: '1.0.0',
  description:
    'Owners, keys, usage and webhooks, for the operator. Every call needs `ADMIN_KEY` in the header `X-Admin-Key`; if it is not set, the key in the file `admin-key` of `DATA_DIR`, or on a local chain its API key.',
  tags: {
    keys: 'Owners, keys and plans.',
    usage: 'How much keys are used.',
    webhooks: 'Webhooks of all keys.',
    dashboard: 'How the server is.',
  },
  errors: restErrors,
  securitySchemes: { AdminKey: { type: 'apiKey', in: 'header', name: ADMIN_HEADER } },
};
