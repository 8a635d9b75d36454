import { accountKey } from '../chain/address.ts';
import type { Database } from '../db/connection.ts';
import { Failure } from '../lib/errors.ts';
import { OutboundError } from '../lib/outbound-http.ts';
import { mapInSlices } from '../lib/slices.ts';
import { quoted, wrongValue } from '../lib/wrong-value.ts';
import { parseAccountAddress } from '../v3/parameter-kinds.ts';
import {
  createSecret,
  parseWebhookUrl,
  secretText,
  sendToWebhook,
  type WebhookTransport,
} from './request.ts';
import { type DeadEvent, listDeadEvents, reviveEvents } from './stored-events.ts';
import {
  changeAddresses,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listAddresses,
  listWebhooks,
  pauseWebhook,
  readBacklog,
  setWebhookSecret,
  type Webhook,
  type WebhookBacklog,
} from './stored-webhooks.ts';

/** Types of events that webhooks can have. Those of single traces are for clients that wait for one. */
export const WEBHOOK_TYPES = ['transactions', 'actions', 'account_state_change', 'jettons_change'] as const;

/** The request to create a webhook; everything is as the caller sent it. */
export interface WebhookRequestFields {
  readonly url?: unknown;
  readonly types?: unknown;
  readonly addresses?: unknown;
  readonly action_types?: unknown;
  readonly include_address_book?: unknown;
  readonly include_metadata?: unknown;
}

export interface WebhookLimits {
  readonly perKey: number;
  readonly addresses: number;
}

interface WebhooksOptions {
  readonly database: Database;
  readonly transport: WebhookTransport;
  readonly limits: WebhookLimits;
  /** Where a new webhook starts: behind everything that has happened. */
  readonly startCursor: () => Promise<string>;
}

/** A webhook with what waits for it. */
export interface WebhookState extends WebhookBacklog {
  readonly webhook: Webhook;
}

/** Whose webhooks are meant: those of an API key, or all. */
export type WebhookOwner = string | 'operator';

