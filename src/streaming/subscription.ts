import Type from 'typebox';
import { accountKey } from '../chain/address.ts';
import { parseHash } from '../chain/hash.ts';
import { bytesKey, type HashKey } from '../lib/bytes-key.ts';
import { expandActionTypes } from '../v3/action-types.ts';
import { addressKind } from '../v3/parameter-kinds.ts';
import { parseCursor } from './cursor.ts';

export const EVENT_TYPES = [
  'transactions',
  'actions',
  'trace',
  'account_state_change',
  'jettons_change',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export type Finality = 'pending' | 'confirmed' | 'finalized';

const FINALITIES: readonly Finality[] = ['pending', 'confirmed', 'finalized'];

/** Whether an event of one finality is sent to a client that wants at least another. */
export function reaches(finality: Finality, least: Finality): boolean {
  return FINALITIES.indexOf(finality) >= FINALITIES.indexOf(least);
}

/** The least certain of some. */
export function leastFinality(finalities: readonly Finality[]): Finality {
  return FINALITIES.find((one) => finalities.includes(one)) ?? 'finalized';
}

/** The wishes of a connection. Accounts and hashes are keys of their bytes. */
export interface Subscription {
  readonly addresses: ReadonlySet<HashKey>;
  readonly traceKeys: ReadonlySet<HashKey>;
  readonly types: ReadonlySet<EventType>;
  readonly minFinality: Finality;
  /** Literal names; empty for no filter. */
  readonly actionTypes: ReadonlySet<string>;
  /** Types that the client understands, with the names of sets expanded. */
  readonly supportedTypes: ReadonlySet<string>;
  /** The names that `supportedTypes` was expanded from: connections with the same ones share texts. */
  readonly supportedKey: string;
  readonly includeAddressBook: boolean;
  readonly includeMetadata: boolean;
  readonly includeSystemTraces: boolean;
  /** Only transactions whose in message has this body. */
  readonly bodyHash: HashKey | undefined;
  /** More members in some events. */
  readonly extended: boolean;
  /** Whether events carry ids. */
  readonly cursors: boolean;
  readonly onOverflow: 'close' | 'gap';
}

export interface SubscriptionRequest {
  readonly id: RequestId;
  readonly subscription: Subscription;
  readonly lastEventId: string | undefined;
  readonly replayExisting: boolean;
}

/** The `id` of a client's message; it is echoed as it is. */
export type RequestId = string | number | undefined;

/** A request that cannot be fulfilled; the text is part of the contract. */
export class SubscriptionError extends Error {
  readonly id: RequestId;

  constructor(text: string, id?: RequestId) {
    super(text);
    this.name = 'SubscriptionError';
    this.id = id;
  }
}

/** The texts that differ between the transports, and the limits of the client. */
export interface SubscriptionRules {
  /** In front of what is wrong with the form of a request. */
  readonly malformed: string;
  readonly noTypes: string;
  readonly noAddresses: string;
  readonly tooManyAddresses: (count: number, max: number) => string;
  readonly maxAddresses: number;
  readonly maxTraceKeys: number;
}

/** The subscription of a connection that has not subscribed yet; `actionsVersion` is the header of the request. */
export function emptySubscription(actionsVersion: string | undefined): Subscription {
  const names = actionsVersion === undefined || actionsVersion === '' ? [] : [actionsVersion];
  return {
    addresses: EMPTY,
    traceKeys: EMPTY,
    types: EMPTY,
    minFinality: 'finalized',
    actionTypes: EMPTY,
    ...supportedBy(names),
    includeAddressBook: false,
    includeMetadata: false,
    includeSystemTraces: false,
    bodyHash: undefined,
    extended: false,
    cursors: false,
    onOverflow: 'close',
  };
}

/** Thousands of connections share what is the same for most of them. */
const EMPTY: ReadonlySet<never> = new Set();
const typeSets = new Map<string, ReadonlySet<EventType>>();
const supportedSets = new Map<string, ReadonlySet<string>>();
const MAX_SUPPORTED_SETS = 100;
const MAX_SHARED_CHARS = 200;

/** The action types that a subscriber supports who names these types and sets of types. */
export function supportedBy(names: readonly string[]): Pick<Subscription, 'supportedTypes' | 'supportedKey'> {
  const supportedKey = names.toSorted().join();
  const shared = supportedSets.get(supportedKey);
  if (shared !== undefined) return { supportedTypes: shared, supportedKey };
  const supportedTypes = expandActionTypes(names);
  if (supportedSets.size >= MAX_SUPPORTED_SETS) supportedSets.clear();
  if (supportedKey.length <= MAX_SHARED_CHARS) supportedSets.set(supportedKey, supportedTypes);
  return { supportedTypes, supportedKey };
}

/**
 * Reads a subscription. What it does not name is taken from `before`, except for addresses, trace keys, types and the
 * filter on bodies. Throws a `SubscriptionError` with the first thing that is wrong.
 */
export function readSubscription(
  sent: unknown,
  before: Subscription,
  rules: SubscriptionRules,
): SubscriptionRequest {
  const { id, read, fail } = openRequest(sent, rules.malformed);
  // The form of everything is checked before the meaning of anything.
  const asked = {
    addresses: read.texts('addresses') ?? [],
    traceKeys: read.texts('trace_external_hash_norms') ?? [],
    types: read.texts('types') ?? [],
  };
  const minFinality =
    read.oneOf('min_finality', FINALITIES, (value) => `: unknown finality state: ${value}`) ??
    before.minFinality;
  const actionTypes = read.texts('action_types');
  const supported = read.texts('supported_action_types');
  const flags = {
    includeAddressBook: read.flag('include_address_book') ?? before.includeAddressBook,
    includeMetadata: read.flag('include_metadata') ?? before.includeMetadata,
    includeSystemTraces: read.flag('include_system_traces') ?? before.includeSystemTraces,
  };
  const bodyHashText = read.text('msg_body_hash');
  const extended = read.flag('extended') ?? before.extended;
  const cursors = read.flag('cursors') ?? before.cursors;
  const onOverflow = read.oneOf('on_overflow', ['close', 'gap']) ?? before.onOverflow;
  const lastEventId = read.text('last_event_id') ?? read.text('resume_from');
  const replayExisting = read.flag('replay_existing') ?? false;
  const types = readTypes(asked.types, rules, fail);
  const addresses = readAddresses(asked.addresses, fail);
  const traceKeys = readTraceKeys(asked.traceKeys, fail);
  if (traceKeys.size > 0 && !types.has('trace')) fail('trace_external_hash_norms requires type "trace"');
  if (types.has('trace') && traceKeys.size === 0)
    fail('trace_external_hash_norms are required for trace subscription');
  const needsAddresses = [...types].some((type) => type !== 'trace');
  if (needsAddresses && addresses.size === 0) fail(rules.noAddresses);
  if (addresses.size > rules.maxAddresses) fail(rules.tooManyAddresses(addresses.size, rules.maxAddresses));
  if (traceKeys.size > rules.maxTraceKeys)
    fail(`too many trace_external_hash_norms: ${traceKeys.size} > max ${rules.maxTraceKeys}`);
  const bodyHash = readBodyHash(bodyHashText, types, addresses, fail);
  if (lastEventId !== undefined && parseCursor(lastEventId) === undefined) fail('last_event_id is invalid');
  return {
    id,
    lastEventId,
    replayExisting,
    subscription: {
      ...before,
      ...flags,
      addresses,
      traceKeys,
      types,
      minFinality,
      actionTypes: toActionTypes(actionTypes) ?? before.actionTypes,
      ...(supported !== undefined && supported.length > 0 && supportedBy(supported)),
      bodyHash,
      extended,
      // Whoever sends a cursor wants to go on with cursors.
      cursors: cursors || lastEventId !== undefined,
      onOverflow,
    },
  };
}

/** The fields of a request, and how to refuse it once its `id` is known. */
function openRequest(sent: unknown, malformed: string) {
  const fields = readFields(sent, malformed);
  const id = readId(fields.get('id'), malformed);
  const read = new FieldReader(fields, (reason) => new SubscriptionError(`${malformed}: ${reason}`));
  const fail = (text: string): never => {
    throw new SubscriptionError(text, id);
  };
  return { id, read, fail };
}

function toActionTypes(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return names?.length === 0 ? EMPTY : names && new Set(names);
}

type Fail = (text: string) => never;

function readTypes(
  names: readonly string[],
  { noTypes }: SubscriptionRules,
  fail: Fail,
): ReadonlySet<EventType> {
  // Cannot be asked for: everybody who saw a trace gets it. The public page lists it, so clients send it.
  const wanted = names.filter((name) => name !== 'trace_invalidated');
  if (wanted.length === 0) fail(noTypes);
  for (const name of wanted)
    if (!(EVENT_TYPES as readonly string[]).includes(name)) fail(`invalid event type: ${name}`);
  return sharedTypes(new Set(wanted as EventType[]));
}

function sharedTypes(types: ReadonlySet<EventType>): ReadonlySet<EventType> {
  const key = [...types].sort().join();
  const shared = typeSets.get(key);
  if (shared === undefined) typeSets.set(key, types);
  return shared ?? types;
}

function readAddresses(texts: readonly string[], fail: Fail): ReadonlySet<HashKey> {
  if (texts.length === 0) return EMPTY;
  const keys = new Set<HashKey>();
  for (const text of texts) keys.add(parseAddressKey(text) ?? fail(`invalid address: ${text}`));
  return keys;
}

function parseAddressKey(text: string): HashKey | undefined {
  const address = addressKind.convert(text.trim());
  return address && bytesKey(accountKey(address.workchain, address.hash));
}

const HASH_FORMS = { prefixedHex: true, unpaddedStandard: true };

function readTraceKeys(texts: readonly string[], fail: Fail): ReadonlySet<HashKey> {
  if (texts.length === 0) return EMPTY;
  const keys = new Set<HashKey>();
  for (const text of texts) {
    if (text.trim() === '') fail('trace_external_hash_norms contains empty value');
    const hash = parseHash(text.trim(), HASH_FORMS);
    keys.add(
      hash === undefined ? fail(`trace_external_hash_norms contains invalid value: ${text}`) : bytesKey(hash),
    );
  }
  return keys;
}

function readBodyHash(
  text: string | undefined,
  types: ReadonlySet<EventType>,
  addresses: ReadonlySet<HashKey>,
  fail: Fail,
): HashKey | undefined {
  if (text === undefined || text === '') return undefined;
  const hash = parseHash(text, HASH_FORMS);
  if (hash === undefined)
    return fail('msg_body_hash must be a 32-byte value in hex, base64 or base64url format');
  if (!types.has('transactions') || addresses.size === 0)
    fail('msg_body_hash requires type "transactions" and addresses');
  return bytesKey(hash);
}

/** Reads an `unsubscribe` message. */
export function readRemoval(sent: unknown) {
  const { id, read, fail } = openRequest(sent, 'invalid unsubscribe request');
  const addresses = read.texts('addresses') ?? [];
  const traceKeys = read.texts('trace_external_hash_norms') ?? [];
  if (addresses.length === 0 && traceKeys.length === 0)
    fail('addresses or trace_external_hash_norms are required');
  return { id, addresses: readAddresses(addresses, fail), traceKeys: readTraceKeys(traceKeys, fail) };
}

/** The members of a request by their names in lower case; null equals absent. */
export function readFields(sent: unknown, malformed: string): ReadonlyMap<string, unknown> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw new SubscriptionError(`${malformed}: expected a JSON object`);
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(sent)) if (value !== null) fields.set(name.toLowerCase(), value);
  return fields;
}

