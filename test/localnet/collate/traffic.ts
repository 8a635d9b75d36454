import { type Address, beginCell, type Cell, internal, type MessageRelaxed } from '@ton/core';
import {
  burnJettons,
  jettonMinter,
  jettonWallet,
  mintJettons,
  transferJettons,
} from '../../../src/localnet/contracts/jetton.ts';
import { textComment } from '../../../src/localnet/contracts/message-parts.ts';
import {
  deployItem,
  newItem,
  nftCollection,
  nftItem,
  transferItem,
} from '../../../src/localnet/contracts/nft.ts';
import * as probes from '../../../src/localnet/contracts/probe.ts';
import type { WalletVersion } from '../../../src/localnet/contracts/wallet.ts';
import { EXTRA_CURRENCY_ID } from '../../../src/localnet/genesis/create-genesis.ts';
import { accountAt, faucetOf, type LocalChain, payment, TestWallet, TON } from './local-chain.ts';
import { MoreTraffic } from './more-traffic.ts';

const VERSIONS: readonly WalletVersion[] = ['v1r3', 'v2r2', 'v3r1', 'v3r2', 'v4r2', 'v5r1'];
const WALLETS = 24;
const CARRY_ALL = 128;

/** Wallets and contracts that send each other messages of many kinds, by chance that can be repeated. */
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

  /** Gives all wallets money, in several steps. */
  async fund(chain: LocalChain): Promise<void> {
    const faucet = faucetOf(chain.genesis);
    for (let i = 0; i < WALLETS; i += 4) {
      const some = this.wallets.slice(i, i + 4);
      await chain.step([faucet(some.map(({ address }) => payment(address, 100_000n * TON)))]);
    }
    await chain.steps(3);
    await chain.step([this.#deploy(this.#minter), this.#deploy(this.#collection)]);
    await chain.steps(3);
    const deployments = this.#more.deployments().map((message) => this.wallets[0]!.send([message]));
    while (deployments.length > 0) await chain.step(deployments.splice(0, 3));
    const rich = faucetOf({ faucet: chain.genesis.masterchainFaucet });
    const extracurrency = { [EXTRA_CURRENCY_ID]: 1000n };
    for (let i = 0; i < WALLETS; i += 4) {
      const some = this.wallets.slice(i, i + 4);
      await chain.step([
        rich(some.map(({ address: to }) => internal({ to, value: TON, bounce: false, extracurrency }))),
      ]);
    }
    await chain.steps(3);
  }

  /** How many contracts of each kind there are that come into being by messages between contracts. */
  made({ store }: LocalChain): Record<string, number> {
    const kinds = Object.entries(this.#more.made(this.wallets.map(({ address }) => address)));
    const isActive = (address: Address) => accountAt(store, address)?.state.kind === 'active';
    return Object.fromEntries(kinds.map(([kind, all]) => [kind, all.filter(isActive).length]));
  }

  /** Messages from outside to some of the wallets. */
  wave(): Cell[] {
    return this.wallets.filter(() => this.#chance(0.5)).map((wallet) => this.#action(wallet));
  }

  #action(wallet: TestWallet): Cell {
    const actions = [
      () => wallet.send([payment(this.#anyone(), this.#amount())]),
      () => wallet.send([payment(this.#anyone(), this.#amount(), textComment('a comment'))]),
      () => wallet.send([internal({ to: this.#nobody(), value: this.#amount(), bounce: this.#chance(0.7) })]),
      // To itself, or it could send no more.
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
    // A message that brings little gas, for it burns all of it.
    if (this.#chance(0.1))
      return internal({ to, value: TON / 50n, bounce: true, init, body: probes.probeBurnGas() });
    const bodies = [
      probes.probeThrow(700),
      probes.probeOverspend(),
      probes.probeEmit(1, beginCell().storeUint(1, 8).endCell()),
      probes.probeEcho(),
      probes.probeRelay([relayed, relayed, relayed]),
      probes.probeDestroy(),
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

/** Numbers from 0 to 1 that a seed determines (xorshift). */
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
