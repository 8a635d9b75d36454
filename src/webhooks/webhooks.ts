import { accountKey } from '../chain/address.ts';
import type { Database } from '../db/connection.ts';
import { Failure } from '../lib/errors.ts';
import { OutboundError } from '../lib/outbound-http.ts';
import { mapInSlices } from '../lib/slices.ts';
import { quoted, wrongValue } from '../lib/wrong-value.ts';
import { parseAccountAddress } from '../v3/parameter-kinds.ts';
import { createAddressChanges } from './address-changes.ts';
import {
  createSecret,
  parseWebhookUrl,
  secretText,
  sendToWebhook,
  type WebhookTransport,
} from './request.ts';
import type { WebhookSlots } from './slots.ts';
import { listDeadEvents, reviveEvents } from './stored-events.ts';
import { findHolder, findOwner, type WebhookHolder } from './stored-holders.ts';
import {
  changeAddresses,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listAddresses,
  listWebhooks,
  pauseWebhook,
  removeRemains,
  setWebhookSecret,
  type Webhook,
  type WebhookBacklog,
  type WebhookFinality,
  WebhookGoneError,
  WebhookLimitError,
} from './stored-webhooks.ts';

/** Types of events that webhooks can have. Those of single traces are for clients that wait for one. */
export const WEBHOOK_TYPES = ['transactions', 'actions', 'account_state_change', 'jettons_change'] as const;

export const WEBHOOK_FINALITIES = ['finalized', 'confirmed'] as const;

/** The request to create a webhook; everything is as the caller sent it. */
export interface WebhookRequestFields {
  readonly url?: unknown;
  readonly types?: unknown;
  readonly addresses?: unknown;
  readonly action_types?: unknown;
  readonly include_address_book?: unknown;
  readonly include_metadata?: unknown;
  readonly min_finality?: unknown;
}

export interface WebhookLimits {
  readonly perKey: number;
  /** Of one webhook. */
  readonly addresses: number;
  /** Of all webhooks of a holder, for each request per second of its plan; undefined for no limit. */
  readonly addressesPerRps?: number | undefined;
}

interface WebhooksOptions {
  readonly database: Database;
  readonly transport: WebhookTransport;
  readonly limits: WebhookLimits;
  /** Test events take one. */
  readonly slots: WebhookSlots;
  /** Where a new webhook starts: behind everything that has happened. */
  readonly startCursor: () => Promise<string>;
}

export type WebhookState = WebhookBacklog;

/** Whether a webhook is told of events. */
export function webhookState({ pausedAt, revokedAt }: Webhook): 'active' | 'paused' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return pausedAt === null ? 'active' : 'paused';
}

/** Whose webhooks are meant: those of an API key, or all. */
export type WebhookOwner = string | 'operator';

interface AddressChange {
  readonly add?: unknown;
  readonly remove?: unknown;
}

interface PageOf<Entry> {
  /** The last entry of the page before. */
  readonly after?: Entry;
  readonly limit: number;
}

