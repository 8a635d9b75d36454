import { compose } from '../compose.ts';
import { blockOf, call } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import type { Rule } from '../rule.ts';
import { readPacket, readVerification } from './layerzero-packet.ts';
import { LAYERZERO_EVENT } from './layerzero-send.ts';

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
const leftOver = blockOf('ton_transfer', { optional: true });

/** An application gets a packet from another chain. */
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

/** A packet that enough verifiers have seen is made ready. */
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

/** A verifier says that it has seen a packet on the other chain. */
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
          ...{ nonce, status, dvn: block.message.destination },
          proxy: found.named('proxy')!.message.destination,
          uln: found.named('uln')!.message.destination,
          uln_connection: found.named('connection')!.message.destination,
        },
      },
    };
    compose(plainContent('layerzero_dvn_verify', columns), [block, ...found.blocks]);
  },
};
