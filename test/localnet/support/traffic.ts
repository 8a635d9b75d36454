import { type Address, beginCell, type Cell, internal, type MessageRelaxed } from '@ton/core';
import { libraryReference, textComment } from '../../../src/localnet/contracts/contract.ts';
import {
  changeDnsRecord,
  contractRecord,
  dnsCollection,
  dnsItem,
  registerDomain,
} from '../../../src/localnet/contracts/dns.ts';
import {
  burnJettons,
  jettonMinter,
  jettonWallet,
  jettonWalletCode,
  mintJettons,
  transferJettons,
} from '../../../src/localnet/contracts/jetton.ts';
import {
  approveOrder,
  multisigOrder,
  multisigWallet,
  newOrder,
  packOrder,
} from '../../../src/localnet/contracts/multisig.ts';
import {
  newItem,
  nftCollection,
  nftItem,
  nftSale,
  SALE_HANDLING_TON,
  transferItem,
} from '../../../src/localnet/contracts/nft.ts';
import * as probes from '../../../src/localnet/contracts/probe.ts';
import { addToWhitelist, vestingSend, vestingWallet } from '../../../src/localnet/contracts/vesting.ts';
import type { WalletVersion } from '../../../src/localnet/contracts/wallets.ts';
import { EXTRA_CURRENCY_ID } from '../../../src/localnet/genesis/create-genesis.ts';
import * as contractMessages from './contract-messages.ts';
import { deployItem } from './contract-messages.ts';
import { accountAt, faucetOf, type LocalChain, payment, START, TestWallet, TON } from './local-chain.ts';

const NAMES = 30;
const ORDERS = 8;
const SALES = 6;
const PRICE = 5n * TON;
const NEVER = 0xffffffff;

/** A source of random numbers. */
interface Chance {
  below(limit: number): number;
  anyone(): Address;
}

/** Domains, multisig orders, a vesting wallet, sales, and jettons whose wallet code is a library. */
class MoreTraffic {
  readonly #owner: Address;
  readonly #people: readonly Address[];
  readonly #zone = dnsCollection(beginCell().storeUint(1, 8).endCell());
  readonly #publisher: ReturnType<typeof probes.probe>;
  readonly #collection: ReturnType<typeof nftCollection>;
  readonly #minter: ReturnType<typeof jettonMinter>;
  readonly #multisig: ReturnType<typeof multisigWallet>;
  readonly #vesting: ReturnType<typeof vestingWallet>;
  readonly #walletCode: Cell;

