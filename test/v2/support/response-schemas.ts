import { existsSync, readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import { v2Document } from '../../../src/v2/openapi.ts';

const CONTRACT = new URL('../../../../shared/spec/v2.contract.json', import.meta.url);

/** Added to the names of tests that are skipped because the reference contract is not there; empty if it is. */
export const missingContract = existsSync(CONTRACT)
  ? ''
  : ' (skipped: the reference contract is not beside this checkout)';

/** Checks answers against a document of the interface. */
export interface ResponseSchemas {
  /** What is wrong with an answer; empty if nothing, undefined if the document does not know the operation. */
  faults(name: string, method: 'get' | 'post', status: number, body: unknown): string | undefined;
}

/** The schemas of the reference contract, which are closed: an answer with a key too many has a fault. */
export function contractSchemas(): ResponseSchemas {
  return schemasOf(JSON.parse(readFileSync(CONTRACT, 'utf8')), 'components/responses/default');
}

/** The schemas of our own document. */
export function documentSchemas(): ResponseSchemas {
  return schemasOf(v2Document(), 'components/responses/Error500');
}

function schemasOf(document: object, refusal: string): ResponseSchemas {
  const ajv = new Ajv.default({ strict: false, validateFormats: false });
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
