import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { openWalkContext } from '../v3/support/walk-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: clients look into answers freely
export type ClientJson = any;

/** v3 on a port of its own in front of the indexed demo, for clients that know nothing but its URL. */
export async function openV3ClientGround() {
  const ground = await openWalkContext({ live: true });
  const url = `${await ground.app.listen({ host: '127.0.0.1', port: 0 })}/api/v3`;
  return { ...ground, url };
}

/** Fails unless an answer has everything that a client reads of it, of the types that it counts on. */
export function expectFits(schema: TSchema, answer: unknown): void {
  const faults = [...Compile(schema).Errors(answer)];
  expect(faults, JSON.stringify(answer)?.slice(0, 1000)).toEqual([]);
}
