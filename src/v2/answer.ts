import { type EdgeError, statusOf } from '../http/errors.ts';
import type { Log } from '../lib/log.ts';
import { failureBody, NO_EXTRA, type RpcSuffix, successBody } from './envelope.ts';

/** A finished answer: what goes onto the wire, whichever transport asked. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;
  /** Tag of an answer that can never change. */
  readonly etag: string | undefined;
}

/** What stands around a result or a refusal. */
interface Frame {
  readonly extra: string;
  readonly rpc: RpcSuffix;
}

/** The answer with a result that is finished JSON. */
export function successAnswer(json: string, etag: string | undefined, { extra, rpc }: Frame): Answer {
  return { status: 200, body: successBody(json, extra, rpc), retryAfterSeconds: undefined, etag };
}

/** The answer to an error that the log has heard of, or need not. */
export function refusalAnswer({ status, text, retryAfterSeconds }: EdgeError, { extra, rpc }: Frame): Answer {
  return { status, body: failureBody(status, text, extra, rpc), retryAfterSeconds, etag: undefined };
}

/** The answer to anything thrown; what nobody planned for is logged with its insides. */
export function failureAnswer(
  error: unknown,
  { log, extra = NO_EXTRA, rpc = '' }: { log: Log } & Partial<Frame>,
): Answer {
  return refusalAnswer(reported(error, log), { extra, rpc });
}

/** What an error becomes at the edge; what nobody planned for is logged with its insides. */
export function reported(error: unknown, log: Log): EdgeError {
  const edge = statusOf(error);
  if (edge.unexpected) log.error({ err: error }, 'unexpected error');
  return edge;
}
