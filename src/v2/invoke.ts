import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { statusOf } from '../http/errors.ts';
import type { Operation } from '../http/operation.ts';
import { compileSerializer } from '../http/serializer.ts';
import type { Payer } from '../lib/payer.ts';
import { LiteBudgetExceeded } from '../lite/errors.ts';
import { clientGone, Execution, type WaitLimits } from '../live/execution.ts';
import type { LiveCall, LivePorts, UsedServers } from '../live/session.ts';
import {
  type AnswerCache,
  type CachedAnswer,
  createRequestKey,
  type HeadCache,
  headAnswer,
  immutableAnswer,
} from './cache.ts';
import {
  type Answer,
  failureAnswer,
  formatExtra,
  logUnexpected,
  type RpcSuffix,
  refusalAnswer,
  successAnswer,
} from './envelope.ts';
import { createParamReader, type SentParameters, type SentValues } from './parameters.ts';

/** One call as a transport hands it over. */
export interface Invocation extends SentParameters {
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
  readonly operation: Operation<LiveCall>;
  /**
   * Never throws: failures become answers. Simple operations, and answers that are known, come at once, without a turn
   * of the event loop.
   */
  readonly invoke: (invocation: Invocation) => Answer | Promise<Answer>;
}

/** What the operations of an interface share. */
export interface InvokeParts extends WaitLimits {
  readonly ports: LivePorts;
  readonly cache: AnswerCache;
}

/** Where the answer to a question is kept, and where those meet who ask the same. */
interface CacheSlot {
  readonly era: HeadCache;
  readonly key: string;
}

/** Answers at the head are not given for longer than this: with all lite servers gone, nobody tells of the next block. */
const HEAD_ANSWER_MS = 10_000;
const NO_SERVERS: readonly UsedServers[] = [];

/** Makes an operation ready: its reader and its serializer are compiled once. */
export function makeInvocable(operation: Operation<LiveCall>, parts: InvokeParts): Invocable {
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
      if (known !== undefined) return succeed(known, invocation, NO_SERVERS, true);
      const flying = era.flights.get(key);
      if (flying !== undefined && hasTime(flying) && !invocation.client.destroyed)
        return wait(flying, invocation);
      return run(values, invocation, { era, key });
    } catch (error) {
      const { log, rpc } = invocation;
      return failureAnswer(error, { log, rpc, extra: extraOf(invocation, NO_SERVERS, false) });
    }
  }

  /** None where there is no pool: the handler will say so, after the parameters were looked at. */
  function eraOf(group: string | undefined): HeadCache | undefined {
    try {
      return cache.at(ports.pool(group));
    } catch {
      return undefined;
    }
  }

  /** Work whose time is half over is not joined, since one who comes has all of its own. */
  function hasTime({ deadlineMs }: Execution<CachedAnswer>): boolean {
    return deadlineMs - performance.now() > ports.requestMs / 2;
  }

  function run(
    values: SentValues,
    invocation: Invocation,
    place: CacheSlot | undefined,
  ): Answer | Promise<Answer> {
    const { log, group, client, origin, caller } = invocation;
    const deadlineMs = deadlineOf(invocation);
    const params = read(values, origin);
    if (client.destroyed) throw clientGone();
    if (deadlineMs <= performance.now()) throw new LiteBudgetExceeded();
    const execution = new Execution<CachedAnswer>({ ports, log, group, deadlineMs, caller });
    const result = operation.handler(params, execution);
    if (!(result instanceof Promise)) {
      return succeed(finish(result, execution, place), invocation, execution.usedServers, false);
    }
    execution.follow(finishLater(result, execution, place), () => {
      if (place?.era.flights.get(place.key) === execution) place.era.flights.delete(place.key);
    });
    place?.era.flights.set(place.key, execution);
    return wait(execution, invocation);
  }

  function finish(
    value: unknown,
    { immutable: lasting, usedServers: bound }: Execution<CachedAnswer>,
    place: CacheSlot | undefined,
  ): CachedAnswer {
    const json = serialize(value);
    const answer =
      lasting && operation.cache === 'immutable'
        ? immutableAnswer(json)
        : headAnswer(json, performance.now() + HEAD_ANSWER_MS);
    place?.era.keep(place.key, answer, bound);
    return answer;
  }

  /** However many wait, the log hears once of an error that nobody planned for. */
  async function finishLater(
    result: Promise<unknown>,
    execution: Execution<CachedAnswer>,
    place: CacheSlot | undefined,
  ) {
    try {
      return finish(await result, execution, place);
    } catch (error) {
      if (!execution.signal.aborted) logUnexpected(error, execution.log);
      throw error;
    }
  }

  async function wait(execution: Execution<CachedAnswer>, invocation: Invocation): Promise<Answer> {
    const { usedServers: bound } = execution;
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
    { json, etag }: CachedAnswer,
    invocation: Invocation,
    bound: readonly UsedServers[],
    cached: boolean,
  ): Answer {
    return successAnswer(json, etag, { extra: extraOf(invocation, bound, cached), rpc: invocation.rpc });
  }

  function deadlineOf({ startedAtMs }: Invocation): number {
    return startedAtMs + ports.requestMs;
  }

  function extraOf({ startedAtMs }: Invocation, bound: readonly UsedServers[], cached: boolean): string {
    const workers = bound.length === 0 ? [] : [...new Set(bound.flatMap((one) => one.workers))];
    const elapsedMs = performance.now() - startedAtMs;
    return formatExtra({ unixSeconds: ports.clock(), workers, elapsedMs, cached });
  }

  return { operation, invoke };
}
