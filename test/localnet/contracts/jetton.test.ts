import { type Address, beginCell, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContractState, onChainContent, textComment } from '../../../src/localnet/contracts/contract.ts';
import {
  burnJettons,
  jettonMinter,
  jettonWallet,
  jettonWalletCode,
  mintJettons,
  transferJettons,
} from '../../../src/localnet/contracts/jetton.ts';
import {
  changeJettonAdmin,
  changeJettonContent,
  claimJettonAdmin,
  offChainContent,
  provideWalletAddress,
} from '../support/contract-messages.ts';
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

const OPS = { internal: 0x178d4519, notification: 0x7362d09c, excesses: 0xd53276db, burnt: 0x7bdd97de };
const content = onChainContent({ name: 'Demo', symbol: 'DEMO', decimals: '9' });

let net: SmallChain;
let admin: Person;
let alice: Person;
let bob: Person;
let minter: ContractState;

beforeAll(async () => {
  net = await startSmallChain();
  [admin, alice, bob] = await net.people('admin', 'alice', 'bob');
  minter = jettonMinter({ admin: admin.address, content });
  await net.send(admin, minter.address, toNano('0.5'), undefined, minter.init);
  net.save();
});

beforeEach(() => net.reset());

const walletOf = (owner: Person) => jettonWallet({ minter: minter.address, owner: owner.address }).address;

async function mint(to: Person, amount: bigint) {
  const body = mintJettons({ to: to.address, amount, ton: toNano('0.1'), responseTo: admin.address });
  return net.send(admin, minter.address, toNano('0.2'), body);
}

async function holdings(owner: Person): Promise<bigint> {
  return numberOf((await net.get(walletOf(owner), 'get_wallet_data'))[0]);
}

async function supply(): Promise<bigint> {
  return numberOf((await net.get(minter.address, 'get_jetton_data'))[0]);
}

describe('jetton get-methods', () => {
  it('return the data of the minter', async () => {
    await mint(alice, 1000n);
    const [total, mintable, owner, shown, code] = await net.get(minter.address, 'get_jetton_data');
    expect(numberOf(total)).toBe(1000n);
    expect(numberOf(mintable)).toBe(-1n);
    expect(addressOf(owner)).toBe(`${admin.address}`);
    expect(cellOf(shown).equals(content)).toBe(true);
    expect(cellOf(code).equals(jettonWalletCode())).toBe(true);
  });

  it('report a minter without admin as not mintable', async () => {
    const fixed = jettonMinter({ admin: null, content });
    await net.send(admin, fixed.address, toNano('0.5'), undefined, fixed.init);
    const [, mintable, owner] = await net.get(fixed.address, 'get_jetton_data');
    expect([numberOf(mintable), addressOf(owner)]).toEqual([0n, 'null']);
  });

  it('return the data of a wallet, which the minter confirms', async () => {
    await mint(alice, 7n);
    const [balance, owner, master, code] = await net.get(walletOf(alice), 'get_wallet_data');
    expect(numberOf(balance)).toBe(7n);
    expect(addressOf(owner)).toBe(`${alice.address}`);
    expect(addressOf(master)).toBe(`${minter.address}`);
    expect(cellOf(code).equals(jettonWalletCode())).toBe(true);
    const asked = beginCell().storeAddress(alice.address).endCell();
    const [found] = await net.get(minter.address, 'get_wallet_address', [{ type: 'slice', cell: asked }]);
    expect(addressOf(found)).toBe(`${walletOf(alice)}`);
  });
});

