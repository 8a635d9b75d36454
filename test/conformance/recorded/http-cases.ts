import type { Case, InjectedRequest, Outcome } from './case.ts';
import type { HttpFile, Json } from './recorded-files.ts';

/** Recorded requests to the Python service, under our base path. */
export function httpCases(files: ReadonlyMap<string, HttpFile>): Case[] {
  return [...files.values()].map((file) => {
    const isRpc = file.path === '/jsonRPC';
    const sent = typeof file.body_sent === 'object' && file.body_sent !== null ? file.body_sent : {};
    return {
      name: `http/${file.name}`,
      source: 'http',
      operation: isRpc ? (sent.method ?? 'jsonRPC') : file.path.slice(1),
      transport: isRpc ? 'rpc' : file.method === 'GET' ? 'get' : 'post',
      params: isRpc ? (sent.params ?? {}) : (file.query ?? sent),
      request: requestOf(file),
      want: outcomeOf(file.status, file.body),
    };
  });
}

/** The compared part of a body. Results of the Python service contain an `@extra` with the time of the request. */
export function outcomeOf(status: number, body: Json): Outcome {
  if (Array.isArray(body)) return { status, result: body.map((entry) => outcomeOf(status, entry)) };
  const { result, error, jsonrpc, id } = body;
  return {
    status,
    ...(result !== undefined && { result: withoutTag(result) }),
    ...(error !== undefined && { error }),
    ...(jsonrpc !== undefined && { jsonrpc }),
    ...(id !== undefined && { id }),
  };
}

function withoutTag(result: Json): Json {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const { '@extra': _, ...rest } = result;
  return rest;
}

function requestOf({ method, path, query, body_sent: sent }: HttpFile): InjectedRequest {
  const url = `/api/v2${path}`;
  if (method === 'GET') return { method, url, query: asQuery(query ?? {}) };
  if (typeof sent === 'string')
    return { method, url, payload: sent, headers: { 'content-type': 'application/json' } };
  return { method, url, payload: sent ?? {} };
}

function asQuery(query: Record<string, Json>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  );
}
