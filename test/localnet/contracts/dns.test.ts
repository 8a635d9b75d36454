import { type Address, beginCell, Cell, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { type DnsRecord, encodeDnsName, readDnsRecord } from '../../../src/chain/contracts/dns.ts';
import { type ContractState, onChainContent } from '../../../src/localnet/contracts/contract.ts';
import {
  changeDnsRecord,
  contractRecord,
  dnsCollection,
  dnsItem,
  dnsRoot,
  domainIndex,
  type RecordName,
  registerDomain,
  siteRecord,
  storageRecord,
} from '../../../src/localnet/contracts/dns.ts';
import { transferItem } from '../../../src/localnet/contracts/nft.ts';
import { getStaticData, nextResolverRecord, renewDomain } from '../support/contract-messages.ts';
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

const id = Buffer.alloc(32, 0xab);

let net: SmallChain;
let alice: Person;
let bob: Person;
let root: ContractState;
let zone: ContractState;
let item: Address;

beforeAll(async () => {
  net = await startSmallChain();
  [alice, bob] = await net.people('alice', 'bob');
  zone = dnsCollection(onChainContent({ name: 'Demo domains' }));
  root = dnsRoot({ zone: 'ton', resolver: zone.address });
  await net.send(
    alice,
    zone.address,
    toNano('0.5'),
    beginCell().storeUint(0x370fec51, 32).storeUint(0, 64).endCell(),
    zone.init,
  );
  await net.send(alice, root.address, toNano('0.5'), undefined, root.init);
  await register(alice, 'alice-1');
  item = dnsItem(zone.address, 'alice-1').address;
  net.save();
});

beforeEach(() => net.reset());

const register = (who: Person, name: string) =>
  net.send(who, zone.address, toNano('0.3'), registerDomain(name));

const change = (who: Person, name: RecordName, value: Cell | null) =>
  net.send(who, item, toNano('0.05'), changeDnsRecord(name, value));

/** One step: how many bits are resolved, and to what. */
async function step(resolver: Address, name: Buffer, category: bigint): Promise<[number, Cell | null]> {
  const [bits, found] = await net.get(resolver, 'dnsresolve', [
    { type: 'slice', cell: beginCell().storeBuffer(name).endCell() },
    { type: 'int', value: category },
  ]);
  return [Number(numberOf(bits)), found?.type === 'null' ? null : cellOf(found)];
}

const read = (cell: Cell | null): DnsRecord | undefined => {
  const bag = fromCoreCell(cell ?? Cell.EMPTY);
  return readDnsRecord(bag, bag.root);
};

/** Resolves from the root on, as clients do. */
async function resolve(name: string, category: RecordName): Promise<DnsRecord | undefined> {
  const body = changeDnsRecord(category, null).beginParse().skip(96);
  const key = body.loadUintBig(256);
  let [resolver, rest] = [root.address, encodeDnsName(name)];
  for (;;) {
    const [bits, found] = await step(resolver, rest, key);
    if (bits === 0 || found === null) return undefined;
    const record = read(found);
    if (bits / 8 === rest.length) return record;
    expect(record).toMatchObject({ kind: 'next_resolver' });
    resolver = nextOf(found);
    rest = rest.subarray(bits / 8);
  }
}

const nextOf = (cell: Cell): Address => cell.beginParse().skip(16).loadAddress();

describe('DNS resolution', () => {
  it('resolves from the root to a record', async () => {
    await change(alice, 'wallet', contractRecord(bob.address));
    const record = await resolve('alice-1.ton', 'wallet');
    expect(record).toMatchObject({ kind: 'smc_address', address: { workchain: 0 } });
    expect(await resolve('alice-1.ton', 'site')).toBeUndefined();
    expect(await resolve('alice-1.org', 'wallet')).toBeUndefined();
    expect(await resolve('to', 'wallet')).toBeUndefined();
  });

  it('delegates subdomains to their resolver', async () => {
    await change(alice, 'dns_next_resolver', nextResolverRecord(bob.address));
    const [bits, found] = await step(item, encodeDnsName('sub.'), 0n);
    expect(bits).toBe(8);
    expect(`${nextOf(found!)}`).toBe(`${bob.address}`);
  });

  it('has records of all kinds, changed by the owner only', async () => {
    await change(alice, 'site', siteRecord(id));
    await change(alice, 'storage', storageRecord(id));
    expect(await resolve('alice-1.ton', 'site')).toEqual({ kind: 'adnl_address', id });
    expect(await resolve('alice-1.ton', 'storage')).toEqual({ kind: 'storage_address', id });
    expect(exitCode(at(await change(bob, 'site', null), item))).toBe(410);
    await change(alice, 'site', null);
    expect(await resolve('alice-1.ton', 'site')).toBeUndefined();
    const [, all] = await step(item, Buffer.alloc(1), 0n);
    expect(all).not.toBeNull();
  });

  it('stops at a resolver that is queried for itself', async () => {
    expect(await step(root.address, Buffer.alloc(1), 0n)).toEqual([8, null]);
    expect(await step(zone.address, Buffer.alloc(1), 0n)).toEqual([8, null]);
    expect(await step(item, Buffer.alloc(1), 0n)).toEqual([8, null]);
    const [bits, found] = await step(root.address, Buffer.from('\0ton\0alice-1\0'), 0n);
    expect([bits, `${nextOf(found!)}`]).toEqual([32, `${zone.address}`]);
    const [more, domain] = await step(zone.address, Buffer.from('\0alice-1\0'), 0n);
    expect([more, `${nextOf(domain!)}`]).toEqual([64, `${item}`]);
  });
});

async function auctionOf(domain: Address): Promise<[string, bigint, bigint]> {
  const [bidder, bid, end] = await net.get(domain, 'get_auction_info');
  return [addressOf(bidder), numberOf(bid), numberOf(end)];
}

describe('a domain auction', () => {
  const WEEK_SECONDS = 604_800;
  let auctioned: Address;
  let end: bigint;
  beforeEach(async () => {
    auctioned = dnsItem(zone.address, 'auctioned').address;
    await net.send(alice, zone.address, toNano('10'), registerDomain('auctioned'));
    end = BigInt(net.chain.now! + WEEK_SECONDS);
  });

  it('begins with a high payment for a new domain', async () => {
    const [bidder, bid, until] = await auctionOf(auctioned);
    expect([bidder, until]).toEqual([`${alice.address}`, end]);
    expect(bid).toBeGreaterThan(toNano('9.9'));
    expect(addressOf((await net.get(auctioned, 'get_nft_data'))[3])).toBe('null');
    expect(addressOf((await net.get(auctioned, 'get_editor'))[0])).toBe('null');
  });

  it('takes higher bids and gives the money of lower ones back', async () => {
    const low = await net.send(bob, auctioned, toNano('10.2'));
    expect(exitCode(at(low, auctioned))).toBe(407);
    const higher = await net.send(bob, auctioned, toNano('11'));
    expect(hops(higher)).toContainEqual([`${alice.address}`, 0x557cea20]);
    expect(await auctionOf(auctioned)).toEqual([`${bob.address}`, toNano('11'), end]);
    net.chain.now! += WEEK_SECONDS - 60;
    await net.send(alice, auctioned, toNano('20'));
    expect(await auctionOf(auctioned)).toEqual([
      `${alice.address}`,
      toNano('20'),
      BigInt(net.chain.now! + 3600),
    ]);
    const early = await net.send(alice, auctioned, toNano('0.1'), changeDnsRecord('site', siteRecord(id)));
    expect(exitCode(at(early, auctioned))).toBe(408);
  });

  it('is settled by the first message after its end', async () => {
    net.chain.now! += WEEK_SECONDS;
    expect((await auctionOf(auctioned))[0]).toBe(`${alice.address}`);
    const before = await net.balance(zone.address);
    await net.send(alice, auctioned, toNano('0.1'), changeDnsRecord('site', siteRecord(id)));
    expect(await auctionOf(auctioned)).toEqual(['null', 0n, 0n]);
    expect(addressOf((await net.get(auctioned, 'get_editor'))[0])).toBe(`${alice.address}`);
    expect(await net.balance(zone.address)).toBeGreaterThan(before + toNano('9'));
  });
});

describe('a domain item', () => {
  it('is an NFT item of its zone', async () => {
    const [init, index, collection, owner, shown] = await net.get(item, 'get_nft_data');
    expect([numberOf(init), numberOf(index)]).toEqual([-1n, domainIndex('alice-1')]);
    expect([addressOf(collection), addressOf(owner)]).toEqual([`${zone.address}`, `${alice.address}`]);
    expect(cellOf(shown).beginParse().loadUint(8)).toBe(0);
    const [found] = await net.get(zone.address, 'get_nft_address_by_index', [index!]);
    expect(addressOf(found)).toBe(`${item}`);
    const [whole] = await net.get(zone.address, 'get_nft_content', [index!, shown!]);
    expect(cellOf(whole).equals(cellOf(shown))).toBe(true);
    const [next, , nobody] = await net.get(zone.address, 'get_collection_data');
    expect([numberOf(next), addressOf(nobody)]).toEqual([-1n, 'null']);
  });

  it('reports its name, its editor and no auction', async () => {
    const [name] = await net.get(item, 'get_domain');
    expect(name?.type === 'slice' && name.cell.bits.toString()).toBe(
      Buffer.from('alice-1').toString('hex').toUpperCase(),
    );
    expect(addressOf((await net.get(item, 'get_editor'))[0])).toBe(`${alice.address}`);
    expect(await auctionOf(item)).toEqual(['null', 0n, 0n]);
  });

  it('can be transferred', async () => {
    const body = transferItem({ to: bob.address, responseTo: alice.address, forwardTon: 1n });
    expect(exitCode(at(await net.send(bob, item, toNano('0.1'), body), item))).toBe(401);
    await net.send(alice, item, toNano('0.1'), body);
    expect(addressOf((await net.get(item, 'get_nft_data'))[3])).toBe(`${bob.address}`);
    const report = await net.send(alice, item, toNano('0.05'), getStaticData());
    const told = at(report, alice.address)!.inMessage!.body.beginParse().skip(96);
    expect(told.loadUintBig(256)).toBe(domainIndex('alice-1'));
  });

  it('is renewed by its owner', async () => {
    net.chain.now! += 1000;
    await net.send(alice, item, toNano('0.05'), renewDomain());
    expect(numberOf((await net.get(item, 'get_last_fill_up_time'))[0])).toBe(BigInt(net.chain.now!));
  });

  it('is registered once: a second request is refunded', async () => {
    const result = await register(bob, 'alice-1');
    expect(hops(result).at(-1)).toEqual([`${bob.address}`, undefined]);
    expect(addressOf((await net.get(item, 'get_nft_data'))[3])).toBe(`${alice.address}`);
  });

  it.each([
    ['abc', 200],
    ['x'.repeat(127), 201],
    ['Alice', 203],
    ['-alice', 203],
    ['alice-', 203],
    ['al.ice', 203],
    ['x'.repeat(126), 0],
  ])('rejects an invalid name: %s', async (name, code) => {
    expect(exitCode(at(await register(bob, name), zone.address))).toBe(code);
  });
});
