import type { Slice } from '../../../chain/boc/slice.ts';
import type { ActionColumns, ActionData } from '../../rules/action.ts';
import { blockOf, call } from '../../rules/pattern.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { jettonTransferOf, transferColumns } from '../jettons/rules.ts';
import { layerzero, packetAt, sendRequestAt, verificationAt } from './layouts.ts';

// The header of a structure: the description of its layout, and the number of ones after it.
const PACKET = { layout: 417359019239977417716476838698419835n, ones: 198n };
const PATH = { layout: 8903714975572488637007080065659n, ones: 198n };
const VERIFICATION = { layout: 38421788582694199859296615363593851n, ones: 234n };
const SEND_LAYOUT = 582890735024998957421269964955452773563747974476099581n;
const SEND_NAME = BigInt(`0x${Buffer.from('lzSend').toString('hex')}`);
const SEND = { layout: (SEND_NAME << 180n) | SEND_LAYOUT, ones: 90n };

function checkHeader(
  { header, ones }: { readonly header: bigint; readonly ones: bigint },
  expected: typeof PACKET,
): void {
  if (header !== expected.layout || ones !== (1n << expected.ones) - 1n)
    throw new RuleMismatch('another structure');
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function packetColumns(packet: ReturnType<typeof packetAt>): ActionData {
  checkHeader(packet, PACKET);
  const { path } = packet;
  checkHeader(path, PATH);
  return {
    src_oapp: hex(path.src_oapp),
    dst_oapp: hex(path.dst_oapp),
    src_eid: path.src_eid,
    dst_eid: path.dst_eid,
    nonce: packet.nonce,
    guid: hex(packet.guid),
    message: `0x${restBytes(packet.message).toString('hex')}`,
  };
}

function restBytes(slice: Slice): Buffer {
  const { bitsLeft } = slice;
  const bytes = Buffer.alloc((bitsLeft + 7) >> 3);
  slice.copyBits(bitsLeft, bytes, 0);
  return bytes;
}

const STATUSES: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
]);

const leftOver = blockOf('ton_transfer', { optional: true });
const event = call(layerzero.event, { optional: true });

export const layerzeroRules: readonly Rule[] = [
  // An application sends a packet to another chain.
  {
    type: 'layerzero_send',
    calls: [layerzero.endpoint_send],
    around: {
      each: call(layerzero.channel_send, {
        as: 'channel',
        each: call(layerzero.msglib_send, {
          each: call(layerzero.uln_send, {
            as: 'uln',
            each: call(layerzero.msglib_send_callback, {
              next: [
                call(layerzero.event),
                leftOver,
                leftOver,
                leftOver,
                leftOver,
                leftOver,
                call(layerzero.send_callback, {
                  as: 'callback',
                  next: [event, leftOver],
                }),
              ],
            }),
          }),
        }),
      }),
    },
    build(block, match) {
      const { source, destination } = block.message;
      const callback = match.named('callback')!.node.body();
      const request = sendRequestAt(callback.refSlice().refSlice().refSlice());
      checkHeader(request, SEND);
      const data = {
        layerzero_send_data: {
          send_request_id: request.id,
          msglib_manager: hex(request.msglib_manager),
          msglib: hex(request.msglib),
          uln: match.named('uln')!.message.destination,
          native_fee: request.fees.native_fee,
          zro_fee: request.fees.zro_fee,
          endpoint: destination,
          channel: match.named('channel')!.message.destination,
        },
        layerzero_packet_data: packetColumns(request.packet),
      };
      return { source, data, blockData: data };
    },
  },
  // An application takes jettons and sends them to another chain.
  {
    type: 'layerzero_send_tokens',
    test: (block) => block.type === 'layerzero_send',
    around: { previous: blockOf('jetton_transfer', { as: 'paid', each: call(layerzero.event) }) },
    build(block, match) {
      const transfer = jettonTransferOf(match.named('paid')!);
      return { ...transferColumns(transfer), data: block.data as NonNullable<ActionColumns['data']> };
    },
  },
  // An application receives a packet from another chain.
  {
    type: 'layerzero_receive',
    calls: [layerzero.prepare],
    around: {
      next: [
        leftOver,
        call(layerzero.receive_prepare, {
          each: call(layerzero.receive_lock, {
            each: call(layerzero.receive_execute, {
              as: 'execute',
              next: [event, call(layerzero.execute_callback, { next: [event, leftOver] })],
            }),
          }),
        }),
      ],
    },
    build(block, match) {
      const execute = match.named('execute')!;
      const { source, destination } = execute.message;
      const packet = packetAt(execute.node.body().refSlice().refSlice());
      const layerzero_packet_data = packetColumns(packet);
      if (destination === null || packet.path.dst_oapp !== BigInt(`0x${destination.split(':')[1]}`))
        return undefined;
      return {
        source: block.message.source,
        destination,
        destination_secondary: source,
        data: { layerzero_packet_data },
      };
    },
  },
  // Commits a packet that enough verifiers have verified.
  {
    type: 'layerzero_commit_packet',
    calls: [layerzero.uln_commit],
    around: {
      each: call(layerzero.uln_connection_commit, {
        as: 'connection',
        each: call(layerzero.endpoint_commit, {
          as: 'endpoint',
          each: call(layerzero.channel_commit, {
            as: 'channel',
            next: [
              event,
              call(layerzero.commit_callback, { as: 'callback', optional: true, each: leftOver }),
            ],
          }),
        }),
      }),
    },
    build(block, match) {
      const callback = match.named('callback');
      if (!callback) return undefined;
      const channel = match.named('channel')!;
      const layerzero_packet_data = packetColumns(packetAt(channel.node.body().refSlice().refSlice()));
      const connection = match.named('connection')!.message.destination;
      return {
        source: block.message.source,
        source_secondary: match.named('endpoint')!.message.destination,
        destination: connection,
        destination_secondary: connection,
        asset: channel.message.destination,
        asset_secondary: callback.message.destination,
        data: { layerzero_packet_data },
      };
    },
  },
  // A verifier (DVN) confirms a packet of another chain.
  {
    type: 'layerzero_dvn_verify',
    calls: [layerzero.dvn_verify],
    around: {
      each: call(layerzero.proxy_call, {
        as: 'proxy',
        each: call(layerzero.uln_verify, {
          as: 'uln',
          each: call(layerzero.uln_connection_verify, {
            as: 'connection',
            next: [
              event,
              call(layerzero.verify_callback, { as: 'callback', optional: true, each: leftOver }),
            ],
          }),
        }),
      }),
    },
    build(block, match) {
      const callback = match.named('callback');
      if (!callback) return undefined;
      const verification = verificationAt(callback.node.body().refSlice().refSlice());
      checkHeader(verification, VERIFICATION);
      const { nonce, status } = verification;
      return {
        source: block.message.source,
        data: {
          layerzero_dvn_verify_data: {
            nonce,
            status: STATUSES.get(status) ?? `unknown_${status}`,
            dvn: block.message.destination,
            proxy: match.named('proxy')!.message.destination,
            uln: match.named('uln')!.message.destination,
            uln_connection: match.named('connection')!.message.destination,
          },
        },
      };
    },
  },
];
