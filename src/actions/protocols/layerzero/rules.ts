import type { Slice } from '../../../chain/boc/slice.ts';
import type { ActionData } from '../../rules/action.ts';
import { type BlockContent, compose, plainContent } from '../../rules/block.ts';
import { blockOf, call } from '../../rules/pattern.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { jettonTransferOf } from '../jettons/rules.ts';

/** Header of every LayerZero structure: its layout, and ones up to the end of the header. */
interface Header {
  readonly layout: bigint;
  readonly bits: number;
  readonly ones: number;
}

const PACKET: Header = { layout: 417359019239977417716476838698419835n, bits: 152, ones: 198 };
const PATH: Header = { layout: 8903714975572488637007080065659n, bits: 152, ones: 198 };
const VERIFICATION: Header = { layout: 38421788582694199859296615363593851n, bits: 116, ones: 234 };
const SEND_LAYOUT = 582890735024998957421269964955452773563747974476099581n;
const SEND_NAME = BigInt(`0x${Buffer.from('lzSend').toString('hex')}`);
const SEND: Header = { layout: (SEND_NAME << 180n) | SEND_LAYOUT, bits: 260, ones: 90 };

function readHeader(slice: Slice, { layout, bits, ones }: Header): void {
  if (slice.bigUint(bits) !== layout) throw new RuleMismatch('another structure');
  if (slice.bigUint(ones) !== (1n << BigInt(ones)) - 1n) throw new RuleMismatch('another structure');
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** A packet between chains. */
interface Packet {
  /** The receiving application, as a number. */
  readonly receiver: bigint;
  /** The column group. */
  readonly columns: ActionData;
}

/** Reads a packet. */
function readPacket(slice: Slice): Packet {
  readHeader(slice, PACKET);
  const path = slice.refSlice();
  readHeader(path, PATH);
  const src_eid = path.uint(32);
  const src_oapp = hex(path.bigUint(256));
  const dst_eid = path.uint(32);
  const receiver = path.bigUint(256);
  const message = `0x${restBytes(slice.refSlice()).toString('hex')}`;
  const nonce = slice.uint64();
  const guid = hex(slice.bigUint(256));
  return {
    receiver,
    columns: { src_oapp, dst_oapp: hex(receiver), src_eid, dst_eid, nonce, guid, message },
  };
}

function restBytes(slice: Slice): Buffer {
  const { bitsLeft } = slice;
  const bytes = Buffer.alloc((bitsLeft + 7) >> 3);
  slice.copyBits(bitsLeft, bytes, 0);
  return bytes;
}

/** A send request. */
interface SendRequest {
  readonly id: bigint;
  readonly msglibManager: string;
  readonly msglib: string;
  readonly nativeFee: bigint;
  readonly zroFee: bigint;
  readonly packet: Packet;
}

/** Reads a send request. */
function readSendRequest(slice: Slice): SendRequest {
  readHeader(slice, SEND);
  const id = slice.uint64();
  const msglibManager = hex(slice.bigUint(256));
  const msglib = hex(slice.bigUint(256));
  const packet = readPacket(slice.refSlice());
  slice.ref();
  const rest = slice.refSlice();
  rest.skip(256);
  return { id, msglibManager, msglib, nativeFee: rest.bigUint(128), zroFee: rest.bigUint(128), packet };
}

const STATUSES: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
]);

/** The outcome of a verification. */
interface Verification {
  readonly nonce: bigint;
  readonly status: string;
}

/** Reads the outcome of a verification. */
function readVerification(slice: Slice): Verification {
  readHeader(slice, VERIFICATION);
  const nonce = slice.uint64();
  const code = slice.uint(32);
  return { nonce, status: STATUSES.get(code) ?? `unknown_${code}` };
}

const ENDPOINT_SEND = 0xdd4ea3b4;
const CHANNEL_SEND = 0x536feb09;
const MSGLIB_SEND = 0x4002b790;
const ULN_SEND = 0x5de68393;
const MSGLIB_SEND_CALLBACK = 0x421c1a25;
const SEND_CALLBACK = 0xa2b5fbae;
/** The log opcode of all LayerZero contracts. */
const LAYERZERO_EVENT = 0xe33b9873;

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
              leftOver,
              leftOver,
              leftOver,
              leftOver,
              leftOver,
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

/** An application takes jettons and sends them to another chain. */
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

