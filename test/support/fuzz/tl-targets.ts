import fc from 'fast-check';
import {
  decodeLiteError,
  encodeLiteError,
  splitWaitPrefix,
  withWaitPrefix,
} from '../../../src/chain/tl/lite-envelope.ts';
import {
  decodeAnswer,
  encodeAnswer,
  encodeRequest,
  LITE_METHODS,
  type LiteAnswer,
  type LiteMethod,
  type LiteRequest,
} from '../../../src/lite/methods/codec.ts';
import { arbitraryAnswers, arbitraryRequests } from '../../lite/methods/support/arbitrary-messages.ts';
import { decodeRequest } from '../lite-request.ts';
import type { FuzzTarget } from './fuzz-decoder.ts';

const METHODS = Object.keys(LITE_METHODS) as LiteMethod[];
const MESSAGES_PER_TYPE = 12;

/** Always the same messages. */
const sample = <T>(values: fc.Arbitrary<T>): T[] =>
  fc.sample(values, { numRuns: MESSAGES_PER_TYPE, seed: 1 });

/** Answers of every function, and errors. */
export function tlAnswerTargets(): FuzzTarget[] {
  const answers = METHODS.map((method): FuzzTarget => {
    const values = sample(arbitraryAnswers[method] as fc.Arbitrary<LiteAnswer>);
    return {
      name: `answer of ${method}`,
      seeds: values.map((value) => encodeAnswer(method, value as never)),
      decode: (bytes) =>
        staysTheSame(
          bytes,
          (message) => decodeAnswer(method, message),
          (answer) => encodeAnswer(method, answer as never),
        ),
    };
  });
  return [
    ...answers,
    {
      name: 'error',
      seeds: ['', 'not in db', 'x'.repeat(300)].map((message) => encodeLiteError({ code: 651, message })),
      decode: (bytes) =>
        staysTheSame(bytes, decodeLiteError, (error) =>
          error === undefined ? bytes : encodeLiteError(error),
        ),
    },
  ];
}

/** Requests of every function, with and without a wait before them. */
export function tlRequestTargets(): FuzzTarget[] {
  return METHODS.map((method): FuzzTarget => {
    const requests = sample(arbitraryRequests[method] as fc.Arbitrary<LiteRequest>).map(encodeRequest);
    const waiting = requests.map((request) => withWaitPrefix({ seqno: 7, timeoutMs: 1000 }, request));
    return {
      name: `request of ${method}`,
      seeds: [...requests, ...waiting],
      decode: (bytes) => staysTheSame(splitWaitPrefix(bytes).request, decodeRequest, encodeRequest),
    };
  });
}

/** What was accepted can be written, and what was written is read back and written to the same bytes. */
function staysTheSame<T>(bytes: Buffer, decode: (bytes: Buffer) => T, encode: (value: T) => Buffer): void {
  const value = decode(bytes);
  let again: Buffer;
  try {
    again = encode(value);
    if (encode(decode(again)).equals(again)) return;
  } catch (error) {
    throw new Error('what was accepted cannot be written or read again', { cause: error });
  }
  throw new Error('what was accepted is not stable');
}