describe('a jetton transfer', () => {
  beforeEach(() => mint(alice, 1000n));

  const send = (from: Person, amount: bigint, value: bigint, more: object = {}) =>
    net.send(
      from,
      walletOf(alice),
      value,
      transferJettons({ queryId: 5n, to: bob.address, amount, responseTo: alice.address, ...more }),
    );

  it('deploys the receiving wallet and returns the excess', async () => {
    const before = await alice.getBalance();
    const result = await send(alice, 300n, toNano('0.1'));
    expect([await holdings(alice), await holdings(bob), await supply()]).toEqual([700n, 300n, 1000n]);
    expect(hops(result).slice(1)).toEqual([
      [`${walletOf(bob)}`, OPS.internal],
      [`${alice.address}`, OPS.excesses],
    ]);
    // The new wallet keeps 0.01 for its storage, the rest are fees.
    expect(before - (await alice.getBalance())).toBeLessThan(toNano('0.03'));
    expect(await net.balance(walletOf(bob))).toBe(toNano('0.01'));
  });

  it.each([
    ['in a cell of its own', false],
    ['in the message', true],
  ])('notifies the receiver, with a comment %s', async (_, payloadInline) => {
    const forwardPayload = textComment('for coffee');
    const result = await send(alice, 1n, toNano('0.1'), {
      forwardTon: toNano('0.02'),
      forwardPayload,
      payloadInline,
    });
    const body = at(result, bob.address)!.inMessage!.body.beginParse();
    expect(body.loadUint(32)).toBe(OPS.notification);
    expect([body.loadUintBig(64), body.loadCoins()]).toEqual([5n, 1n]);
    expect(`${body.loadAddress()}`).toBe(`${alice.address}`);
    expect(body.loadBit()).toBe(!payloadInline);
    const payload = payloadInline ? body : body.loadRef().beginParse();
    expect([payload.loadUint(32), payload.loadStringTail()]).toEqual([0, 'for coffee']);
  });

  it('is rejected from strangers, for too much, with too little value, or without a payload bit', async () => {
    const codes = [];
    for (const result of [
      await send(bob, 1n, toNano('0.1')),
      await send(alice, 1001n, toNano('0.1')),
      await send(alice, 1n, toNano('0.01')),
      await net.send(
        alice,
        walletOf(alice),
        toNano('0.1'),
        beginCell()
          .storeUint(0x0f8a7ea5, 32)
          .storeUint(0, 64)
          .storeCoins(1)
          .storeAddress(bob.address)
          .storeAddress(null)
          .storeBit(0)
          .storeCoins(0)
          .endCell(),
      ),
    ])
      codes.push(exitCode(at(result, walletOf(alice))));
    expect(codes).toEqual([705, 706, 709, 708]);
    expect(await holdings(alice)).toBe(1000n);
  });

  it('succeeds with the minimum value, even with a deployment', async () => {
    const forward = { forwardTon: toNano('0.05'), forwardPayload: textComment('x'.repeat(400)) };
    let [low, high] = [toNano('0.05'), toNano('0.2')];
    const snapshot = net.chain.snapshot();
    while (high - low > 100_000n) {
      const middle = (low + high) / 2n;
      const refused = exitCode(at(await send(alice, 1n, middle, forward), walletOf(alice))) !== 0;
      await net.chain.loadFrom(snapshot);
      if (refused) low = middle;
      else high = middle;
    }
    const result = await send(alice, 1n, high, forward);
    expect(at(result, bob.address)!.inMessage!.info).toMatchObject({ value: { coins: toNano('0.05') } });
    expect(await net.balance(walletOf(bob))).toBe(toNano('0.01'));
  });

  it('bounces when the other wallet cannot accept it', async () => {
    // A receiver that is asked to forward more than it was sent: only a mint lets that happen.
    const body = mintJettons({ to: bob.address, amount: 50n, ton: toNano('0.02'), forwardTon: toNano('1') });
    const result = await net.send(admin, minter.address, toNano('0.2'), body);
    expect(exitCode(at(result, walletOf(bob)))).toBe(37);
    expect(hops(result).at(-1)).toEqual([`${minter.address}`, 0xffffffff]);
    expect(await supply()).toBe(1000n);
  });

  it('is credited back to the sender when it bounces', async () => {
    await send(alice, 300n, toNano('0.1'));
    const bounced = beginCell()
      .storeUint(0xffffffff, 32)
      .storeUint(OPS.internal, 32)
      .storeUint(0, 64)
      .storeCoins(300n)
      .endCell();
    await net.chain.sendMessage({
      info: {
        type: 'internal',
        ihrDisabled: true,
        bounce: false,
        bounced: true,
        src: walletOf(bob),
        dest: walletOf(alice),
        value: { coins: toNano('0.05') },
        ihrFee: 0n,
        forwardFee: 0n,
        createdLt: 0n,
        createdAt: 0,
      },
      body: bounced,
    });
    expect(await holdings(alice)).toBe(1000n);
  });

  it('is not accepted from a contract that is not a wallet of the jetton', async () => {
    const fake = beginCell()
      .storeUint(OPS.internal, 32)
      .storeUint(0, 64)
      .storeCoins(5n)
      .storeAddress(bob.address)
      .storeAddress(bob.address)
      .storeCoins(0)
      .storeBit(0)
      .endCell();
    const result = await net.send(bob, walletOf(alice), toNano('0.1'), fake);
    expect(exitCode(at(result, walletOf(alice)))).toBe(74);
  });
});

