import { commonPart, isUnionByProperty, schemaNameOf } from './named-schemas.ts';

type Json = Record<string, unknown>;

/** A union with more branches than this keeps the page busy for minutes: it resolves all of them at every place of use. */
const MAX_BRANCHES = 12;

/**
 * The document as the docs page gets it: of large unions only what all branches share. The details are in
 * `openapi.json`.
 */
export function pageDocument(document: Json): Json {
  const components = document.components as { readonly schemas: Readonly<Record<string, Json>> };
  const short = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [
      name,
      withoutMany(schema, components.schemas),
    ]),
  );
  const used = reachable({ ...document, components: { ...components, schemas: {} } }, short);
  const schemas = Object.fromEntries(Object.entries(short).filter(([name]) => used.has(name)));
  return { ...document, components: { ...components, schemas } };
}

function withoutMany(schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (!isUnionByProperty(schema) || schema.oneOf.length <= MAX_BRANCHES) return schema;
  const { propertyName } = schema.discriminator;
  return {
    ...commonPart(
      schema,
      schema.oneOf.map(({ $ref }) => schemas[schemaNameOf($ref)!]!),
    ),
    description: `One of ${schema.oneOf.length} kinds by \`${propertyName}\`; \`openapi.json\` beside this page has the members of each.`,
  };
}

/** Names of all schemas that something refers to, directly or through others. */
function reachable(from: unknown, schemas: Readonly<Record<string, Json>>): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const name = key === '$ref' ? schemaNameOf(member) : undefined;
      if (name === undefined) visit(member);
      else if (!names.has(name)) {
        names.add(name);
        visit(schemas[name]);
      }
    }
  };
  visit(from);
  return names;
}
