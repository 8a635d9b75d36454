import { type Address, beginCell, type Cell, Dictionary, external, internal, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ContractState,
  libraryReference,
  onChainContent,
} from '../../../src/localnet/contracts/contract.ts';
import {
  jettonMinter,
  jettonWallet,
  jettonWalletCode,
  mintJettons,
  transferJettons,
} from '../../../src/localnet/contracts/jetton.ts';
import {
  probe,
  probeBurnGas,
  probeCode,
  probeEcho,
  probeEmit,
  probeOverspend,
  probeSetLibrary,
  probeThrow,
} from '../../../src/localnet/contracts/probe.ts';
import { probeDestroy, probePoke, probeRelay } from '../support/contract-messages.ts';
import {
  addressOf,
  at,
  cellOf,
  exitCode,
  hops,
  numberOf,
  type Person,
  type SmallChain,
  startSmallChain,
} from '../support/small-chain.ts';

let net: SmallChain;
let owner: Person;
let bob: Person;
let contract: ContractState;

beforeAll(async () => {
  net = await startSmallChain();
  [owner, bob] = await net.people('owner', 'bob');
  contract = probe({ owner: owner.address, id: 3 });
  await net.send(owner, contract.address, toNano('1'), undefined, contract.init);
  net.save();
});

beforeEach(() => net.reset());

const tell = (who: Person, body: Cell) => net.send(who, contract.address, toNano('0.5'), body);

async function data(address: Address = contract.address) {
  const [who, ...numbers] = await net.get(address, 'get_probe_data');
  return [addressOf(who), ...numbers.map(numberOf)];
}

describe('a probe contract', () => {
  it('counts received messages', async () => {
    await net.send(bob, contract.address, toNano('1'));
    expect(await data()).toEqual([`${owner.address}`, 3n, 2n, 0n]);
  });

  it.each([
    ['in its compute phase', probeThrow(1234), 1234],
    ['for want of gas', probeBurnGas(), -14],
    ['on a body that it does not know', beginCell().storeUint(5, 32).endCell(), 0xffff],
  ])('fails %s and bounces the value', async (_, body, code) => {
    const result = await tell(bob, body);
    expect(exitCode(at(result, contract.address))).toBe(code);
    expect(result.transactions.at(-1)?.inMessage?.info).toMatchObject({ bounced: true });
  });

  it('fails in its action phase', async () => {
    const result = await tell(bob, probeOverspend());
    expect(exitCode(at(result, contract.address))).toBe(37);
  });

  it('sends an external out message', async () => {
    const event = beginCell().storeUint(7, 32).endCell();
    const { externals } = await tell(bob, probeEmit(42, event));
    expect(externals.map(({ info, body }) => [info.dest?.value, body.equals(event)])).toEqual([[42n, true]]);
  });

  it('sends the value back', async () => {
    expect(hops(await tell(bob, probeEcho(9n))).at(-1)).toEqual([`${bob.address}`, 0x7072000a]);
  });

  it('sends messages for its owner only', async () => {
    const messages = ['0.1', '0.2', '0.3', '0.4'].map((value) => ({
      mode: 1,
      message: internal({ to: bob.address, value: toNano(value) }),
    }));
    expect(exitCode(at(await tell(bob, probeRelay(messages)), contract.address))).toBe(401);
    expect(hops(await tell(owner, probeRelay(messages))).slice(1)).toHaveLength(4);
  });

  it('receives and sends extra currencies', async () => {
    (await net.chain.getContract(contract.address)).ec = { 100: 5n };
    const message = internal({ to: bob.address, value: toNano('0.1'), extracurrency: { 100: 2n } });
    await tell(owner, probeRelay([{ mode: 1, message }]));
    expect((await net.chain.getContract(contract.address)).ec).toEqual({ 100: 3n });
    expect((await net.chain.getContract(bob.address)).ec).toEqual({ 100: 2n });
  });

  it('destroys itself for its owner only', async () => {
    expect(exitCode(at(await tell(bob, probeDestroy()), contract.address))).toBe(401);
    expect(at(await tell(owner, probeDestroy()), contract.address)?.endStatus).toBe('non-existing');
  });

  it('accepts an external message once', async () => {
    const poke = external({ to: contract.address, body: probePoke(1) });
    const { externals } = await net.chain.sendMessage(poke);
    expect([externals.length, (await data())[2]]).toEqual([1, 2n]);
    await expect(net.chain.sendMessage(poke)).rejects.toThrow();
  });

  it('counts ticks', async () => {
    const ticking = probe({ owner: owner.address, workchain: -1 });
    await net.send(owner, ticking.address, toNano('1'), undefined, ticking.init);
    await net.chain.runTickTock(ticking.address, 'tick');
    expect(await data(ticking.address)).toEqual([`${owner.address}`, 0n, 1n, 1n]);
  });
});

describe('a masterchain library', () => {
  const code = jettonWalletCode();

  async function librariesOf(address: Address): Promise<Buffer[]> {
    const state = (await net.chain.getContract(address)).account.account?.storage.state;
    return state?.type === 'active' ? (state.state.libraries?.keys() ?? []).map(toHash) : [];
  }

  const toHash = (key: bigint | Buffer) =>
    typeof key === 'bigint' ? Buffer.from(key.toString(16).padStart(64, '0'), 'hex') : key;

  it('is published and removed by an action of the owner', async () => {
    const publisher = probe({ owner: owner.address, workchain: -1 });
    await net.send(owner, publisher.address, toNano('1'), undefined, publisher.init);
    const set = (who: Person, mode: 'public' | 'forget') =>
      net.send(who, publisher.address, toNano('1'), probeSetLibrary(mode, code));
    expect(exitCode(at(await set(bob, 'public'), publisher.address))).toBe(401);
    await set(owner, 'public');
    expect(await librariesOf(publisher.address)).toEqual([code.hash()]);
    await set(owner, 'forget');
    expect(await librariesOf(publisher.address)).toEqual([]);
  });

  it('serves as the code of jetton wallets and probes', async () => {
    const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
    for (const library of [code, probeCode()]) libraries.set(library.hash(), library);
    net.chain.libs = beginCell().storeDictDirect(libraries).endCell();

    const walletCode = libraryReference(code);
    const minter = jettonMinter({ admin: owner.address, content: onChainContent({ name: 'L' }), walletCode });
    await net.send(owner, minter.address, toNano('0.5'), undefined, minter.init);
    const mint = mintJettons({ to: bob.address, amount: 5n, ton: toNano('0.1') });
    await net.send(owner, minter.address, toNano('0.2'), mint);
    const bobs = jettonWallet({ minter: minter.address, owner: bob.address, walletCode });
    const transfer = transferJettons({ to: owner.address, amount: 2n, responseTo: bob.address });
    await net.send(bob, bobs.address, toNano('0.1'), transfer);
    const [left, , , shown] = await net.get(bobs.address, 'get_wallet_data');
    expect(numberOf(left)).toBe(3n);
    expect(cellOf(shown).equals(walletCode)).toBe(true);
    const owners = jettonWallet({ minter: minter.address, owner: owner.address, walletCode });
    expect(numberOf((await net.get(owners.address, 'get_wallet_data'))[0])).toBe(2n);

    const user = probe({ owner: owner.address, code: libraryReference(probeCode()) });
    await net.send(owner, user.address, toNano('1'), undefined, user.init);
    expect(await data(user.address)).toEqual([`${owner.address}`, 0n, 1n, 0n]);
  });
});
