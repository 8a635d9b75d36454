import fastJsonStringify from 'fast-json-stringify';
import Type, { type TSchema, type TString, type TStringOptions, type TUnsafe } from 'typebox';

/** Compiles a result schema into a function that writes its JSON; what the schema does not name is left out. */
export function compileSerializer(schema: TSchema): (value: unknown) => string {
  // Only unions are validated; what the validator does not know of a schema is no news to anybody.
  const ajv = { strict: false, formats: { [PLAIN_FORMAT]: true } } as const;
  const write = fastJsonStringify(chooseByType(schema) as Parameters<typeof fastJsonStringify>[0], { ajv });
  if (!JSON.stringify(schema).includes(`"format":"${WRITTEN_FORMAT}"`)) return write;
  return (value) => write(value).replaceAll(`"${EDGE}`, '').replaceAll(`${EDGE}"`, '');
}

/** Something of a form that is written by whoever makes it: what nests too deeply to be written by calls within calls. */
export function Written(schema: TSchema): TUnsafe<string> {
  return Type.Unsafe<string>({ ...schema, format: WRITTEN_FORMAT });
}

/** JSON for the place of something `Written`. */
export function written(json: string): string {
  return EDGE + json + EDGE;
}

/** What fast-json-stringify calls a string that it writes without looking for characters to escape. */
export const PLAIN_FORMAT = 'unsafe';
/** The mark of what comes as JSON already. */
const WRITTEN_FORMAT = 'written';
/** Begins and ends such JSON in the string that it is at first; written strings do not hold it. */
const EDGE = '\0';

/** Formats that mean something to the serializer only. */
export const OWN_FORMATS: ReadonlySet<unknown> = new Set([PLAIN_FORMAT, WRITTEN_FORMAT]);

/** Text that never holds a character JSON must escape: base64, hex, decimal. Writing it takes a quarter of the time. */
export function PlainText(options: TStringOptions = {}): TString {
  return Type.String({ ...options, format: PLAIN_FORMAT });
}

/** A number of 64 bits: written digit by digit, since beyond 2^53 a JavaScript number would be another one. */
export function Int64(): TUnsafe<bigint> {
  return Type.Unsafe<bigint>(Type.Integer());
}

/** The member that tells the kinds of objects in a union apart. */
const TAG = '@type';

type Json = Record<string, unknown>;

/**
 * fast-json-stringify takes the first branch of a union that the value fits as a whole, for which it validates the
 * value, and a bigint never fits. Where the branches are told apart by their tag, only that is looked at.
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

/** What is written comes as text, or as null where it may be null. */
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