const MAX_URL_CHARS = 2048;
const MAX_ACTION_TYPES = 200;

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Creates, shows and changes webhooks; throws a `Failure` that names what is wrong. */
export function createWebhooks(options: WebhooksOptions) {
  const { database, transport, limits, slots, startCursor } = options;
  const changes = createAddressChanges(limits);

  async function find(owner: WebhookOwner, id: string): Promise<Webhook> {
    return visible(owner, id, await database.write((db) => findWebhook(db, { id })));
  }

  async function stateOf(owner: WebhookOwner, id: string): Promise<WebhookState> {
    const [state] = await database.write((db) => listWebhooks(db, { id }));
    visible(owner, id, state?.webhook);
    return state!;
  }

  /** The holder of a key, which the operator may name; undefined for the operator. */
  async function holderOf(keyId: string | null): Promise<WebhookHolder | undefined> {
    if (keyId === null) return undefined;
    const holder = await database.write((db) => findHolder(db, { keyId }));
    if (holder === undefined) throw new Failure('not_found', `there is no key with the id ${quoted(keyId)}`);
    return holder;
  }

  /** Changes addresses when it is the turn of their holder. */
  async function change<T>(
    name: 'addresses' | 'add',
    keyId: string | null,
    addresses: number,
    work: (given: {
      readonly holder: WebhookHolder | undefined;
      readonly limits: { readonly perWebhook: number; readonly inAll: number };
    }) => Promise<T | undefined>,
  ): Promise<T> {
    const holder = await holderOf(keyId);
    const { addressesPerRps = Number.POSITIVE_INFINITY } = limits;
    const inAll = holder === undefined ? Number.POSITIVE_INFINITY : holder.rps * addressesPerRps;
    try {
      const given = { holder, limits: { perWebhook: limits.addresses, inAll } };
      return await changes.run(holder, addresses, () => work(given));
    } catch (error) {
      if (!(error instanceof WebhookLimitError)) throw error;
      if (error.limit === 'webhooks')
        throw new Failure('conflict', `a key can have ${limits.perKey} webhooks; delete one first`);
      throw new Failure(
        'invalid',
        error.limit === 'perWebhook'
          ? `${name}: a webhook can have ${limits.addresses} addresses; nothing was changed`
          : `${name}: the webhooks of a key of plan ${quoted(holder!.plan)} can have ${inAll} addresses together, ` +
              `there would be ${error.count}; nothing was changed`,
      );
    }
  }

  function readUrl(value: unknown): string {
    const text = readText('url', value);
    if (text.length > MAX_URL_CHARS)
      throw new Failure('invalid', `url has ${text.length} characters, the limit is ${MAX_URL_CHARS}`);
    try {
      return parseWebhookUrl(text, transport).href;
    } catch (error) {
      if (error instanceof OutboundError) throw new Failure('invalid', `url: ${error.message}`);
      throw error;
    }
  }

  async function readAccounts(name: string, value: unknown): Promise<Buffer[]> {
    const texts = readTexts(name, value, limits.addresses);
    return mapInSlices(texts, (text) => readAccount(name, text));
  }

  return {
    /** Throws if the webhooks of a caller may get or lose no addresses now. */
    requireChange: changes.require,
    async create(owner: WebhookOwner, fields: WebhookRequestFields) {
      const secret = createSecret();
      const webhook = {
        keyId: owner === 'operator' ? null : owner,
        url: readUrl(fields.url),
        secret,
        types: readTypes(fields.types),
        actionTypes: readTexts('action_types', fields.action_types, MAX_ACTION_TYPES),
        includeAddressBook: readFlag('include_address_book', fields.include_address_book),
        includeMetadata: readFlag('include_metadata', fields.include_metadata),
        minFinality: readFinality(fields.min_finality),
      };
      const addresses = await readAccounts('addresses', fields.addresses);
      const cursor = await startCursor();
      const id = await change('addresses', webhook.keyId, addresses.length, (given) =>
        database.write((db) =>
          insertWebhook(db, {
            ...given,
            webhook: { ...webhook, startCursor: cursor },
            addresses,
            maxOfKey: limits.perKey,
          }),
        ),
      );
      return { state: await stateOf('operator', id), secret: secretText(secret) };
    },
    async list(owner: WebhookOwner) {
      const keyId = owner === 'operator' ? undefined : owner;
      return database.write((db) => listWebhooks(db, { keyId }));
    },
    async show(owner: WebhookOwner, id: string) {
      return stateOf(owner, id);
    },
    async delete(owner: WebhookOwner, id: string) {
      const webhook = await find(owner, id);
      await database.write((db) => deleteWebhook(db, webhook));
      // Few things are gone at once; senders remove what is left.
      await database.write(removeRemains);
    },
    async pause(owner: WebhookOwner, id: string, isPaused: boolean) {
      const webhook = await find(owner, id);
      await database.write((db) => pauseWebhook(db, { id: webhook.id, isPaused }));
      return stateOf(owner, id);
    },
    /** Gives it another secret, and returns that. */
    async renewSecret(owner: WebhookOwner, id: string) {
      const webhook = await find(owner, id);
      const secret = createSecret();
      await database.write((db) => setWebhookSecret(db, { id: webhook.id, secret }));
      return secretText(secret);
    },
    /** Returns how many addresses it has then. */
    async changeAddresses(owner: WebhookOwner, id: string, { add, remove }: AddressChange) {
      const [added, removed] = [await readAccounts('add', add), await readAccounts('remove', remove)];
      if (added.length === 0 && removed.length === 0)
        throw new Failure('invalid', 'add or remove is required: a list of addresses');
      const webhook = await find(owner, id);
      return change('add', webhook.keyId, added.length + removed.length, (given) =>
        database.write((db) => changeAddresses(db, { ...given, id: webhook.id, added, removed })),
      ).catch((error: unknown) => {
        throw error instanceof WebhookGoneError ? missing(id) : error;
      });
    },
    async addresses(owner: WebhookOwner, id: string, { after, limit }: PageOf<Buffer>) {
      const webhook = await find(owner, id);
      return database.write((db) => listAddresses(db, { id: webhook.id, after, limit }));
    },
    async dead(owner: WebhookOwner, id: string, { after, limit }: PageOf<string>) {
      const webhook = await find(owner, id);
      return database.write((db) => listDeadEvents(db, { webhookId: webhook.id, after, limit }));
    },
    /** Sends events that were given up again, all if none is named; returns how many. */
    async retry(owner: WebhookOwner, id: string, eventIds?: unknown) {
      const named = eventIds === undefined ? undefined : readTexts('event_ids', eventIds, MAX_EVENT_IDS);
      const webhook = await find(owner, id);
      return database.write((db) => reviveEvents(db, { webhookId: webhook.id, eventIds: named }));
    },
    /** Sends a test event once, at once; returns why it did not arrive. */
    async test(owner: WebhookOwner, id: string) {
      const { url, secret, id: webhookId, keyId } = await find(owner, id);
      const user = { owner: await database.write((db) => findOwner(db, { keyId })), webhookId };
      if (!slots.hasRoom({ ...user, isFailing: false }))
        throw new Failure('rate_limited', 'too many requests to webhooks of this key are under way', {
          retryAfterSeconds: 1,
        });
      const release = slots.take(user);
      try {
        const eventId = `test-${Date.now()}`;
        const body = JSON.stringify({ id: eventId, webhook_id: webhookId, type: 'test' });
        const request = { url: new URL(url), secret, webhookId, eventId, attempt: 1, body };
        return await sendToWebhook(request, transport, NEVER);
      } finally {
        release();
      }
    },
  };
}

