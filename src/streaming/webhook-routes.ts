import type { FastifyPluginAsync, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { addRouteErrors, startErrorReply } from '../http/errors.ts';
import { Failure } from '../lib/errors.ts';
import { wrongValue } from '../lib/wrong-value.ts';
import { formatAccount } from '../v3/values.ts';
import { readAccount, type WebhookRequestFields, type WebhookState, type Webhooks } from './webhooks.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
/** Room for a hundred thousand addresses to add and as many to remove, in their longest form. */
const LIMITS = {
  urlBytes: 8192,
  headerBytes: 65_536,
  bodyBytes: 16 * 1024 * 1024,
  bodyValues: 200_100,
};

/** The webhooks of the holder of a key; every route needs one. */
export function createWebhookRoutes({ webhooks }: { readonly webhooks: Webhooks }): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const { status, text } = startErrorReply(error, request, reply);
      return { code: status, error: text };
    });
    addRouteErrors(app, () => 'Method Not Allowed');
    // Before the body is read: only holders of keys may send such large ones.
    app.addHook('onRequest', async (request) => {
      if (!request.is404) ownerOf(request);
    });
    const route = (
      method: 'GET' | 'POST' | 'DELETE',
      url: string,
      operation: string,
      handler: RouteHandlerMethod,
    ) =>
      app.route({
        method,
        url,
        config: { interface: 'webhooks', operation, limits: LIMITS },
        handler,
      });

    route('POST', '/', 'create', async (request, reply) => {
      const { state, secret } = await webhooks.create(
        ownerOf(request),
        bodyOf(request) as WebhookRequestFields,
      );
      return reply.code(201).send({ ...toJson(state), secret });
    });
    route('GET', '/', 'list', async (request) => ({
      webhooks: (await webhooks.list(ownerOf(request))).map(toJson),
    }));
    route('GET', '/:id', 'show', async (request) =>
      toJson(await webhooks.show(ownerOf(request), idOf(request))),
    );
    route('DELETE', '/:id', 'delete', async (request, reply) => {
      await webhooks.delete(ownerOf(request), idOf(request));
      return reply.code(204).send();
    });
    route('POST', '/:id/pause', 'pause', async (request) =>
      toJson(await webhooks.pause(ownerOf(request), idOf(request), true)),
    );
    route('POST', '/:id/resume', 'resume', async (request) =>
      toJson(await webhooks.pause(ownerOf(request), idOf(request), false)),
    );
    route('POST', '/:id/secret', 'renewSecret', async (request) => ({
      secret: await webhooks.renewSecret(ownerOf(request), idOf(request)),
    }));
    route('POST', '/:id/test', 'test', async (request) => {
      const failure = await webhooks.test(ownerOf(request), idOf(request));
      return failure === undefined ? { delivered: true } : { delivered: false, error: failure };
    });
    route('POST', '/:id/addresses', 'changeAddresses', async (request) => ({
      addresses: await webhooks.changeAddresses(ownerOf(request), idOf(request), bodyOf(request)),
    }));
    route('GET', '/:id/addresses', 'addresses', async (request) => {
      const { limit, after } = pageOf(request);
      const found = await webhooks.addresses(ownerOf(request), idOf(request), {
        limit,
        ...(after !== undefined && { after: readAccount('after', after) }),
      });
      return { addresses: found.map(formatAccount) };
    });
    route('GET', '/:id/dead', 'dead', async (request) => {
      const { limit, after } = pageOf(request);
      if (after !== undefined && !/^\d{1,18}$/.test(after))
        throw new Failure('invalid', wrongValue('after', 'the number of a dead event', after));
      const events = await webhooks.dead(ownerOf(request), idOf(request), {
        limit,
        ...(after !== undefined && { after }),
      });
      return {
        events: events.map(({ number, eventId, account, body, tries, error, createdAt, deadAt }) => ({
          number,
          event_id: eventId,
          address: account.length === 0 ? null : formatAccount(account),
          tries,
          error,
          created_at: createdAt,
          dead_at: deadAt,
          body: JSON.parse(body) as unknown,
        })),
      };
    });
    route('POST', '/:id/dead/retry', 'retry', async (request) => ({
      queued: await webhooks.retry(ownerOf(request), idOf(request), bodyOf(request).event_ids),
    }));
  };
}

function ownerOf({ keyId }: FastifyRequest): string {
  if (keyId === null) throw new Failure('unknown_key', 'API key is required');
  return keyId;
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}

function bodyOf({ body }: FastifyRequest): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Failure('bad_request', wrongValue('the body', 'a JSON object', body));
  return body as Record<string, unknown>;
}

function pageOf({ query }: FastifyRequest): { readonly limit: number; readonly after: string | undefined } {
  const { limit, after } = query as { readonly limit?: unknown; readonly after?: unknown };
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MAX_LIMIT)
    throw new Failure('invalid', wrongValue('limit', `an integer from 1 to ${MAX_LIMIT}`, limit));
  if (after !== undefined && typeof after !== 'string')
    throw new Failure('invalid', wrongValue('after', 'one value', after));
  return { limit: count, after };
}

function toJson({ webhook, addresses, waiting, dead, oldestAt }: WebhookState) {
  return {
    id: webhook.id,
    url: webhook.url,
    types: webhook.types,
    action_types: webhook.actionTypes,
    include_address_book: webhook.includeAddressBook,
    include_metadata: webhook.includeMetadata,
    addresses,
    state: webhook.pausedAt === null ? 'active' : 'paused',
    created_at: webhook.createdAt,
    delivered: webhook.delivered,
    failed_attempts: webhook.failed,
    waiting,
    oldest_waiting_at: oldestAt,
    dead,
    last_success_at: webhook.lastSuccessAt,
    last_failure_at: webhook.lastFailureAt,
    last_failure: webhook.lastFailure,
  };
}
