import { liteMethod, liteType, tl } from '../../chain/tl/fields.ts';
import { type Ask, askUnproven } from './ask.ts';

/** liteServer.sendMsgStatus status:int = liteServer.SendMsgStatus */
const sendMsgStatus = liteType('sendMsgStatus', 0x3950e597, { status: tl.int });

/** liteServer.sendMessage body:bytes = liteServer.SendMsgStatus */
export const sendMessageCodec = liteMethod('sendMessage', 0x690ad482, { body: tl.bytes }, sendMsgStatus);

/** Sends the bag of an external message; the status is 1 when the server accepted it, and it throws when it did not. */
export async function sendMessage(ask: Ask, body: Buffer): Promise<number> {
  const { status } = await askUnproven(ask, sendMessageCodec, { body });
  return status;
}
