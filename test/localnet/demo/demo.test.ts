import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Address, beginCell, type Cell, Dictionary, type Transaction, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { type DnsRecord, encodeDnsName, readDnsRecord } from '../../../src/chain/contracts/dns.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { libraryPublishers } from '../../../src/chain/tlb/libraries.ts';
import { readMcStateExtra } from '../../../src/chain/tlb/masterchain-state.ts';
import { readShardStateTotals } from '../../../src/chain/tlb/shard-state.ts';
import { readValidatorSet } from '../../../src/chain/tlb/validators.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { hasPendingWork } from '../../../src/localnet/chain/mining.ts';
import { libraryReference } from '../../../src/localnet/contracts/contract.ts';
import { jettonWallet, jettonWalletCode } from '../../../src/localnet/contracts/jetton.ts';
import { wallet } from '../../../src/localnet/contracts/wallets.ts';
import { createDemoChain, type DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import {
  type DemoWallets,
  openDemoWallets,
  openStakerWallets,
} from '../../../src/localnet/demo/demo-wallets.ts';
import { type DemoSummary, prepareDemo, runDemo } from '../../../src/localnet/demo/run-demo.ts';
import { seqnoOf } from '../../../src/localnet/demo/story.ts';
import { headState } from '../../../src/localnet/store/head-state.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { GENESIS_TIME, getFrom, openDemoLocalnet, transactionsOf } from '../support/demo-localnet.ts';

const DAY = 86_400n;

const SHARDS = 2;
/** Messages and blocks after which the process of a demo ends, one process after the other. */
const LIFETIMES = sampled([4, 60, 200], [1, 1, 1, 1, 4, 2, 6, 3]);

const stakers = openStakerWallets();
const log = createQuietLog();
let folder: string;
let summary: DemoSummary;
let vm: Vm;
let localnet: Localnet;
let chain: DemoChain;
let wallets: DemoWallets;
let transactions: Map<string, Transaction[]>;

beforeAll(async () => {
  folder = makeTemporaryDirectory('demo');
  vm = sharedVm();
  localnet = await openDemoLocalnet(folder, vm, SHARDS);
  chain = createDemoChain(localnet);
  const path = join(folder, 'demo.json');
  await prepareDemo(localnet, { path, log });
  summary = JSON.parse(readFileSync(path, 'utf8'));
  wallets = openDemoWallets();
  transactions = transactionsOf(localnet.store);
});

afterAll(async () => {
  await localnet?.stop();
  await vm?.close();
  await removeTemporaryDirectory(folder);
});

const at = (name: string): Address => Address.parse(summary.contracts[name]!);
const get = (...[address, method, stack]: [Address, string, Parameters<typeof getFrom>[3]?]) =>
  getFrom({ localnet, vm }, address, method, stack);
const madeBy = (address: Address): Transaction[] => transactions.get(address.toRawString()) ?? [];
const bodiesTo = (address: Address): Cell[] =>
  madeBy(address).flatMap(({ inMessage }) => (inMessage ? [inMessage.body] : []));

/** The comments that an account was sent. */
function commentsTo(address: Address): string[] {
  return bodiesTo(address).flatMap((body) => {
    const slice = body.beginParse();
    return slice.remainingBits >= 32 && slice.loadUint(32) === 0 ? [slice.loadStringTail()] : [];
  });
}

describe('demo wallets', () => {
  it('of all versions were deployed by their first messages and sent greetings', () => {
    const { kate, ...others } = wallets;
    const sent = Object.values(others).map((wallet) => [wallet.name, seqnoOf(chain, wallet)]);
    expect(Object.fromEntries(sent)).toEqual({
      bank: 1,
      alice: 3,
      bob: 2,
      carol: 3,
      dave: 2,
      erin: 3,
      frank: 3,
      grace: 3,
      heidi: 2,
      ivan: 2,
      judy: 2,
    });
    expect(new Set(Object.values(wallets).map(({ version }) => version)).size).toBe(11);
    for (const { address } of Object.values(wallets)) {
      const [deployment] = madeBy(address).filter(({ inMessage }) => inMessage?.init != null);
      expect(deployment!.inMessage!.info.type).toBe('external-in');
      expect([deployment!.oldStatus, deployment!.endStatus]).toEqual(['uninitialized', 'active']);
    }
    expect(commentsTo(wallets.alice.address)).toContain('Hello from kate, a wallet of version highload_v3r1');
    expect(commentsTo(kate.address)).toEqual(['Hello from judy, a wallet of version v1r1']);
  });

  it('are listed by name with their public keys', () => {
    expect(summary.chain).toBe(localnet.store.zeroState.rootHash.toString('hex'));
    expect(Object.keys(summary.wallets)).toEqual([...Object.keys(wallets), ...Object.keys(stakers)]);
    expect(Address.parse(summary.wallets.bob!.address).equals(wallets.bob.address)).toBe(true);
    const { publicKey } = keyPairFromSeed(Buffer.from(summary.wallets.bob!.key_seed, 'hex'));
    expect(wallet({ version: 'v4r2', publicKey }).address.equals(wallets.bob.address)).toBe(true);
  });

  it('include an account with a balance and no contract', () => {
    expect(chain.account(at('account without a contract'))!.storage).toMatchObject({
      balance: { coins: toNano('1000') },
      state: { type: 'uninit' },
    });
  });
});

describe('the demo extra currency', () => {
  it('came from the masterchain and was transferred', () => {
    const amount = (wallet: { address: Address }) =>
      chain.account(wallet.address)!.storage.balance.other!.get(100);
    expect([amount(wallets.alice), amount(wallets.bob)]).toEqual([toNano('750'), toNano('250')]);
  });
});

describe('demo jettons', () => {
  async function holdings(minter: string, owner: { address: Address }, walletCode?: Cell): Promise<bigint> {
    const { address } = jettonWallet({ minter: at(minter), owner: owner.address, walletCode });
    return (await get(address, 'get_wallet_data')).readBigNumber();
  }

  it('have holders and were partly burnt', async () => {
    const { alice, bob, carol, dave, erin, frank, grace } = wallets;
    const amounts: bigint[] = [];
    for (const owner of [alice, bob, carol, dave, erin, frank, grace])
      amounts.push(await holdings('jetton minter', owner));
    const expected = ['999985', '1000', '325', '100', '50', '10', '5'];
    expect(amounts).toEqual(expected.map((amount) => toNano(amount)));
    const data = await get(at('jetton minter'), 'get_jetton_data');
    expect(data.readBigNumber()).toBe(toNano('1001475'));
    expect(data.readBoolean()).toBe(true);
    expect(`${data.readAddress()}`).toBe(`${alice.address}`);
  });

  it('were sent with comments and payloads', () => {
    const payloads = [wallets.dave, wallets.erin, wallets.grace].map(({ address }) => {
      const body = bodiesTo(address).find(
        (cell) => cell.bits.length > 32 && cell.asSlice().loadUint(32) === 0x7362d09c,
      )!;
      const slice = body.beginParse().skip(96);
      slice.loadCoins();
      slice.loadAddress();
      const payload = slice.loadBit() ? slice.loadRef().beginParse() : slice;
      const op = payload.loadUint(32);
      return op === 0 ? payload.loadStringTail() : op;
    });
    expect(payloads).toEqual(['For the concert tickets; the rest follows next week', 'Thanks', 0x0de00001]);
  });

  it('cannot be sent without a balance', () => {
    const { address } = jettonWallet({ minter: at('jetton minter'), owner: wallets.dave.address });
    expect(exitCodes(address)).toContain(706);
  });

  it('have wallets whose code is a masterchain library', async () => {
    const code = libraryReference(jettonWalletCode());
    const state = chain.account(at('library jetton wallet of carol'))!.storage.state;
    expect(state.type === 'active' && state.state.code!.equals(code)).toBe(true);
    const minter = 'library jetton minter';
    const amounts = [await holdings(minter, wallets.carol, code), await holdings(minter, wallets.dave, code)];
    expect(amounts).toEqual([500_000_000n, 200_000_000n]);
    const { cells, state: head } = headState(localnet.store);
    const { libraries } = readShardStateTotals(cells, head.totals);
    const publishers = libraryPublishers(cells, libraries, jettonWalletCode().hash());
    expect(publishers).toEqual([at('library publisher').hash]);
  });
});

describe('demo NFTs', () => {
  async function ownerOf(name: string): Promise<string> {
    const data = await get(at(name), 'get_nft_data');
    data.skip(3);
    return `${data.readAddress()}`;
  }

  it('were transferred, sold and kept', async () => {
    expect(await ownerOf('NFT that was given away')).toBe(`${wallets.carol.address}`);
    expect(await ownerOf('NFT that was sold')).toBe(`${wallets.erin.address}`);
    expect(await ownerOf('NFT that was kept')).toBe(`${wallets.bob.address}`);
    expect((await get(at('NFT collection'), 'get_collection_data')).readNumber()).toBe(4);
    expect(commentsTo(wallets.bob.address)).toContain('NFT sold');
  });

  it('have a completed sale and an open one', async () => {
    const over = await get(at('NFT sale that is over'), 'get_fix_price_data_v4');
    expect(over.readBoolean()).toBe(true);
    const going = await get(Address.parse(await ownerOf('NFT that is for sale')), 'get_fix_price_data_v4');
    expect(going.readBoolean()).toBe(false);
    going.skip(1);
    expect([going.readAddress(), going.readAddress()].map(String)).toEqual(
      [at('NFT marketplace'), at('NFT that is for sale')].map(String),
    );
  });
});

describe('demo domains', () => {
  /** Resolves from the root that the configuration names, as clients do. */
  async function resolve(name: string, category: string): Promise<DnsRecord | undefined> {
    const { cells, state } = headState(localnet.store);
    const root = configParam(cells, readMcStateExtra(cells, state.custom).config, 4);
    let resolver = new Address(-1, Buffer.from(cells.bytes.subarray(cells.starts[root]!).subarray(0, 32)));
    const key = BigInt(`0x${createHash('sha256').update(category).digest('hex')}`);
    for (let rest = encodeDnsName(name); ; ) {
      const result = await get(resolver, 'dnsresolve', [
        { type: 'slice', cell: beginCell().storeBuffer(rest).endCell() },
        { type: 'int', value: key },
      ]);
      const [bits, found] = [result.readNumber(), result.readCellOpt()];
      if (found === null) return undefined;
      const bag = fromCoreCell(found);
      const record = readDnsRecord(bag, bag.root);
      rest = rest.subarray(bits / 8);
      if (rest.length === 0 || record?.kind !== 'next_resolver') return record;
      resolver = new Address(record.address.workchain, Buffer.from(record.address.hash));
    }
  }

  it('resolve from the root in the config', async () => {
    const wallet = await resolve('alice.ton', 'wallet');
    expect(wallet).toMatchObject({ kind: 'smc_address', address: { workchain: 0 } });
    expect(wallet?.kind === 'smc_address' && wallet.address.hash.equals(wallets.alice.address.hash)).toBe(
      true,
    );
    expect(await resolve('alice.ton', 'site')).toMatchObject({ kind: 'adnl_address' });
    expect(await resolve('alice.ton', 'storage')).toMatchObject({ kind: 'storage_address' });
    expect(await resolve('carol.ton', 'wallet')).toBeUndefined();
  });

  it('belong to the accounts that registered them', async () => {
    const editor = async (name: string) => `${(await get(at(name), 'get_editor')).readAddress()}`;
    expect(await editor('domain alice.ton')).toBe(`${wallets.alice.address}`);
    expect(await editor('domain carol.ton')).toBe(`${wallets.carol.address}`);
  });
});

describe('demo domain auctions', () => {
  async function auctionOf(name: string) {
    const data = await get(at(name), 'get_auction_info');
    const [bidder, bid, end] = [data.readAddressOpt(), data.readBigNumber(), data.readNumber()];
    return { bidder: `${bidder}`, bid, secondsLeft: end - chain.now() };
  }

  it('include one with three bids that is open', async () => {
    const { bidder, bid, secondsLeft } = await auctionOf('domain bid-for-me.ton');
    expect([bidder, bid]).toEqual([`${stakers.nora.address}`, toNano('15')]);
    expect(secondsLeft).toBeGreaterThan(86_400);
    const refunded = bodiesTo(stakers.nick.address).concat(bodiesTo(stakers.olga.address));
    expect(refunded.filter((body) => opcode(body) === 0x557cea20)).toHaveLength(2);
  });

  it('include one that is over and was not claimed', async () => {
    const { bidder, secondsLeft } = await auctionOf('domain sold-to-nora.ton');
    expect(bidder).toBe(`${stakers.nora.address}`);
    expect(secondsLeft).toBeLessThan(0);
    const data = await get(at('domain sold-to-nora.ton'), 'get_nft_data');
    data.skip(3);
    expect(data.readAddressOpt()).toBeNull();
  });
});

describe('the demo election', () => {
  /** Opcodes of what the elector sent to an account. */
  const answers = (address: Address): (number | undefined)[] =>
    madeBy(address).flatMap(({ inMessage }) =>
      inMessage?.info.type === 'internal' && inMessage.info.src.equals(at('elector'))
        ? [opcode(inMessage.body)]
        : [],
    );

  const isVote = (op: number | undefined): boolean => op !== undefined && op >>> 4 === 0xd674524;

  it('took stakes, returned one, and gave them back in the end', () => {
    const toVictor = answers(stakers.victor.address).filter((op) => !isVote(op));
    expect(toVictor).toEqual([0xee6f454c, 0xf374484c, 0xf2676350, 0xfffffffe, 0xf96f7324]);
    expect(answers(at('nominator pool'))).toEqual([0xf374484c, 0xf96f7324]);
    expect(bodiesTo(at('elector')).map(opcode)).toContain(0xee764f4b);
  });

  it('had complaints: one passed with two votes, one has one', () => {
    const votes = [stakers.victor, stakers.wanda].flatMap(({ address }) => answers(address).filter(isVote));
    expect(votes.toSorted()).toEqual([0xd6745241, 0xd6745241, 0xd6745242]);
    // victor was fined.
    const returned = madeBy(stakers.victor.address).at(-1)!.inMessage!;
    const value = returned.info.type === 'internal' ? returned.info.value.coins : 0n;
    expect(value).toBeGreaterThan(toNano('19500'));
    expect(value).toBeLessThan(toNano('19700'));
  });

  it('is over: the chain goes on with one validator', async () => {
    const { cells, state } = headState(localnet.store);
    const { config } = readMcStateExtra(cells, state.custom);
    const [current, previous] = [34, 32].map((index) =>
      readValidatorSet(cells, configParam(cells, config, index)),
    );
    expect([current!.validators.length, current!.until]).toEqual([1, 2 ** 32 - 1]);
    expect(previous!.validators).toHaveLength(2);
    expect((await get(at('elector'), 'active_election_id')).readNumber()).toBe(0);
    expect((await get(at('elector'), 'past_elections')).readLispList()).toEqual([]);
  });
});

describe('the demo nominator pool', () => {
  it('shared a reward, paid nora out and kept what nick added', async () => {
    const data = await get(at('nominator pool'), 'get_pool_data');
    const [state, count, sent, own] = Array.from({ length: 4 }, () => data.readBigNumber());
    expect([state, count, sent]).toEqual([0n, 1n, 0n]);
    const reward = own! - toNano('5900');
    expect(reward).toBeGreaterThan(toNano('10'));
    const [nick] = (await get(at('nominator pool'), 'list_nominators')).readLispList();
    if (nick?.type !== 'tuple') throw new Error('expected a tuple');
    const [account, amount, pending] = nick.items.map((item) => (item.type === 'int' ? item.value : 0n));
    expect(account).toBe(BigInt(`0x${stakers.nick.address.hash.toString('hex')}`));
    expect(pending).toBe(0n);
    // wanda has four tenths of the reward; nick has two fifths of the rest. Both are rounded.
    const expected = (((reward * 6n) / 4n) * 2n) / 5n;
    expect(Math.abs(Number(amount! - toNano('2500') - expected))).toBeLessThan(3);
    expect(chain.account(stakers.nora.address)!.storage.balance.coins).toBeGreaterThan(toNano('4970'));
    // All that the pool owes is there.
    expect(chain.account(at('nominator pool'))!.storage.balance.coins).toBeGreaterThan(own! + amount!);
  });
});

describe('the demo multisig', () => {
  async function orderOf(name: string) {
    const data = await get(at(name), 'get_order_data');
    data.skip(1);
    const [seqno, threshold, sent] = [data.readNumber(), data.readNumber(), data.readBoolean()];
    data.skip(1);
    return { seqno, threshold, sent, mask: data.readNumber(), approvals: data.readNumber() };
  }

  it('has one executed and one open order', async () => {
    const shared = { threshold: 2 };
    expect(await orderOf('multisig order that was executed')).toEqual({
      ...shared,
      seqno: 0,
      sent: true,
      mask: 0b011,
      approvals: 2,
    });
    expect(await orderOf('multisig order that is open')).toEqual({
      ...shared,
      seqno: 1,
      sent: false,
      mask: 0b100,
      approvals: 1,
    });
    expect(commentsTo(wallets.heidi.address)).toContain('From us all');
    expect((await get(at('multisig'), 'get_multisig_data')).readNumber()).toBe(2);
  });
});

describe('the demo vesting wallet', () => {
  it('has locked funds, a whitelist and outgoing payments', async () => {
    const data = await get(at('vesting wallet'), 'get_vesting_data');
    const terms = Array.from({ length: 5 }, () => data.readBigNumber());
    expect(terms).toEqual([BigInt(GENESIS_TIME), 360n * DAY, 30n * DAY, 90n * DAY, toNano('1000')]);
    expect([data.readAddress(), data.readAddress()].map(String)).toEqual(
      [wallets.bank.address, wallets.grace.address].map(String),
    );
    const listed = Dictionary.loadDirect(
      Dictionary.Keys.Buffer(33),
      Dictionary.Values.BigInt(1),
      data.readCell(),
    );
    expect(listed.keys().map((key) => key.subarray(1))).toEqual([wallets.heidi.address.hash]);
    expect(commentsTo(wallets.heidi.address)).toContain('d');
    expect(commentsTo(wallets.judy.address)).toContain('What is free goes to anybody');
  });
});

describe('demo failures', () => {
  it('include failed compute and action phases', () => {
    // Without gas the code of the failure is complemented.
    expect(exitCodes(at('probe'))).toEqual(expect.arrayContaining([42, ~13, 37]));
  });

  it('include bounced messages', () => {
    const bounced = ({ address }: { address: Address }): number =>
      madeBy(address).filter(({ inMessage }) => inMessage?.info.type === 'internal' && inMessage.info.bounced)
        .length;
    const { heidi, ivan, frank, judy, alice } = wallets;
    expect([heidi, ivan, frank, judy, alice].map(bounced)).toEqual([1, 1, 0, 0, 0]);
    const [toNobody] = madeBy(at('account that does not exist'));
    expect(toNobody!.description).toMatchObject({
      computePhase: { type: 'skipped', reason: 'no-state' },
      bouncePhase: { type: 'ok' },
    });
  });

  it('do not prevent events from being emitted', () => {
    const out = madeBy(at('probe')).flatMap(({ outMessages }) => outMessages.values());
    expect(out.filter(({ info }) => info.type === 'external-out')).toHaveLength(1);
  });
});

describe('an interrupted demo', () => {
  const run = (chain: Parameters<typeof createDemoChain>[0]) =>
    runDemo({ chain: createDemoChain(chain), log, save: async () => undefined });

  /** A chain that ends after so many messages and blocks; a message may get into a block without those after it. */
  function mortal(chain: Localnet, lifetime: number) {
    let left = lifetime;
    const live = (): void => {
      if (left-- <= 0) throw new Error('the end');
    };
    return {
      ...chain,
      async send(body: Buffer) {
        live();
        const sent = await chain.send(body);
        if (left === 0) await chain.mine(1);
        return sent;
      },
      async drain() {
        const { store, genesis } = chain;
        while (chain.status().waitingMessages > 0 || hasPendingWork(store, genesis.shards)) {
          live();
          await chain.mine(1);
        }
        return store.head;
      },
    };
  }

  /** How many transactions each account of the basechain has. */
  function counts(made: typeof transactions): Record<string, number> {
    const accounts = [...made].filter(([address]) => address.startsWith('0:'));
    return Object.fromEntries(accounts.map(([address, { length }]) => [address, length]));
  }

  it('is not continued when it was complete', async () => {
    const { seqno } = localnet.store.head;
    await run(localnet);
    expect(localnet.store.head.seqno).toBe(seqno);
  });

  it('continues where it stopped and does nothing twice', async () => {
    const other = makeTemporaryDirectory('demo');
    let ends = 0;
    for (let isDone = false; !isDone; ) {
      const resumed = await openDemoLocalnet(other, vm, SHARDS);
      try {
        await run(mortal(resumed, LIFETIMES[ends % LIFETIMES.length]!));
        expect(counts(transactionsOf(resumed.store))).toEqual(counts(transactions));
        isDone = true;
      } catch (error) {
        if (!(error as Error).message.includes('the end')) throw error;
        ends += 1;
      } finally {
        await resumed.stop();
      }
    }
    expect(ends).toBeGreaterThanOrEqual(sampled(2, 11));
    await removeTemporaryDirectory(other);
  });
});

function opcode(body: Cell): number | undefined {
  return body.bits.length >= 32 ? body.beginParse().loadUint(32) : undefined;
}

/** How the transactions of an account ended: with the code of the actions if the computation went well. */
function exitCodes(address: Address): (number | undefined)[] {
  return madeBy(address).map(({ description }) => {
    if (description.type !== 'generic' || description.computePhase.type !== 'vm') return undefined;
    const { success, exitCode } = description.computePhase;
    return success ? description.actionPhase?.resultCode : exitCode;
  });
}
