import { existsSync, readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import { v3Document } from '../../../src/v3/interface.ts';
import { createV3Operations } from '../../../src/v3/operations.ts';
import { perProcess } from '../../support/per-process.ts';

const CONTRACT = new URL('../../../../shared/spec/v3.contract.json', import.meta.url);

const V3 = '/api/v3';

/** Compiling takes longer than checking; this makes it three times as fast. */
export const QUICKLY_COMPILED = { inlineRefs: false, validateSchema: false, code: { optimize: false } };

/** Suffix for titles of tests that are skipped without the reference contract; empty if it is available. */
export const missingContract = existsSync(CONTRACT)
  ? ''
  : ' (skipped: the reference contract is not beside this checkout)';

/** Checks a response against an API document; returns the faults, or an empty text. */
export type AnswerCheck = (name: string, body: unknown, method?: 'get' | 'post') => string;

/** Checks against the reference contract, whose schemas are closed: an extra key is a fault. */
export function contractCheck(prefix = V3): AnswerCheck {
  return perProcess(`v3 contract ${prefix}`, () =>
    checkBy(JSON.parse(readFileSync(CONTRACT, 'utf8')), prefix),
  );
}

/** Checks against our own document. */
export function documentCheck(): AnswerCheck {
  return perProcess('v3 document', () =>
    checkBy(v3Document(createV3Operations({ defaultLimit: 10, maxLimit: 1000 })), V3),
  );
}

/** Checks against a document of operations below a prefix. */
export function checkBy(document: object, prefix: string): AnswerCheck {
  const ajv = new Ajv.default({ ...QUICKLY_COMPILED, strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  return (name, body, method = 'get') => {
    const place = `paths/${`${prefix}/${name}`.replaceAll('/', '~1')}/${method}/responses/200`;
    const schema: ValidateFunction | undefined = ajv.getSchema(
      `document#/${place}/content/application~1json/schema`,
    );
    if (schema === undefined) return `there is no ${method} ${name}`;
    return schema(body) ? '' : ajv.errorsText(schema.errors);
  };
}
