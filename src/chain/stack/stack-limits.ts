import { Failure } from '../../lib/failure.ts';

/** Entries of a result, or of one argument, that tonlib converts: elements of tuples and lists count. */
export const MAX_STACK_ENTRIES = 8000;

/** How deep tuples and lists may be nested. */
export const MAX_STACK_DEPTH = 1024;

/** Smallest and largest number that fits the 257 bits of an integer of TVM. */
export const MIN_INT = -(2n ** 256n);
export const MAX_INT = 2n ** 256n - 1n;

/** A result with more in it than is converted. Existing clients know tonlib's wording. */
export function resultTooLarge(): Failure {
  return new Failure('lite_server', 'TVM stack size exceeds limit');
}

/** A result nested deeper than is converted. */
export function resultTooDeep(): Failure {
  return new Failure('lite_server', 'TVM stack depth exceeds limit');
}

/** An argument with more in it than is converted. */
export function inputTooLarge(): Failure {
  return new Failure('invalid', 'TVM stack input exceeds size limit');
}

/** Arguments nested deeper than is converted, or than cells can be. */
export function inputTooDeep(): Failure {
  return new Failure('invalid', 'TVM stack input exceeds depth limit');
}
