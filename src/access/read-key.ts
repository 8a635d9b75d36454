import type { FastifyRequest } from 'fastify';

/** The API key that a request carries: header before query, the first of several; null for an anonymous caller. */
export function readKey(request: FastifyRequest): string | null {
  return firstText(request.headers['x-api-key']) ?? firstText((request.query as Query | undefined)?.api_key);
}

interface Query {
  readonly api_key?: unknown;
}

/** Clients with no key configured send an empty one, so an empty text is no key. */
function firstText(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return null;
  const key = first.trim();
  return key === '' ? null : key;
}
