import { beginCell, Cell, external, internal, loadMessage, storeMessage, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExternalMessage } from '../../src/live/external-messages.ts';
import { createResender } from '../../src/live/send-messages.ts';
import { wallet, walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { until } from '../support/until.ts';
import { openLocalnetApp } from './support/v2-app.ts';

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 41));
const SENDER = wallet({ version: 'v4r2', publicKey });
const RECEIVER = wallet({ version: 'v3r2', publicKey: Buffer.alloc(32, 42) });
const from = SENDER.address.toRawString();
const to = RECEIVER.address.toRawString();

const SHARE = toNano('0.1');

const transfer = (seqno: number): Cell =>
  walletTransfer({
    version: 'v4r2',
    secretKey,
    seqno,
    validUntil: 0xffffffff,
    messages: [internal({ to: RECEIVER.address, value: SHARE, bounce: false })],
  });
const messageWith = (body: Cell): Cell =>
  beginCell()
    .store(storeMessage(external({ to: SENDER.address, body })))
    .endCell();
const base64 = (cell: Cell): string => cell.toBoc().toString('base64');
const spelled = (cell: Cell): unknown => ({
  data: { b64: bitsOf(cell), len: cell.bits.length },
  refs: cell.refs.map(spelled),
  special: false,
});

function bitsOf(cell: Cell): string {
  const bytes = Buffer.alloc(Math.ceil(cell.bits.length / 8));
  for (let i = 0; i < cell.bits.length; i++) if (cell.bits.at(i)) bytes[i >> 3]! |= 0x80 >> (i & 7);
  return bytes.toString('base64');
}

