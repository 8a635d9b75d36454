import { hash as hashOnce } from 'node:crypto';
import { type Address, beginCell, type Cell, internal, type MessageRelaxed, toNano } from '@ton/core';
import {
  libraryReference,
  onChainContent,
  textComment,
} from '../../../../src/localnet/contracts/contract.ts';
import * as dns from '../../../../src/localnet/contracts/dns.ts';
import * as jettons from '../../../../src/localnet/contracts/jetton.ts';
import * as multisigs from '../../../../src/localnet/contracts/multisig.ts';
import * as nfts from '../../../../src/localnet/contracts/nft.ts';
import * as sales from '../../../../src/localnet/contracts/nft.ts';
import { probe, probeSetLibrary } from '../../../../src/localnet/contracts/probe.ts';
import { addToWhitelist, vestingSend, vestingWallet } from '../../../../src/localnet/contracts/vesting.ts';
import * as contractMessages from '../../../localnet/support/contract-messages.ts';
import { offChainContent } from '../../../localnet/support/contract-messages.ts';
import { START } from '../../../localnet/support/local-chain.ts';

const PRICE = toNano('5');
const NEVER = 0xffffffff;
const LABELS = ['first', 'second', 'third', 'fourth'];

const ZONE = dns.dnsCollection(onChainContent({ name: 'Names', description: 'of tests' }));
/** The root DNS contract; it must be in the configuration of the chain. */
export const ROOT = dns.dnsRoot({ zone: 'ton', resolver: ZONE.address });

/** A source of random numbers. */
interface RandomSource {
  below(limit: number): number;
}

/** An item and its expected owner, once all requests are done. */
interface Item {
  readonly address: Address;
  owner: Address;
  sale?: { readonly address: Address; readonly seller: Address } | undefined;
}

/** Contracts of all kinds, and random messages to them. */
export class TokenTraffic {
  readonly #people: readonly Address[];
  readonly #owner: Address;
  readonly #random: RandomSource;
  readonly #library = libraryReference(jettons.jettonWalletCode());
  readonly #jettons: { readonly minter: Address; readonly walletCode?: Cell }[] = [];
  readonly #collections: Address[] = [];
  readonly #items: Item[] = [];
  readonly #multisigs: { readonly address: Address; readonly signers: readonly Address[]; orders: number }[] =
    [];
  readonly #vestings: Address[] = [];
  readonly #domains = new Map<string, Address>();
  #queries = 0n;

  constructor(people: readonly Address[], random: RandomSource) {
    this.#people = people;
    this.#owner = people[0]!;
    this.#random = random;
  }

