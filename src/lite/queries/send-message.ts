import type { Ask } from './ask.ts';
import { askPlainly } from './ask-for.ts';

/** Gives the bag of an external message to a server; the status is 1 when it took it, and it throws when it did not. */
export async function sendMessage(ask: Ask, body: Buffer): Promise<number> {
  const { status } = await askPlainly(ask, { method: 'sendMessage', body });
  return status;
}
