import { readdirSync, readFileSync } from 'node:fs';
import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  loadTransaction,
  type MessageRelaxed,
  storeMessage,
  toNano,
} from '@ton/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatRaw } from '../../src/chain/address.ts';
import { readBoc } from '../../src/chain/boc/bag.ts';
import type { Message } from '../../src/chain/tlb/message.ts';
import { textComment } from '../../src/localnet/contracts/contract.ts';
import { probe, probeEmit } from '../../src/localnet/contracts/probe.ts';
import { walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { readBlockTransactions } from '../chain/support/block-readers.ts';
import { probeDestroy } from '../localnet/support/contract-messages.ts';
import { sampled } from '../support/long-run.ts';
import { missingNetwork, RECORDED_NETWORK } from '../support/recorded-network.ts';
import { removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { TRANSPORTS } from './support/transports.ts';
import { openLocalnetApp, openReplayApp, type V2TestApp } from './support/v2-app.ts';

const HOUR_MS = 3_600_000;
const FOREVER = 0xffffffff;
const PAYMENTS = 40;
const NO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const CONFIG = `-1:${'55'.repeat(32)}`;

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Json = any;

describe('transaction operations on a local chain', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  const { alice } = openDemoWallets();
  const emitter = probe({ owner: alice.address, id: 1 });
  const mortal = probe({ owner: alice.address, id: 2 });
  const receiver = new Address(0, Buffer.alloc(32, 0x77));
  let seqno = 0;

  beforeAll(async () => {
    context = await openLocalnetApp({ blockMs: HOUR_MS });
    const funded = context.running.faucet.fund(alice.address, toNano(1000));
    await context.running.localnet.drain();
    await funded;
    // An encrypted comment, one that is not UTF-8, and one that JSON must escape.
    const bodies = [
      textComment('hello "world"\n'),
      beginCell()
        .storeUint(0, 32)
        .storeBuffer(Buffer.from([0xff, 0xfe]))
        .endCell(),
      beginCell().storeUint(0x2167da4b, 32).storeBuffer(Buffer.alloc(64, 3)).endCell(),
      beginCell().storeUint(0xdeadbeef, 32).storeRef(textComment('apart')).endCell(),
    ];
    await send(bodies.map((body) => payment(receiver, body)));
    await send([payment(emitter.address, probeEmit(7, textComment('event')), emitter.init)]);
    await send([payment(mortal.address, probeDestroy(), mortal.init)]);
    // Enough transactions for a history of several pages, in one block.
    await send(Array.from({ length: PAYMENTS }, (_, i) => payment(receiver, textComment(`payment ${i}`))));
    // The pool finds out the archive depth of the server in the background.
    await vi.waitFor(() => expect(context.pool.servers()[0]!.isArchival).toBe(true), { timeout: 120_000 });
  });
  afterAll(async () => {
    await context.close();
    await removeTemporaryDirectory(context.folder);
  });

  function payment(to: Address, body: Cell, init?: { code: Cell; data: Cell }): MessageRelaxed {
    return internal({ to, value: toNano('0.05'), bounce: false, body, ...(init && { init }) });
  }

  async function send(messages: MessageRelaxed[]): Promise<void> {
    const { version, keys, address, init } = alice;
    const transfer = { version, secretKey: keys.secretKey, seqno, messages, validUntil: FOREVER };
    const message = external({ to: address, body: walletTransfer(transfer), ...(seqno === 0 && { init }) });
    await context.running.localnet.send(beginCell().store(storeMessage(message)).endCell().toBoc());
    seqno++;
    const head = await context.running.localnet.drain();
    await context.pool.waitForSeqno(head.seqno, { timeoutMs: 120_000 });
  }

  async function result(method: string, params: object): Promise<Json> {
    const { status, body } = await context.call(method, { ...params });
    expect(status, body.error).toBe(200);
    return body.result;
  }
  const history = (address: Address | string, params: object = {}): Promise<Json> =>
    result('getTransactions', { address: String(address), ...params });
  const ids = (transactions: Json[]) => transactions.map(({ transaction_id }) => transaction_id);

  it('getTransactions returns the transactions of the chain by every transport', async () => {
    const transactions = await history(receiver, { limit: 1000 });
    expect(transactions).toHaveLength(4 + PAYMENTS);
    for (const transaction of transactions) {
      const cell = Cell.fromBase64(transaction.data);
      const read = loadTransaction(cell.beginParse());
      expect(transaction).toMatchObject({
        '@type': 'ext.transaction',
        address: { '@type': 'accountAddress', account_address: receiver.toString() },
        account: `0:${'77'.repeat(32)}`,
        utime: read.now,
        transaction_id: { lt: String(read.lt), hash: cell.hash().toString('base64') },
        fee: String(read.totalFees.coins),
      });
      expect(BigInt(transaction.fee)).toBe(BigInt(transaction.storage_fee) + BigInt(transaction.other_fee));
    }
    for (const transport of TRANSPORTS) {
      const params = { address: receiver.toString(), limit: 1000 };
      expect((await context.call('getTransactions', params, transport)).body.result).toEqual(transactions);
    }
  });

  it('getTransactions returns exactly limit transactions, newest first', async () => {
    const all = await history(receiver, { limit: 1000 });
    expect(await history(receiver)).toEqual(all.slice(0, 10));
    for (const limit of [1, 10, 11, 16, 17, 33, 44, 45])
      expect(await history(receiver, { limit })).toEqual(all.slice(0, limit));
    const lts = ids(all).map(({ lt }) => BigInt(lt));
    expect(lts).toEqual(lts.toSorted((a, b) => Number(b - a)));
  });

  it('getTransactions starts with the given transaction and ends before to_lt', async () => {
    const all = await history(receiver, { limit: 1000 });
    const { lt, hash } = all[5].transaction_id;
    const hex = Buffer.from(hash, 'base64').toString('hex');
    expect(await history(receiver, { lt, hash: hex, limit: 20 })).toEqual(all.slice(5, 25));
    const to_lt = all[20].transaction_id.lt;
    expect(await history(receiver, { limit: 1000, to_lt })).toEqual(all.slice(0, 20));
    expect(await history(receiver, { limit: 7, lt, hash, to_lt })).toEqual(all.slice(5, 12));
    expect(await history(receiver, { lt, hash, to_lt: lt })).toEqual([]);
    expect(await history(receiver, { limit: 2, lt: 0, hash: '' })).toEqual(all.slice(0, 2));
    expect(await history(receiver, { limit: 2, to_lt: -5, archival: false })).toEqual(all.slice(0, 2));
    expect(await history(receiver, { limit: 2, archival: true })).toEqual(all.slice(0, 2));
  });

  it('getTransactions returns an empty list for an account without transactions', async () => {
    expect(await history(`0:${'00'.repeat(32)}`)).toEqual([]);
    expect(await history(mortal.address)).toEqual([]);
  });

  it('getTransactions returns comments, encrypted comments and other bodies', async () => {
    const first = (await history(receiver, { limit: 1000 })).slice(-4).reverse();
    expect(first.map(({ in_msg }: Json) => [in_msg.msg_data['@type'], in_msg.message])).toEqual([
      ['msg.dataText', 'hello "world"\n'],
      ['msg.dataText', ''],
      ['msg.dataEncryptedText', undefined],
      ['msg.dataRaw', '3q2+7w==\n'],
    ]);
    const [sent] = (await history(alice.address, { limit: 1000 })).slice(-2);
    expect(sent.out_msgs.map(({ hash }: Json) => hash)).toEqual(first.map(({ in_msg }: Json) => in_msg.hash));
    const fees = sent.out_msgs.map(({ fwd_fee }: Json) => BigInt(fwd_fee));
    const { totalFees } = loadTransaction(Cell.fromBase64(sent.data).beginParse());
    const sum = fees.reduce((total: bigint, fee: bigint) => total + fee, totalFees.coins);
    expect(sent.fee).toBe(String(sum));
    expect(sent.in_msg).toMatchObject({ source: '', destination: alice.address.toString(), value: '0' });
  });

  it('getTransactions returns external out messages and the init of the account', async () => {
    const [transaction] = await history(emitter.address);
    expect(transaction.in_msg.msg_data.init_state).toMatch(/^te6cck/);
    const log = transaction.out_msgs.find(({ destination }: Json) => destination === '');
    expect(log).toMatchObject({ source: emitter.address.toString(), value: '0', fwd_fee: '0' });
    expect(Number(log.created_lt)).toBeGreaterThan(Number(transaction.transaction_id.lt));
  });

  it('getTransactions returns tick-tock transactions without in_msg', async () => {
    const transactions = await history(CONFIG, { limit: 4 });
    expect(transactions).toHaveLength(4);
    for (const transaction of transactions) {
      expect(transaction).not.toHaveProperty('in_msg');
      expect(transaction.address.account_address).toMatch(/^Ef/);
    }
  });

  it('getTransactionsStd returns the form of tonlib with the previous transaction', async () => {
    const all = await history(receiver, { limit: 1000 });
    const std = (params: object) => result('getTransactionsStd', { address: receiver.toString(), ...params });
    const part = await std({ limit: 20 });
    expect(part['@type']).toBe('raw.transactions');
    expect(ids(part.transactions)).toEqual(ids(all.slice(0, 20)));
    expect(part.previous_transaction_id).toEqual(all[20].transaction_id);
    const { message, ...inMessage } = all[0].in_msg;
    const end = (account_address: string) => ({ '@type': 'accountAddress', account_address });
    const { account, ...rest } = all[0];
    expect(part.transactions[0]).toEqual({
      ...rest,
      '@type': 'raw.transaction',
      in_msg: {
        ...inMessage,
        '@type': 'raw.message',
        source: end(inMessage.source),
        destination: end(inMessage.destination),
      },
    });
    expect((await std({ limit: 1000 })).previous_transaction_id).toMatchObject({ lt: '0', hash: NO_HASH });
    // Transactions that were read and left out count too.
    const cut = await std({ limit: 1000, to_lt: all[2].transaction_id.lt });
    expect(ids(cut.transactions)).toEqual(ids(all.slice(0, 2)));
    expect(cut.previous_transaction_id).toEqual(all[16].transaction_id);
    expect(await std({ lt: 0, hash: all[3].transaction_id.hash })).toMatchObject({
      transactions: [],
      previous_transaction_id: { lt: '0', hash: NO_HASH },
    });
    const { status, body } = await context.call('getTransactionsStd', {
      address: receiver.toString(),
      lt: 0,
    });
    expect([status, body.error]).toEqual([
      422,
      'failed to validate request: lt and hash should be used together',
    ]);
  });

  it('tryLocateTx and tryLocateSourceTx find transactions by a message', async () => {
    // The first messages are too old for the last transactions of the receiver.
    const all = await history(receiver, { limit: 1000 });
    const sent = await history(alice.address, { limit: 1000 });
    for (const transaction of [all[0], all[15], all[16], all[30], all.at(-1)]) {
      const { source, destination, created_lt } = transaction.in_msg;
      const params = { source, destination, created_lt };
      for (const name of ['tryLocateTx', 'tryLocateResultTx'])
        expect(await result(name, params)).toEqual(transaction);
      const sender = sent.find(({ out_msgs }: Json) =>
        out_msgs.some(({ hash }: Json) => hash === transaction.in_msg.hash),
      );
      expect(await result('tryLocateSourceTx', params)).toEqual(sender);
    }
  });

  it('tryLocateTx and tryLocateSourceTx find transactions of a deleted account', async () => {
    const sent = await history(alice.address, { limit: 1000 });
    const message = sent
      .flatMap(({ out_msgs }: Json) => out_msgs)
      .find(({ destination }: Json) => destination === mortal.address.toString());
    const { source, destination, created_lt } = message;
    const found = await result('tryLocateTx', { source, destination, created_lt });
    expect(found.in_msg.hash).toBe(message.hash);
    // A message that it sent before it was deleted.
    const [last] = found.out_msgs;
    const params = { source: last.source, destination: last.destination, created_lt: last.created_lt };
    expect(await result('tryLocateSourceTx', params)).toEqual(found);
    expect((await result('tryLocateTx', params)).in_msg.hash).toBe(last.hash);
  });

  it('tryLocateTx and tryLocateSourceTx answer 404 for a message that does not exist', async () => {
    const [{ in_msg }] = await history(receiver);
    const { source, destination } = in_msg;
    for (const name of ['tryLocateTx', 'tryLocateSourceTx'])
      for (const created_lt of [
        '0',
        '12345',
        String(BigInt(in_msg.created_lt) + 1000n),
        '9223372036854775807',
      ]) {
        const { status, body } = await context.call(name, { source, destination, created_lt });
        expect([status, body.error], `${name} ${created_lt}`).toEqual([404, 'transaction was not found']);
      }
    // An external out message leads to no transaction.
    const [transaction] = await history(emitter.address);
    const log = transaction.out_msgs.find((message: Json) => message.destination === '');
    const params = { source: log.source, destination, created_lt: log.created_lt };
    expect((await context.call('tryLocateSourceTx', params)).status).toBe(404);
  });
});

/** An internal message and the hashes of the sending and receiving transaction. */
interface Sent {
  readonly params: { readonly source: string; readonly destination: string; readonly created_lt: string };
  readonly sender: string;
  readonly receiver: string;
}

/** Some messages only, to save time: before and after the split, bounced, and to deleted accounts. */
const EVERY = sampled(16, 4);

function recordedMessages(): Sent[] {
  const folder = new URL('blocks/', RECORDED_NETWORK);
  const senders = new Map<string, string>();
  const received: { message: Message; receiver: string }[] = [];
  for (const file of readdirSync(folder)) {
    const bag = readBoc(readFileSync(new URL(file, folder)));
    for (const { hash, inMessage, outMessages } of readBlockTransactions(bag, bag.root)) {
      const name = hash.toString('base64');
      for (const message of outMessages) senders.set(message.hash.toString('base64'), name);
      if (inMessage?.info.kind === 'internal') received.push({ message: inMessage, receiver: name });
    }
  }
  return received.flatMap(({ message: { info, hash }, receiver }, i) => {
    if (info.kind !== 'internal' || info.src.kind !== 'std' || info.dest.kind !== 'std') return [];
    const sender = senders.get(hash.toString('base64'));
    // Nobody sent the payouts of the masterchain.
    if (sender === undefined || i % EVERY !== 0) return [];
    const ends = { source: formatRaw(info.src, 'lower'), destination: formatRaw(info.dest, 'lower') };
    return [{ params: { ...ends, created_lt: String(info.createdLt) }, sender, receiver }];
  });
}

/** The comparison with recorded responses has only a few messages. */
describe.skipIf(missingNetwork !== '')(
  `tryLocateTx and tryLocateSourceTx on a recorded network${missingNetwork}`,
  () => {
    let context: V2TestApp;
    let messages: Sent[];
    beforeAll(async () => {
      context = await openReplayApp();
      messages = recordedMessages();
    });
    afterAll(() => context.close());

    async function hashOf(method: string, params: Sent['params']): Promise<string> {
      const { status, body } = await context.call(method, params);
      return status === 200 ? body.result.transaction_id.hash : `${status} ${body.error}`;
    }

    it('find the receiving and the sending transaction of every message', async () => {
      expect(messages.length).toBeGreaterThan(sampled(10, 40));
      for (const { params, sender, receiver } of messages) {
        expect(await hashOf('tryLocateTx', params), JSON.stringify(params)).toBe(receiver);
        expect(await hashOf('tryLocateSourceTx', params), JSON.stringify(params)).toBe(sender);
      }
    });
  },
);