  /** The first messages; the first person sends them and all other deployments. */
  begin(): MessageRelaxed[] {
    this.#domains.set('first', this.#owner);
    const publisher = probe({ owner: this.#owner, workchain: -1 });
    const library = probeSetLibrary('public', jettons.jettonWalletCode());
    return [
      internal({ to: publisher.address, value: toNano('10000'), init: publisher.init, body: library }),
      internal({ to: ROOT.address, value: toNano('100'), init: ROOT.init }),
      internal({ to: ZONE.address, value: toNano('1'), init: ZONE.init, body: dns.registerDomain('first') }),
    ];
  }

  /** Deploys one more contract of each kind. */
  more(): MessageRelaxed[] {
    const number = this.#jettons.length;
    const owner = this.#owner;
    const minter = jettons.jettonMinter({
      admin: number % 3 === 2 ? null : owner,
      content:
        number % 2 === 0
          ? onChainContent({
              name: `Jetton ${number}`,
              decimals: '3',
              ...(number % 4 === 0 && { symbol: 'J' }),
            })
          : offChainContent(`https://example.org/${number}.json`),
      ...(number % 3 === 1 && { walletCode: this.#library }),
    });
    this.#jettons.push({ minter: minter.address, ...(number % 3 === 1 && { walletCode: this.#library }) });
    const collection = nfts.nftCollection({
      owner,
      content: onChainContent({ name: `Collection ${number}`, image: 'https://example.org/all.png' }),
      baseUri: `https://example.org/items/${number}/`,
      royalty: { numerator: 1, denominator: 10, destination: owner },
    });
    this.#collections.push(collection.address);
    const signers = [0, 2, 4].map((at) => this.#people[(number + at) % this.#people.length]!);
    const multisig = multisigs.multisigWallet({
      threshold: 1 + (number % 2),
      signers,
      ...(number % 2 === 0 && { proposers: this.#people.slice(0, 1) }),
    });
    this.#multisigs.push({ address: multisig.address, signers, orders: 0 });
    const vesting = vestingWallet({
      publicKey: Buffer.alloc(32, number + 1),
      startTime: START,
      totalDuration: 36_000,
      unlockPeriod: 3600,
      cliffDuration: 0,
      totalAmount: 1000n + BigInt(number),
      sender: owner,
      owner: this.#people[1]!,
    });
    this.#vestings.push(vesting.address);
    return [
      ...[minter, collection, multisig, vesting].map(({ address, init }) =>
        internal({ to: address, value: toNano('20'), bounce: false, init }),
      ),
      ...this.#people.slice(0, 3).map((to) => this.#mint(minter.address, to, 100)),
      ...[0, 1, 2].map(() => this.#newItem(this.#collections.length - 1)),
    ];
  }

  /** A random message of a person. */
  message(from: Address): MessageRelaxed {
    const kinds = [
      () => this.#jetton(from),
      () => this.#jetton(from),
      () => this.#jetton(from),
      () => this.#item(from),
      () => this.#item(from),
      () => this.#sale(from),
      () => this.#sale(from),
      () => this.#domain(from),
      () => this.#domain(from),
      () => this.#order(from),
      () => this.#locked(from),
      () => this.#byOwner(from),
    ];
    return this.#oneOf(kinds)();
  }

  #jetton(from: Address): MessageRelaxed {
    const { minter, walletCode } = this.#oneOf(this.#jettons);
    const amount = BigInt(this.#oneOf([0, 1, 3, 7, 1_000_000]));
    // Sometimes a request to another person's wallet, or to a contract that is not a wallet.
    const owner = this.#random.below(8) === 0 ? this.#anyone() : from;
    const own = jettons.jettonWallet({ minter, owner, ...(walletCode && { walletCode }) }).address;
    const to = this.#random.below(12) === 0 ? minter : own;
    const responseTo = this.#random.below(4) === 0 ? undefined : from;
    const queryId = this.#queries++;
    if (this.#random.below(4) === 0)
      return request(to, jettons.burnJettons({ queryId, amount, ...(responseTo && { responseTo }) }));
    const transfer = { queryId, amount, to: this.#anyone(), ...(responseTo && { responseTo }) };
    return request(to, this.#cut(jettons.transferJettons({ ...transfer, ...this.#payloads() })));
  }

  #item(from: Address): MessageRelaxed {
    const own = this.#items.filter(({ owner }) => owner.equals(from));
    const item = this.#oneOf(own.length > 0 && this.#random.below(4) > 0 ? own : this.#items);
    const to = this.#anyone();
    const body = nfts.transferItem({ queryId: this.#queries++, to, responseTo: from, ...this.#payloads() });
    if (item.owner.equals(from)) item.owner = to;
    return request(item.address, body);
  }

  /** Offers an item for sale, buys one, or cancels a sale. */
  #sale(from: Address): MessageRelaxed {
    const listed = this.#items.filter(({ sale }) => sale !== undefined);
    const own = this.#items.filter(({ owner, sale }) => owner.equals(from) && sale === undefined);
    if (own.length > 0 && (listed.length === 0 || this.#random.below(2) === 0)) {
      const item = this.#oneOf(own);
      const { address, init } = sales.nftSale({
        item: item.address,
        seller: from,
        marketplace: this.#owner,
        price: PRICE,
        createdAt: START,
        feeAddress: this.#owner,
        feeShare: 1000,
        royaltyAddress: this.#owner,
        royaltyShare: 5000,
      });
      item.sale = { address, seller: from };
      // The item is transferred with the next message of its owner.
      return internal({ to: address, value: toNano('1'), bounce: false, init });
    }
    if (listed.length === 0) return this.#item(from);
    const item = listed.find(({ owner }) => owner.equals(from)) ?? this.#oneOf(listed);
    const { address: to, seller } = item.sale!;
    if (item.owner.equals(from)) {
      item.owner = to;
      const body = nfts.transferItem({ to, responseTo: from, forwardTon: toNano('0.5') });
      return request(item.address, body);
    }
    if (item.owner.equals(to)) {
      item.owner = seller.equals(from) ? seller : from;
      item.sale = undefined;
    }
    if (seller.equals(from)) return request(to, contractMessages.cancelSale(this.#queries++));
    return internal({ to, value: PRICE + sales.SALE_HANDLING_TON, bounce: true });
  }

  #domain(from: Address): MessageRelaxed {
    const own = LABELS.filter((label) => this.#domains.get(label)?.equals(from));
    const label = this.#oneOf(own.length > 0 && this.#random.below(4) > 0 ? own : LABELS);
    const item = dns.dnsItem(ZONE.address, label).address;
    const some = hashOnce('sha256', String(this.#queries), 'buffer');
    const bodies: [Address, Cell][] = [
      [ZONE.address, dns.registerDomain(label)],
      [item, dns.changeDnsRecord('wallet', dns.contractRecord(this.#anyone()))],
      [item, dns.changeDnsRecord('site', dns.siteRecord(some))],
      [item, dns.changeDnsRecord('storage', dns.storageRecord(some))],
      [item, dns.changeDnsRecord('dns_next_resolver', contractMessages.nextResolverRecord(ZONE.address))],
      [item, dns.changeDnsRecord('wallet', null)],
      [item, contractMessages.renewDomain(this.#queries++)],
    ];
    const isNew = !this.#domains.has(label);
    if (isNew) this.#domains.set(label, from);
    return request(...(isNew ? bodies[0]! : this.#oneOf(bodies)));
  }

  #order(from: Address): MessageRelaxed {
    const own = this.#multisigs.filter(({ signers }) => signers.some((one) => one.equals(from)));
    const multisig = this.#oneOf(own.length > 0 && this.#random.below(8) > 0 ? own : this.#multisigs);
    const index = Math.max(
      0,
      multisig.signers.findIndex((one) => one.equals(from)),
    );
    if (multisig.orders === 0 || this.#random.below(2) === 0) {
      const message = internal({ to: this.#anyone(), value: 1000n, bounce: false });
      const order = multisigs.packOrder([{ kind: 'send', mode: 1, message }]);
      multisig.orders += 1;
      return request(
        multisig.address,
        multisigs.newOrder({ by: 'signer', index, expiration: NEVER, order, queryId: this.#queries++ }),
      );
    }
    const seqno = BigInt(this.#random.below(multisig.orders));
    return request(multisigs.multisigOrder(multisig.address, seqno).address, multisigs.approveOrder(index));
  }

  #locked(from: Address): MessageRelaxed {
    const to = this.#oneOf(this.#vestings);
    if (from.equals(this.#owner)) return request(to, addToWhitelist([this.#anyone(), this.#anyone()]));
    return request(to, vestingSend(internal({ to: this.#anyone(), value: 1000n, bounce: false })));
  }

  #byOwner(from: Address): MessageRelaxed {
    if (!from.equals(this.#owner)) return this.#jetton(from);
    const { minter } = this.#oneOf(this.#jettons);
    const kinds = [
      () => this.#mint(minter, this.#anyone(), 50),
      () =>
        request(minter, contractMessages.changeJettonContent(`https://example.org/new/${this.#queries++}`)),
      () => request(minter, contractMessages.changeJettonAdmin(this.#anyone())),
      () => this.#newItem(this.#random.below(this.#collections.length)),
    ];
    return this.#oneOf(kinds)();
  }

  #mint(minter: Address, to: Address, amount: number): MessageRelaxed {
    const mint = { to, amount: BigInt(amount), ton: toNano('0.5'), forwardTon: toNano('0.1') };
    return request(
      minter,
      jettons.mintJettons({ ...mint, responseTo: this.#owner, queryId: this.#queries++ }),
    );
  }

  #newItem(number: number): MessageRelaxed {
    const collection = this.#collections[number]!;
    const index = this.#items.filter(({ address }) => this.#isOf(collection, address)).length;
    const owner = this.#anyone();
    this.#items.push({ address: nfts.nftItem({ collection, index }).address, owner });
    const item = nfts.newItem(owner, `${index}.json`);
    return request(collection, contractMessages.deployItem({ index, ton: toNano('0.5'), item }));
  }

  #isOf(collection: Address, address: Address): boolean {
    return this.#items.some((_, index) => nfts.nftItem({ collection, index }).address.equals(address));
  }

  #payloads() {
    const forwardPayload = textComment(`payload ${this.#queries}`);
    return {
      forwardTon: this.#oneOf([0n, 1n, toNano('0.05')]),
      ...this.#oneOf([{}, { forwardPayload }, { forwardPayload, payloadInline: true }]),
      ...(this.#random.below(3) === 0 && {
        customPayload: beginCell().storeUint(this.#queries, 64).endCell(),
      }),
    };
  }

  /** Sometimes truncates a request. */
  #cut(body: Cell): Cell {
    return this.#random.below(15) > 0
      ? body
      : beginCell().storeUint(body.beginParse().loadUint(32), 32).endCell();
  }

  #anyone(): Address {
    return this.#oneOf(this.#people);
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[this.#random.below(all.length)]!;
  }
}

function request(to: Address, body: Cell): MessageRelaxed {
  return internal({ to, value: toNano('1'), bounce: true, body });
}