/** Those of others are not told apart from those that do not exist. */
function visible(owner: WebhookOwner, id: string, webhook: Webhook | undefined): Webhook {
  if (webhook === undefined || (owner !== 'operator' && webhook.keyId !== owner)) throw missing(id);
  return webhook;
}

function missing(id: string): Failure {
  return new Failure('not_found', `webhook ${quoted(id)} does not exist`);
}

const MAX_EVENT_IDS = 1000;
const NEVER = new AbortController().signal;

export function readAccount(name: string, text: string): Buffer {
  const address = parseAccountAddress(text.trim());
  if (address === undefined) throw new Failure('invalid', `${name}: invalid address ${quoted(text)}`);
  return accountKey(address.workchain, address.hash);
}

function readText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new Failure(
    'invalid',
    value === undefined ? `${name} is required` : wrongValue(name, 'a string', value),
  );
}

function readTexts(name: string, value: unknown, max: number): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new Failure('invalid', wrongValue(name, 'a list of strings', value));
  if (value.length > max)
    throw new Failure('invalid', `${name} has ${value.length} entries, the limit is ${max}`);
  return value;
}

function readFlag(name: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new Failure('invalid', wrongValue(name, 'true or false', value));
  return value;
}

function readFinality(value: unknown): WebhookFinality {
  const finality = WEBHOOK_FINALITIES.find((one) => one === (value ?? 'finalized'));
  if (finality !== undefined) return finality;
  throw new Failure('invalid', wrongValue('min_finality', WEBHOOK_FINALITIES.join(' or '), value));
}

function readTypes(value: unknown): string[] {
  const types = [...new Set(readTexts('types', value, WEBHOOK_TYPES.length))];
  const expected = `types: expected one or more of ${WEBHOOK_TYPES.join(', ')}`;
  if (types.length === 0) throw new Failure('invalid', expected);
  const unknown = types.find((type) => !(WEBHOOK_TYPES as readonly string[]).includes(type));
  if (unknown !== undefined) throw new Failure('invalid', `${expected}, not ${quoted(unknown)}`);
  return types;
}
