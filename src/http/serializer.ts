import fastJsonStringify from 'fast-json-stringify';
import Type, {
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TStringOptions,
  type TUnsafe,
} from 'typebox';
import { JsonText } from '../lib/json-text.ts';

/** Writes the JSON of one kind of value. */
export type Serializer = (value: unknown) => string;

/** Ready JSON in place of an item of a list or a map, which has the type of the item. */
export function asItem<T>(text: JsonText): T {
  return text as T;
}

/** Compiled serializers by schema: the routes of an operation and of its aliases have the same schemas. */
const compiled = new WeakMap<object, Serializer>();

/**
 * A function that writes JSON by a schema; what the schema does not name is left out. It is compiled when it is first
 * called: to compile those of all routes takes longer than all the rest of their set-up.
 */
export function compileSerializer(schema: object): Serializer {
  let serializer: Serializer | undefined;
  return (value) => {
    serializer ??= compileOnce(schema);
    return serializer(value);
  };
}

function compileOnce(schema: object): Serializer {
  let serializer = compiled.get(schema);
  if (serializer === undefined) {
    serializer = compile(schema);
    compiled.set(schema, serializer);
  }
  return serializer;
}

function compile(schema: object): Serializer {
  // Only unions are validated; the validator need not know every keyword.
  const ajv = { strict: false, formats: { [PLAIN_FORMAT]: true } } as const;
  const write = fastJsonStringify(chooseByType(schema) as Parameters<typeof fastJsonStringify>[0], { ajv });
  if (!JSON.stringify(schema).includes(`"format":"${WRITTEN_FORMAT}"`)) return write;
  return (value) => withoutEdges(write(value));
}

/** Makes the strings that are JSON already what they stand for. */
function withoutEdges(text: string): string {
  // The edge is rare: all between is found by it faster than by the quotation marks beside it.
  const pieces = text.split(EDGE);
  const last = pieces.length - 1;
  if (last === 0) return text;
  let json = '';
  for (const [at, piece] of pieces.entries()) {
    const isRaw = at % 2 === 1;
    json += isRaw ? piece : piece.slice(at === 0 ? 0 : 1, at === last ? undefined : -1);
  }
  return json;
}

/**
 * Compiles the schema of an envelope: an object of few members, each of which may be a `JsonText`. Undefined members
 * are left out.
 */
export function compileEnvelope({ properties }: { readonly properties: Record<string, object> }): Serializer {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    write: 'const' in schema ? constantWriter(schema.const) : compileSerializer(schema),
  }));
  return (value) => {
    let json = '';
    for (const { name, label, write } of members) {
      const member = (value as Record<string, unknown>)[name];
      if (member === undefined) continue;
      json += json === '' ? '{' : ',';
      json += label;
      json += member instanceof JsonText ? member.json : write(member);
    }
    return json === '' ? '{}' : `${json}}`;
  };
}

/** The key of the last members of an object, if they are ready: a `JsonText` of the object without its braces. */
export const READY_MEMBERS = Symbol('ready members');

/** Writes the JSON of one kind of value in pieces, each of them a short piece of work however long the whole is. */
export type PartWriter = (value: unknown) => Iterable<string | JsonText>;

/**
 * Compiles a schema into a writer of pieces: an object in a piece per member, a list or a map in a piece per item, and the
 * same for items that have long lists of their own. The text is that of `compileSerializer`.
 */
export function compileParts(schema: object): PartWriter {
  const { type, properties, items, additionalProperties: values } = schema as Json;
  if (mayBe(type, 'array') && isSchema(items)) return listWriter(schema, items);
  if (mayBe(type, 'object') && properties === undefined && isSchema(values)) return mapWriter(schema, values);
  if (type === 'object' && isSchema(properties) && !values) return objectWriter(schema as ObjectSchema);
  return wholeWriter(schema);
}

/** Whether values of a schema can be long lists, or have some. */
export function canBeLong(schema: object): boolean {
  return lengthyItem(schema) !== undefined || hasLists(schema);
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** Whether a type is that of a schema, perhaps beside null. */
function mayBe(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectWriter({ properties, required = [] }: ObjectSchema): PartWriter {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    isRequired: required.includes(name),
    write: lengthyItem(schema) === undefined ? itemWriter(schema) : compileParts(schema),
  }));
  // fast-json-stringify writes what is required first.
  members.sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  return function* writeMembers(value) {
    let lead = '{';
    for (const { name, label, isRequired, write } of members) {
      const member = (value as Json)[name];
      if (member === undefined && isRequired) throw new Error(`"${name}" is required!`);
      if (member === undefined) continue;
      yield lead + label;
      yield* write(member);
      lead = ',';
    }
    const ready = (value as { readonly [READY_MEMBERS]?: JsonText })[READY_MEMBERS];
    if (ready !== undefined) {
      yield lead;
      yield ready;
      lead = ',';
    }
    yield lead === '{' ? '{}' : '}';
  };
}

