import { describe, expect, it } from 'vitest';
import { v2Operations } from '../../src/v2/operations.ts';
import { readDocument } from '../support/read-document.ts';

interface Path {
  readonly get?: { readonly responses: object };
  readonly post?: {
    readonly responses: object;
    readonly requestBody: { content: { 'application/json': { schema: { $ref: string } } } };
  };
}

describe('the OpenAPI document of v2', () => {
  const document = readDocument('v2');
  const paths = document.paths as Record<string, Path>;
  const { schemas } = document.components as { schemas: Record<string, Record<string, unknown>> };
  const named = ({ $ref }: { $ref: string }) => schemas[$ref.replace('#/components/schemas/', '')]!;

  it('lists every operation under all names with its HTTP methods', () => {
    for (const { name, aliases = [], methods, ignoreUnknownProperties = false } of v2Operations) {
      for (const path of [name, ...aliases].map((one) => paths[`/api/v2/${one}`])) {
        expect(Object.keys(path!).sort()).toEqual(methods.map((method) => method.toLowerCase()).sort());
        const { schema } = path!.post!.requestBody.content['application/json'];
        expect(named(schema).additionalProperties).toBe(ignoreUnknownProperties);
        for (const { responses } of Object.values(path!)) {
          for (const code of ['200', '401', '403', '422', '429', '500', '503', '504', '542'])
            expect(responses).toHaveProperty(code);
        }
      }
    }
  });

  it('lists every operation name for JSON-RPC', () => {
    const names = v2Operations.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(schemas.JsonRpcRequest).toMatchObject({ properties: { method: { enum: names } } });
  });

  it('has every error of an operation for JSON-RPC too', () => {
    const codes = v2Operations.flatMap(({ errors = [] }) => errors.map(({ code }) => String(code)));
    expect(codes).toEqual(expect.arrayContaining(['404', '409', '533']));
    for (const code of codes) expect(paths['/api/v2/jsonRPC']!.post!.responses).toHaveProperty(code);
  });

  it('has the kinds of DNS records of the contract', () => {
    expect(schemas.DnsEntryData).toMatchObject({
      discriminator: {
        mapping: { 'dns.entryDataUnknown': '#/components/schemas/DnsEntryDataUnknown' },
      },
    });
  });

  it('has no duplicate names', () => {
    const names = v2Operations.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
});