describe('send operations on a live chain', () => {
  const accepted: ExternalMessage[] = [];
  const resender = createResender({ everyMs: 100, attempts: 100 });
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;

  beforeAll(async () => {
    const ports = { resender, pending: { accepted: (message: ExternalMessage) => accepted.push(message) } };
    context = await openLocalnetApp({ blockMs: 100, ports });
    await context.running.faucet.fund(SENDER.address, toNano(10));
    await until(async () => (await balance(from)) > 0n);
  });
  afterAll(async () => {
    resender.close();
    await context?.close();
  });

  const balance = async (address: string): Promise<bigint> =>
    BigInt((await context.call('getAddressBalance', { address })).body.result);

  /** The receiver keeps what it receives, apart from a small storage fee. */
  const received = (shares: bigint): Promise<void> =>
    until(async () => (await balance(to)) > shares * SHARE - SHARE / 2n);

  it('sendQuery builds a message from its parts, with an init', async () => {
    const { status, body } = await context.call('sendQuery', {
      address: from,
      body: base64(transfer(0)),
      init_code: base64(SENDER.init.code),
      init_data: base64(SENDER.init.data),
    });
    expect(body).toMatchObject({ ok: true, result: { '@type': 'ok' } });
    expect(status).toBe(200);
    await received(1n);
  });

  it('sendBoc sends a message by POST and by JSON-RPC', async () => {
    const first = messageWith(transfer(1));
    const { body } = await context.call('sendBoc', { boc: base64(first), note: 'ignored' });
    expect(body.result).toEqual({ '@type': 'ok' });
    // @extra names the lite server that accepted it.
    expect(body['@extra']).toMatch(/^\d{10}:0:/);
    await received(2n);
    const second = messageWith(transfer(2));
    expect((await context.call('sendBoc', { boc: base64(second) }, 'rpc')).body).toMatchObject({
      ok: true,
      result: { '@type': 'ok' },
      id: '1',
    });
    await received(3n);
    const sent = accepted.find(({ hash }) => hash.equals(first.hash()))!;
    expect(Cell.fromBoc(sent.boc)[0]!.equals(first)).toBe(true);
    expect((await context.call('sendBoc', { boc: base64(first) }, 'get')).status).toBe(405);
  });

  it('sendBocReturnHash returns the hashes of the message', async () => {
    const body = transfer(3);
    const message = messageWith(body);
    const { result } = (await context.call('sendBocReturnHash', { boc: base64(message) })).body;
    const normal = beginCell().storeUint(0b10_00, 4).storeAddress(SENDER.address).storeCoins(0);
    expect(result).toEqual({
      '@type': 'raw.extMessageInfo',
      hash: message.hash().toString('base64'),
      hash_norm: normal.storeBit(0).storeBit(1).storeRef(body).endCell().hash().toString('base64'),
    });
    await received(4n);
    expect(accepted.at(-1)!.normalizedHash.toString('base64')).toBe(result.hash_norm);
  });

  it('sendCellSimple and sendQuerySimple accept cells as objects', async () => {
    const whole = { cell: spelled(messageWith(transfer(4))) };
    expect((await context.call('sendCellSimple', whole)).body.result).toEqual({ '@type': 'ok' });
    await received(5n);
    const parts = { address: from, body: spelled(transfer(5)), init_code: null };
    expect((await context.call('sendQuerySimple', parts)).body.result).toEqual({ '@type': 'ok' });
    await received(6n);
  });

  it('send operations return the reason for a rejected message', async () => {
    const known = accepted.length;
    const stale = { boc: base64(messageWith(transfer(0))) };
    const { status, body } = await context.call('sendBoc', stale);
    expect(status).toBe(500);
    expect(body.error).toMatch(
      /^LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted/,
    );
    expect(body.error).toContain('exitcode=33');
    expect(body['@extra']).toMatch(/^\d{10}:0:/);
    expect((await context.call('sendBocReturnHash', stale)).body.error).toBe(body.error);
    const noError = await context.call('sendBocReturnHashNoError', stale);
    expect([noError.status, noError.body.code, noError.body.error]).toEqual([400, 400, body.error]);
    expect(accepted).toHaveLength(known);
  });

  it('an internal message is rejected with the text of a node, or of tonlib where it reads the message', async () => {
    // int_msg_info$0 and nothing else.
    const boc = 'te6cckEBAQEABgAACAAAAADjAK8P';
    for (const [name, params] of [
      ['sendBoc', { boc }],
      ['sendCellSimple', { cell: { data: { b64: 'AAAAAA==', len: 32 }, refs: [] } }],
    ] as const)
      expect((await context.call(name, params)).body, name).toMatchObject({
        code: 500,
        error:
          'LITE_SERVER_UNKNOWN: cannot apply external message to current state : external message must begin with ext_in_msg_info$10',
      });
    expect((await context.call('sendBocReturnHash', { boc })).body).toMatchObject({
      code: 500,
      error: 'Failed to unpack Message',
    });
  });

  it('a damaged external message is rejected with the text of a node', async () => {
    const boc = base64(beginCell().storeUint(0b10, 2).endCell());
    expect((await context.call('sendBoc', { boc })).body).toMatchObject({
      code: 500,
      error:
        'LITE_SERVER_UNKNOWN: cannot apply external message to current state : external message is not a (Message Any) according to automated checks',
    });
  });

  it('sendBocUnsafe repeats a message that is too early', async () => {
    const early = { boc: base64(messageWith(transfer(7))) };
    expect((await context.call('sendBoc', early)).status).toBe(500);
    expect((await context.call('sendBocUnsafe', early)).body.result).toEqual({ '@type': 'ok' });
    await context.call('sendBoc', { boc: base64(messageWith(transfer(6))) });
    await received(8n);
  });

  it('sendBoc serialises the message again before sending it', async () => {
    const message = messageWith(transfer(8));
    const boc = message.toBoc({ idx: true, crc32: true }).toString('base64');
    expect((await context.call('sendBoc', { boc: `${boc.replaceAll('=', '')}\n` })).status).toBe(200);
    await received(9n);
    const sent = accepted.at(-1)!.boc;
    expect(sent.subarray(0, 5).toString('hex')).toBe('b5ee9c7201');
    expect(loadMessage(Cell.fromBoc(sent)[0]!.beginParse()).body.equals(transfer(8))).toBe(true);
  });

  it('sendBoc sends an identical message again after the chain went back to a snapshot', async () => {
    const { localnet } = context.running;
    await localnet.snapshot('before');
    const message = { boc: base64(messageWith(transfer(9))) };
    for (let round = 0; round < 3; round++) {
      expect((await context.call('sendBoc', message)).body).toMatchObject({ ok: true });
      const twice = await context.call('sendBoc', message);
      expect(twice.body.error).toContain('duplicate message');
      await localnet.mine(2);
      await localnet.restore('before');
    }
  });
});
