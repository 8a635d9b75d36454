import { once } from 'node:events';
import { Address, beginCell, external, storeMessage } from '@ton/core';
import { LiteClient, LiteSingleEngine } from 'ton-lite-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrivateAdnlKey } from '../../../src/chain/adnl/keys.ts';
import { createLiteServer, type LiteServer } from '../../../src/localnet/lite-server/server.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { sharedRecording } from '../support/recorded-network.ts';
import { sampleStore } from '../support/sample-store.ts';

/** What the tests ask about: an account with a history. */
interface Subject {
  readonly store: ChainStore;
  readonly address: Address;
  readonly library: Buffer;
}

const sample: () => Subject = () => {
  const { store, chain } = sampleStore();
  const { workchain, hash } = chain.accounts.left;
  return { store, address: new Address(workchain, hash), library: chain.library.hash() };
};
const recorded: () => Subject = () => ({
  store: sharedRecording(),
  address: Address.parse('0:1cb54da6ec6a73b47157aeff8f4a6f2361c00ac585b9b915e79b7964e9f5a2f6'),
  library: Buffer.from('3fa61d4c6d737cfd1beba16111c1d35c2fd1081a2d2f27936d29ae80db7075e2', 'hex'),
});

describe("ton-lite-client's engine and client on a built network", () => use(sample, false));
describe.skipIf(missingNetwork !== '')(
  `ton-lite-client's engine and client on a recorded network${missingNetwork}`,
  () => use(recorded, true),
);

function use(open: () => Subject, hasBalance: boolean): void {
  const sent: Buffer[] = [];
  let subject: Subject;
  let server: LiteServer;
  let engine: LiteSingleEngine;
  let client: LiteClient;

  beforeAll(async () => {
    subject = open();
    server = await createLiteServer({
      store: subject.store,
      key: createPrivateAdnlKey(),
      host: '127.0.0.1',
      port: 0,
      log: createQuietLog(),
      sendMessage: async (body) => void sent.push(body),
      runGetMethod: async () => ({
        exitCode: 0,
        stack: Buffer.from('b5ee9c72010101010005000006000000', 'hex'),
      }),
    });
    engine = new LiteSingleEngine({
      host: `tcp://${server.host}:${server.port}`,
      publicKey: server.publicKey,
    });
    await once(engine, 'ready');
    client = new LiteClient({ engine });
  });
  afterAll(async () => {
    engine.close();
    await server.close();
  });
  const head = async () => (await client.getMasterchainInfo()).last;

  it('reads the head, time and version', async () => {
    expect((await head()).rootHash).toEqual(subject.store.head.rootHash);
    expect((await client.getMasterchainInfoExt()).last.seqno).toBe(subject.store.head.seqno);
    expect(await client.getCurrentTime()).toBeGreaterThan(1_700_000_000);
    expect((await client.getVersion()).version).toBe(0x101);
  });

  // @ton/core takes a bit of the total balance for one of its own, and fails where that balance is small.
  it.skipIf(!hasBalance)('reads the configuration', async () => {
    const { config } = await client.getConfig(await head());
    expect(config.has(8)).toBe(true);
  });

  it('reads accounts and their transactions', async () => {
    const { address } = subject;
    const block = await head();
    const account = await client.getAccountState(address, block);
    expect(account.state?.storage.state.type).toBe('active');
    const pruned = await client.getAccountStatePrunned(address, block);
    expect(pruned.stateHash).toHaveLength(32);
    const last = account.lastTx!;
    const hash = Buffer.from(last.hash.toString(16).padStart(64, '0'), 'hex');
    const history = await client.getAccountTransactions(address, last.lt.toString(), hash, 4);
    expect(history.ids.length).toBeGreaterThan(0);
    const one = await client.getAccountTransaction(address, last.lt.toString(), history.ids[0]!);
    expect(one.transaction.length).toBeGreaterThan(0);
  });

  it('looks blocks up and reads what is in them', async () => {
    const shards = await client.getAllShardsInfo(await head());
    expect(Object.keys(shards.shards)).toEqual(['0']);
    const whole = { workchain: -1, shard: '-9223372036854775808' };
    const byId = await client.lookupBlockByID({ ...whole, seqno: 3 });
    expect(byId.id.seqno).toBe(3);
    const stored = subject.store.masterchainBlock(3)!;
    const byLt = await client.lookupBlockByLt({ ...whole, lt: stored.endLt });
    expect(byLt.id.seqno).toBe(3);
    const byTime = await client.lookupBlockByUtime({ ...whole, utime: stored.genUtime });
    expect(byTime.id.seqno).toBe(3);
    expect((await client.getBlockHeader(byId.id)).headerProof.length).toBeGreaterThan(0);
    const listed = await client.listBlockTransactions(byId.id, { mode: 39, count: 10, wantProof: true });
    expect(listed.ids.length).toBeGreaterThan(0);
    const full = await client.getFullBlock(4);
    expect(full.shards.length).toBeGreaterThan(0);
  });

  it('reads libraries, runs a method and sends a message', async () => {
    const { address, library } = subject;
    const { result } = await client.getLibraries([library]);
    expect(result.map(({ hash }) => hash)).toEqual([library]);
    const run = await client.runMethod(address, 'seqno', Buffer.alloc(0), await head());
    expect(run.exitCode).toBe(0);
    const body = beginCell()
      .store(storeMessage(external({ to: address, body: beginCell().storeUint(1, 32).endCell() })))
      .endCell()
      .toBoc();
    expect(await client.sendMessage(body)).toMatchObject({ status: 1 });
    expect(sent).toEqual([body]);
  });
}
