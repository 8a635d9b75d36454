import {
  type Address,
  type Cell,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from '@ton/ton';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { walletCodeOf } from '../../../src/chain/contracts/wallets.ts';
import { type ContractState, textComment } from '../../../src/localnet/contracts/contract.ts';
import { vestingWallet } from '../../../src/localnet/contracts/vesting.ts';
import walletCodes from '../../../src/localnet/contracts/wallet-codes.json' with { type: 'json' };
import {
  defaultWalletId,
  highloadTransfer,
  highloadWallet,
  type WalletVersion,
  wallet,
  walletCode,
  walletTransfer,
} from '../../../src/localnet/contracts/wallets.ts';
import { hops, type Person, type SmallChain, startSmallChain } from '../support/small-chain.ts';

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 7));
const names = Object.keys(walletCodes) as (keyof typeof walletCodes)[];
const versions = names.filter((name): name is WalletVersion => /^v\d/.test(name));
const options = { workchain: 0, publicKey };
const SEND_MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS;

interface Other {
  readonly address: Address;
  createTransfer(args: never): unknown;
}

let net: SmallChain;
let payer: Person;
let bob: Person;

beforeAll(async () => {
  net = await startSmallChain();
  [payer, bob] = await net.people('payer', 'bob');
  net.save();
});

beforeEach(() => net.reset());

const message = (): MessageRelaxed =>
  internal({ to: bob.address, value: toNano('1'), bounce: false, body: textComment('hi') });

/** Has a wallet with money take a first message from outside. */
async function deployBy({ address, init }: ContractState, body: Cell) {
  await payer.send({ to: address, value: toNano('10'), bounce: false });
  return net.chain.sendMessage(external({ to: address, init, body }));
}

describe('well-known wallets', () => {
  it.each(names)('%s has its well-known code hash', (name) => {
    const { hash } = walletCodes[name];
    const code = walletCode(name);
    expect(code.hash().toString('base64')).toBe(hash);
    expect(walletCodeOf(code.hash())?.label).toBe(`wallet_${name}`);
  });

  it.each(versions)('%s sends messages signed with its key', async (version) => {
    const state = wallet({ version, publicKey });
    const validUntil = net.chain.now! + 60;
    const body = walletTransfer({ version, secretKey, seqno: 0, validUntil, messages: [message()] });
    expect(hops(await deployBy(state, body))).toEqual([[`${bob.address}`, 0]]);
    const again = walletTransfer({ version, secretKey, seqno: 1, validUntil, messages: [message()] });
    expect(hops(await net.chain.sendMessage(external({ to: state.address, body: again })))).toHaveLength(1);
  });

  it('of the highload kind send in any order', async () => {
    const state = highloadWallet({ publicKey });
    const createdAt = net.chain.now! - 1;
    const transfer = (queryNumber: number) =>
      highloadTransfer({ secretKey, queryNumber, createdAt, message: message() });
    expect(hops(await deployBy(state, transfer(5000)))).toEqual([[`${bob.address}`, 0]]);
    const next = external({ to: state.address, body: transfer(3) });
    expect(hops(await net.chain.sendMessage(next))).toHaveLength(1);
    await expect(net.chain.sendMessage(next)).rejects.toThrow();
  });

  it('of the vesting kind send for their key, as v3 does', async () => {
    const state = vestingWallet({
      publicKey,
      startTime: 0,
      totalDuration: 10,
      unlockPeriod: 1,
      cliffDuration: 0,
      totalAmount: 1n,
      sender: payer.address,
      owner: bob.address,
    });
    const body = walletTransfer({
      version: 'v3r2',
      walletId: 0x10c,
      secretKey,
      seqno: 0,
      validUntil: net.chain.now! + 60,
      messages: [message()],
    });
    expect(hops(await deployBy(state, body))).toEqual([[`${bob.address}`, 0]]);
  });
});

describe('wallets built by another library', () => {
  const timeout = 1_900_000_000;
  const others: [WalletVersion, Other][] = [
    ['v1r1', WalletContractV1R1.create(options)],
    ['v1r2', WalletContractV1R2.create(options)],
    ['v1r3', WalletContractV1R3.create(options)],
    ['v2r1', WalletContractV2R1.create(options)],
    ['v2r2', WalletContractV2R2.create(options)],
    ['v3r1', WalletContractV3R1.create(options)],
    ['v3r2', WalletContractV3R2.create(options)],
    ['v4r2', WalletContractV4.create(options)],
    ['v5r1', WalletContractV5R1.create(options)],
  ];

  it.each(others)('have the same address and message for %s', async (version, other) => {
    expect(`${wallet({ version, publicKey }).address}`).toBe(`${other.address}`);
    const transfer = { seqno: 4, secretKey, mode: SEND_MODE, messages: [message()] };
    const ours = walletTransfer({ ...transfer, version, validUntil: timeout });
    const theirs = { ...transfer, sendMode: SEND_MODE, timeout, message: message() };
    expect(ours.equals((await other.createTransfer(theirs as never)) as Cell)).toBe(true);
  });

  it('have the same v5 wallet id, which depends on network and workchain', () => {
    const walletId = { networkGlobalId: -777 } as const;
    const other = WalletContractV5R1.create({ ...options, walletId });
    const id = defaultWalletId('v5r1', 0, -777);
    expect(`${wallet({ version: 'v5r1', publicKey, walletId: id }).address}`).toBe(`${other.address}`);
    expect(defaultWalletId('v5r1')).toBe(2147483409);
    const master = WalletContractV5R1.create({
      publicKey,
      walletId: {
        networkGlobalId: -239,
        context: { workchain: -1, walletVersion: 'v5r1', subwalletNumber: 0 },
      },
    });
    expect(`${wallet({ version: 'v5r1', publicKey, workchain: -1 }).address}`).toBe(`${master.address}`);
  });
});
