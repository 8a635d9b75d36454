import { DoubtfulAnswer, ProofFailure } from '../../lite/errors.ts';

/**
 * Waits for an answer about something for which only the caller vouches, such as a hash. Where the answer does not fit,
 * the question may be at fault, and that must not take a server out of use.
 */
export async function withoutBlame<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ProofFailure ? new DoubtfulAnswer(error) : error;
  }
}
