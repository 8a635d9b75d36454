import { tagOfDigest, writeText } from '../http/body.ts';
import { publicErrorOf } from '../http/errors.ts';
import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { canBeLong, compileParts, compileSerializer } from '../http/serializer.ts';
import type { Log } from '../lib/log.ts';
import { checkStillWaiting, Execution, type WaitLimits } from '../live/execution.ts';
import type { Caller, LiveCall, LivePorts, UsedServers } from '../live/session.ts';
import {
  type CachedResult,
  createRequestKey,
  type HeadCache,
  headResult,
  immutableResult,
  type ResultCache,
} from './cache.ts';
import {
  errorResponse,
  formatExtra,
  logUnexpected,
  type RpcMembers,
  refusalResponse,
  successResponse,
  type V2Response,
} from './envelope.ts';
import { createParamReader, type SentParameters, type SentValues } from './parameters.ts';

/** The parameters of a call: as they were sent, by which equal calls are found, and as they were read. */
export interface OperationInput {
  readonly sent: SentValues;
  readonly origin: ParameterOrigin;
  readonly params: Record<string, unknown>;
}

/** One call as a transport passes it. */
export interface Invocation extends Omit<Caller, 'payer'> {
  readonly log: Log;
  /** The request itself, whose payer is determined lazily. */
  readonly caller?: Pick<Caller, 'payer'> | undefined;
  readonly rpc: RpcMembers;
}

/** An operation that any transport can call. */
export type Invocable = ReturnType<typeof makeInvocable>;

/** Services that all operations share. */
export interface InvokeParts extends WaitLimits {
  readonly ports: LivePorts;
  readonly cache: ResultCache;
}

/** Where a result is cached, and where equal calls meet. */
interface CacheSlot {
  readonly heads: HeadCache;
  readonly key: string;
}

/** Limit on the age of results at the head: with all lite servers gone, nobody announces the next block. */
const MAX_HEAD_AGE_MS = 10_000;
const NO_SERVERS: readonly UsedServers[] = [];

/** Makes an operation callable: its reader and its serializer are compiled once. */
export function makeInvocable(operation: Operation<LiveCall>, parts: InvokeParts) {
  const { ports, cache } = parts;
  const serialize = compileSerializer(operation.result);
  const writeParts = canBeLong(operation.result) ? compileParts(operation.result) : undefined;
  const { open, read } = createParamReader(operation);
  const keyOf = operation.cache === 'none' ? undefined : createRequestKey(operation);

  /** Reads parameters, or throws a `Failure` with the wording of the contract. */
  function readInput(given: SentParameters): OperationInput {
    const sent = open(given);
    return { sent, origin: given.origin, params: read(sent, given.origin) };
  }

  /** Never rejects: failures become responses. */
  async function invoke(input: OperationInput, invocation: Invocation): Promise<V2Response> {
    try {
      const heads = keyOf && headCacheOf(invocation.group);
      if (keyOf === undefined || heads === undefined) return run(input, invocation, undefined);
      const key = keyOf(input.sent, input.origin);
      const cached = heads.find(key, invocation.startedAtMs);
      if (cached !== undefined) return succeed(cached, invocation, NO_SERVERS, true);
      const running = heads.flights.get(key);
      if (running !== undefined && hasTime(running) && !invocation.client.destroyed)
        return wait(running, invocation);
      return run(input, invocation, { heads, key });
    } catch (error) {
      return fail(error, invocation);
    }
  }

  function invokeRpc(params: unknown, invocation: Invocation): V2Response | Promise<V2Response> {
    try {
      return invoke(readInput({ given: params, origin: 'body', isRpc: true }), invocation);
    } catch (error) {
      return fail(error, invocation);
    }
  }

  function fail(error: unknown, invocation: Invocation): V2Response {
    const { log, rpc } = invocation;
    return errorResponse(error, { log, rpc, extra: extraOf(invocation, NO_SERVERS, false) });
  }

  /** Undefined if there is no pool: the handler reports that. */
  function headCacheOf(group: string | undefined): HeadCache | undefined {
    try {
      return cache.at(ports.pool(group));
    } catch {
      return undefined;
    }
  }

  /** A call does not join a run that has used half of its time, because the call has all of its own. */
  function hasTime({ deadlineMs }: Execution<CachedResult>): boolean {
    return deadlineMs - performance.now() > ports.requestMs / 2;
  }

  function run(
    { params }: OperationInput,
    invocation: Invocation,
    slot: CacheSlot | undefined,
  ): V2Response | Promise<V2Response> {
    const { log, group, client, caller } = invocation;
    const deadlineMs = deadlineOf(invocation);
    checkStillWaiting({ client, deadlineMs });
    const execution = new Execution<CachedResult>({ ports, log, group, deadlineMs, caller });
    const result = operation.handler(params, execution);
    if (!(result instanceof Promise)) {
      return succeed(finish(serialize(result), execution, slot), invocation, execution.usedServers, false);
    }
    execution.follow(finishLater(result, execution, slot), () => {
      if (slot?.heads.flights.get(slot.key) === execution) slot.heads.flights.delete(slot.key);
    });
    slot?.heads.flights.set(slot.key, execution);
    return wait(execution, invocation);
  }

  /** Caches the text of a result, which is written once for all who wait for it; `tag` is its tag, if that is known. */
  function finish(
    json: string,
    { immutable, usedServers }: Execution<CachedResult>,
    slot: CacheSlot | undefined,
    tag?: string,
  ): CachedResult {
    const result =
      immutable && operation.cache === 'immutable'
        ? immutableResult(json, tag)
        : headResult(json, performance.now() + MAX_HEAD_AGE_MS);
    slot?.heads.keep(slot.key, result, usedServers);
    return result;
  }

  /** An unexpected error is logged once, however many calls wait. */
  async function finishLater(
    result: Promise<unknown>,
    execution: Execution<CachedResult>,
    slot: CacheSlot | undefined,
  ) {
    try {
      const value = await result;
      if (writeParts === undefined) return finish(serialize(value), execution, slot);
      const { text, digest } = await writeText(writeParts, value, execution.signal);
      return finish(text, execution, slot, tagOfDigest(digest));
    } catch (error) {
      if (!execution.signal.aborted) logUnexpected(error, execution.log);
      throw error;
    }
  }

  async function wait(execution: Execution<CachedResult>, invocation: Invocation): Promise<V2Response> {
    const { usedServers } = execution;
    try {
      const waiter = { client: invocation.client, deadlineMs: deadlineOf(invocation) };
      return succeed(await execution.wait(waiter, parts), invocation, usedServers, false);
    } catch (error) {
      return refusalResponse(publicErrorOf(error), {
        extra: extraOf(invocation, usedServers, false),
        rpc: invocation.rpc,
      });
    }
  }

  function succeed(
    result: CachedResult,
    invocation: Invocation,
    usedServers: readonly UsedServers[],
    cached: boolean,
  ): V2Response {
    const extra = extraOf(invocation, usedServers, cached);
    return successResponse(result, result.etag, { extra, rpc: invocation.rpc });
  }

  function deadlineOf({ startedAtMs }: Invocation): number {
    return startedAtMs + ports.requestMs;
  }

  function extraOf(
    { startedAtMs }: Invocation,
    usedServers: readonly UsedServers[],
    cached: boolean,
  ): string {
    const workers = usedServers.length === 0 ? [] : [...new Set(usedServers.flatMap((one) => one.workers))];
    const elapsedMs = performance.now() - startedAtMs;
    return formatExtra({ unixSeconds: ports.clock(), workers, elapsedMs, cached });
  }

  return { operation, readInput, invoke, invokeRpc };
}
