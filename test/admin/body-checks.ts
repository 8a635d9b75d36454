import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: a parsed document
type Json = any;

/** Creates a check that a response is what one of the OpenAPI documents says; it fails the test otherwise. */
export function createBodyChecks(documents: readonly Json[]) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return (method: string, path: string, status: number, body: unknown): void => {
    const plain = path.split('?', 1)[0]!.replace(/\/$/, '');
    for (const document of documents)
      for (const [pattern, item] of Object.entries<Json>(document.paths)) {
        if (!new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain)) continue;
        const schema = item[method.toLowerCase()]?.responses[status]?.content?.['application/json'].schema;
        if (schema === undefined) continue;
        const validate = ajv.compile({ ...schema, components: document.components });
        validate(body);
        expect(validate.errors ?? [], `${method} ${plain}`).toEqual([]);
        return;
      }
    throw new Error(`No document has ${method} ${plain} with ${status}`);
  };
}
