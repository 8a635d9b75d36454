import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { sendMessage } from '../../lite/queries/send-message.ts';
import type { AcceptedMessage } from '../../pending/accepted-message.ts';
import type { V2Call } from '../call.ts';
import { readExternalMessage } from './external-message.ts';

/** How many lite servers get a message. */
const SERVERS = 5;

/** Checks that a cell is a message from outside and sends it. */
export async function sendBag(call: V2Call, bag: CellBag): Promise<AcceptedMessage> {
  const message = readExternalMessage(bag);
  await sendToServers(call, message);
  return message;
}

/**
 * Gives a message to several lite servers; done as soon as one took it. Whoever does not wait for that does not take
 * the message back, so the signal of the call does not count here.
 */
export async function sendToServers(
  { ports, group, bound, payer }: Pick<V2Call, 'ports' | 'group' | 'bound' | 'payer'>,
  message: AcceptedMessage,
): Promise<void> {
  const pool = ports.pool(group);
  await sendMessage(async (request) => {
    const { answer } = await pool.broadcast(request, SERVERS, (workers) => bound.push({ workers }));
    return answer;
  }, message.boc);
  ports.pending.accepted(message, payer);
}
