import type { LiteFunction, TlType } from './tl-type.ts';

/** `liteServer.sendMsgStatus`: 1 when the message was taken. */
export interface SendMsgStatus {
  readonly status: number;
}

const sendMsgStatus: TlType<SendMsgStatus> = {
  name: 'liteServer.sendMsgStatus',
  id: 0x3950e597,
  write: (w, answer) => w.int(answer.status),
  read: (r) => ({ status: r.int() }),
};

/** Request of `sendMessage`; `body` is the bag of cells of an external message. */
export interface SendMessage {
  readonly method: 'sendMessage';
  readonly body: Buffer;
}

/** `liteServer.sendMessage`: gives an external message to the network. */
export const sendMessage: LiteFunction<SendMessage, SendMsgStatus> = {
  name: 'liteServer.sendMessage',
  id: 0x690ad482,
  answer: sendMsgStatus,
  write: (w, request) => w.bytes(request.body),
  read: (r) => ({ method: 'sendMessage', body: r.bytes() }),
};
