import { type Address, beginCell, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undefinedOnMismatch } from '../../../src/chain/contracts/probe.ts';
import type { Detector, KnownContracts } from '../../../src/detect/detection.ts';
import { DNS_ENTRY } from '../../../src/detect/detectors/dns-entry.ts';
import { TELEMINT_ITEM } from '../../../src/detect/detectors/nft-sales.ts';
import {
  JETTON_MASTER,
  JETTON_WALLET,
  NFT_COLLECTION,
  NFT_ITEM,
} from '../../../src/detect/detectors/tokens.ts';
import { libraryReference, onChainContent } from '../../../src/localnet/contracts/contract.ts';
import {
  changeDnsRecord,
  contractRecord,
  dnsCollection,
  dnsItem,
  domainIndex,
  registerDomain,
  siteRecord,
  storageRecord,
} from '../../../src/localnet/contracts/dns.ts';
import {
  jettonMinter,
  jettonWallet,
  jettonWalletCode,
  mintJettons,
} from '../../../src/localnet/contracts/jetton.ts';
import { newItem, nftCollection, nftItem } from '../../../src/localnet/contracts/nft.ts';
import { deployItem, nextResolverRecord, offChainContent } from '../../localnet/support/contract-messages.ts';
import { type Person, type SmallChain, startSmallChain } from '../../localnet/support/small-chain.ts';
import { key } from '../support/stack-items.ts';
import { openTestProbes, type TestProbes } from '../support/test-probe.ts';

const TOP_UP = beginCell().storeUint(0x370fec51, 32).storeUint(0, 64).endCell();
const ID = Buffer.alloc(32, 0xab);
const DETECTORS = [JETTON_MASTER, JETTON_WALLET, NFT_COLLECTION, NFT_ITEM, DNS_ENTRY, TELEMINT_ITEM];

let net: SmallChain;
let probes: TestProbes;
let alice: Person;
let bob: Person;
let known: KnownContracts;

const libraryCode = libraryReference(jettonWalletCode());
const zone = dnsCollection(onChainContent({ name: 'Domains' }));

beforeAll(async () => {
  net = await startSmallChain();
  [alice, bob] = await net.people('alice', 'bob');
  probes = openTestProbes({ libraries: [jettonWalletCode()] });
  known = {
    zones: [{ zone: 'ton', collection: { workchain: 0, hash: zone.address.hash } }],
    poolFactory: undefined,
  };
});
afterAll(() => probes.close());

/** Adds a contract with its current state, at its own or another address. */
async function take(from: Address, account = from): Promise<void> {
  const { accountState } = await net.chain.getContract(from);
  if (accountState?.type !== 'active') throw new Error(`nothing at ${from}`);
  const { code, data } = accountState.state;
  probes.put({ account, code: code!, data: data! });
}

/** Detected columns of a contract by table. */
async function kindsOf(account: Address): Promise<Record<string, unknown>> {
  const kinds: Record<string, unknown> = {};
  for (const detector of DETECTORS as Detector[]) {
    const columns = await undefinedOnMismatch(detector.detect(probes.of(account), known));
    if (columns !== undefined) kinds[detector.table] = columns;
  }
  return kinds;
}

