import type { FastifyBaseLogger } from 'fastify';
import { statusOf } from '../http/errors.ts';
import type { Operation } from '../http/operation.ts';
import { compileSerializer } from '../http/serializer.ts';
import type { V2Call, V2Ports } from './call.ts';
import { failureBody, formatExtra, NO_EXTRA, type RpcSuffix, successBody } from './envelope.ts';
import { createParamReader, type ParamReader } from './read-params.ts';

/** A finished answer: what goes onto the wire, whichever transport asked. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;
}

/** What a transport knows about the call it makes. */
export interface Invocation {
  readonly log: FastifyBaseLogger;
  /** Milliseconds since the request arrived. */
  readonly elapsedMs: () => number;
  /** Members behind the envelope's own. */
  readonly rpc: RpcSuffix;
}

/** An operation made ready to be called by any transport. */
export interface Invocable {
  readonly operation: Operation<V2Call>;
  readonly read: ParamReader;
  /** Answers at once where the operation does, so that simple ones cost no turn of the event loop. */
  readonly invoke: (
    readParams: () => Record<string, unknown>,
    invocation: Invocation,
  ) => Answer | Promise<Answer>;
}

/** Compiles an operation's serializer once; the result never throws, failures become answers. */
export function makeInvocable(operation: Operation<V2Call>, ports: V2Ports): Invocable {
  const serialize = compileSerializer(operation.result);
  return {
    operation,
    read: createParamReader(operation),
    invoke: (readParams, { log, elapsedMs, rpc }) => {
      const call: V2Call = { ports, log, workers: [], cached: false };
      const extra = () =>
        formatExtra({
          unixSeconds: ports.clock(),
          workers: call.workers,
          elapsedMs: elapsedMs(),
          cached: call.cached,
        });
      const succeed = (result: unknown): Answer => ({
        status: 200,
        body: successBody(serialize(result), extra(), rpc),
        retryAfterSeconds: undefined,
      });
      const fail = (error: unknown): Answer => failureAnswer(error, { log, extra: extra(), rpc });
      try {
        const result = operation.handler(readParams(), call);
        return result instanceof Promise ? result.then(succeed).catch(fail) : succeed(result);
      } catch (error) {
        return fail(error);
      }
    },
  };
}

/** The answer to anything thrown; what nobody planned for is logged with its insides. */
export function failureAnswer(
  error: unknown,
  { log, extra = NO_EXTRA, rpc = '' }: { log: FastifyBaseLogger; extra?: string; rpc?: RpcSuffix },
): Answer {
  const { status, text, retryAfterSeconds, unexpected } = statusOf(error);
  if (unexpected) log.error({ err: error }, 'unexpected error');
  return { status, body: failureBody(status, text, extra, rpc), retryAfterSeconds };
}
