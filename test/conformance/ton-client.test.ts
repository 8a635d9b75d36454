import {
  Address,
  beginCell,
  Cell,
  comment,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import {
  JettonMaster,
  JettonWallet,
  TonClient,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onChainContent } from '../../src/localnet/contracts/contract.ts';
import { jettonMinter, mintJettons, transferJettons } from '../../src/localnet/contracts/jetton.ts';
import { newItem, nftCollection, transferItem } from '../../src/localnet/contracts/nft.ts';
import { deployItem, offChainContent } from '../localnet/support/contract-messages.ts';
import { until } from '../support/until.ts';
import { openV2ClientContext } from './v2-client-context.ts';

const STRANGER = Address.parse('0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8');
const keys = keyPairFromSeed(Buffer.alloc(32, 77));
const v3 = WalletContractV3R2.create({ workchain: 0, publicKey: keys.publicKey });
const v4 = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
const v5 = WalletContractV5R1.create({ publicKey: keys.publicKey });
const SEND = { secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY };

let context: Awaited<ReturnType<typeof openV2ClientContext>>;
let client: TonClient;

beforeAll(async () => {
  context = await openV2ClientContext();
  client = new TonClient({ endpoint: context.rpcUrl });
  for (const { address } of [v3, v4, v5]) await context.fund(address, toNano(20));
});
afterAll(() => context?.close());

const wallet = () => client.open(v4);

/** Sends from the v4 wallet and waits until the message is in a block. */
async function send(...messages: ReturnType<typeof internal>[]): Promise<void> {
  const seqno = await wallet().getSeqno();
  await wallet().sendTransfer({ ...SEND, seqno, messages });
  await until(async () => (await wallet().getSeqno()) > seqno);
}

const isDeployed = (address: Address) => until(() => client.isContractDeployed(address));

describe('TonClient', () => {
  it('deploys wallets of three versions with their first transfer', async () => {
    const message = internal({ to: STRANGER, value: toNano('0.1'), bounce: false, body: 'hello' });
    expect(await client.isContractDeployed(v3.address)).toBe(false);
    await client.open(v3).sendTransfer({ ...SEND, seqno: 0, messages: [message] });
    await client.open(v4).sendTransfer({ ...SEND, seqno: 0, messages: [message] });
    await client.open(v5).sendTransfer({ ...SEND, seqno: 0, messages: [message] });
    for (const contract of [v3, v4, v5]) {
      await isDeployed(contract.address);
      expect(await client.open(contract).getSeqno()).toBe(1);
    }
    await until(async () => (await client.getBalance(STRANGER)) > toNano('0.29'));
  });

  it('reads balances and states', async () => {
    const balance = await client.getBalance(v4.address);
    expect(balance).toBeGreaterThan(toNano(19));
    expect(await client.open(v4).getBalance()).toBe(balance);
    const state = await client.getContractState(v4.address);
    expect(state).toMatchObject({ balance, state: 'active', extra_currencies: [] });
    expect(Cell.fromBoc(state.code!)[0]!.hash()).toEqual(v4.init.code!.hash());
    expect(await client.getContractState(STRANGER)).toMatchObject({ state: 'uninitialized', code: null });
    const { last } = await client.provider(v4.address).getState();
    expect(last?.hash).toHaveLength(32);
  });

  it('runs get-methods, with and without errors', async () => {
    const { stack, gas_used } = await client.runMethod(v4.address, 'get_public_key');
    expect(stack.readBigNumber()).toBe(BigInt(`0x${keys.publicKey.toString('hex')}`));
    expect(gas_used).toBeGreaterThan(0);
    expect((await client.callGetMethod(v4.address, 'seqno')).stack.readNumber()).toBeGreaterThan(0);
    expect(await client.runMethodWithError(v4.address, 'no_such_method')).toMatchObject({ exit_code: 11 });
    await expect(client.runMethod(v4.address, 'no_such_method')).rejects.toThrow('exit_code: 11');
    await expect(client.runMethod(STRANGER, 'seqno')).rejects.toThrow('exit_code: -13');
    expect((await client.callGetMethodWithError(v4.address, 'seqno')).stack.remaining).toBe(1);
  });

  it('reads a history in pages, and single transactions', async () => {
    for (let i = 0; i < 3; i++)
      await send(internal({ to: v5.address, value: toNano('0.01'), body: `note ${i}` }));
    const all = await client.getTransactions(v4.address, { limit: 100 });
    expect(all.length).toBeGreaterThanOrEqual(5);
    expect(all.map(({ lt }) => lt)).toEqual([...all.map(({ lt }) => lt)].sort((a, b) => (a > b ? -1 : 1)));
    const paged = await client.getTransactions(v4.address, { limit: 2 });
    while (paged.length < all.length) {
      const last = paged.at(-1)!;
      const from = { lt: String(last.lt), hash: last.hash().toString('base64') };
      const page = await client.getTransactions(v4.address, { limit: 2, ...from });
      expect(page.length).toBeGreaterThan(0);
      paged.push(...page);
    }
    expect(paged.map((each) => each.hash())).toEqual(all.map((each) => each.hash()));
    const third = all[2]!;
    const reference = { lt: String(third.lt), hash: third.hash().toString('base64') };
    const inclusive = await client.getTransactions(v4.address, { limit: 1, inclusive: true, ...reference });
    expect(inclusive[0]!.hash()).toEqual(third.hash());
    const cut = await client.getTransactions(v4.address, { limit: 100, to_lt: reference.lt, archival: true });
    expect(cut).toHaveLength(2);
    expect((await client.getTransaction(v4.address, reference.lt, reference.hash))?.hash()).toEqual(
      third.hash(),
    );
    expect(await client.getTransactions(Address.parse(`0:${'07'.repeat(32)}`), { limit: 5 })).toEqual([]);
  });

  it('locates the source and destination transaction of a message', async () => {
    const [sent] = await client.getTransactions(v4.address, { limit: 1 });
    const { info } = sent!.outMessages.get(0)!;
    if (info.type !== 'internal') throw new Error('Not an internal message');
    await until(async () => {
      const [received] = await client.getTransactions(v5.address, { limit: 1 });
      return received!.lt > info.createdLt;
    });
    const result = await client.tryLocateResultTx(v4.address, v5.address, String(info.createdLt));
    expect(result.inMessage?.info).toMatchObject({ createdLt: info.createdLt });
    const source = await client.tryLocateSourceTx(v4.address, v5.address, String(info.createdLt));
    expect(source.hash()).toEqual(sent!.hash());
    await expect(client.tryLocateResultTx(v4.address, v5.address, '1')).rejects.toThrow();
  });

  it('reads the head, its shards and the transactions of a block', async () => {
    const { latestSeqno, initSeqno, shard } = await client.getMasterchainInfo();
    expect(latestSeqno).toBeGreaterThan(initSeqno);
    expect(shard).toBe('-9223372036854775808');
    const [own] = await client.getTransactions(v4.address, { limit: 1 });
    const shards = await client.getWorkchainShards(latestSeqno);
    expect(shards).toHaveLength(1);
    const { body } = await context.call('lookupBlock', {
      workchain: 0,
      shard: shards[0]!.shard,
      lt: String(own!.lt),
    });
    const listed = await client.getShardTransactions(0, body.result.seqno, shards[0]!.shard);
    expect(listed.map(({ hash }) => hash)).toContain(own!.hash().toString('base64'));
  });

  it('estimates fees, and sends messages with each of its methods', async () => {
    const seqno = await wallet().getSeqno();
    const transfer = (number: number, value = toNano('0.02')) =>
      v4.createTransfer({ ...SEND, seqno: number, messages: [internal({ to: v3.address, value })] });
    const { source_fees } = await client.estimateExternalMessageFee(v4.address, {
      body: transfer(seqno),
      initCode: null,
      initData: null,
      ignoreSignature: true,
    });
    expect(source_fees.gas_fee).toBeGreaterThan(0);
    expect(source_fees.in_fwd_fee).toBeGreaterThan(0);
    const sent = (number: number) => until(async () => (await wallet().getSeqno()) === number);
    await client.sendMessage(external({ to: v4.address, body: transfer(seqno) }));
    await sent(seqno + 1);
    await client.sendExternalMessage(v4, transfer(seqno + 1));
    await sent(seqno + 2);
    const message = external({ to: v4.address, body: transfer(seqno + 2) });
    await client.sendFile(beginCell().store(storeMessage(message)).endCell().toBoc());
    await sent(seqno + 3);
    await expect(client.sendExternalMessage(v4, transfer(seqno, 1n))).rejects.toMatchObject({
      response: { status: 500, data: { error: expect.stringContaining('exitcode=33') } },
    });
  });

  it('deploys, mints and transfers a jetton', async () => {
    const content = onChainContent({ name: 'Client Coin', symbol: 'CLI', decimals: '6' });
    const minter = jettonMinter({ admin: v4.address, content });
    await send(
      internal({
        to: minter.address,
        value: toNano('0.5'),
        init: minter.init,
        body: mintJettons({ to: v4.address, amount: 1_000_000n, ton: toNano('0.1') }),
      }),
    );
    await isDeployed(minter.address);
    const master = client.open(JettonMaster.create(minter.address));
    const { totalSupply, adminAddress } = await master.getJettonData();
    expect(totalSupply).toBe(1_000_000n);
    expect(adminAddress.equals(v4.address)).toBe(true);
    const mine = await master.getWalletAddress(v4.address);
    await isDeployed(mine);
    const body = transferJettons({ to: v5.address, amount: 400_000n, responseTo: v4.address });
    await send(internal({ to: mine, value: toNano('0.2'), body }));
    const theirs = await master.getWalletAddress(v5.address);
    await isDeployed(theirs);
    expect(await client.open(JettonWallet.create(theirs)).getBalance()).toBe(400_000n);
    expect(await client.open(JettonWallet.create(mine)).getBalance()).toBe(600_000n);
    const { body: token } = await context.call('getTokenData', { address: theirs.toString() });
    expect(token.result).toMatchObject({ contract_type: 'jetton_wallet', balance: '400000' });
  });

  it('deploys an NFT collection and an item, and transfers the item', async () => {
    const collection = nftCollection({
      owner: v4.address,
      content: offChainContent('https://example.test/c.json'),
      baseUri: 'https://example.test/items/',
      royalty: { numerator: 5, denominator: 100, destination: v4.address },
    });
    await send(
      internal({
        to: collection.address,
        value: toNano('0.5'),
        init: collection.init,
        body: deployItem({ index: 0n, ton: toNano('0.1'), item: newItem(v4.address, '0.json') }),
      }),
    );
    await isDeployed(collection.address);
    const index = [{ type: 'int' as const, value: 0n }];
    const item = (
      await client.runMethod(collection.address, 'get_nft_address_by_index', index)
    ).stack.readAddress();
    await isDeployed(item);
    await send(
      internal({
        to: item,
        value: toNano('0.2'),
        body: transferItem({ to: v5.address, responseTo: v4.address }),
      }),
    );
    await until(async () => {
      const { stack } = await client.runMethod(item, 'get_nft_data');
      stack.skip(3);
      return stack.readAddress().equals(v5.address);
    });
    const { body } = await context.call('getTokenData', { address: item.toString() });
    expect(body.result).toMatchObject({ contract_type: 'nft_item', index: '0', init: true });
  });

  it('opens a contract provider that reads and sends', async () => {
    const provider = client.provider(v4.address, v4.init);
    expect((await provider.get('seqno', [])).stack.readNumber()).toBe(await wallet().getSeqno());
    const { last, state } = await provider.getState();
    expect(state.type).toBe('active');
    const [newest] = await provider.getTransactions(v4.address, last!.lt, last!.hash, 1);
    expect(newest?.hash()).toEqual(last!.hash);
    const sender = wallet().sender(keys.secretKey);
    const before = (await client.getTransactions(v5.address, { limit: 1 }))[0]!.lt;
    await sender.send({ to: v5.address, value: toNano('0.03'), body: comment('by a sender') });
    await until(async () => (await client.getTransactions(v5.address, { limit: 1 }))[0]!.lt > before);
  });
});
