import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { openWalkContext } from '../v3/support/walk-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: clients read any member of a response
export type ClientJson = any;

/** Serves v3 of the indexed demo on a port, for clients that only know its URL. */
export async function openV3ClientContext() {
  const context = await openWalkContext({ live: true });
  const url = `${await context.app.listen({ host: '127.0.0.1', port: 0 })}/api/v3`;
  return { ...context, url };
}

/** Fails unless a response has all members that a client reads, with the types that it expects. */
export function expectMatchesSchema(schema: TSchema, response: unknown): void {
  const errors = [...Compile(schema).Errors(response)];
  expect(errors, JSON.stringify(response)?.slice(0, 1000)).toEqual([]);
}
