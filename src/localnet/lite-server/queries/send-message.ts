import { checkExternalMessage } from '../external-message.ts';
import { LiteRefusal, PLAIN_ERROR, refuse } from '../lite-refusal.ts';
import type { Query } from '../query.ts';

const TAKEN = 1;

/** Takes an external message to the chain. */
export const sendMessage: Query<'sendMessage'> = async (ports, { body }) => {
  const { store, recentMessages } = ports;
  if (!recentMessages.add(body))
    throw new LiteRefusal(PLAIN_ERROR, 'cannot send external message : duplicate message');
  try {
    checkExternalMessage(store, body);
    if (ports.sendMessage === undefined) refuse('this network is a recording and takes no messages');
    // The bytes are a view of what the client sent.
    await ports.sendMessage(Buffer.from(body));
  } catch (error) {
    recentMessages.drop(body);
    if (!(error instanceof LiteRefusal)) throw error;
    throw new LiteRefusal(error.code, `cannot apply external message to current state : ${error.message}`);
  }
  return { status: TAKEN };
};