/** Creates, shows and changes webhooks; throws a `Failure` that names what is wrong. */
export interface Webhooks {
  create(
    owner: WebhookOwner,
    fields: WebhookRequestFields,
  ): Promise<{ readonly state: WebhookState; readonly secret: string }>;
  list(owner: WebhookOwner): Promise<WebhookState[]>;
  show(owner: WebhookOwner, id: string): Promise<WebhookState>;
  delete(owner: WebhookOwner, id: string): Promise<void>;
  pause(owner: WebhookOwner, id: string, isPaused: boolean): Promise<WebhookState>;
  /** Gives it another secret, and returns that. */
  renewSecret(owner: WebhookOwner, id: string): Promise<string>;
  /** Returns how many addresses it has then. */
  changeAddresses(
    owner: WebhookOwner,
    id: string,
    change: { readonly add?: unknown; readonly remove?: unknown },
  ): Promise<number>;
  addresses(
    owner: WebhookOwner,
    id: string,
    page: { readonly after?: Buffer; readonly limit: number },
  ): Promise<Buffer[]>;
  dead(
    owner: WebhookOwner,
    id: string,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<DeadEvent[]>;
  /** Sends events that were given up again, all if none is named; returns how many. */
  retry(owner: WebhookOwner, id: string, eventIds?: unknown): Promise<number>;
  /** Sends a test event once, at once; returns why it did not arrive. */
  test(owner: WebhookOwner, id: string): Promise<string | undefined>;
}

const MAX_URL_CHARS = 2048;
const MAX_ACTION_TYPES = 200;

export function createWebhooks({ database, transport, limits, startCursor }: WebhooksOptions): Webhooks {
  async function find(owner: WebhookOwner, id: string): Promise<Webhook> {
    const webhook = await database.write((db) => findWebhook(db, { id }));
    // Those of others are not told apart from those that do not exist.
    if (webhook === undefined || (owner !== 'operator' && webhook.keyId !== owner))
      throw new Failure('not_found', `webhook ${quoted(id)} does not exist`);
    return webhook;
  }

  async function stateOf(webhook: Webhook): Promise<WebhookState> {
    return { webhook, ...(await database.write((db) => readBacklog(db, webhook))) };
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
    async create(owner, fields) {
      const secret = createSecret();
      const webhook = {
        keyId: owner === 'operator' ? null : owner,
        url: readUrl(fields.url),
        secret,
        types: readTypes(fields.types),
        actionTypes: readTexts('action_types', fields.action_types, MAX_ACTION_TYPES),
        includeAddressBook: readFlag('include_address_book', fields.include_address_book),
        includeMetadata: readFlag('include_metadata', fields.include_metadata),
      };
      const addresses = await readAccounts('addresses', fields.addresses);
      const cursor = await startCursor();
      const stored = await database.write((db) =>
        insertWebhook(db, { webhook: { ...webhook, cursor }, addresses, maxOfKey: limits.perKey }),
      );
      if (stored === undefined)
        throw new Failure('conflict', `a key can have ${limits.perKey} webhooks; delete one first`);
      return { state: await stateOf(stored), secret: secretText(secret) };
    },
    async list(owner) {
      const keyId = owner === 'operator' ? undefined : owner;
      const webhooks = await database.write((db) => listWebhooks(db, { keyId }));
      const states: WebhookState[] = [];
      for (const webhook of webhooks) states.push(await stateOf(webhook));
      return states;
    },
    async show(owner, id) {
      return stateOf(await find(owner, id));
    },
    async delete(owner, id) {
      const webhook = await find(owner, id);
      await database.write((db) => deleteWebhook(db, webhook));
    },
    async pause(owner, id, isPaused) {
      const webhook = await find(owner, id);
      await database.write((db) => pauseWebhook(db, { id: webhook.id, isPaused }));
      return stateOf(await find(owner, id));
    },
    async renewSecret(owner, id) {
      const webhook = await find(owner, id);
      const secret = createSecret();
      await database.write((db) => setWebhookSecret(db, { id: webhook.id, secret }));
      return secretText(secret);
    },
    async changeAddresses(owner, id, { add, remove }) {
      const [added, removed] = [await readAccounts('add', add), await readAccounts('remove', remove)];
      if (added.length === 0 && removed.length === 0)
        throw new Failure('invalid', 'add or remove is required: a list of addresses');
      const webhook = await find(owner, id);
      const max = limits.addresses;
      const count = await database.write((db) =>
        changeAddresses(db, { id: webhook.id, added, removed, max }),
      );
      if (count === undefined)
        throw new Failure('invalid', `add: a webhook can have ${max} addresses; nothing was changed`);
      return count;
    },
    async addresses(owner, id, { after, limit }) {
      const webhook = await find(owner, id);
      return database.write((db) => listAddresses(db, { id: webhook.id, after, limit }));
    },
    async dead(owner, id, { after, limit }) {
      const webhook = await find(owner, id);
      return database.write((db) => listDeadEvents(db, { webhookId: webhook.id, after, limit }));
    },
    async retry(owner, id, eventIds) {
      const named = eventIds === undefined ? undefined : readTexts('event_ids', eventIds, MAX_EVENT_IDS);
      const webhook = await find(owner, id);
      return database.write((db) => reviveEvents(db, { webhookId: webhook.id, eventIds: named }));
    },
    async test(owner, id) {
      const { url, secret, id: webhookId } = await find(owner, id);
      const eventId = `test-${Date.now()}`;
      const body = JSON.stringify({ id: eventId, webhook_id: webhookId, type: 'test' });
      const request = { url: new URL(url), secret, webhookId, eventId, attempt: 1, body };
      return sendToWebhook(request, transport, NEVER);
    },
  };
}

const MAX_EVENT_IDS = 1000;
const NEVER = new AbortController().signal;

/** Reads an address of a request. */
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

function readTypes(value: unknown): string[] {
  const types = [...new Set(readTexts('types', value, WEBHOOK_TYPES.length))];
  const expected = `types: expected one or more of ${WEBHOOK_TYPES.join(', ')}`;
  if (types.length === 0) throw new Failure('invalid', expected);
  const unknown = types.find((type) => !(WEBHOOK_TYPES as readonly string[]).includes(type));
  if (unknown !== undefined) throw new Failure('invalid', `${expected}, not ${quoted(unknown)}`);
  return types;
}
