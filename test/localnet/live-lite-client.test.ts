import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Address, fromNano, internal, SendMode, toNano } from '@ton/core';
import { WalletContractV4 } from '@ton/ton';
import { LiteClient, LiteSingleEngine } from 'ton-lite-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningLocalnet, startLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { copyDemoChain } from '../support/demo-chain.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { sharedVm } from '../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

/** The local chain as it runs for users, asked by a client library that knows nothing of it but its global config. */
const WHOLE = { workchain: -1, shard: '-9223372036854775808' };
const STRANGER = Address.parse('0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8');

let folder: string;
let running: RunningLocalnet;
let engine: LiteSingleEngine;
let client: LiteClient;

beforeAll(async () => {
  folder = makeTemporaryDirectory('live');
  const log = createQuietLog();
  await copyDemoChain(folder, 2);
  running = await startLocalnet({
    routineTransactions: true,
    vm: sharedVm(),
    folder,
    settings: { blockMs: 100, mine: 'message', shards: 2 },
    host: '127.0.0.1',
    port: 0,
    log,
  });
  const { liteservers } = JSON.parse(readFileSync(running.globalConfigPath, 'utf8'));
  const { port, id } = liteservers[0];
  engine = new LiteSingleEngine({
    host: `tcp://127.0.0.1:${port}`,
    publicKey: Buffer.from(id.key, 'base64'),
  });
  await once(engine, 'ready');
  client = new LiteClient({ engine });
});
afterAll(async () => {
  engine?.close();
  await running?.stop();
  await removeTemporaryDirectory(folder);
});

const head = async () => (await client.getMasterchainInfo()).last;

it('ton-lite-client reads the head, time, version and config of a running local chain', async () => {
  const block = await head();
  expect(block.rootHash).toEqual(running.localnet.store.head.rootHash);
  expect((await client.getMasterchainInfoExt()).last.seqno).toBe(block.seqno);
  expect(await client.getCurrentTime()).toBeGreaterThan(1_700_000_000);
  expect((await client.getVersion()).version).toBeGreaterThan(0);
  const { config } = await client.getConfig(block);
  expect([0, 1, 4, 8, 12, 34].filter((param) => !config.has(param))).toEqual([]);
});

it('ton-lite-client reads an account, its history, and blocks in every way', async () => {
  const { address } = running.faucet;
  const account = await client.getAccountState(address, await head());
  expect(account.state?.storage.state.type).toBe('active');
  expect((await client.getAccountStatePrunned(address, await head())).stateHash).toHaveLength(32);
  const last = account.lastTx!;
  const hash = Buffer.from(last.hash.toString(16).padStart(64, '0'), 'hex');
  const history = await client.getAccountTransactions(address, last.lt.toString(), hash, 16);
  expect(history.ids.length).toBeGreaterThan(0);
  const one = await client.getAccountTransaction(address, last.lt.toString(), history.ids[0]!);
  expect(one.transaction.length).toBeGreaterThan(0);

  expect(Object.keys((await client.getAllShardsInfo(await head())).shards)).toEqual(['0']);
  const { id } = await client.lookupBlockByID({ ...WHOLE, seqno: 3 });
  const stored = running.localnet.store.masterchainBlock(3)!;
  expect(id.rootHash).toEqual(stored.id.rootHash);
  expect((await client.lookupBlockByLt({ ...WHOLE, lt: stored.endLt })).id.seqno).toBe(3);
  const { seqno } = (await client.lookupBlockByUtime({ ...WHOLE, utime: stored.genUtime })).id;
  expect(running.localnet.store.masterchainBlock(seqno)?.genUtime).toBe(stored.genUtime);
  expect((await client.getBlockHeader(id)).headerProof.length).toBeGreaterThan(0);
  const listed = await client.listBlockTransactions(id, { mode: 39, count: 10, wantProof: true });
  expect(listed.ids.length).toBeGreaterThan(0);
  expect((await client.getFullBlock(5)).shards.length).toBeGreaterThan(0);
});

it('ton-lite-client runs get-methods and sends from the faucet through a wallet class of @ton/ton', async () => {
  const { publicKey, secretKey } = running.wallets.basechain;
  const faucet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  expect(faucet.address.equals(running.faucet.address)).toBe(true);
  const seqno = await faucet.getSeqno();
  expect(await faucet.getBalance()).toBeGreaterThan(toNano('1000000'));
  const messages = [internal({ to: STRANGER, value: toNano('1.25'), bounce: false, body: 'hello' })];
  const transfer = { seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY };
  await faucet.sendTransfer(transfer);
  await running.localnet.drain();
  expect(await faucet.getSeqno()).toBe(seqno + 1);
  const received = await client.getAccountState(STRANGER, await head());
  expect(fromNano(received.balance.coins)).toBe('1.25');
  const late = { ...transfer, timeout: running.localnet.now() + 1000 };
  await expect(faucet.sendTransfer(late)).rejects.toThrow(/exitcode=33/);
});

it('ton-lite-client reads a library that a demo contract uses', async () => {
  const demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
  const holder = Address.parse(demo.contracts['library jetton wallet of carol']);
  const { state } = await client.getAccountState(holder, await head());
  const init = state?.storage.state;
  const code = init?.type === 'active' ? init.state.code! : undefined;
  expect(code?.isExotic).toBe(true);
  const hash = code!.bits.subbuffer(8, 256)!;
  const { result } = await client.getLibraries([hash]);
  expect(result.map((library) => library.hash.toString('hex'))).toEqual([hash.toString('hex')]);
});
