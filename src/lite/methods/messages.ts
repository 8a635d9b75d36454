import { liteMethod, liteType, tl } from '../../chain/tl/fields.ts';
import { type QueryServer, queryUnproven } from './proofs.ts';

// liteServer.sendMsgStatus status:int = liteServer.SendMsgStatus
const sendMsgStatus = liteType('sendMsgStatus', 0x3950e597, { status: tl.int });

// liteServer.sendMessage body:bytes = liteServer.SendMsgStatus
export const sendMessageCodec = liteMethod('sendMessage', 0x690ad482, { body: tl.bytes }, sendMsgStatus);

/** Sends the bag of an external message; the status is 1 when the server accepted it, and it throws when it did not. */
export async function sendMessage(query: QueryServer, body: Buffer): Promise<number> {
  const { status } = await queryUnproven(query, sendMessageCodec, { body });
  return status;
}
