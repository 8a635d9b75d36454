import {
  encodeLiteError,
  LITE_ERROR_CODES,
  splitWaitPrefix,
  type WaitPrefix,
} from '../../chain/tl/lite-envelope.ts';
import { constructorText, TlError, TlReader } from '../../chain/tl/tl.ts';
import type { Log } from '../../lib/log.ts';
import { withTimeout } from '../../lib/wait.ts';
import { encodeResponse, type LiteMethod, type LiteRequest, methodById } from '../../lite/methods/codec.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { accountMethods } from './methods/accounts.ts';
import { blockProofMethods } from './methods/block-proofs.ts';
import { blockMethods } from './methods/blocks.ts';
import { configMethods } from './methods/config.ts';
import { libraryMethods } from './methods/libraries.ts';
import { messageMethods } from './methods/messages.ts';
import {
  LiteRefusal,
  type MethodContext,
  type MethodHandler,
  type MethodHandlers,
  PLAIN_ERROR,
  QUERY_TIMEOUT,
  refuseNotReady,
  refusePlainly,
} from './methods/method-context.ts';
import { queueMethods } from './methods/queues.ts';
import { shardMethods } from './methods/shards.ts';
import { transactionMethods } from './methods/transactions.ts';

/** Returns the bytes of a response for the bytes of a request; an error is a response too. It never throws. */
export type HandleRequest = (request: Buffer, signal: AbortSignal) => Buffer | Promise<Buffer>;

const QUERY_TIMEOUT_MS = 4500;

/** Handles requests from a store. Most responses are synchronous; none takes longer than the timeout of a node. */
export function createRequestHandler(ports: MethodContext, log: Log): HandleRequest {
  function perform(bytes: Buffer): Buffer | Promise<Buffer> {
    const request = decodeRequest(bytes);
    const { method } = request;
    // The types cannot express that each request gets its own handler.
    const query = METHOD_HANDLERS[method] as MethodHandler<LiteMethod>;
    const response = query(ports, request as never);
    if (!(response instanceof Promise)) return encodeResponse(method, response);
    const late = () => new LiteRefusal(QUERY_TIMEOUT, 'timeout');
    return withTimeout(QUERY_TIMEOUT_MS, response, late).then((value) => encodeResponse(method, value));
  }

  function encodeRefusal(error: unknown): Buffer {
    if (error instanceof LiteRefusal) return encodeLiteError({ code: error.code, message: error.message });
    if (error instanceof TlError) return encodeLiteError({ code: PLAIN_ERROR, message: error.message });
    log.error({ err: error }, 'Lite server query failed');
    return encodeLiteError({ code: LITE_ERROR_CODES.failure, message: 'internal error' });
  }

  return (bytes, signal) => {
    try {
      const { wait, request } = splitWaitPrefix(bytes);
      const waiting = wait && waitForBlock(ports.store, wait, signal);
      // A query that waits outlives the packet that it is a view of.
      const copy = waiting && Buffer.from(request);
      const response = waiting === undefined ? perform(request) : waiting.then(() => perform(copy!));
      return Buffer.isBuffer(response) ? response : response.catch(encodeRefusal);
    } catch (error) {
      return encodeRefusal(error);
    }
  };
}

const METHOD_HANDLERS: MethodHandlers = {
  ...accountMethods,
  ...blockMethods,
  ...blockProofMethods,
  ...configMethods,
  ...libraryMethods,
  ...messageMethods,
  ...queueMethods,
  ...shardMethods,
  ...transactionMethods,
};

/** Decodes a client's request. Malformed ones are refused with the error texts of a node, which have the position. */
function decodeRequest(bytes: Buffer): LiteRequest {
  const reader = new TlReader(bytes);
  const refuseHere = (text: string): never => refusePlainly(`${text} at ${bytes.length - reader.left}`);
  try {
    const id = reader.uint();
    const codec = methodById(id);
    if (codec === undefined) return refuseHere(`Unknown constructor found ${constructorText(id)}`);
    const request = { method: codec.method, ...(codec.read(reader) as object) } as LiteRequest;
    return reader.left > 0 ? refuseHere('Too much data to fetch') : request;
  } catch (error) {
    if (error instanceof TlError) return refuseHere('Not enough data to read');
    throw error;
  }
}

const MAX_WAIT_MS = 10_000;
/** A client may not wait for a block further ahead. */
const MAX_BLOCKS_AHEAD = 100;

/** Waits until the chain has a masterchain block; refuses after a timeout, and immediately what is too far ahead. */
export function waitForBlock(
  store: ChainStore,
  wait: WaitPrefix,
  signal: AbortSignal,
): Promise<void> | undefined {
  const seqno = wait.seqno >>> 0;
  if (seqno <= store.head.seqno) return undefined;
  if (wait.timeoutMs <= 0) throw new LiteRefusal(LITE_ERROR_CODES.timeout, 'timeout');
  if (seqno > store.head.seqno + MAX_BLOCKS_AHEAD) refuseNotReady('too big masterchain block seqno');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => reject(new LiteRefusal(LITE_ERROR_CODES.cancelled, 'cancelled'));
  const late = (): void => reject(new LiteRefusal(LITE_ERROR_CODES.timeout, 'timeout'));
  const timer = setTimeout(late, Math.min(wait.timeoutMs, MAX_WAIT_MS));
  const stopListening = store.onHead((head) => {
    if (head.seqno >= seqno) resolve();
  });
  signal.addEventListener('abort', onAbort);
  return promise.finally(() => {
    clearTimeout(timer);
    stopListening();
    signal.removeEventListener('abort', onAbort);
  });
}
