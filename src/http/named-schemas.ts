import Type, { type TSchema } from 'typebox';
import { OWN_FORMATS } from './serializer.ts';

type Json = Record<string, unknown>;

const SHOWN = Symbol('shown');

/**
 * A schema for which documents show another one: the serializer has a simple and fast one, the document says more. The
 * shown schema may refer to named ones with `schemaRef`, even to one that it is a part of.
 */
export function ShownAs<T extends TSchema>(schema: T, shown: object): T {
  return Type.Unsafe({ ...schema, [SHOWN]: shown }) as unknown as T;
}

const REF_PREFIX = '#/components/schemas/';

/** A reference to a named schema of the same document. */
export function schemaRef(name: string): { readonly $ref: string } {
  return { $ref: `${REF_PREFIX}${name}` };
}

/** The name in a reference to a schema; undefined if it is none. */
export function schemaNameOf(ref: unknown): string | undefined {
  return typeof ref === 'string' && ref.startsWith(REF_PREFIX) ? ref.slice(REF_PREFIX.length) : undefined;
}

/** Members of a document that hold values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** The named schemas of one document: those that have a `title`. */
export interface SchemaNames {
  /** A schema as the document shows it, with references in the place of the named ones inside; its own title stays. */
  readonly inside: <T extends object>(schema: T) => T;
  /** The same for any part of the document, and for its own title. Throws if two different schemas have the same title. */
  readonly extract: <T extends object>(part: T) => T;
  /** All named schemas that were found until now, sorted. */
  readonly schemas: () => Json;
}

export function createSchemaNames(): SchemaNames {
  const schemas = new Map<string, Json>();

  /** Operations share schemas. */
  const visited = new Map<object, unknown>();

  function visit(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node;
    if (!visited.has(node)) visited.set(node, Array.isArray(node) ? node.map(visit) : visitObject(node));
    return visited.get(node);
  }

  function visitObject(node: object): unknown {
    return SHOWN in node ? orNull(node, visit(node[SHOWN])) : withName(visitMembers(node));
  }

  function visitMembers(node: object): Json {
    const copy: Json = {};
    for (const [key, value] of Object.entries(node)) {
      if (value === undefined || (key === 'format' && OWN_FORMATS.has(value))) continue;
      if (key === 'properties') copy[key] = mapValues(value, visit);
      else copy[key] = VALUES.has(key) ? value : visit(value);
    }
    // Many generators need the type of an enumeration.
    if (Array.isArray(copy.enum) && copy.enum.every((one) => typeof one === 'string')) copy.type ??= 'string';
    return 'anyOf' in node ? withDiscriminator(copy, node.anyOf) : copy;
  }

  function withName(named: Json): Json {
    const { title, ...schema } = named;
    if (typeof title !== 'string') return named;
    // Null is not a part of what has the name.
    const [type] = [schema.type].flat().filter((one) => one !== 'null');
    return orNull(schema, register(title, type === undefined ? schema : { ...schema, type })) as Json;
  }

  function register(title: string, schema: Json): Json {
    const registered = schemas.get(title);
    if (registered !== undefined && JSON.stringify(registered) !== JSON.stringify(schema))
      throw new Error(`two different schemas have the title ${title}`);
    schemas.set(title, schema);
    return schemaRef(title);
  }

  return {
    inside: (schema) => visitMembers(schema) as typeof schema,
    extract: (part) => visit(part) as typeof part,
    schemas: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Adds null to what stands for a schema that allows it. */
function orNull(schema: object, shown: unknown): unknown {
  const types = 'type' in schema ? [schema.type].flat() : [];
  return types.includes('null') ? { anyOf: [shown, { type: 'null' }] } : shown;
}

/** Properties whose constants tell the branches of a union apart. */
const TAGS = ['@type', 'type'];

/** A union whose branches all have a name and differ in a constant gets a discriminator. */
function withDiscriminator({ anyOf, ...rest }: Json, branches: unknown): Json {
  const refs = (anyOf as readonly Json[]).map(({ $ref }) => $ref);
  const tag = TAGS.find((name) => constantsOf(branches, name).every((value) => typeof value === 'string'));
  if (tag === undefined || refs.includes(undefined)) return { anyOf, ...rest };
  const mapping = Object.fromEntries(constantsOf(branches, tag).map((value, at) => [value, refs[at]]));
  return { oneOf: anyOf, discriminator: { propertyName: tag, mapping }, ...rest };
}

function constantsOf(branches: unknown, name: string): unknown[] {
  return (branches as readonly { properties?: Record<string, Json> }[]).map(
    ({ properties }) => properties?.[name]?.const,
  );
}

function mapValues(source: object, map: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(source).map(([key, value]) => [key, map(value)]));
}

/** A union whose branches differ in the constant of a property. */
export interface UnionByProperty {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly discriminator: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

export function isUnionByProperty(schema: object): schema is UnionByProperty {
  return 'oneOf' in schema && 'discriminator' in schema;
}

/** One object with what all branches of a union have, for tools that cannot do with the union itself. */
export function commonPart(union: UnionByProperty, branches: readonly Json[]): Json {
  const { oneOf: _, discriminator, ...rest } = union;
  const { propertyName, mapping } = discriminator;
  const names = Object.keys(membersOf(branches[0])).filter((name) =>
    branches.every((branch) => name in membersOf(branch)),
  );
  const isRequired = (name: string) =>
    branches.every(({ required }) => Array.isArray(required) && required.includes(name));
  const bases = new Set(branches.map(({ allOf }) => JSON.stringify(allOf)));
  return {
    ...rest,
    type: 'object',
    ...(bases.size === 1 && branches[0]?.allOf !== undefined && { allOf: branches[0].allOf }),
    required: names.filter(isRequired),
    properties: {
      ...Object.fromEntries(names.map((name) => [name, {}])),
      [propertyName]: { type: 'string', enum: Object.keys(mapping) },
    },
  };
}

function membersOf(schema: Json | undefined): object {
  return (schema?.properties ?? {}) as object;
}
