import { type Address, beginCell, type Cell, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContractState, onChainContent } from '../../../src/localnet/contracts/contract.ts';
import {
  changeDnsRecord,
  contractRecord,
  dnsCollection,
  dnsItem,
  domainIndex,
  type RecordName,
  registerDomain,
  siteRecord,
  storageRecord,
} from '../../../src/localnet/contracts/dns.ts';
import { nextResolverRecord, renewDomain } from '../../localnet/support/contract-messages.ts';
import { type Person, type SmallChain, startSmallChain } from '../../localnet/support/small-chain.ts';
import { summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import type { KnownContracts } from '../support/known-contracts.ts';
import { account, op, type Step, sent, text } from '../support/trace-builder.ts';
import { raw, traceOfRun } from '../support/trace-of-run.ts';

const id = Buffer.alloc(32, 0xab);

let net: SmallChain;
let alice: Person;
let bob: Person;
let zone: ContractState;
let item: Address;
let known: KnownContracts;

beforeAll(async () => {
  net = await startSmallChain();
  [alice, bob] = await net.people('alice', 'bob');
  zone = dnsCollection(onChainContent({ name: 'Demo domains' }));
  item = dnsItem(zone.address, 'alice-1').address;
  known = { nftItems: { [raw(item)]: { index: domainIndex('alice-1'), collection: raw(zone.address) } } };
  const opening = beginCell().storeUint(0x370fec51, 32).storeUint(0, 64).endCell();
  await net.send(alice, zone.address, toNano('0.5'), opening, zone.init);
  await net.send(alice, zone.address, toNano('0.3'), registerDomain('alice-1'));
  net.save();
});

beforeEach(() => net.reset());

async function classify(body: Cell, who = alice) {
  const run = await net.send(who, item, toNano('0.05'), body);
  const people = { alice: raw(alice.address), bob: raw(bob.address) };
  return withNames(summarizeActions(traceOfRun(run), known), {
    ...people,
    item: raw(item),
    zone: raw(zone.address),
  });
}

const record = async (name: RecordName, value: Cell) => {
  const [action] = await classify(changeDnsRecord(name, value));
  return action?.change_dns_record_data;
};

const WALLET_KEY = 'e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b';

describe('the owner of a domain', () => {
  it('sets records', async () => {
    const [action] = await classify(changeDnsRecord('wallet', contractRecord(bob.address)));
    expect(action).toEqual({
      type: 'change_dns',
      success: true,
      source: 'alice',
      destination: 'item',
      asset: 'zone',
      change_dns_record_data: { key: WALLET_KEY, value_schema: 'DNSSmcAddress', value: 'bob', flags: 0 },
      txs: 'tx0 tx1',
    });
    expect(await record('dns_next_resolver', nextResolverRecord(bob.address))).toMatchObject({
      value_schema: 'DNSNextResolver',
      value: 'bob',
    });
    expect(await record('site', siteRecord(id))).toMatchObject({
      value_schema: 'DNSAdnlAddress',
      value: id.toString('hex'),
      flags: 0,
    });
    expect(await record('storage', storageRecord(id))).toMatchObject({
      value_schema: 'DNSStorageAddress',
      value: id.toString('hex'),
    });
  });

  it('sets text records and unknown records', async () => {
    const second = beginCell().storeUint(5, 8).storeStringTail(', you');
    const words = beginCell().storeUint(0x1eda, 16).storeUint(2, 8).storeUint(5, 8).storeStringTail('hello');
    expect(await record('wallet', words.storeRef(second).endCell())).toMatchObject({
      value_schema: 'DNSText',
      value: 'hello, you',
    });
    expect(await record('wallet', beginCell().storeUint(0x1234, 16).endCell())).toEqual({
      key: WALLET_KEY,
      value_schema: 'Unknown',
    });
  });

  it('deletes records', async () => {
    const [action] = await classify(changeDnsRecord('wallet', null));
    expect(action).toEqual({
      type: 'delete_dns',
      success: true,
      source: 'alice',
      destination: 'item',
      asset: 'zone',
      txs: 'tx0 tx1',
      change_dns_record_data: { key: WALLET_KEY },
    });
  });

  it('renews the domain', async () => {
    expect(await classify(renewDomain(4n))).toEqual([
      {
        type: 'renew_dns',
        success: true,
        source: 'alice',
        destination: 'item',
        asset: 'zone',
        txs: 'tx0 tx1',
      },
    ]);
  });

  it('is the only account that may change it', async () => {
    const [action, ...others] = await classify(renewDomain(4n), bob);
    expect(action).toMatchObject({ type: 'renew_dns', success: false, source: 'bob', txs: 'tx0 tx1 tx2' });
    // The bounced message is included.
    expect(others).toEqual([]);
  });
});

const [ALICE, BOB, ITEM, ZONE] = [account('alice'), account('bob'), account('item'), account('zone')];
const TON_DOMAINS = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF';
const domain = { nftItems: { [ITEM]: { index: 5n, collection: TON_DOMAINS } } };

describe('a truncated DNS record', () => {
  it.each([
    ['without a key', op(0x4eb1f0f9, 1n)],
    ['without a value', op(0x4eb1f0f9, 1n).storeUint(7, 256).storeRef(beginCell())],
    ['with half a value', op(0x4eb1f0f9, 1n).storeUint(7, 256).storeRef(beginCell().storeUint(0xad01, 16))],
  ])('%s is a contract call', (_, body) => {
    expect(typesOf(summarizeActions(sent(ALICE, { to: ITEM, body }), domain))).toEqual(['call_contract']);
  });
});

describe('the .ton marketplace', () => {
  const fillUp = (body = op(0x370fec51, 6n)): Step => ({ to: ZONE, value: 900n, body });
  const use = (body?: Step['body']): Step => ({
    to: ITEM,
    body: op(0x2fcb26a2, 1n),
    sends: [fillUp(body as never)],
  });

  it('completes a purchase on the first use of the domain', () => {
    const purchase = summarizeActions(sent(ALICE, use()), domain).find(({ type }) => type === 'dns_purchase');
    expect(purchase).toEqual({
      type: 'dns_purchase',
      success: true,
      destination: ALICE,
      asset: TON_DOMAINS,
      asset_secondary: ITEM,
      nft_transfer_data: {
        query_id: 6n,
        is_purchase: true,
        price: 900n,
        payout_amount: 900n,
        nft_item_index: 5n,
      },
      txs: 'tx1 tx2',
    });
  });

  it('recognises domains by their code', () => {
    const codeHash = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=';
    const byCode = { nftItems: { [ITEM]: { codeHash } } };
    expect(typesOf(summarizeActions(sent(ALICE, use(op(0x370fec51))), byCode))).toContain('dns_purchase');
    const other = { nftItems: { [ITEM]: { collection: ZONE } } };
    expect(typesOf(summarizeActions(sent(ALICE, use()), other))).toEqual(['call_contract', 'call_contract']);
  });

  it('has no purchase before the domain is used', () => {
    const transfer = { to: ITEM, sends: [fillUp()] };
    expect(typesOf(summarizeActions(sent(ALICE, transfer), domain))).toEqual([
      'ton_transfer',
      'call_contract',
    ]);
  });

  it('releases an expired domain', () => {
    const release = { to: ITEM, value: 5n, body: op(0x4ed14b65, 2n) };
    expect(summarizeActions(sent(ALICE, release), domain)[0]).toEqual({
      type: 'dns_release',
      success: true,
      source: ALICE,
      destination: ITEM,
      asset: TON_DOMAINS,
      value: 5n,
      nft_transfer_data: { query_id: 2n, nft_item_index: 5n },
      txs: 'tx0 tx1',
    });
    const refused = summarizeActions(
      sent(ALICE, { ...release, body: op(0x4ed14b65), aborted: true }),
      domain,
    )[0];
    expect(refused).toMatchObject({ success: false, nft_transfer_data: { nft_item_index: 5n } });
    expect(typesOf(summarizeActions(sent(ALICE, release)))).toEqual(['call_contract']);
  });

  it('has bids only if they displace others', () => {
    const outbid = { to: BOB, value: 70n, body: op(0x557cea20, 1n) };
    const bid: Step = { to: ITEM, value: 80n, body: text('mine') };
    expect(typesOf(summarizeActions(sent(ALICE, bid), domain))).toEqual(['ton_transfer']);
    const actions = summarizeActions(sent(ALICE, { ...bid, sends: [outbid] }), domain);
    expect(actions.slice(0, 2)).toEqual([
      {
        type: 'auction_bid',
        success: true,
        source: ALICE,
        destination: ITEM,
        value: 80n,
        txs: 'tx0 tx1',
        asset: TON_DOMAINS,
        asset_secondary: ITEM,
        nft_transfer_data: { nft_item_index: 5n, marketplace: 'fragment' },
      },
      {
        type: 'auction_outbid',
        success: true,
        source: ITEM,
        source_secondary: ALICE,
        destination: BOB,
        amount: 70n,
        asset: TON_DOMAINS,
        asset_secondary: ITEM,
        txs: 'tx1 tx2',
        nft_transfer_data: { marketplace: 'fragment' },
      },
    ]);
  });
});
