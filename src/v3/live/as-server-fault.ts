import { Failure } from '../../lib/failure.ts';

/** Waits for lite servers. That there is none has a status of its own in v2; where the contract is v3's, it has not. */
export async function asServerFault<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'no_lite_server') throw error;
    throw new Failure('lite_server', error.message, { cause: error });
  }
}