function listWriter(schema: object, items: object): PartWriter {
  const write = itemWriter(items);
  return function* writeItems(value) {
    if (!Array.isArray(value)) return yield compileSerializer(schema)(value);
    let lead = '[';
    for (const item of value) {
      yield lead;
      yield* write(item);
      lead = ',';
    }
    yield lead === '[' ? '[]' : ']';
  };
}

function mapWriter(schema: object, values: object): PartWriter {
  const write = itemWriter(values);
  return function* writeEntries(value) {
    if (!isSchema(value)) return yield compileSerializer(schema)(value);
    let lead = '{';
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${lead}${JSON.stringify(key)}:`;
      yield* write(item);
      lead = ',';
    }
    yield lead === '{' ? '{}' : '}';
  };
}

/** Items are written whole, unless they have a list of things that have lists: a trace has transactions with messages. */
function itemWriter(schema: object): PartWriter {
  const { properties } = schema as Partial<ObjectSchema>;
  const lists = Object.values(properties ?? {}).flatMap((member) => lengthyItem(member) ?? []);
  const isLengthy = lists.some((item) => hasLists(item));
  const write = isLengthy ? compileParts(schema) : wholeWriter(schema);
  return (value) => (value instanceof JsonText ? [value] : write(value));
}

function wholeWriter(schema: object): PartWriter {
  const write = compileSerializer(schema);
  return (value) => [write(value)];
}

function hasLists(schema: object): boolean {
  const members = Object.values((schema as Partial<ObjectSchema>).properties ?? {});
  return members.some((member) => lengthyItem(member) !== undefined);
}

/** The schema of the items of a list or a map of objects; undefined for every other schema. */
function lengthyItem(schema: object): object | undefined {
  const { type, properties, items, additionalProperties } = schema as Json;
  const values = mayBe(type, 'object') && properties === undefined ? additionalProperties : undefined;
  const item = mayBe(type, 'array') ? items : values;
  return isSchema(item) && ('properties' in item || 'anyOf' in item) ? item : undefined;
}

function constantWriter(value: unknown): Serializer {
  const json = JSON.stringify(value);
  return () => json;
}

/**
 * A value that its maker writes as JSON, because it nests too deeply for serializers that call each other. Unlike
 * `JsonText` it may be anywhere in a result.
 */
export function RawJson(schema: TSchema): TUnsafe<string> {
  return Type.Unsafe<string>({ ...schema, format: WRITTEN_FORMAT });
}

/** The value of a `RawJson` member. */
export function rawJson(json: string): string {
  return EDGE + json + EDGE;
}

/** The format of fast-json-stringify for strings that are written without looking for characters to escape. */
export const PLAIN_FORMAT = 'unsafe';
/** The format of values that are JSON already. */
const WRITTEN_FORMAT = 'written';
/** Begins and ends such JSON in the string that it is at first; serialised strings never contain it. */
const EDGE = '\0';

/** Formats that only the serializer knows. */
export const OWN_FORMATS: ReadonlySet<unknown> = new Set([PLAIN_FORMAT, WRITTEN_FORMAT]);

/** Text without characters that JSON must escape: base64, hex, decimal. Writing it takes a quarter of the time. */
export function PlainText(options: TStringOptions = {}): TString {
  return Type.String({ ...options, format: PLAIN_FORMAT });
}

/** A 64-bit number, written digit by digit: above 2^53 a JavaScript number would lose some. */
export function Int64(options: TSchemaOptions = {}): TUnsafe<bigint> {
  return Type.Unsafe<bigint>(Type.Integer(options));
}

/** The member that tells the kinds of objects in a union apart. */
const TAG = '@type';

type Json = Record<string, unknown>;

/**
 * fast-json-stringify takes the first branch of a union that the whole value validates against, and a bigint never
 * validates. Where branches have different tags, only the tag is compared.
 */
function chooseByType(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(chooseByType);
  if ('format' in schema && schema.format === WRITTEN_FORMAT) return asPlainText(schema);
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, chooseByType(value)]));
  if (!Array.isArray(copy.anyOf) || !copy.anyOf.every((branch) => tagOf(branch) !== undefined)) return copy;
  const { anyOf, ...rest } = copy;
  return { ...rest, ...(anyOf as Json[]).reduceRight((others, branch) => choice(branch, others)) };
}

/** A written value arrives as text, or as null if its schema allows that. */
function asPlainText(schema: Json): Json {
  const mayBeNull = Array.isArray(schema.type) && schema.type.includes('null');
  return { ...PlainText(), ...(mayBeNull && { type: ['string', 'null'] }) };
}

function choice(branch: Json, others: Json): Json {
  return {
    if: { type: 'object', properties: { [TAG]: { const: tagOf(branch) } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: branch,
    else: others,
  };
}

function tagOf(branch: { properties?: Record<string, { const?: unknown }> }): unknown {
  return branch.properties?.[TAG]?.const;
}
