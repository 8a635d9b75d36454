import { type QueryServer, queryUnproven } from './proofs.ts';

/** Sends the bag of an external message; the status is 1 when the server accepted it, and it throws when it did not. */
export async function sendMessage(query: QueryServer, body: Buffer): Promise<number> {
  const { status } = await queryUnproven(query, 'sendMessage', { body });
  return status;
}