  /** `owner` deploys everything and mints; `people` sign orders. */
  constructor(owner: Address, people: readonly Address[]) {
    const content = beginCell().storeUint(1, 8).endCell();
    const royalty = { numerator: 1, denominator: 20, destination: owner };
    this.#owner = owner;
    this.#people = people;
    this.#walletCode = libraryReference(jettonWalletCode());
    this.#publisher = probes.probe({ owner, workchain: -1 });
    this.#collection = nftCollection({ owner, content: beginCell().storeUint(2, 8).endCell(), royalty });
    this.#minter = jettonMinter({ admin: owner, content, walletCode: this.#walletCode });
    this.#multisig = multisigWallet({ threshold: 2, signers: people });
    this.#vesting = vestingWallet({
      publicKey: Buffer.alloc(32, 1),
      startTime: START,
      totalDuration: 36_000,
      unlockPeriod: 3600,
      cliffDuration: 0,
      totalAmount: 1000n * TON,
      sender: owner,
      owner,
    });
  }

  /** The owner's messages before the traffic starts, one at a time. */
  deployments(): MessageRelaxed[] {
    const code = jettonWalletCode();
    const deploy = ({ address, init }: ReturnType<typeof multisigWallet>, body?: Cell) =>
      internal({ to: address, value: 2000n * TON, bounce: false, init, ...(body && { body }) });
    const items = Array.from({ length: SALES }, (_, index) => {
      const body = deployItem({ index, ton: TON, item: newItem(this.#owner, 'item') });
      return internal({ to: this.#collection.address, value: 2n * TON, bounce: true, body });
    });
    return [
      deploy(this.#publisher, probes.probeSetLibrary('public', code)),
      ...[this.#zone, this.#collection, this.#minter, this.#multisig, this.#vesting].map((one) =>
        deploy(one),
      ),
      internal({
        to: this.#vesting.address,
        value: TON,
        bounce: true,
        body: addToWhitelist([this.#people[0]!]),
      }),
      ...items,
      ...Array.from({ length: SALES }, (_, index) => this.#listing(index)).flat(),
      // A short traffic would have none of these by chance.
      ...this.#people.map((to) => this.#minting(to, 100n)),
      this.#registering('name-0'),
    ];
  }

  /** The first order; one of the people sends it. */
  firstOrder(by: Address): MessageRelaxed {
    return this.#newOrder(by, this.#owner);
  }

  /** A sale, and the transfer of its item. */
  #listing(index: number): MessageRelaxed[] {
    const { item, address, init } = this.#saleOf(index);
    const body = transferItem({ to: address, responseTo: this.#owner, forwardTon: TON / 2n });
    return [
      internal({ to: address, value: TON, bounce: false, init }),
      internal({ to: item, value: 2n * TON, bounce: true, body }),
    ];
  }

  /** Contracts deployed by other contracts; at the end, some of each kind must exist. */
  made(holders: readonly Address[]): Record<string, Address[]> {
    const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
    const minter = this.#minter.address;
    return {
      domains: numbers(NAMES).map((i) => dnsItem(this.#zone.address, `name-${i}`).address),
      orders: numbers(ORDERS).map((i) => multisigOrder(this.#multisig.address, BigInt(i)).address),
      sales: numbers(SALES).map((i) => this.#saleOf(i).address),
      holders: holders.map((owner) => jettonWallet({ minter, owner, walletCode: this.#walletCode }).address),
    };
  }

  /** A random message from a wallet. */
  message(from: Address, chance: Chance): MessageRelaxed {
    const kinds = [
      () => this.#domain(chance),
      () => this.#order(from, chance),
      () => this.#locked(chance),
      () => this.#sale(chance),
      () => this.#libraryJettons(from, chance),
      () => this.#extraCurrency(chance),
    ];
    return kinds[chance.below(kinds.length)]!();
  }

  #domain(chance: Chance): MessageRelaxed {
    const name = `name-${chance.below(NAMES)}`;
    if (chance.below(2) === 0) return this.#registering(name);
    const body = changeDnsRecord('wallet', contractRecord(chance.anyone()));
    return internal({ to: dnsItem(this.#zone.address, name).address, value: TON, bounce: true, body });
  }

  #registering(name: string): MessageRelaxed {
    return internal({ to: this.#zone.address, value: TON, bounce: true, body: registerDomain(name) });
  }

  #order(from: Address, chance: Chance): MessageRelaxed {
    if (chance.below(2) === 0) return this.#newOrder(from, chance.anyone());
    const { address } = multisigOrder(this.#multisig.address, BigInt(chance.below(ORDERS)));
    return internal({ to: address, value: TON, bounce: true, body: approveOrder(this.#signer(from)) });
  }

  #newOrder(from: Address, to: Address): MessageRelaxed {
    const order = packOrder([{ kind: 'send', mode: 1, message: payment(to, TON / 10n) }]);
    const body = newOrder({ by: 'signer', index: this.#signer(from), expiration: NEVER, order });
    return internal({ to: this.#multisig.address, value: TON, bounce: true, body });
  }

  /** The number of a signer; that of another one for people who are none. */
  #signer(from: Address): number {
    return Math.max(
      0,
      this.#people.findIndex((one) => one.equals(from)),
    );
  }

  #locked(chance: Chance): MessageRelaxed {
    const to = chance.below(2) === 0 ? this.#people[0]! : chance.anyone();
    const body = vestingSend(payment(to, TON / 100n));
    return internal({ to: this.#vesting.address, value: TON, bounce: true, body });
  }

  #saleOf(index: number) {
    const item = nftItem({ collection: this.#collection.address, index }).address;
    const fee = { marketplace: this.#owner, feeAddress: this.#owner, feeShare: 1000 };
    const royalty = { royaltyAddress: this.#owner, royaltyShare: 5000 };
    return {
      item,
      ...nftSale({ item, seller: this.#owner, price: PRICE, createdAt: START, ...fee, ...royalty }),
    };
  }

  /** Buys an item; the first buyer gets it. */
  #sale(chance: Chance): MessageRelaxed {
    return internal({
      to: this.#saleOf(chance.below(SALES)).address,
      value: PRICE + SALE_HANDLING_TON,
      bounce: true,
    });
  }

  #libraryJettons(from: Address, chance: Chance): MessageRelaxed {
    const minter = this.#minter.address;
    const amount = BigInt(1 + chance.below(50));
    if (from.equals(this.#owner)) return this.#minting(chance.anyone(), amount);
    const own = jettonWallet({ minter, owner: from, walletCode: this.#walletCode }).address;
    const body = transferJettons({ to: chance.anyone(), amount, responseTo: from, forwardTon: 1n });
    return internal({ to: own, value: 2n * TON, bounce: true, body });
  }

  #minting(to: Address, amount: bigint): MessageRelaxed {
    const body = mintJettons({ to, amount, ton: TON / 2n, forwardTon: TON / 10n });
    return internal({ to: this.#minter.address, value: 2n * TON, bounce: true, body });
  }

  #extraCurrency(chance: Chance): MessageRelaxed {
    const extracurrency = { [EXTRA_CURRENCY_ID]: BigInt(1 + chance.below(5)) };
    return internal({ to: chance.anyone(), value: TON / 10n, bounce: true, extracurrency });
  }
}

const VERSIONS: readonly WalletVersion[] = ['v1r3', 'v2r2', 'v3r1', 'v3r2', 'v4r2', 'v5r1'];
const WALLETS = 24;
const CARRY_ALL = 128;

/** What traffic needs of a chain. */
interface TrafficChain extends Pick<LocalChain, 'steps'> {
  readonly genesis: Pick<LocalChain['genesis'], 'faucet' | 'masterchainFaucet'>;
  step(externals: readonly Cell[]): Promise<unknown>;
}

/** Wallets and contracts that exchange random messages of many kinds; reproducible by seed. */
export class Traffic {
  readonly wallets: readonly TestWallet[];
  readonly #random: () => number;
  readonly #minter: ReturnType<typeof jettonMinter>;
  readonly #collection: ReturnType<typeof nftCollection>;
  readonly #more: MoreTraffic;
  #items = 0;
  #probes = 0;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
    this.wallets = Array.from(
      { length: WALLETS },
      (_, i) => new TestWallet(i, VERSIONS[i % VERSIONS.length]!, i % 8 === 7 ? -1 : 0),
    );
    const admin = this.wallets[0]!.address;
    const content = beginCell().storeUint(1, 8).endCell();
    this.#minter = jettonMinter({ admin, content });
    const royalty = { numerator: 1, denominator: 20, destination: admin };
    this.#collection = nftCollection({ owner: admin, content, royalty });
    this.#more = new MoreTraffic(
      admin,
      [1, 2, 3].map((i) => this.wallets[i]!.address),
    );
  }

  /** For a chain that will go back to this moment: the returned function makes the wallets continue from it. */
  remember(): () => void {
    const seqnos = this.wallets.map(({ seqno }) => seqno);
    const items = this.#items;
    return () => {
      this.wallets.forEach((wallet, i) => {
        wallet.seqno = seqnos[i]!;
      });
      this.#items = items;
    };
  }

  /** Funds all wallets, in several steps. */
  async fund(chain: TrafficChain): Promise<void> {
    const faucet = faucetOf(chain.genesis);
    // As many messages as a faucet can send at once.
    const fours = Array.from({ length: WALLETS / 4 }, (_, i) => this.wallets.slice(4 * i, 4 * i + 4));
    await chain.step(
      fours.map((some) => faucet(some.map(({ address }) => payment(address, 100_000n * TON)))),
    );
    await chain.steps(2);
    await chain.step([this.#deploy(this.#minter), this.#deploy(this.#collection)]);
    const deployments = this.#more.deployments().map((message) => this.wallets[0]!.send([message]));
    while (deployments.length > 0) await chain.step(deployments.splice(0, 4));
    const rich = faucetOf({ faucet: chain.genesis.masterchainFaucet });
    const extracurrency = { [EXTRA_CURRENCY_ID]: 1000n };
    const more = (to: Address) => internal({ to, value: TON, bounce: false, extracurrency });
    const [, signer] = this.wallets;
    await chain.step([signer!.send([this.#more.firstOrder(signer!.address)])]);
    await chain.step(fours.map((some) => rich(some.map(({ address }) => more(address)))));
    await chain.steps(3);
  }

  /** Numbers of contracts deployed by other contracts, by kind. */
  made({ store }: LocalChain): Record<string, number> {
    const kinds = Object.entries(this.#more.made(this.wallets.map(({ address }) => address)));
    const isActive = (address: Address) => accountAt(store, address)?.state.kind === 'active';
    return Object.fromEntries(kinds.map(([kind, all]) => [kind, all.filter(isActive).length]));
  }

  /** External messages to some of the wallets. */
  wave(): Cell[] {
    return this.wallets.filter(() => this.#chance(0.5)).map((wallet) => this.#action(wallet));
  }

  #action(wallet: TestWallet): Cell {
    const actions = [
      () => wallet.send([payment(this.#anyone(), this.#amount())]),
      () => wallet.send([payment(this.#anyone(), this.#amount(), textComment('a comment'))]),
      () => wallet.send([internal({ to: this.#nobody(), value: this.#amount(), bounce: this.#chance(0.7) })]),
      // To itself, or the wallet could not send any more.
      () => wallet.send([payment(wallet.address, 0n)], CARRY_ALL | 2),
      () => wallet.send([this.#toProbe(wallet)]),
      () => wallet.send([this.#toProbe(wallet)]),
      () => wallet.send([this.#toJettons(wallet)]),
      () => wallet.send([this.#toJettons(wallet)]),
      () => wallet.send([this.#toItems(wallet)]),
      () => wallet.send([this.#more.message(wallet.address, this.#drawn)]),
      () => wallet.send([this.#more.message(wallet.address, this.#drawn)]),
      () => wallet.send([this.#more.message(wallet.address, this.#drawn)]),
    ];
    return actions[this.#below(actions.length)]!();
  }

  readonly #drawn = { below: (limit: number) => this.#below(limit), anyone: () => this.#anyone() };

  #deploy({ address, init }: ReturnType<typeof jettonMinter>): Cell {
    return this.wallets[0]!.send([internal({ to: address, value: 100n * TON, bounce: false, init })]);
  }

  #toProbe(wallet: TestWallet): MessageRelaxed {
    const { address: to, init } = this.#probe(wallet);
    const relayed = { mode: 1, message: payment(this.#anyone(), TON / 10n) };
    // With little gas, because the message uses all of it.
    if (this.#chance(0.1))
      return internal({ to, value: TON / 50n, bounce: true, init, body: probes.probeBurnGas() });
    const bodies = [
      probes.probeThrow(700),
      probes.probeOverspend(),
      probes.probeEmit(1, beginCell().storeUint(1, 8).endCell()),
      probes.probeEcho(),
      contractMessages.probeRelay([relayed, relayed, relayed]),
      contractMessages.probeDestroy(),
    ];
    const body = bodies[this.#below(bodies.length)]!;
    return internal({ to, value: 2n * TON, bounce: this.#chance(0.8), init, body });
  }

  #probe(wallet: TestWallet) {
    return probes.probe({ owner: wallet.address, id: this.#chance(0.3) ? this.#probes++ : 0 });
  }

  #toJettons(wallet: TestWallet): MessageRelaxed {
    const minter = this.#minter.address;
    const value = 2n * TON;
    const own = jettonWallet({ minter, owner: wallet.address }).address;
    const amount = BigInt(1 + this.#below(50));
    const bodies: [Address, Cell][] = [
      [minter, mintJettons({ to: wallet.address, amount, ton: TON / 2n, forwardTon: TON / 10n })],
      [own, transferJettons({ to: this.#anyone(), amount, responseTo: wallet.address, forwardTon: 1n })],
      [own, burnJettons({ amount, responseTo: wallet.address })],
    ];
    const [to, body] = bodies[wallet === this.wallets[0] ? 0 : this.#below(bodies.length)]!;
    return internal({ to, value, bounce: true, body });
  }

  #toItems(wallet: TestWallet): MessageRelaxed {
    const collection = this.#collection.address;
    if (wallet === this.wallets[0]) {
      const item = newItem(this.#anyone(), 'item');
      const body = deployItem({ index: this.#items++, ton: TON, item });
      return internal({ to: collection, value: 2n * TON, bounce: true, body });
    }
    const to = nftItem({ collection, index: this.#below(this.#items + 1) }).address;
    const body = transferItem({ to: this.#anyone(), responseTo: wallet.address });
    return internal({ to, value: TON, bounce: true, body });
  }

  #anyone(): Address {
    return this.wallets[this.#below(WALLETS)]!.address;
  }

  #nobody(): Address {
    return probes.probe({ owner: this.#anyone(), id: 1_000_000 + this.#below(1000) }).address;
  }

  #amount(): bigint {
    return BigInt(this.#below(1_000_000)) * 1000n;
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** Pseudo-random numbers from 0 to 1 (xorshift). */
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
