import { encodeAnswer } from '../../chain/tl/lite-codec.ts';
import { encodeLiteError } from '../../chain/tl/lite-error.ts';
import type { LiteMethod } from '../../chain/tl/lite-functions.ts';
import { TlError } from '../../chain/tl/tl-error.ts';
import { splitWaitPrefix } from '../../chain/tl/wait-prefix.ts';
import type { Log } from '../../lib/log.ts';
import { decodeRequest } from './decode-request.ts';
import { FAILURE, LiteRefusal, PLAIN_ERROR, QUERY_TIMEOUT } from './lite-refusal.ts';
import { QUERIES } from './queries-list.ts';
import type { Query, QueryPorts } from './query.ts';
import { waitForBlock } from './wait-for-block.ts';

/** Gives the bytes of an answer for the bytes of a request; an error is an answer too. It never throws. */
export type AnswerRequest = (request: Buffer, signal: AbortSignal) => Buffer | Promise<Buffer>;

const QUERY_TIMEOUT_MS = 4500;

/** Answers requests from a store. Most answers are there at once; none comes later than a node's time-out. */
export function createAnswerRequest(ports: QueryPorts, log: Log): AnswerRequest {
  function perform(bytes: Buffer): Buffer | Promise<Buffer> {
    const request = decodeRequest(bytes);
    const { method } = request;
    // The table gives each request its own query; the types cannot follow that.
    const query = QUERIES[method] as Query<LiteMethod>;
    const answer = query(ports, request as never);
    if (!(answer instanceof Promise)) return encodeAnswer(method, answer);
    return withTimeout(answer).then((value) => encodeAnswer(method, value));
  }

  function encodeRefusal(error: unknown): Buffer {
    if (error instanceof LiteRefusal) return encodeLiteError({ code: error.code, message: error.message });
    if (error instanceof TlError) return encodeLiteError({ code: PLAIN_ERROR, message: error.message });
    log.error({ err: error }, 'the lite server failed to answer a query');
    return encodeLiteError({ code: FAILURE, message: 'internal error' });
  }

  return (bytes, signal) => {
    try {
      const { wait, request } = splitWaitPrefix(bytes);
      const waiting = wait && waitForBlock(ports.store, wait, signal);
      // What waits outlives the packet that it is a view of.
      const copy = waiting && Buffer.from(request);
      const answer = waiting === undefined ? perform(request) : waiting.then(() => perform(copy!));
      return Buffer.isBuffer(answer) ? answer : answer.catch(encodeRefusal);
    } catch (error) {
      return encodeRefusal(error);
    }
  };
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LiteRefusal(QUERY_TIMEOUT, 'timeout')), QUERY_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
