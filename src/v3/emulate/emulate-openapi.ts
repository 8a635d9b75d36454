import { sharedErrors, toOpenApi } from '../../http/openapi.ts';
import type { Operation } from '../../http/operation.ts';
import { V3_VERSION } from '../version.ts';
import type { EmulateCall } from './emulate-call.ts';
import { emulateErrorSchema } from './emulate-envelope.ts';
import { createEmulateTonConnect } from './emulate-ton-connect.ts';
import { createEmulateTrace } from './emulate-trace.ts';

const { 422: _, ...others } = sharedErrors;
const commonErrors = {
  ...others,
  400: 'A field is missing or malformed; the text names it',
  500: 'The account does not take the message, or that could not be found out within 3 seconds',
};

/** Every operation that emulates. */
export function createEmulateOperations(): readonly Operation<EmulateCall>[] {
  return [createEmulateTrace(), createEmulateTonConnect()];
}

/** Their OpenAPI document. */
export function emulateDocument(operations: readonly Operation<EmulateCall>[]): Record<string, unknown> {
  return toOpenApi({
    title: 'tongate emulate',
    version: V3_VERSION,
    description: 'Says what messages would do on the TON blockchain if they were sent.',
    prefix: '/api/emulate/v1',
    operations,
    envelope: (result) => ({ ...result }),
    exampleBody: (result) => result,
    errorSchema: { ...emulateErrorSchema },
    commonErrors,
  });
}