const PREPARE = 0x22f3ac09;
const RECEIVE_PREPARE = 0x97df404c;
const RECEIVE_LOCK = 0xb7680bc6;
const RECEIVE_EXECUTE = 0x0c7b8418;
const EXECUTE_CALLBACK = 0xcaae25a1;
const ULN_COMMIT = 0x28b97077;
const ULN_CONNECTION_COMMIT = 0xf9d37b80;
const ENDPOINT_COMMIT = 0x5dab749a;
const CHANNEL_COMMIT = 0x5388cd88;
const COMMIT_CALLBACK = 0x5e178f33;
const DVN_VERIFY = 0xa0d51a8d;
const PROXY_CALL = 0x09f047d9;
const ULN_VERIFY = 0x994aaf4e;
const ULN_CONNECTION_VERIFY = 0x4ec8f80a;
const VERIFY_CALLBACK = 0x3cb38090;

const event = call(LAYERZERO_EVENT, { optional: true });

/** An application receives a packet from another chain. */
export const layerzeroReceive: Rule = {
  name: 'LayerZero receive',
  test: (block) => block.calls(PREPARE),
  around: {
    next: [
      leftOver,
      call(RECEIVE_PREPARE, {
        each: call(RECEIVE_LOCK, {
          each: call(RECEIVE_EXECUTE, {
            as: 'execute',
            next: [event, call(EXECUTE_CALLBACK, { next: [event, leftOver] })],
          }),
        }),
      }),
    ],
  },
  build(block, found) {
    const execute = found.named('execute')!;
    const { source, destination } = execute.message;
    const packet = readPacket(execute.node.body().refSlice().refSlice());
    if (destination === null || packet.receiver !== BigInt(`0x${destination.split(':')[1]}`)) return;
    const columns = {
      source: block.message.source,
      destination,
      destination_secondary: source,
      data: { layerzero_packet_data: packet.columns },
    };
    compose(plainContent('layerzero_receive', columns), [block, ...found.blocks]);
  },
};

/** Commits a packet that enough verifiers have verified. */
export const layerzeroCommitPacket: Rule = {
  name: 'LayerZero commit packet',
  test: (block) => block.calls(ULN_COMMIT),
  around: {
    each: call(ULN_CONNECTION_COMMIT, {
      as: 'connection',
      each: call(ENDPOINT_COMMIT, {
        as: 'endpoint',
        each: call(CHANNEL_COMMIT, {
          as: 'channel',
          next: [event, call(COMMIT_CALLBACK, { as: 'callback', optional: true, each: leftOver })],
        }),
      }),
    }),
  },
  build(block, found) {
    const callback = found.named('callback');
    if (!callback) return;
    const channel = found.named('channel')!;
    const connection = found.named('connection')!.message.destination;
    const columns = {
      source: block.message.source,
      source_secondary: found.named('endpoint')!.message.destination,
      destination: connection,
      destination_secondary: connection,
      asset: channel.message.destination,
      asset_secondary: callback.message.destination,
      data: { layerzero_packet_data: readPacket(channel.node.body().refSlice().refSlice()).columns },
    };
    compose(plainContent('layerzero_commit_packet', columns), [block, ...found.blocks]);
  },
};

/** A verifier (DVN) confirms a packet of another chain. */
export const layerzeroDvnVerify: Rule = {
  name: 'LayerZero DVN verify',
  test: (block) => block.calls(DVN_VERIFY),
  around: {
    each: call(PROXY_CALL, {
      as: 'proxy',
      each: call(ULN_VERIFY, {
        as: 'uln',
        each: call(ULN_CONNECTION_VERIFY, {
          as: 'connection',
          next: [event, call(VERIFY_CALLBACK, { as: 'callback', optional: true, each: leftOver })],
        }),
      }),
    }),
  },
  build(block, found) {
    const callback = found.named('callback');
    if (!callback) return;
    const { nonce, status } = readVerification(callback.node.body().refSlice().refSlice());
    const columns = {
      source: block.message.source,
      data: {
        layerzero_dvn_verify_data: {
          nonce,
          status,
          dvn: block.message.destination,
          proxy: found.named('proxy')!.message.destination,
          uln: found.named('uln')!.message.destination,
          uln_connection: found.named('connection')!.message.destination,
        },
      },
    };
    compose(plainContent('layerzero_dvn_verify', columns), [block, ...found.blocks]);
  },
};
