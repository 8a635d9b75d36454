import { expect, it } from 'vitest';
import { pageDocument } from '../../src/http/docs.ts';
import { readDocument } from '../support/read-document.ts';

it('pageDocument leaves out the branches of large unions and what only they use', () => {
  const document = readDocument('v3');
  const before = structuredClone(document);
  const { components, paths } = pageDocument(document) as typeof document;
  expect(document).toEqual(before);
  expect(paths).toEqual(document.paths);
  expect(components.schemas.Action).toMatchObject({
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/ActionBase' }],
    properties: { type: { enum: expect.arrayContaining(['jetton_transfer', 'ton_transfer']) }, details: {} },
  });
  expect(components.schemas).not.toHaveProperty('JettonTransferAction');
  expect(components.schemas.NFTSale).toEqual(document.components.schemas.NFTSale);
  expect(components.schemas.Transaction).toEqual(document.components.schemas.Transaction);
});

it('pageDocument keeps every schema that is referred to', () => {
  for (const name of ['v2', 'v3', 'emulate', 'localnet'] as const) {
    const page = pageDocument(readDocument(name)) as ReturnType<typeof readDocument>;
    const text = JSON.stringify(page);
    const used = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, schema]) => schema!));
    const kept = Object.keys(page.components.schemas);
    expect(kept.filter((schema) => !used.has(schema))).toEqual([]);
    expect([...used].filter((schema) => !kept.includes(schema))).toEqual([]);
  }
});
