import type { FastifyInstance } from 'fastify';

export interface TransportResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a parsed response
  readonly body: any;
}

export type Transport = 'get' | 'post' | 'rpc';
export const TRANSPORTS: readonly Transport[] = ['get', 'post', 'rpc'];

/** The transports of an operation: its HTTP methods, and always JSON-RPC. */
export const transportsOf = ({ methods }: { readonly methods: readonly string[] }): Transport[] =>
  TRANSPORTS.filter((transport) => transport === 'rpc' || methods.includes(transport.toUpperCase()));

/** Calls an operation of v2 over one of its three transports. */
export async function callV2(
  app: FastifyInstance,
  transport: Transport,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<TransportResponse> {
  const response = await app.inject(requestOf(transport, method, params));
  return { status: response.statusCode, body: response.json() };
}

function requestOf(transport: Transport, method: string, params: Readonly<Record<string, unknown>>) {
  if (transport === 'get') {
    const query = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(String) : String(value),
      ]),
    );
    return { method: 'GET' as const, url: `/api/v2/${method}`, query };
  }
  if (transport === 'post')
    return { method: 'POST' as const, url: `/api/v2/${method}`, payload: { ...params } };
  return {
    method: 'POST' as const,
    url: '/api/v2/jsonRPC',
    payload: { jsonrpc: '2.0', id: '1', method, params },
  };
}
