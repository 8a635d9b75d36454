import { type Address, beginCell, type Cell, internal, type MessageRelaxed } from '@ton/core';
import { libraryReference } from '../../../src/localnet/contracts/contract-state.ts';
import {
  changeDnsRecord,
  contractRecord,
  dnsCollection,
  dnsItem,
  registerDomain,
} from '../../../src/localnet/contracts/dns.ts';
import {
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
  deployItem,
  newItem,
  nftCollection,
  nftItem,
  transferItem,
} from '../../../src/localnet/contracts/nft.ts';
import { nftSale, SALE_HANDLING_TON } from '../../../src/localnet/contracts/nft-sale.ts';
import * as probes from '../../../src/localnet/contracts/probe.ts';
import { addToWhitelist, vestingSend, vestingWallet } from '../../../src/localnet/contracts/vesting.ts';
import { EXTRA_CURRENCY_ID } from '../../../src/localnet/genesis/create-genesis.ts';
import { payment, START, TON } from './local-chain.ts';

const NAMES = 30;
const ORDERS = 8;
const SALES = 6;
const PRICE = 5n * TON;
const NEVER = 0xffffffff;

/** What a message is drawn with. */
export interface Chance {
  below(limit: number): number;
  anyone(): Address;
}

/** Domains, orders of a multisig, a vesting wallet, sales, and jettons whose wallets have a library for their code. */
export class MoreTraffic {
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
      ...{ publicKey: Buffer.alloc(32, 1), startTime: START, totalDuration: 36_000, unlockPeriod: 3600 },
      ...{ cliffDuration: 0, totalAmount: 1000n * TON, sender: owner, owner },
    });
  }

  /** What the owner sends before the traffic starts, a message at a time. */
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
    ];
  }

  /** A sale, and its item on the way to it. */
  #listing(index: number): MessageRelaxed[] {
    const { item, address, init } = this.#saleOf(index);
    const body = transferItem({ to: address, responseTo: this.#owner, forwardTon: TON / 2n });
    return [
      internal({ to: address, value: TON, bounce: false, init }),
      internal({ to: item, value: 2n * TON, bounce: true, body }),
    ];
  }

  /** Contracts that others make on request: of each kind some must exist in the end. */
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

  /** A message of one of the kinds, from a wallet. */
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
    if (chance.below(2) === 0)
      return internal({ to: this.#zone.address, value: TON, bounce: true, body: registerDomain(name) });
    const body = changeDnsRecord('wallet', contractRecord(chance.anyone()));
    return internal({ to: dnsItem(this.#zone.address, name).address, value: TON, bounce: true, body });
  }

  #order(from: Address, chance: Chance): MessageRelaxed {
    const index = Math.max(
      0,
      this.#people.findIndex((one) => one.equals(from)),
    );
    if (chance.below(2) === 0) {
      const order = packOrder([{ kind: 'send', mode: 1, message: payment(chance.anyone(), TON / 10n) }]);
      const body = newOrder({ by: 'signer', index, expiration: NEVER, order });
      return internal({ to: this.#multisig.address, value: TON, bounce: true, body });
    }
    const { address } = multisigOrder(this.#multisig.address, BigInt(chance.below(ORDERS)));
    return internal({ to: address, value: TON, bounce: true, body: approveOrder(index) });
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

  /** Pays for an item, which the first one gets. */
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
    if (from.equals(this.#owner)) {
      const body = mintJettons({ to: chance.anyone(), amount, ton: TON / 2n, forwardTon: TON / 10n });
      return internal({ to: minter, value: 2n * TON, bounce: true, body });
    }
    const own = jettonWallet({ minter, owner: from, walletCode: this.#walletCode }).address;
    const body = transferJettons({ to: chance.anyone(), amount, responseTo: from, forwardTon: 1n });
    return internal({ to: own, value: 2n * TON, bounce: true, body });
  }

  #extraCurrency(chance: Chance): MessageRelaxed {
    const extracurrency = { [EXTRA_CURRENCY_ID]: BigInt(1 + chance.below(5)) };
    return internal({ to: chance.anyone(), value: TON / 10n, bounce: true, extracurrency });
  }
}
