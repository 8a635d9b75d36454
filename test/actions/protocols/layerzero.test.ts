import { type Builder, beginCell, Cell } from '@ton/core';
import { describe } from 'vitest';
import { testActions } from '../support/action-cases.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { account, op, type Step, sent } from '../support/trace-builder.ts';

const [SENDER, APP, ENDPOINT] = [account('sender'), account('app'), account('endpoint')];
const [CHANNEL, MSGLIB, ULN] = [account('channel'), account('msglib'), account('uln')];
const hash = (address: string) => BigInt(`0x${address.slice(2)}`);
const hex = (value: bigint) => `0x${value.toString(16)}`;
const event: Step = { to: null, body: op(0xe33b9873, 1) };
const header = (layout: bigint, bits: number, ones: number) =>
  beginCell()
    .storeUint(layout, bits)
    .storeUint((1n << BigInt(ones)) - 1n, ones);

const packet = (receiver: bigint) => {
  const path = header(8903714975572488637007080065659n, 152, 198)
    .storeUint(30343, 32)
    .storeUint(0x05n, 256)
    .storeUint(30101, 32)
    .storeUint(receiver, 256);
  return header(417359019239977417716476838698419835n, 152, 198)
    .storeRef(path)
    .storeRef(beginCell().storeUint(0x1234, 16).storeUint(0b101, 3))
    .storeUint(18_446_744_073_709_551_615n, 64)
    .storeUint(0x77n, 256);
};
const packetColumns = (receiver: bigint) => ({
  src_oapp: '0x5',
  dst_oapp: hex(receiver),
  src_eid: 30343,
  dst_eid: 30101,
  nonce: 18_446_744_073_709_551_615n,
  guid: '0x77',
  message: '0x1234a0',
});
/** A body with nested references. */
const nested = (opcode: number, depth: number, inner: Builder): Builder =>
  op(opcode, 1).storeRef(
    Array.from({ length: depth }).reduce<Builder>((cell) => beginCell().storeRef(cell), inner),
  );

describe('an outgoing LayerZero packet', () => {
  const name = BigInt(`0x${Buffer.from('lzSend').toString('hex')}`);
  const request = (named = name) =>
    beginCell()
      .storeUint(named, 80)
      .storeBuilder(header(582890735024998957421269964955452773563747974476099581n, 180, 90))
      .storeUint(3n, 64)
      .storeUint(0xa1n, 256)
      .storeUint(0xa2n, 256)
      .storeRef(packet(0x06n))
      .storeRef(Cell.EMPTY)
      .storeRef(
        beginCell()
          .storeUint(0, 256)
          .storeUint(900n, 128)
          .storeUint(1n, 128)
          .storeRef(Cell.EMPTY)
          .storeRef(Cell.EMPTY),
      );
  const sending = (callback: Builder): Step => {
    const last: Step = {
      to: CHANNEL,
      body: op(0x421c1a25, 1),
      sends: [event, { to: SENDER }, { to: APP, body: callback, sends: [event, { to: SENDER }] }],
    };
    const library: Step = {
      to: MSGLIB,
      body: op(0x4002b790, 1),
      sends: [{ to: ULN, body: op(0x5de68393, 1), sends: [last] }],
    };
    return {
      to: ENDPOINT,
      body: op(0xdd4ea3b4, 1),
      sends: [{ to: CHANNEL, body: op(0x536feb09, 1), sends: [library] }],
    };
  };
  const groups = {
    layerzero_send_data: {
      send_request_id: 3n,
      msglib_manager: '0xa1',
      msglib: '0xa2',
      uln: ULN,
      native_fee: 900n,
      zro_fee: 1n,
      endpoint: ENDPOINT,
      channel: CHANNEL,
    },
    layerzero_packet_data: packetColumns(0x06n),
  };

  const [WALLET, APP_WALLET, JETTON] = [account('wallet'), account('app wallet'), account('jetton')];
  const paid = { owner: SENDER, wallet: WALLET, receiver: APP, receiverWallet: APP_WALLET, amount: 40n };
  const within = ['layerzero_send_tokens'];

  testActions({
    'has its fees': {
      trace: sent(SENDER, sending(nested(0xa2b5fbae, 2, request()))),
      first: {
        type: 'layerzero_send',
        success: true,
        source: SENDER,
        ...groups,
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7 tx8',
      },
    },
    'has the sent jettons': {
      trace: sent(
        SENDER,
        jettonSteps({ ...paid, sends: [event, sending(nested(0xa2b5fbae, 2, request()))] }),
      ),
      known: { jettonWallets: { [APP_WALLET]: { owner: APP, jetton: JETTON } } },
      firstHas: {
        type: 'layerzero_send_tokens',
        source: SENDER,
        source_secondary: WALLET,
        destination: APP,
        destination_secondary: APP_WALLET,
        asset: JETTON,
        amount: 40n,
        ...groups,
      },
      others: [
        { type: 'layerzero_send', source: APP, within },
        { type: 'jetton_transfer', within },
      ],
    },
    'is contract calls if the request has another structure': {
      trace: sent(SENDER, sending(nested(0xa2b5fbae, 2, request(name + 1n)))),
      types: ['call_contract', 'ton_transfer'],
    },
  });
});

