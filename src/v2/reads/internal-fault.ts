import { Failure } from '../../lib/failure.ts';

/** What is wrong inside an estimate, in the words that existing clients know: tonlib puts no space between. */
export function internalFault(detail: string): Failure {
  return new Failure('lite_server', `INTERNAL${detail}`);
}
