import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { createSchemaNames, ShownAs, schemaRef } from '../../src/http/named-schemas.ts';
import { compileSerializer, PlainText, RawJson } from '../../src/http/serializer.ts';

const Leaf = Type.Object({ hash: PlainText() }, { title: 'Leaf' });
const Tree = Type.Object(
  { leaf: Leaf, children: Type.Array(ShownAs(Type.Unknown(), schemaRef('Tree'))) },
  { title: 'Tree' },
);

/** The named schemas of a part of a document. */
function extractSchemas<T extends object>(document: T) {
  const { extract, schemas } = createSchemaNames();
  const part = extract(document);
  return { part, schemas: schemas() };
}

describe('createSchemaNames', () => {
  it('moves schemas with a title and leaves references', () => {
    expect(extractSchemas({ result: Type.Array(Tree) })).toEqual({
      part: { result: { type: 'array', items: schemaRef('Tree') } },
      schemas: {
        Leaf: { type: 'object', required: ['hash'], properties: { hash: { type: 'string' } } },
        Tree: {
          type: 'object',
          required: ['leaf', 'children'],
          properties: { leaf: schemaRef('Leaf'), children: { type: 'array', items: schemaRef('Tree') } },
        },
      },
    });
  });

  it('keeps null outside the named schema', () => {
    const nullable = RawJson(Type.Unsafe({ ...Leaf, type: ['object', 'null'] }));
    const { part, schemas } = extractSchemas({ one: nullable, other: Type.Optional(Leaf) });
    expect(part).toEqual({ one: { anyOf: [schemaRef('Leaf'), { type: 'null' }] }, other: schemaRef('Leaf') });
    expect(schemas.Leaf).toMatchObject({ type: 'object' });
    const shown = Type.Unsafe({ ...ShownAs(PlainText(), { enum: ['a'] }), type: ['string', 'null'] });
    expect(extractSchemas({ shown }).part).toEqual({
      shown: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    });
  });

  it('rejects two different schemas with the same title', () => {
    const other = Type.Object({ hash: Type.Integer() }, { title: 'Leaf' });
    expect(() => extractSchemas({ Leaf, other })).toThrow('two different schemas have the title Leaf');
    expect(() => extractSchemas({ Leaf, same: { ...Leaf } })).not.toThrow();
  });

  it('leaves titles in values and names of properties alone', () => {
    const schema = Type.Object(
      { title: Type.String(), example: Leaf },
      { example: { title: 'Leaf', format: 'unsafe' }, default: { title: 'x' } },
    );
    expect(extractSchemas({ schema })).toMatchObject({
      part: {
        schema: {
          properties: { title: { type: 'string' }, example: schemaRef('Leaf') },
          example: { title: 'Leaf', format: 'unsafe' },
          default: { title: 'x' },
        },
      },
      schemas: { Leaf: {} },
    });
  });

  it('tells the named branches of a union apart by a constant', () => {
    const branch = (tag: string) => Type.Object({ '@type': Type.Literal(tag) }, { title: tag.toUpperCase() });
    const { schemas, part } = extractSchemas({
      union: Type.Union([branch('a'), branch('b')], { title: 'U' }),
    });
    expect(part).toEqual({ union: schemaRef('U') });
    expect(schemas.U).toEqual({
      oneOf: [schemaRef('A'), schemaRef('B')],
      discriminator: {
        propertyName: '@type',
        mapping: { a: schemaRef('A').$ref, b: schemaRef('B').$ref },
      },
    });
    expect(extractSchemas({ union: Type.Union([Leaf, branch('a')]) }).part).toEqual({
      union: { anyOf: [schemaRef('Leaf'), schemaRef('A')] },
    });
  });

  it('does not change what the serializer writes', () => {
    const write = compileSerializer(Type.Object({ tree: Tree, maybe: Type.Optional(Leaf) }));
    const value = { tree: { leaf: { hash: 'a' }, children: [{ any: [1] }] }, maybe: { hash: 'b' } };
    expect(write(value)).toBe(JSON.stringify(value));
  });
});
