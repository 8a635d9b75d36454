import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';

/** Compiles a result schema into a function that writes its JSON; what the schema does not name is left out. */
export function compileSerializer(schema: TSchema): (value: unknown) => string {
  return fastJsonStringify(schema as Parameters<typeof fastJsonStringify>[0]);
}
