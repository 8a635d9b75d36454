import { existsSync, readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import { perProcess } from '../../support/per-process.ts';
import { readDocument } from '../../support/read-document.ts';

const CONTRACT = new URL('../../../../shared/spec/v2.contract.json', import.meta.url);

/** Compiling takes longer than checking; this makes it three times as fast. */
const QUICKLY_COMPILED = { inlineRefs: false, validateSchema: false, code: { optimize: false } };

/** Suffix for titles of tests that are skipped without the reference contract; empty if it is there. */
export const missingContract = existsSync(CONTRACT)
  ? ''
  : ' (skipped: the reference contract is not stored next to this checkout)';

/** Checks responses against an OpenAPI document. */
export interface ResponseSchemas {
  /** The faults of a response; empty if there are none, undefined if the document does not have the operation. */
  faults(name: string, method: 'get' | 'post', status: number, body: unknown): string | undefined;
}

/** The schemas of the reference contract; additional members are faults. */
export function contractSchemas(): ResponseSchemas {
  return perProcess('v2 contract', () =>
    schemasOf(JSON.parse(readFileSync(CONTRACT, 'utf8')), 'components/responses/default'),
  );
}

/** The schemas of our own document. */
export function documentSchemas(): ResponseSchemas {
  return perProcess('v2 document', () => schemasOf(readDocument('v2'), 'components/responses/Error500'));
}

function schemasOf(document: object, refusal: string): ResponseSchemas {
  const ajv = new Ajv.default({ ...QUICKLY_COMPILED, strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const schemaAt = (place: string): ValidateFunction | undefined =>
    ajv.getSchema(`document#/${place}/content/application~1json/schema`);
  return {
    faults(name, method, status, body) {
      const answer = `paths/~1api~1v2~1${name}/${method}/responses/200`;
      const schema = schemaAt(status === 200 ? answer : refusal);
      if (schema === undefined) return undefined;
      return schema(body) ? '' : ajv.errorsText(schema.errors);
    },
  };
}