describe('token detectors on a local chain', () => {
  it('detect a jetton master and its wallets', async () => {
    const content = onChainContent({ name: 'Coin', symbol: 'C\0N', decimals: '6', other: 'dropped' });
    const minter = jettonMinter({ admin: alice.address, content });
    const wallet = jettonWallet({ minter: minter.address, owner: bob.address });
    await net.send(alice, minter.address, toNano('0.5'), TOP_UP, minter.init);
    const mint = mintJettons({ to: bob.address, amount: 77n, ton: toNano('0.1'), forwardTon: 0n });
    await net.send(alice, minter.address, toNano('0.5'), mint);
    await take(minter.address);
    await take(wallet.address);
    expect(await kindsOf(minter.address)).toEqual({
      jetton_masters: {
        total_supply: 77n,
        mintable: true,
        admin: key(alice.address),
        content: { name: 'Coin', symbol: 'CN', decimals: '6' },
        wallet_code_hash: jettonWalletCode().hash(),
        mintless_root: null,
      },
    });
    expect(await kindsOf(wallet.address)).toEqual({
      jetton_wallets: {
        balance: 77n,
        owner: key(bob.address),
        jetton: key(minter.address),
        mintless_is_claimed: null,
      },
    });
  });

  it('detect a jetton whose wallets use a library as code', async () => {
    const minter = jettonMinter({ admin: null, content: offChainContent('a.json'), walletCode: libraryCode });
    const wallet = jettonWallet({ minter: minter.address, owner: bob.address, walletCode: libraryCode });
    probes.put({ account: minter.address, ...minter.init });
    probes.put({ account: wallet.address, ...wallet.init });
    const columns = { admin: null, content: { uri: 'a.json' }, wallet_code_hash: libraryCode.hash() };
    expect(await kindsOf(minter.address)).toMatchObject({ jetton_masters: columns });
    expect(await kindsOf(wallet.address)).toMatchObject({ jetton_wallets: { balance: 0n } });
    // The same wallet at another address is an impostor, and so is one without a master.
    probes.put({ account: alice.address, ...wallet.init });
    expect(await kindsOf(alice.address)).toEqual({});
    const alone = jettonWallet({ minter: zone.address, owner: bob.address });
    probes.put({ account: alone.address, ...alone.init });
    expect(await kindsOf(alone.address)).toEqual({});
  });

  it('detect a collection and its items', async () => {
    const collection = nftCollection({
      owner: alice.address,
      content: offChainContent('https://c.test/all.json'),
      baseUri: 'https://c.test/',
      royalty: { numerator: 1, denominator: 20, destination: alice.address },
    });
    await net.send(alice, collection.address, toNano('0.5'), TOP_UP, collection.init);
    const item = newItem(bob.address, '0.json');
    const order = deployItem({ index: 0, ton: toNano('0.1'), item });
    await net.send(alice, collection.address, toNano('0.5'), order);
    const place = nftItem({ collection: collection.address, index: 0 }).address;
    await take(collection.address);
    await take(place);
    expect(await kindsOf(collection.address)).toEqual({
      nft_collections: {
        next_item_index: 1n,
        owner: key(alice.address),
        content: { uri: 'https://c.test/all.json' },
      },
    });
    const nft = {
      init: true,
      index: 0n,
      collection: key(collection.address),
      owner: key(bob.address),
      content: { uri: 'https://c.test/0.json' },
    };
    expect(await kindsOf(place)).toEqual({ nft_items: nft });
    // The same state at another address is an impostor.
    await take(place, bob.address);
    expect(await kindsOf(bob.address)).toEqual({});
  });

  it('detect a domain and its records', async () => {
    await net.send(alice, zone.address, toNano('0.5'), TOP_UP, zone.init);
    await net.send(alice, zone.address, toNano('0.3'), registerDomain('alice-1'));
    const { address } = dnsItem(zone.address, 'alice-1');
    await take(zone.address);
    await take(address);
    const item = {
      init: true,
      index: domainIndex('alice-1'),
      collection: key(zone.address),
      owner: key(alice.address),
      content: { domain: 'alice-1.ton' },
    };
    const nothing = { next_resolver: null, wallet: null, site_adnl: null, storage_bag_id: null };
    const noBid = { max_bid_address: null, max_bid_amount: null, auction_end_time: null };
    const entry = {
      owner: key(alice.address),
      domain: 'alice-1.ton',
      ...nothing,
      ...noBid,
      last_fill_up_time: expect.any(BigInt),
    };
    expect(await kindsOf(address)).toEqual({ nft_items: item, dns_entries: entry });
    expect(await kindsOf(zone.address)).toMatchObject({ nft_collections: { owner: null } });

    const records = {
      wallet: contractRecord(bob.address),
      dns_next_resolver: nextResolverRecord(zone.address),
      site: siteRecord(ID),
      storage: storageRecord(ID),
    };
    for (const [name, record] of Object.entries(records))
      await net.send(alice, address, toNano('0.05'), changeDnsRecord(name as 'site', record));
    await take(address);
    expect(await kindsOf(address)).toMatchObject({
      dns_entries: {
        wallet: key(bob.address),
        next_resolver: key(zone.address),
        site_adnl: ID,
        storage_bag_id: ID,
      },
    });
    // A record under the category of another one is ignored.
    await net.send(alice, address, toNano('0.05'), changeDnsRecord('wallet', records.dns_next_resolver));
    await net.send(alice, address, toNano('0.05'), changeDnsRecord('site', records.storage));
    await take(address);
    expect(await kindsOf(address)).toMatchObject({ dns_entries: { wallet: null, site_adnl: null } });
    // Items of collections that are not a zone are not domains.
    known = { ...known, zones: [] };
    expect(await kindsOf(address)).toEqual({ nft_items: { ...item, content: {} } });
  });
});
