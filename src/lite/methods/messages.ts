import type { LiteMethodCodec, TlType } from '../../chain/tl/tl.ts';
import { type Ask, askUnproven } from './ask.ts';

/** `liteServer.sendMsgStatus`: 1 when the message was taken. */
interface SendMsgStatus {
  readonly status: number;
}

const sendMsgStatus: TlType<SendMsgStatus> = {
  name: 'liteServer.sendMsgStatus',
  id: 0x3950e597,
  write: (w, answer) => w.int(answer.status),
  read: (r) => ({ status: r.int() }),
};

/** Request of `sendMessage`; `body` is the bag of cells of an external message. */
interface SendMessage {
  readonly method: 'sendMessage';
  readonly body: Buffer;
}

/** `liteServer.sendMessage`: gives an external message to the network. */
export const sendMessageCodec: LiteMethodCodec<SendMessage, SendMsgStatus> = {
  name: 'liteServer.sendMessage',
  id: 0x690ad482,
  answer: sendMsgStatus,
  write: (w, request) => w.bytes(request.body),
  read: (r) => ({ method: 'sendMessage', body: r.bytes() }),
};

/** Gives the bag of an external message to a server; the status is 1 when it took it, and it throws when it did not. */
export async function sendMessage(ask: Ask, body: Buffer): Promise<number> {
  const { status } = await askUnproven(ask, sendMessageCodec, { method: 'sendMessage', body });
  return status;
}