export function readId(value: unknown, malformed: string): RequestId {
  if (value === undefined || typeof value === 'string' || typeof value === 'number') return value;
  throw new SubscriptionError(`${malformed}: id must be a string or a number`);
}

class FieldReader {
  readonly #fields: ReadonlyMap<string, unknown>;
  readonly #wrong: (reason: string) => SubscriptionError;

  constructor(fields: ReadonlyMap<string, unknown>, wrong: (reason: string) => SubscriptionError) {
    this.#fields = fields;
    this.#wrong = wrong;
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.#fields.get(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
      throw this.#wrong(`${name} must be a list of strings`);
    return value;
  }

  text(name: string): string | undefined {
    const value = this.#fields.get(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.#wrong(`${name} must be a string`);
  }

  flag(name: string): boolean | undefined {
    const value = this.#fields.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.#wrong(`${name} must be true or false`);
  }

  oneOf<const T extends string>(
    name: string,
    values: readonly T[],
    fault: (value: string) => string = () => ` must be one of ${values.join(', ')}`,
  ): T | undefined {
    const value = this.text(name);
    const match = values.find((one) => one === value);
    if (match === undefined && value !== undefined) throw this.#wrong(`${name}${fault(value)}`);
    return match;
  }
}

/** A subscription in a body or a query; it is read above, with the texts of the contract. */
export const SubscriptionSchema = Type.Partial(
  Type.Object(
    {
      id: Type.Union([Type.String(), Type.Number()], { description: 'Comes back in the answer.' }),
      types: Type.Array(Type.String({ enum: [...EVENT_TYPES] }), { description: 'Types of events.' }),
      addresses: Type.Array(Type.String(), {
        description: 'Accounts, in any form; needed by all types but `trace`.',
      }),
      trace_external_hash_norms: Type.Array(Type.String(), {
        description: 'For `trace`: hashes of external messages, normalized or as sent.',
      }),
      min_finality: Type.String({ description: '`finalized` (default), `confirmed` or `pending`.' }),
      action_types: Type.Array(Type.String(), { description: 'Only actions of these types.' }),
      supported_action_types: Type.Array(Type.String(), {
        description: 'Types of actions that the client understands.',
      }),
      include_address_book: Type.Boolean({ description: 'Adds `address_book` to events.' }),
      include_metadata: Type.Boolean({ description: 'Adds `metadata` to events.' }),
      include_system_traces: Type.Boolean({
        description:
          'Also traces that no external message started. An addition of tongate, as are all below.',
      }),
      msg_body_hash: Type.String({ description: 'Only transactions whose in message has this body.' }),
      extended: Type.Boolean({ description: 'More members in some events.' }),
      cursors: Type.Boolean({ description: 'Events have ids.' }),
      on_overflow: Type.String({
        enum: ['close', 'gap'],
        description: 'What happens to a client that reads too slowly.',
      }),
      last_event_id: Type.String({ description: 'Goes on behind the event with this id.' }),
      resume_from: Type.String({ description: 'The same as `last_event_id`.' }),
      replay_existing: Type.Boolean({
        description: 'Begins with pending traces and with states that changed in the last minute.',
      }),
    },
    { title: 'Subscription' },
  ),
);

const FORMS = new Map<string, string | undefined>(
  Object.entries(SubscriptionSchema.properties).map(([name, schema]) => [
    name,
    'type' in schema ? schema.type : undefined,
  ]),
);

/**
 * Reads a subscription from a query, for the `EventSource` of browsers, which can send nothing else. Lists are repeated or
 * joined by commas; everything else is a text, which must make sense to the reader of subscriptions.
 */
export function readQuery(query: unknown): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [spelling, sent] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const name = (spelling.endsWith('[]') ? spelling.slice(0, -2) : spelling).toLowerCase();
    const values = [sent].flat().map(String);
    if (FORMS.get(name) === 'array') {
      const parts = values.flatMap((value) => value.split(',')).filter((part) => part !== '');
      fields[name] = [...((fields[name] as string[] | undefined) ?? []), ...parts];
    } else if (FORMS.get(name) === 'boolean') fields[name] = readFlag(values.at(-1)!);
    else fields[name] = values.at(-1);
  }
  return fields;
}

function readFlag(text: string): unknown {
  if (text === '' || text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : text;
}
