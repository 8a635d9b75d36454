import type { FastifyBaseLogger } from 'fastify';
import { statusOf } from '../http/errors.ts';
import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { compileSerializer } from '../http/serializer.ts';
import type { V2Call, V2Ports } from './call.ts';
import { failureBody, formatExtra, NO_EXTRA, type RpcSuffix, successBody } from './envelope.ts';
import { createParamReader } from './read-params.ts';

/** A finished answer: what goes onto the wire, whichever transport asked. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;
}

/** One call as a transport hands it over. */
export interface Invocation {
  /** The query string, or the body or `params` of a JSON-RPC call. */
  readonly given: unknown;
  readonly origin: ParameterOrigin;
  readonly log: FastifyBaseLogger;
  /** When the request arrived, on the clock of `performance.now`. */
  readonly startedAtMs: number;
  /** Members behind the envelope's own. */
  readonly rpc: RpcSuffix;
}

/** An operation made ready to be called by any transport. */
export interface Invocable {
  readonly operation: Operation<V2Call>;
  /** Never throws: failures become answers. Simple operations answer at once, without a turn of the event loop. */
  readonly invoke: (invocation: Invocation) => Answer | Promise<Answer>;
}

/** Compiles an operation's reader and serializer once. */
export function makeInvocable(operation: Operation<V2Call>, ports: V2Ports): Invocable {
  const serialize = compileSerializer(operation.result);
  const read = createParamReader(operation);

  function succeed(result: unknown, call: V2Call, invocation: Invocation): Answer {
    const body = successBody(serialize(result), extraOf(call, invocation), invocation.rpc);
    return { status: 200, body, retryAfterSeconds: undefined };
  }

  function fail(error: unknown, call: V2Call, invocation: Invocation): Answer {
    const { log, rpc } = invocation;
    return failureAnswer(error, { log, extra: extraOf(call, invocation), rpc });
  }

  return {
    operation,
    invoke: (invocation) => {
      const call: V2Call = { ports, log: invocation.log, workers: [], cached: false };
      try {
        const result = operation.handler(read(invocation.given, invocation.origin), call);
        if (!(result instanceof Promise)) return succeed(result, call, invocation);
        return result
          .then((value) => succeed(value, call, invocation))
          .catch((error) => fail(error, call, invocation));
      } catch (error) {
        return fail(error, call, invocation);
      }
    },
  };
}

function extraOf({ ports, workers, cached }: V2Call, { startedAtMs }: Invocation): string {
  const elapsedMs = performance.now() - startedAtMs;
  return formatExtra({ unixSeconds: ports.clock(), workers, elapsedMs, cached });
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
