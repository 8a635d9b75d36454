import type { ActionData } from '../action.ts';
import type { BlockContent } from '../block.ts';
import { compose } from '../compose.ts';
import { blockOf, call } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import type { Rule } from '../rule.ts';
import { jettonTransferOf } from './jetton-transfer.ts';
import { readSendRequest } from './layerzero-packet.ts';

const ENDPOINT_SEND = 0xdd4ea3b4;
const CHANNEL_SEND = 0x536feb09;
const MSGLIB_SEND = 0x4002b790;
const ULN_SEND = 0x5de68393;
const MSGLIB_SEND_CALLBACK = 0x421c1a25;
const SEND_CALLBACK = 0xa2b5fbae;
/** The log of all contracts of LayerZero. */
export const LAYERZERO_EVENT = 0xe33b9873;

interface SendData {
  readonly layerzero_send_data: ActionData;
  readonly layerzero_packet_data: ActionData;
}

const leftOver = blockOf('ton_transfer', { optional: true });

/** An application sends a packet to another chain. */
export const layerzeroSend: Rule = {
  name: 'LayerZero send',
  test: (block) => block.calls(ENDPOINT_SEND),
  around: {
    each: call(CHANNEL_SEND, {
      as: 'channel',
      each: call(MSGLIB_SEND, {
        each: call(ULN_SEND, {
          as: 'uln',
          each: call(MSGLIB_SEND_CALLBACK, {
            next: [
              call(LAYERZERO_EVENT),
              ...[leftOver, leftOver, leftOver, leftOver, leftOver],
              call(SEND_CALLBACK, {
                as: 'callback',
                next: [call(LAYERZERO_EVENT, { optional: true }), leftOver],
              }),
            ],
          }),
        }),
      }),
    }),
  },
  build(block, found) {
    const { source, destination } = block.message;
    const callback = found.named('callback')!.node.body();
    const request = readSendRequest(callback.refSlice().refSlice().refSlice());
    const data: SendData = {
      layerzero_send_data: {
        send_request_id: request.id,
        msglib_manager: request.msglibManager,
        msglib: request.msglib,
        uln: found.named('uln')!.message.destination,
        native_fee: request.nativeFee,
        zro_fee: request.zroFee,
        endpoint: destination,
        channel: found.named('channel')!.message.destination,
      },
      layerzero_packet_data: request.packet.columns,
    };
    const describe = () => ({ source, data: { ...data } });
    const content: BlockContent<SendData> = { type: 'layerzero_send', data, describe };
    compose(content, [block, ...found.blocks]);
  },
};

/** Jettons that an application takes and sends to another chain. */
export const layerzeroSendTokens: Rule = {
  name: 'LayerZero send tokens',
  test: (block) => block.type === 'layerzero_send',
  around: { previous: blockOf('jetton_transfer', { as: 'paid', each: call(LAYERZERO_EVENT) }) },
  build(block, found) {
    const transfer = jettonTransferOf(found.named('paid')!);
    const columns = {
      source: transfer.sender,
      source_secondary: transfer.senderWallet,
      destination: transfer.receiver,
      destination_secondary: transfer.receiverWallet,
      asset: transfer.asset,
      amount: transfer.amount,
      data: { ...(block.data as SendData) },
    };
    compose(plainContent('layerzero_send_tokens', columns), [block, ...found.blocks]);
  },
};
