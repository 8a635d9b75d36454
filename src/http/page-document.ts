type Json = Record<string, unknown>;

/** A union with more branches than this keeps the page busy for minutes: it resolves all of them at every place of use. */
const MAX_BRANCHES = 12;

interface Union {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly discriminator: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

/**
 * The document as the docs page gets it: of large unions only what all branches share. The details are in
 * `openapi.json`.
 */
export function pageDocument(document: Json): Json {
  const page = structuredClone(document) as {
    components: { schemas: Record<string, Json> };
  };
  const { schemas } = page.components;
  for (const [name, schema] of Object.entries(schemas))
    if (isLargeUnion(schema)) schemas[name] = commonPart(schema, schemas);
  const used = reachable({ ...page, components: { ...page.components, schemas: {} } }, schemas);
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
  return page as unknown as Json;
}

function isLargeUnion(schema: unknown): schema is Union {
  const { oneOf, discriminator } = schema as Partial<Union>;
  return discriminator !== undefined && (oneOf?.length ?? 0) > MAX_BRANCHES;
}

function commonPart({ oneOf, discriminator }: Union, schemas: Record<string, Json>): Json {
  const { propertyName, mapping } = discriminator;
  const branches = oneOf.map(({ $ref }) => schemas[nameOf($ref)]!);
  const [{ allOf = [], properties = {} } = {}] = branches;
  const names = Object.keys(properties as Json).filter((name) => name !== propertyName);
  return {
    type: 'object',
    description: `One of ${oneOf.length} kinds by \`${propertyName}\`; \`openapi.json\` beside this page has the members of each.`,
    allOf,
    properties: {
      [propertyName]: { type: 'string', enum: Object.keys(mapping) },
      ...Object.fromEntries(names.map((name) => [name, {}])),
    },
  };
}

/** Names of all schemas that something refers to, directly or through others. */
function reachable(from: unknown, schemas: Record<string, Json>): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key !== '$ref' || typeof member !== 'string' || !member.startsWith(PREFIX)) visit(member);
      else if (!found.has(nameOf(member))) {
        found.add(nameOf(member));
        visit(schemas[nameOf(member)]);
      }
    }
  };
  visit(from);
  return found;
}

const PREFIX = '#/components/schemas/';

function nameOf(ref: string): string {
  return ref.slice(PREFIX.length);
}
