import fc from 'fast-check';
import {
  decodeLiteError,
  encodeLiteError,
  splitWaitPrefix,
  withWaitPrefix,
} from '../../../src/chain/tl/lite-envelope.ts';
import {
  decodeResponse,
  encodeRequest,
  encodeResponse,
  LITE_METHODS,
  type LiteMethod,
  type LiteRequest,
} from '../../../src/lite/methods/codec.ts';
import { arbitraryAnswers, arbitraryRequests } from '../../lite/methods/support/arbitrary-messages.ts';
import type { LiteResponse } from '../lite-response.ts';
import { decodeRequest } from '../lite-server.ts';
import type { FuzzTarget } from './fuzz-decoder.ts';

const METHODS = Object.keys(LITE_METHODS) as LiteMethod[];
const MESSAGES_PER_TYPE = 12;

/** Always the same messages. */
const sample = <T>(values: fc.Arbitrary<T>): T[] =>
  fc.sample(values, { numRuns: MESSAGES_PER_TYPE, seed: 1 });

/** Responses of every function, and errors. */
export function tlResponseTargets(): FuzzTarget[] {
  const responses = METHODS.map((method): FuzzTarget => {
    const values = sample(arbitraryAnswers[method] as fc.Arbitrary<LiteResponse>);
    return {
      name: `response of ${method}`,
      seeds: values.map((value) => encodeResponse(method, value as never)),
      decode: (bytes) =>
        checkRoundTrip(
          bytes,
          (message) => decodeResponse(method, message),
          (response) => encodeResponse(method, response as never),
        ),
    };
  });
  return [
    ...responses,
    {
      name: 'error',
      seeds: ['', 'not in db', 'x'.repeat(300)].map((message) => encodeLiteError({ code: 651, message })),
      decode: (bytes) =>
        checkRoundTrip(bytes, decodeLiteError, (error) =>
          error === undefined ? bytes : encodeLiteError(error),
        ),
    },
  ];
}

/** Requests of every function, with and without a wait prefix. */
export function tlRequestTargets(): FuzzTarget[] {
  return METHODS.map((method): FuzzTarget => {
    const requests = sample(arbitraryRequests[method] as fc.Arbitrary<LiteRequest>).map(encodeRequest);
    const waiting = requests.map((request) => withWaitPrefix({ seqno: 7, timeoutMs: 1000 }, request));
    return {
      name: `request of ${method}`,
      seeds: [...requests, ...waiting],
      decode: (bytes) => checkRoundTrip(splitWaitPrefix(bytes).request, decodeRequest, encodeRequest),
    };
  });
}

/** Checks that an accepted message can be encoded, and that decoding and encoding it again gives the same bytes. */
function checkRoundTrip<T>(bytes: Buffer, decode: (bytes: Buffer) => T, encode: (value: T) => Buffer): void {
  const value = decode(bytes);
  let again: Buffer;
  try {
    again = encode(value);
    if (encode(decode(again)).equals(again)) return;
  } catch (error) {
    throw new Error('Accepted message cannot be encoded or decoded again', { cause: error });
  }
  throw new Error('Accepted message changes when encoded again');
}
