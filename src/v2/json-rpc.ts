import { mapInOrder } from '../lib/concurrency.ts';
import { Failure } from '../lib/errors.ts';
import { clientGone } from '../live/execution.ts';
import { type Answer, failureAnswer, type RpcSuffix } from './envelope.ts';
import type { Invocable, Invocation } from './invoke.ts';
import { PARSE_PREFIX } from './parameters.ts';

export interface JsonRpcOptions {
  /** Operations by every name they answer to. */
  readonly invocables: ReadonlyMap<string, Invocable>;
  /** Most calls in one batch. */
  readonly maxBatch: number;
}

/** What one HTTP request brings along for the calls in it. */
export interface RpcRequest extends Pick<Invocation, 'log' | 'startedAtMs' | 'client' | 'group' | 'caller'> {
  /** Counts one more call against the caller's rate, or throws. */
  readonly charge: () => Promise<void>;
  /** Told the operation's name when a single call is made. */
  readonly onOperation: (name: string) => void;
}

const BATCH_CONCURRENCY = 8;

/** Dispatches JSON-RPC bodies in this process: one call, or a batch whose answers keep its order. */
export function createJsonRpc({ invocables, maxBatch }: JsonRpcOptions) {
  function callOne(entry: unknown, request: RpcRequest): Answer | Promise<Answer> {
    const { log, startedAtMs, client, group, caller, onOperation } = request;
    const rpc = rpcSuffix(entry);
    try {
      const { method, params } = readEntry(entry);
      const invocable = invocables.get(method);
      if (invocable === undefined) throw new Failure('invalid', 'Unknown method');
      onOperation(invocable.operation.name);
      return invocable.invoke({
        given: params,
        origin: 'body',
        isRpc: true,
        log,
        startedAtMs,
        client,
        group,
        caller,
        rpc,
      });
    } catch (error) {
      return failureAnswer(error, { log, rpc });
    }
  }

  /** Every call of a batch counts; the request itself was counted as the first. */
  async function callCharged(entry: unknown, position: number, request: RpcRequest): Promise<Answer> {
    try {
      if (request.client.destroyed) throw clientGone();
      if (position > 0) await request.charge();
    } catch (error) {
      return failureAnswer(error, { log: request.log, rpc: rpcSuffix(entry) });
    }
    return callOne(entry, request);
  }

  async function callBatch(entries: readonly unknown[], request: RpcRequest): Promise<Answer> {
    if (entries.length === 0) throw new Failure('invalid', 'batch is empty');
    if (entries.length > maxBatch) {
      throw new Failure('invalid', `batch has ${entries.length} calls, at most ${maxBatch} are allowed`);
    }
    const inBatch: RpcRequest = { ...request, onOperation: () => {} };
    const answers = await mapInOrder(entries, BATCH_CONCURRENCY, (entry, position) =>
      callCharged(entry, position, inBatch),
    );
    const body = `[${answers.map((answer) => answer.body).join(',')}]`;
    return { status: 200, body, retryAfterSeconds: undefined, etag: undefined };
  }

  return (body: unknown, request: RpcRequest): Answer | Promise<Answer> =>
    Array.isArray(body) ? callBatch(body, request) : callOne(body, request);
}

/** The members that mark an answer as JSON-RPC: the id comes back with the JSON type it had, or not at all. */
function rpcSuffix(entry: unknown): RpcSuffix {
  const id = isObject(entry) ? entry.id : undefined;
  if (id === undefined || (typeof id === 'object' && id !== null)) return ',"jsonrpc":"2.0"';
  return `,"jsonrpc":"2.0","id":${typeof id === 'bigint' ? id : JSON.stringify(id)}`;
}

function readEntry(entry: unknown): { method: string; params: unknown } {
  if (!isObject(entry))
    throw new Failure('invalid', `${PARSE_PREFIX.body}Error at path '/': must be an object`);
  if (typeof entry.id === 'object' && entry.id !== null) {
    throw new Failure(
      'invalid',
      `${PARSE_PREFIX.body}Error at path 'id': must be a string, a number or null`,
    );
  }
  if (typeof entry.method !== 'string') {
    throw new Failure('invalid', `${PARSE_PREFIX.body}Field 'method' is missing`);
  }
  const { params } = entry;
  const empty = params === undefined || params === null || (Array.isArray(params) && params.length === 0);
  if (!empty && !isObject(params)) throw new Failure('invalid', 'params must contain an object');
  return { method: entry.method, params: empty ? undefined : params };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
