import type { Parameter } from '../../../src/http/operation.ts';
import { Failure } from '../../../src/lib/errors.ts';

/** Reads a parameter named `p` from a query with these values. */
export function fromQuery<T>(parameter: Parameter<T>, ...values: readonly string[]): T {
  return parameter.read({ name: 'p', values, origin: 'query' });
}

/** Reads a parameter named `p` from a body with this value. */
export function fromBody<T>(parameter: Parameter<T>, value: unknown): T {
  return parameter.read({ name: 'p', values: [value], origin: 'body' });
}

/** The text of the error that `read` throws; anything but a refusal of `p` fails the test. */
export function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid' && error.details?.parameter === 'p') {
      return error.message;
    }
    throw error;
  }
  throw new Error('the value was accepted');
}

export const CONVERSION = 'failed to decode: schema: error converting value for "p"';
