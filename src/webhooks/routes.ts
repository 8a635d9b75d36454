import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import {
  addRestRoutes,
  createRouteDefiner,
  integerIn,
  optionalText,
  type RestCall,
  type RestRoute,
  uncheckedValue,
} from '../http/rest-routes.ts';
import { Failure } from '../lib/errors.ts';
import { wrongValue } from '../lib/wrong-value.ts';
import { column, defineRow, flag, integer, member, words } from '../v3/row-json.ts';
import { formatAccount } from '../v3/values.ts';
import type { DeadEvent } from './stored-events.ts';
import type { Webhook } from './stored-webhooks.ts';
import {
  readAccount,
  WEBHOOK_FINALITIES,
  WEBHOOK_TYPES,
  type WebhookState,
  type Webhooks,
  webhookState,
} from './webhooks.ts';

const textOrNull = column(
  (options) => Type.Union([Type.String(), Type.Null()], options),
  (value: string | null) => value,
);
const unixSeconds = column(
  (options) => Type.Union([Type.Integer(), Type.Null()], options),
  (value: number | null) => value,
);
const unixTime = <C extends string>(name: C, description: string) =>
  unixSeconds(name, `${description}, unix seconds.`);

const webhookRow = defineRow('Webhook', {
  id: words('id'),
  url: words('url'),
  types: member(Type.Array(Type.String()), ({ types }: Webhook) => [...types]),
  action_types: member(Type.Array(Type.String(), { description: 'Empty for all.' }), (webhook: Webhook) => [
    ...webhook.actionTypes,
  ]),
  include_address_book: flag('includeAddressBook'),
  include_metadata: flag('includeMetadata'),
  min_finality: member(
    Type.String({ enum: [...WEBHOOK_FINALITIES], description: 'The least finality of its events.' }),
    ({ minFinality }: Webhook) => minFinality,
  ),
  addresses: integer('addresses', 'How many addresses it watches.'),
  state: member(
    Type.String({
      enum: ['active', 'paused', 'revoked'],
      description: '`revoked`: its key was revoked, and nothing is sent any more.',
    }),
    webhookState,
  ),
  created_at: integer('createdAt', 'Unix seconds.'),
  delivered: integer('delivered', 'Events that arrived.'),
  failed_attempts: integer('failed'),
  waiting: integer('waiting', 'Events that wait to be sent.'),
  oldest_waiting_at: unixTime('oldestAt', 'When the oldest of them was queued'),
  dead: integer('dead', 'Events that were given up.'),
  last_success_at: unixTime('lastSuccessAt', 'When an event arrived last'),
  last_failure_at: unixTime('lastFailureAt', 'When an attempt failed last'),
  last_failure: textOrNull('lastFailure', 'Why it failed.'),
});

export const WebhookSchema = webhookRow.schema;

export function webhookJson({ webhook, ...backlog }: WebhookState) {
  return webhookRow.write({ ...webhook, ...backlog });
}

/** An event that was given up, in a response. */
export const deadEvent = defineRow('DeadEvent', {
  number: words('number', 'Order of events; the parameter `after` takes it.'),
  event_id: words('eventId'),
  address: member(Type.Union([Type.String(), Type.Null()]), ({ account }: DeadEvent) =>
    account.length === 0 ? null : formatAccount(account),
  ),
  tries: integer('tries'),
  error: textOrNull('error'),
  created_at: integer('createdAt', 'Unix seconds.'),
  dead_at: integer('deadAt', 'Unix seconds.'),
  body: member(Type.Unknown({ description: 'What is sent.' }), ({ body }: DeadEvent) => JSON.parse(body)),
});

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
/** Room for a hundred thousand addresses to add and as many to remove, in their longest form. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const LIMITS = { urlBytes: 8192, headerBytes: 65_536, bodyValues: 200_100 };

interface WebhookPorts {
  readonly webhooks: Webhooks;
}

const defineRoute = createRouteDefiner<WebhookPorts>({ tag: 'webhooks', ignoreUnknownProperties: true });
const unknown = [{ code: 404, when: 'The key has no such webhook' }];
const addressList = Type.Array(Type.String());
const page = {
  limit: integerIn('Length of the page.', [1, MAX_LIMIT], DEFAULT_LIMIT),
  after: optionalText('The last entry of the page before.', 'one value'),
};

/** Operations that change addresses. */
const CHANGES: ReadonlySet<string | undefined> = new Set(['create', 'changeAddresses']);

