import { describe, expect, it } from 'vitest';
import { DOCUMENTS, readDocument } from '../support/read-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
type Json = any;

interface Input {
  readonly name: string;
  readonly schema: Json;
  readonly example?: unknown;
}

/** What the operations of a document take, as `method path name`: parameters, and members of bodies. */
function inputsOf(document: Json): [title: string, Input][] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, { parameters = [], requestBody }]) => {
      const { schema, example } = requestBody?.content['application/json'] ?? {};
      const { properties, ...rest } = (schema?.$ref ? named(document, schema.$ref) : schema) ?? {};
      const members = Object.entries(properties ?? {}).map(
        ([name, schema]): Input => ({ name, schema, example: example?.[name] }),
      );
      return [...parameters, ...members, { name: 'body', schema: rest }].map((input): [string, Input] => [
        `${method} ${path} ${input.name}`,
        input,
      ]);
    }),
  );
}

function named({ components }: Json, reference: string): Json {
  return components.schemas[reference.split('/').at(-1)!];
}

/** Visits a schema and all that it consists of; each named one once. */
function visit(document: Json, schema: Json, onEach: (schema: Json) => void, seen = new Set<string>()): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { $ref: reference } = schema;
  if (reference !== undefined) {
    if (seen.has(reference)) return;
    seen.add(reference);
    visit(document, named(document, reference), onEach, seen);
    return;
  }
  onEach(schema);
  const { anyOf = [], oneOf = [], allOf = [], items, properties = {} } = schema;
  for (const part of [...anyOf, ...oneOf, ...allOf, items, ...Object.values(properties)])
    visit(document, part, onEach, seen);
}

describe.each(DOCUMENTS)('the document of %s', (name) => {
  const document = readDocument(name);
  const inputs = inputsOf(document);

  it('has both bounds of every integer that an operation takes', () => {
    const unbound: string[] = [];
    for (const [title, { schema }] of inputs)
      visit(document, schema, ({ type, minimum, maximum, enum: values }) => {
        const isInteger = [type].flat().includes('integer');
        if (isInteger && !values && (minimum === undefined || maximum === undefined)) unbound.push(title);
      });
    expect(unbound).toEqual([]);
  });

  it('has an example of every cursor', () => {
    const cursors = inputs.filter(([, input]) => input.name === 'cursor');
    if (name === 'v3') expect(cursors.length).toBeGreaterThan(20);
    const without = cursors.filter(([, { schema, example = schema.examples?.[0] }]) => !example);
    expect(without.map(([title]) => title)).toEqual([]);
  });
});
