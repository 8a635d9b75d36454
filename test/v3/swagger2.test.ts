import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { toSwagger2, toSwaggerSchema } from '../../src/v3/swagger2.ts';
import { readDocument } from '../support/read-document.ts';

describe('toSwaggerSchema', () => {
  it.each([
    ['a list of types with null', { type: ['string', 'null'] }, { type: 'string', 'x-nullable': true }],
    ['several types', { type: ['string', 'integer'] }, {}],
    ['a constant', { const: 'a', type: 'string' }, { type: 'string', enum: ['a'] }],
    ['a reference', { $ref: '#/components/schemas/Hash' }, { $ref: '#/definitions/Hash' }],
    [
      'a reference or null',
      { anyOf: [{ $ref: '#/components/schemas/Hash' }, { type: 'null' }] },
      { allOf: [{ $ref: '#/definitions/Hash' }], 'x-nullable': true },
    ],
    ['constants', Type.Union([Type.Literal('a'), Type.Literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    ['a value or null', Type.Union([Type.Integer(), Type.Null()]), { type: 'integer', 'x-nullable': true }],
    ['different values', Type.Union([Type.Integer(), Type.Boolean()]), {}],
    [
      'a map',
      Type.Record(Type.String(), Type.Integer()),
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    [
      'open bounds',
      { type: 'number', exclusiveMinimum: 1 },
      { type: 'number', minimum: 1, exclusiveMinimum: true },
    ],
    ['an array of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['a tuple', Type.Tuple([Type.String()]), { type: 'array', items: {}, minItems: 1 }],
    ['examples', { type: 'string', examples: ['x', 'y'] }, { type: 'string', example: 'x' }],
    ['anything', true, {}],
    ['extensions', { 'x-parse': 'hash', $id: 'gone' }, { 'x-parse': 'hash' }],
  ])('converts %s', (_case, schema, expected) => {
    expect(toSwaggerSchema(schema)).toEqual(expected);
  });

  it('converts nested objects and arrays', () => {
    const schema = Type.Object({
      id: Type.Array(Type.Union([Type.String(), Type.Null()]), { maxItems: 3 }),
      more: Type.Optional(Type.Object({ deep: Type.Literal(1) }, { additionalProperties: false })),
    });
    expect(toSwaggerSchema(schema)).toEqual({
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'array', maxItems: 3, items: { type: 'string', 'x-nullable': true } },
        more: {
          type: 'object',
          required: ['deep'],
          properties: { deep: { type: 'number', enum: [1] } },
          additionalProperties: false,
        },
      },
    });
  });
});

const ONLY_3 = ['requestBody', 'content', 'anyOf', 'oneOf', 'const', 'openapi'];

/** The keys of a document except names of properties and the content of examples. */
function wordsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(wordsOf);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([word, value]) => {
    if (word === 'examples' || word === 'example' || word === 'default') return [word];
    if (word === 'properties') return [word, ...Object.values(value as object).flatMap(wordsOf)];
    return [word, ...wordsOf(value)];
  });
}

describe('toSwagger2', () => {
  const swagger = toSwagger2(readDocument('v3'));

  it('has the top-level fields of a Swagger 2.0 document', () => {
    expect(swagger).toMatchObject({
      swagger: '2.0',
      basePath: '/',
      info: { title: 'tongate v3' },
      securityDefinitions: {
        APIKeyHeader: { type: 'apiKey', in: 'header' },
        APIKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
      },
      definitions: { Error: { type: 'object', required: ['code', 'error'] } },
    });
  });

  it('has the named schemas, and for a union what all its branches have', () => {
    const definitions = swagger.definitions as Record<string, object>;
    expect(definitions.Message).toMatchObject({ type: 'object', properties: { hash: { type: 'string' } } });
    expect(definitions.TransactionsResponse).toMatchObject({
      properties: { transactions: { type: 'array', items: { $ref: '#/definitions/Transaction' } } },
    });
    expect(definitions.Action).toEqual({
      type: 'object',
      allOf: [{ $ref: '#/definitions/ActionBase' }],
      required: ['type', 'details'],
      properties: {
        type: { type: 'string', enum: expect.arrayContaining(['jetton_transfer', 'unknown']) },
        details: {},
      },
    });
  });

  it('writes array parameters as repeated names', () => {
    const { get } = (swagger.paths as Record<string, Record<string, Record<string, unknown>>>)[
      '/api/v3/__testMethod'
    ]!;
    expect(get!.parameters).toContainEqual(
      expect.objectContaining({
        name: 'my_hash',
        in: 'query',
        required: false,
        type: 'array',
        items: { type: 'string' },
        collectionFormat: 'multi',
      }),
    );
    expect(get!.parameters).toContainEqual(
      expect.objectContaining({ name: 'X-Timeout', in: 'header', type: 'integer', maximum: 3000 }),
    );
    expect(get!.responses).toMatchObject({
      200: { description: 'Success', schema: { $ref: '#/definitions/TestRequestEcho' } },
      422: { schema: { $ref: '#/definitions/Error' } },
    });
  });

  it('contains no keyword that only 3.x has', () => {
    expect(wordsOf(swagger).filter((word) => ONLY_3.includes(word))).toEqual([]);
    expect(JSON.stringify(swagger).includes('#/components/')).toBe(false);
  });

  it('converts bodies and shared parts', () => {
    const document = {
      info: {},
      servers: [{ url: 'https://example.org' }],
      paths: {
        '/a': {
          parameters: [{ $ref: '#/components/parameters/Seqno' }],
          post: {
            security: [{ APIKeyHeader: [] }],
            requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
            responses: { 204: { description: 'Nothing' } },
          },
        },
      },
      components: {
        schemas: { Number: { type: ['integer', 'null'], description: 'shared' } },
        parameters: {
          Seqno: { name: 'seqno', in: 'query', schema: { $ref: '#/components/schemas/Number' } },
        },
      },
    };
    expect(toSwagger2(document)).toMatchObject({ basePath: '/' });
    expect(toSwagger2(document).paths).toEqual({
      '/a': {
        post: {
          security: [{ APIKeyHeader: [] }],
          parameters: [
            { name: 'seqno', in: 'query', description: 'shared', type: 'integer', 'x-nullable': true },
            { name: 'request', in: 'body', required: true, schema: { type: 'object' } },
          ],
          responses: { 204: { description: 'Nothing' } },
        },
      },
    });
  });
});