describe('an incoming LayerZero packet', () => {
  const receiving = (receiver: bigint) => {
    const execute: Step = {
      to: APP,
      body: nested(0x0c7b8418, 1, packet(receiver)),
      sends: [event, { to: CHANNEL, body: op(0xcaae25a1, 1), sends: [event] }],
    };
    const lock: Step = { to: CHANNEL, body: op(0xb7680bc6, 1), sends: [execute] };
    return sent(SENDER, {
      to: CHANNEL,
      body: op(0x22f3ac09, 1),
      sends: [{ to: SENDER }, { to: APP, body: op(0x97df404c, 1), sends: [lock] }],
    });
  };

  const connection = account('connection');
  const committing = (...callback: readonly Step[]) => {
    const body = nested(0x5388cd88, 1, packet(0x06n));
    const channel: Step = { to: CHANNEL, body, sends: [event, ...callback] };
    const endpoint: Step = { to: ENDPOINT, body: op(0x5dab749a, 1), sends: [channel] };
    return sent(SENDER, {
      to: ULN,
      body: op(0x28b97077, 1),
      sends: [{ to: connection, body: op(0xf9d37b80, 1), sends: [endpoint] }],
    });
  };
  const verifying = (code: number) => {
    const status = header(38421788582694199859296615363593851n, 116, 234)
      .storeUint(12n, 64)
      .storeUint(code, 32);
    const verified: Step = {
      to: MSGLIB,
      body: op(0x4ec8f80a, 1),
      sends: [event, { to: ULN, body: nested(0x3cb38090, 1, status) }],
    };
    const uln: Step = { to: ULN, body: op(0x994aaf4e, 1), sends: [verified] };
    return sent(SENDER, {
      to: APP,
      body: op(0xa0d51a8d, 1),
      sends: [{ to: CHANNEL, body: op(0x09f047d9, 1), sends: [uln] }],
    });
  };

  testActions({
    'is recognised if it is addressed to the receiving application': {
      trace: receiving(hash(APP)),
      first: {
        type: 'layerzero_receive',
        success: true,
        source: SENDER,
        destination: APP,
        destination_secondary: CHANNEL,
        layerzero_packet_data: packetColumns(hash(APP)),
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6',
      },
    },
    'is a contract call if it is addressed to another application': {
      trace: receiving(hash(APP) + 1n),
      firstHas: { type: 'call_contract' },
    },
    'is recognised when it is committed': {
      trace: committing({ to: MSGLIB, body: op(0x5e178f33, 1) }),
      first: {
        type: 'layerzero_commit_packet',
        success: true,
        source: SENDER,
        source_secondary: ENDPOINT,
        destination: connection,
        destination_secondary: connection,
        asset: CHANNEL,
        asset_secondary: MSGLIB,
        layerzero_packet_data: packetColumns(0x06n),
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5',
      },
    },
    'is a contract call if the commit is not confirmed': {
      trace: committing(),
      firstHas: { type: 'call_contract' },
    },
    'is recognised when a DVN verifies it': {
      trace: verifying(0x3bbc306b),
      first: {
        type: 'layerzero_dvn_verify',
        success: true,
        source: SENDER,
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5',
        layerzero_dvn_verify_data: {
          nonce: 12n,
          status: 'succeeded',
          dvn: APP,
          proxy: CHANNEL,
          uln: ULN,
          uln_connection: MSGLIB,
        },
      },
    },
    'has an unknown status of a DVN as a number': {
      trace: verifying(5),
      firstHas: { layerzero_dvn_verify_data: { status: 'unknown_5' } },
    },
  });
});