describe('a jetton burn', () => {
  beforeEach(() => mint(alice, 1000n));

  it('lowers the balance and the supply', async () => {
    const body = burnJettons({ queryId: 9n, amount: 400n, responseTo: alice.address });
    const result = await net.send(alice, walletOf(alice), toNano('0.05'), body);
    expect([await holdings(alice), await supply()]).toEqual([600n, 600n]);
    expect(hops(result).slice(1)).toEqual([
      [`${minter.address}`, OPS.burnt],
      [`${alice.address}`, OPS.excesses],
    ]);
  });

  it('is rejected from strangers, for too much and with too little value', async () => {
    const codes = [];
    for (const [who, amount, value] of [
      [bob, 1n, '0.05'],
      [alice, 1001n, '0.05'],
      [alice, 1n, '0.003'],
    ] as const)
      codes.push(
        exitCode(
          at(await net.send(who, walletOf(alice), toNano(value), burnJettons({ amount })), walletOf(alice)),
        ),
      );
    expect(codes).toEqual([705, 706, 709]);
  });

  it('is accepted by the minter only from a wallet', async () => {
    const fake = beginCell()
      .storeUint(OPS.burnt, 32)
      .storeUint(0, 64)
      .storeCoins(5n)
      .storeAddress(alice.address)
      .storeAddress(null)
      .endCell();
    const result = await net.send(alice, minter.address, toNano('0.05'), fake);
    expect(exitCode(at(result, minter.address))).toBe(74);
  });
});

describe('a jetton minter', () => {
  it('mints for its admin only', async () => {
    const body = mintJettons({ to: alice.address, amount: 1n, ton: toNano('0.1') });
    const result = await net.send(alice, minter.address, toNano('0.2'), body);
    expect(exitCode(at(result, minter.address))).toBe(73);
  });

  it('changes its admin when the new one claims the role', async () => {
    const claim = () => net.send(alice, minter.address, toNano('0.05'), claimJettonAdmin());
    expect(exitCode(at(await claim(), minter.address))).toBe(73);
    await net.send(admin, minter.address, toNano('0.05'), changeJettonAdmin(alice.address));
    expect(addressOf((await net.get(minter.address, 'get_next_admin_address'))[0])).toBe(`${alice.address}`);
    await claim();
    expect(addressOf((await net.get(minter.address, 'get_jetton_data'))[2])).toBe(`${alice.address}`);
    expect(exitCode(at(await mint(alice, 1n), minter.address))).toBe(73);
  });

  it('changes its content', async () => {
    const uri = `https://example.test/${'long/'.repeat(30)}jetton.json`;
    await net.send(admin, minter.address, toNano('0.05'), changeJettonContent(uri));
    const shown = cellOf((await net.get(minter.address, 'get_jetton_data'))[3]).beginParse();
    expect([shown.loadUint(8), shown.loadStringTail()]).toEqual([1, uri]);
    expect(offChainContent(uri).beginParse().skip(8).loadStringTail()).toBe(uri);
  });

  it.each([
    ['for an owner of the basechain', () => alice.address, () => walletOf(alice)],
    ['for nobody', () => null, () => null],
  ] as [string, () => Address | null, () => Address | null][])(
    'provides a wallet address %s',
    async (_, owner, found) => {
      const result = await net.send(
        bob,
        minter.address,
        toNano('0.05'),
        provideWalletAddress(owner(), true, 3n),
      );
      const body = at(result, bob.address)!.inMessage!.body.beginParse();
      expect([body.loadUint(32), body.loadUintBig(64)]).toEqual([0xd1735400, 3n]);
      expect(`${body.loadMaybeAddress()}`).toBe(`${found()}`);
      expect(`${body.loadMaybeRef()!.beginParse().loadMaybeAddress()}`).toBe(`${owner()}`);
    },
  );
});