/** The webhooks of the holder of a key; every route needs one. */
const webhookRoutes: readonly RestRoute<WebhookPorts>[] = [
  defineRoute({
    method: 'POST',
    path: '/',
    operation: 'create',
    summary: 'Create a webhook',
    description: 'The response has the secret that signs its requests; it is not shown again.',
    parameters: {
      url: uncheckedValue(Type.String(), 'Where events are sent.', true),
      types: uncheckedValue(Type.Array(Type.String({ enum: [...WEBHOOK_TYPES] })), 'Types of events.', true),
      addresses: uncheckedValue(addressList, 'Accounts, in any form.'),
      action_types: uncheckedValue(addressList, 'Types of actions; all if left out.'),
      include_address_book: uncheckedValue(Type.Boolean(), 'Adds the address book to events.'),
      include_metadata: uncheckedValue(Type.Boolean(), 'Adds token metadata to events.'),
      min_finality: uncheckedValue(
        Type.String({ enum: [...WEBHOOK_FINALITIES] }),
        '`finalized` (default), or `confirmed` for events of blocks too that validators have signed and the masterchain has not taken yet.',
      ),
    },
    status: 201,
    result: Type.Intersect([WebhookSchema, Type.Object({ secret: Type.String() })]),
    errors: [
      { code: 409, when: 'The key has as many webhooks as it may have' },
      { code: 422, when: 'A value is wrong, or the webhooks of the key have too many addresses together' },
    ],
    handler: async (call, { webhooks }) => {
      const { state, secret } = await webhooks.create(ownerOf(call), call.values);
      return { ...webhookJson(state), secret };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/',
    operation: 'list',
    summary: 'List the webhooks of the key',
    result: Type.Object({ webhooks: Type.Array(WebhookSchema) }),
    handler: async (call, { webhooks }) => ({
      webhooks: (await webhooks.list(ownerOf(call))).map(webhookJson),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/:id',
    operation: 'show',
    summary: 'Get a webhook',
    result: WebhookSchema,
    errors: unknown,
    handler: async (call, { webhooks }) => webhookJson(await webhooks.show(ownerOf(call), idOf(call))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/:id',
    operation: 'delete',
    summary: 'Delete a webhook with everything that waits for it',
    result: undefined,
    errors: unknown,
    handler: (call, { webhooks }) => webhooks.delete(ownerOf(call), idOf(call)),
  }),
  ...(['pause', 'resume'] as const).map((operation) =>
    defineRoute({
      method: 'POST',
      path: `/:id/${operation}`,
      operation,
      summary: operation === 'pause' ? 'Stop sending; events wait' : 'Go on sending',
      result: WebhookSchema,
      errors: unknown,
      handler: async (call, { webhooks }) =>
        webhookJson(await webhooks.pause(ownerOf(call), idOf(call), operation === 'pause')),
    }),
  ),
  defineRoute({
    method: 'POST',
    path: '/:id/secret',
    operation: 'renewSecret',
    summary: 'Replace the secret',
    result: Type.Object({ secret: Type.String() }),
    errors: unknown,
    handler: async (call, { webhooks }) => ({
      secret: await webhooks.renewSecret(ownerOf(call), idOf(call)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/:id/test',
    operation: 'test',
    summary: 'Send a test event once, at once',
    result: Type.Object({
      delivered: Type.Boolean(),
      error: Type.Optional(Type.String({ description: 'Why it did not arrive.' })),
    }),
    errors: unknown,
    handler: async (call, { webhooks }) => {
      const failure = await webhooks.test(ownerOf(call), idOf(call));
      return failure === undefined ? { delivered: true } : { delivered: false, error: failure };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/:id/addresses',
    operation: 'changeAddresses',
    summary: 'Add and remove addresses',
    parameters: {
      add: uncheckedValue(addressList, 'Accounts, in any form.'),
      remove: uncheckedValue(addressList, 'Accounts, in any form.'),
    },
    result: Type.Object({ addresses: Type.Integer({ description: 'How many it has then.' }) }),
    errors: unknown,
    handler: async (call, { webhooks }) => ({
      addresses: await webhooks.changeAddresses(ownerOf(call), idOf(call), call.values),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/:id/addresses',
    operation: 'addresses',
    summary: 'List the addresses of a webhook',
    parameters: page,
    result: Type.Object({ addresses: addressList }),
    errors: unknown,
    handler: async (call, { webhooks }) => {
      const { limit, after } = call.values;
      const accounts = await webhooks.addresses(ownerOf(call), idOf(call), {
        limit,
        ...(after !== undefined && { after: readAccount('after', after) }),
      });
      return { addresses: accounts.map(formatAccount) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/:id/dead',
    operation: 'dead',
    summary: 'List events that were given up',
    parameters: page,
    result: Type.Object({ events: Type.Array(deadEvent.schema) }),
    errors: unknown,
    handler: async (call, { webhooks }) => {
      const { limit, after } = call.values;
      if (after !== undefined && !/^\d{1,18}$/.test(after))
        throw new Failure('invalid', wrongValue('after', 'the number of a dead event', after));
      const events = await webhooks.dead(ownerOf(call), idOf(call), {
        limit,
        ...(after !== undefined && { after }),
      });
      return { events: events.map(deadEvent.write) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/:id/dead/retry',
    operation: 'retry',
    summary: 'Send events that were given up again',
    parameters: { event_ids: uncheckedValue(addressList, 'Ids of events; all if left out.') },
    result: Type.Object({ queued: Type.Integer() }),
    errors: unknown,
    handler: async (call, { webhooks }) => ({
      queued: await webhooks.retry(ownerOf(call), idOf(call), call.values.event_ids),
    }),
  }),
];

export function createWebhookRoutes(ports: WebhookPorts): FastifyPluginAsync {
  return async (app) => {
    // Before the body is read: only holders of keys may send such large ones, and only those who may change addresses now.
    app.addHook('onRequest', async (request) => {
      if (request.is404) return;
      ownerOf(request);
      if (CHANGES.has(request.routeConfig.operation)) ports.webhooks.requireChange(request.payer);
    });
    addRestRoutes(app, {
      routes: webhookRoutes,
      ports,
      config: { interface: 'webhooks', limits: LIMITS },
      bodyLimit: MAX_BODY_BYTES,
    });
  };
}

function ownerOf({ keyId }: Pick<RestCall, 'keyId'>): string {
  if (keyId === null) throw new Failure('unknown_key', 'API key is required');
  return keyId;
}

function idOf({ path }: Pick<RestCall, 'path'>): string {
  return path.id!;
}
