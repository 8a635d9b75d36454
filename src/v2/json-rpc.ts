import { USUAL_BODY_BYTES } from '../http/request.ts';
import { clientGone } from '../lib/client-disconnects.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { Failure } from '../lib/errors.ts';
import { JsonText } from '../lib/json-text.ts';
import { errorResponse, type RpcMembers, type V2Response } from './envelope.ts';
import type { Invocable, Invocation } from './invoke.ts';
import { bodyRefusal } from './parameters.ts';

export interface JsonRpcOptions {
  /** Operations by all their names. */
  readonly invocables: ReadonlyMap<string, Invocable>;
  readonly maxBatch: number;
}

/** The common part of the calls in one HTTP request. */
export interface RpcRequest extends Pick<Invocation, 'log' | 'startedAtMs' | 'client' | 'group'> {
  readonly caller: RpcCaller;
  /** Size of the body; no call in it is larger. */
  readonly bodyChars: number;
}

/** The HTTP request itself. */
interface RpcCaller extends NonNullable<Invocation['caller']> {
  /** Counts one more call against the rate limit of the caller, or throws. */
  charge(): Promise<void>;
  /** Set to the operation of a single call. */
  calledOperation: string | null;
  noteCall(operation: string, status: number): void;
}

const BATCH_CONCURRENCY = 8;
/** Ids are numbers or UUIDs; they are sent back. */
const MAX_ID_CHARS = 256;

/** Dispatches JSON-RPC bodies in this process: one call, or a batch with one response per call in the same order. */
export function createJsonRpc({ invocables, maxBatch }: JsonRpcOptions) {
  function callOne(entry: unknown, request: RpcRequest, isBatch: boolean): V2Response | Promise<V2Response> {
    const { log, startedAtMs, client, group, caller } = request;
    const rpc = rpcMembers(entry);
    try {
      const { method, params } = readEntry(entry);
      const invocable = invocables.get(method);
      if (invocable === undefined) throw new Failure('invalid', 'Unknown method');
      if (!isBatch) caller.calledOperation = invocable.operation.name;
      checkSize(method, params, invocable.operation.maxBodyBytes ?? USUAL_BODY_BYTES, request.bodyChars);
      return invocable.invokeRpc(params, { log, startedAtMs, client, group, caller, rpc });
    } catch (error) {
      return errorResponse(error, { log, rpc });
    }
  }

  /** Every call of a batch counts; the request itself was counted as the first. */
  async function callCharged(entry: unknown, position: number, request: RpcRequest): Promise<V2Response> {
    try {
      if (request.client.destroyed) throw clientGone();
      if (position > 0) await request.caller.charge();
    } catch (error) {
      return errorResponse(error, { log: request.log, rpc: rpcMembers(entry) });
    }
    return callOne(entry, request, true);
  }

  async function callBatch(entries: readonly unknown[], request: RpcRequest): Promise<V2Response[]> {
    if (entries.length === 0) throw new Failure('invalid', 'batch is empty');
    if (entries.length > maxBatch) {
      throw new Failure('invalid', `batch has ${entries.length} calls, at most ${maxBatch} are allowed`);
    }
    return mapInOrder(entries, BATCH_CONCURRENCY, async (entry, position) => {
      const response = await callCharged(entry, position, request);
      request.caller.noteCall(operationOf(entry), response.status);
      return response;
    });
  }

  function operationOf(entry: unknown): string {
    const method = isObject(entry) ? entry.method : undefined;
    return (typeof method === 'string' ? invocables.get(method)?.operation.name : undefined) ?? 'jsonRPC';
  }

  return (body: unknown, request: RpcRequest): V2Response | Promise<V2Response | V2Response[]> =>
    Array.isArray(body) ? callBatch(body, request) : callOne(body, request, false);
}

/** The members that mark a response as JSON-RPC: the id is returned with the JSON type it had, or not at all. */
function rpcMembers(entry: unknown): RpcMembers {
  const id = isObject(entry) ? entry.id : undefined;
  const isEchoed = id !== undefined && (typeof id !== 'object' || id === null) && !isLongText(id);
  if (!isEchoed) return { jsonrpc: '2.0', id: undefined };
  return { jsonrpc: '2.0', id: new JsonText(typeof id === 'bigint' ? String(id) : JSON.stringify(id)) };
}

function readEntry(entry: unknown): { method: string; params: unknown } {
  if (!isObject(entry)) throw bodyRefusal("Error at path '/': must be an object");
  if (typeof entry.id === 'object' && entry.id !== null)
    throw bodyRefusal("Error at path 'id': must be a string, a number or null");
  if (isLongText(entry.id))
    throw bodyRefusal(`Error at path 'id': must have at most ${MAX_ID_CHARS} characters`);
  if (typeof entry.method !== 'string') throw bodyRefusal("Field 'method' is missing");
  const { params } = entry;
  const isEmpty = params === undefined || params === null || (Array.isArray(params) && params.length === 0);
  if (!isEmpty && !isObject(params)) throw new Failure('invalid', 'params must contain an object');
  return { method: entry.method, params: isEmpty ? undefined : params };
}

function isLongText(value: unknown): boolean {
  return typeof value === 'string' && value.length > MAX_ID_CHARS;
}

/** Refuses `params` above the limit that the operation has for a body of its own. */
function checkSize(method: string, params: unknown, maxBytes: number, bodyChars: number): void {
  if (bodyChars <= maxBytes || charsOf(params, maxBytes) <= maxBytes) return;
  throw new Failure('body_too_large', `params of ${method} are larger than ${maxBytes} bytes`);
}

/** The least number of characters that a value has as JSON; above the maximum it is not counted to its end. */
function charsOf(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let chars = 2;
  for (const [name, member] of Object.entries(value)) {
    if (chars > max) break;
    chars += 1 + charsOf(member, max - chars) + (Array.isArray(value) ? 0 : name.length + 3);
  }
  return chars;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
