import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPresent, readSentence, type SentencePart, sentences } from '../../web/actions/sentences.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
type Json = any;

const document: Json = JSON.parse(readFileSync(new URL('../../openapi/v3.json', import.meta.url), 'utf8'));
const schemas: Json = document.components.schemas;
const resolve = (schema: Json): Json =>
  schema?.$ref === undefined ? schema : resolve(schemas[schema.$ref.split('/').at(-1)]);

/** Details by type of action, as the document has them. */
const detailsOf = new Map<string, Json>();
for (const branch of schemas.Action.oneOf) {
  const parts: Json[] = [resolve(branch), ...(resolve(branch).allOf ?? []).map(resolve)];
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  const { type, details } = properties;
  for (const name of type.enum ?? [type.const]) detailsOf.set(name, resolve(details));
}

function namesIn(parts: readonly SentencePart[]): string[] {
  return parts.flatMap((part) =>
    'words' in part ? [] : 'optional' in part ? namesIn(part.optional) : part.names,
  );
}

describe('sentences of actions', () => {
  it('exist for every type of the document', () => {
    expect(detailsOf.size).toBeGreaterThan(60);
    expect([...detailsOf.keys()].filter((type) => !Object.hasOwn(sentences, type))).toEqual([]);
  });

  it('name details that the type has', () => {
    const wrong = [...detailsOf].flatMap(([type, details]) =>
      namesIn(readSentence(sentences[type]!))
        .filter((name) => !hasMember(details, name.split('.')))
        .map((name) => `${type}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('leave out parts in brackets whose details are missing', () => {
    const [, detail, optional] = readSentence('sent {ton value}[: {text comment}]');
    expect(detail).toEqual({ show: 'ton', names: ['value'] });
    expect(isPresent(optional!, { value: '1', comment: null })).toBe(false);
    expect(isPresent(optional!, { value: '1', comment: 'hi' })).toBe(true);
  });
});

/** Details of types without a schema of their own may be anything. */
function hasMember(schema: Json, [name, ...rest]: readonly string[]): boolean {
  const resolved = resolve(schema);
  if (resolved?.properties === undefined || name === undefined) return true;
  const member = resolved.properties[name];
  return member !== undefined && (rest.length === 0 || hasMember(member.anyOf?.[0] ?? member, rest));
}
