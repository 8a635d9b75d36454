import { sharedErrors, toOpenApi } from '../http/openapi.ts';
import type { Operation } from '../http/operation.ts';
import type { V3Call } from './call.ts';
import { v3ErrorSchema } from './envelope.ts';
import { V3_VERSION } from './version.ts';

const commonErrors = { ...sharedErrors, 504: 'The time allowed for the request is over' };

const switchSchema = { type: 'boolean', default: false };

/** Headers that every operation takes; each has a twin in the query. */
const commonParameters = [
  {
    name: 'X-Timeout',
    in: 'header',
    required: false,
    description: 'Longest time of a database statement in ms. Twin: `x_timeout`.',
    schema: { type: 'integer', maximum: 3000, default: 3000 },
  },
  {
    name: 'X-No-Address-Book',
    in: 'header',
    required: false,
    description: 'Leave every `address_book` empty. Twin: `x_no_address_book`.',
    schema: switchSchema,
  },
  {
    name: 'X-No-Metadata',
    in: 'header',
    required: false,
    description: 'Leave every `metadata` empty. Twin: `x_no_metadata`.',
    schema: switchSchema,
  },
];

/** The OpenAPI document of v3 for the operations served. */
export function v3Document(operations: readonly Operation<V3Call>[]): Record<string, unknown> {
  return toOpenApi({
    title: 'tongate v3',
    version: V3_VERSION,
    description: 'Answers from the index of the TON blockchain. Parameter names ignore letter case.',
    prefix: '/api/v3',
    operations,
    envelope: (result) => ({ ...result }),
    exampleBody: (result) => result,
    errorSchema: { ...v3ErrorSchema },
    commonErrors,
    commonParameters,
  });
}
