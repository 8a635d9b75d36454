import type { Ask } from './ask.ts';
import { askPlainly } from './ask-for.ts';

/** A server's clock, in unix seconds. */
export async function getTime(ask: Ask): Promise<number> {
  const { now } = await askPlainly(ask, { method: 'getTime' });
  return now;
}
