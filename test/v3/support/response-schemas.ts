import { existsSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import { perProcess } from '../../support/per-process.ts';
import { readDocument } from '../../support/read-document.ts';
import { readReferenceContract } from './reference-contract.ts';

const SPEC = new URL('../../../../shared/spec/', import.meta.url);

const V3 = '/api/v3';

/** Compiling takes longer than checking; this makes it three times as fast. */
export const QUICKLY_COMPILED = { inlineRefs: false, validateSchema: false, code: { optimize: false } };

/** Suffix for titles of tests that are skipped without the reference contract; empty if it is available. */
export const missingContract = ['v3.contract.json', 'v3-additions.contract.json'].every((name) =>
  existsSync(new URL(name, SPEC)),
)
  ? ''
  : ' (skipped: the reference contract is not beside this checkout)';

/** Checks a response against an API document; returns the faults, or an empty text. */
export type AnswerCheck = (name: string, body: unknown, method?: 'get' | 'post') => string;

/** Checks against the reference contract, whose schemas are closed: an extra key is a fault. */
export function contractCheck(prefix = V3): AnswerCheck {
  return perProcess(`v3 contract ${prefix}`, () => checkBy(readReferenceContract(), prefix));
}

/** Checks against our own document. */
export function documentCheck(): AnswerCheck {
  return answersOf(ownDocument(), V3);
}

/** Checks a value against a named schema of our own document; returns the faults, or an empty text. */
export function namedSchemaCheck(name: string): (value: unknown) => string {
  return (value) => ownDocument()(`components/schemas/${name}`, value);
}

function ownDocument(): PlaceCheck {
  return perProcess('v3 document', () => placesOf(readDocument('v3')));
}

/** Checks against a document of operations below a prefix. */
export function checkBy(document: object, prefix: string): AnswerCheck {
  return answersOf(placesOf(document), prefix);
}

/** Checks a response of any status against an API document; returns the faults, or an empty text. */
export type StatusCheck = (path: string, method: string, status: number, body: unknown) => string;

// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
export function statusCheck(document: any): StatusCheck {
  const check = placesOf(document);
  return (path, method, status, body) => {
    const response = document.paths[path][method].responses[status];
    if (response === undefined) return `status ${status} is not in the document`;
    const place =
      response.$ref?.slice(2) ?? `paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`;
    const { content } =
      response.$ref === undefined ? response : document.components.responses[place.split('/').at(-1)];
    if (content === undefined || body === undefined)
      return content === undefined && body === undefined ? '' : 'a body where there should be none, or none';
    return check(`${place}/content/application~1json/schema`, body);
  };
}

/** Checks a value against the schema at a place of a document. */
type PlaceCheck = (place: string, value: unknown) => string;

function answersOf(check: PlaceCheck, prefix: string): AnswerCheck {
  return (name, body, method = 'get') => {
    const path = `${prefix}/${name}`.replaceAll('/', '~1');
    return check(`paths/${path}/${method}/responses/200/content/application~1json/schema`, body);
  };
}

function placesOf(document: object): PlaceCheck {
  const ajv = new Ajv.default({ ...QUICKLY_COMPILED, strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  return (place, value) => {
    const schema: ValidateFunction | undefined = ajv.getSchema(`document#/${place}`);
    if (schema === undefined) return `there is no ${place}`;
    return schema(value) ? '' : ajv.errorsText(schema.errors);
  };
}
