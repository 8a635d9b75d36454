import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { statusOf } from '../http/errors.ts';
import type { Payer } from '../http/gate.ts';
import type { Operation } from '../http/operation.ts';
import { compileSerializer } from '../http/serializer.ts';
import { LiteBudgetSpent } from '../lite/errors.ts';
import { type Answer, failureAnswer, refusalAnswer, reported, successAnswer } from './answer.ts';
import type { AnswerCache } from './cache/answer-cache.ts';
import type { Era } from './cache/era.ts';
import { clientGone, Execution, type Impatience } from './cache/execution.ts';
import { headAnswer, type KeptAnswer, lastingAnswer } from './cache/kept-answer.ts';
import { createRequestKey } from './cache/request-key.ts';
import type { Bound, V2Call, V2Ports } from './call.ts';
import { formatExtra, type RpcSuffix } from './envelope.ts';
import { createParamReader, type Sent, type Values } from './read-params.ts';

/** One call as a transport hands it over. */
export interface Invocation extends Sent {
  readonly log: FastifyBaseLogger;
  /** When the request arrived, on the clock of `performance.now`. */
  readonly startedAtMs: number;
  /** The connection on which the answer is awaited. */
  readonly client: Socket;
  /** Group of lite servers that the caller's plan names. */
  readonly group: string | undefined;
  /** Knows who the call is counted against. */
  readonly caller?: { readonly payer?: Payer | undefined } | undefined;
  /** Members behind the envelope's own. */
  readonly rpc: RpcSuffix;
}

/** An operation made ready to be called by any transport. */
export interface Invocable {
  readonly operation: Operation<V2Call>;
  /**
   * Never throws: failures become answers. Simple operations, and answers that are known, come at once, without a turn
   * of the event loop.
   */
  readonly invoke: (invocation: Invocation) => Answer | Promise<Answer>;
}

/** What the operations of an interface share. */
export interface InvokeParts extends Impatience {
  readonly ports: V2Ports;
  readonly cache: AnswerCache;
}

/** Where the answer to a question is kept, and where those meet who ask the same. */
interface Place {
  readonly era: Era;
  readonly key: string;
}

/** Answers at the head are not given for longer than this: with all lite servers gone, nobody tells of the next block. */
const HEAD_ANSWER_MS = 10_000;
const NOBODY: readonly Bound[] = [];

/** Makes an operation ready: its reader and its serializer are compiled once. */
export function makeInvocable(operation: Operation<V2Call>, parts: InvokeParts): Invocable {
  const { ports, cache } = parts;
  const serialize = compileSerializer(operation.result);
  const { open, read } = createParamReader(operation);
  const keyOf = operation.cache === 'none' ? undefined : createRequestKey(operation);

  function invoke(invocation: Invocation): Answer | Promise<Answer> {
    try {
      const values = open(invocation);
      const era = keyOf && eraOf(invocation.group);
      if (keyOf === undefined || era === undefined) return run(values, invocation, undefined);
      const key = keyOf(values, invocation.origin);
      const known = era.find(key, invocation.startedAtMs);
      if (known !== undefined) return succeed(known, invocation, NOBODY, true);
      const flying = era.flights.get(key);
      if (flying !== undefined && hasTime(flying) && !invocation.client.destroyed)
        return wait(flying, invocation);
      return run(values, invocation, { era, key });
    } catch (error) {
      const { log, rpc } = invocation;
      return failureAnswer(error, { log, rpc, extra: extraOf(invocation, NOBODY, false) });
    }
  }

  /** None where there is no pool: the handler will say so, after the parameters were looked at. */
  function eraOf(group: string | undefined): Era | undefined {
    try {
      return cache.at(ports.pool(group));
    } catch {
      return undefined;
    }
  }

  /** Work whose time is half over is not joined, since one who comes has all of its own. */
  function hasTime({ deadlineMs }: Execution<KeptAnswer>): boolean {
    return deadlineMs - performance.now() > ports.requestMs / 2;
  }

  function run(values: Values, invocation: Invocation, place: Place | undefined): Answer | Promise<Answer> {
    const { log, group, client, origin, caller } = invocation;
    const deadlineMs = deadlineOf(invocation);
    const params = read(values, origin);
    if (client.destroyed) throw clientGone();
    if (deadlineMs <= performance.now()) throw new LiteBudgetSpent();
    const execution = new Execution<KeptAnswer>({ ports, log, group, deadlineMs, caller });
    const result = operation.handler(params, execution);
    if (!(result instanceof Promise)) {
      return succeed(finish(result, execution, place), invocation, execution.bound, false);
    }
    execution.follow(finishLater(result, execution, place), () => {
      if (place?.era.flights.get(place.key) === execution) place.era.flights.delete(place.key);
    });
    place?.era.flights.set(place.key, execution);
    return wait(execution, invocation);
  }

  function finish(
    value: unknown,
    { lasting, bound }: Execution<KeptAnswer>,
    place: Place | undefined,
  ): KeptAnswer {
    const json = serialize(value);
    const answer =
      lasting && operation.cache === 'immutable'
        ? lastingAnswer(json)
        : headAnswer(json, performance.now() + HEAD_ANSWER_MS);
    place?.era.keep(place.key, answer, bound);
    return answer;
  }

  /** However many wait, the log hears once of an error that nobody planned for. */
  async function finishLater(
    result: Promise<unknown>,
    execution: Execution<KeptAnswer>,
    place: Place | undefined,
  ) {
    try {
      return finish(await result, execution, place);
    } catch (error) {
      if (!execution.signal.aborted) reported(error, execution.log);
      throw error;
    }
  }

  async function wait(execution: Execution<KeptAnswer>, invocation: Invocation): Promise<Answer> {
    const { bound } = execution;
    try {
      const asker = { client: invocation.client, deadlineMs: deadlineOf(invocation) };
      return succeed(await execution.wait(asker, parts), invocation, bound, false);
    } catch (error) {
      return refusalAnswer(statusOf(error), {
        extra: extraOf(invocation, bound, false),
        rpc: invocation.rpc,
      });
    }
  }

  function succeed(
    { json, etag }: KeptAnswer,
    invocation: Invocation,
    bound: readonly Bound[],
    cached: boolean,
  ): Answer {
    return successAnswer(json, etag, { extra: extraOf(invocation, bound, cached), rpc: invocation.rpc });
  }

  function deadlineOf({ startedAtMs }: Invocation): number {
    return startedAtMs + ports.requestMs;
  }

  function extraOf({ startedAtMs }: Invocation, bound: readonly Bound[], cached: boolean): string {
    const workers = bound.length === 0 ? [] : [...new Set(bound.flatMap((one) => one.workers))];
    const elapsedMs = performance.now() - startedAtMs;
    return formatExtra({ unixSeconds: ports.clock(), workers, elapsedMs, cached });
  }

  return { operation, invoke };
}
