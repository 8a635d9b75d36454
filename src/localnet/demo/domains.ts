import { hash as hashOnce } from 'node:crypto';
import { type Address, beginCell } from '@ton/core';
import { type ContractState, onChainContent, textComment } from '../contracts/contract.ts';
import {
  changeDnsRecord,
  contractRecord,
  dnsCollection,
  dnsItem,
  dnsRoot,
  registerDomain,
  siteRecord,
  storageRecord,
} from '../contracts/dns.ts';
import { configOrder, readConfigContract } from './demo-chain.ts';
import { type CustomStep, deploy, pay, type Story, type StoryContext, send, step, wait } from './story.ts';

const DNS_ROOT_PARAM = 4;

/** The zone of the demo. */
function demoZone(): ContractState {
  return dnsCollection(onChainContent({ name: 'Demo domains', description: 'Names that end in .ton' }));
}

/** The zone .ton is opened and made known by the configuration; carol and alice have domains in it. */
export function domainStory({ wallets: { bank, alice, carol } }: StoryContext): Story {
  const zone = demoZone();
  const root = dnsRoot({ zone: 'ton', resolver: zone.address });
  const alices = dnsItem(zone.address, 'alice').address;
  const made = (what: string) => hashOnce('sha256', `${what} of alice.ton`, 'buffer');

  return {
    contracts: {
      'DNS root': root.address,
      'DNS zone .ton': zone.address,
      'domain alice.ton': alices,
      'domain carol.ton': dnsItem(zone.address, 'carol').address,
    },
    steps: [
      step(1, bank, 'The bank deploys the root of domain names in the masterchain.', [deploy(root, '100')]),
      step(2, carol, 'carol opens the zone .ton by asking for carol.ton.', [
        deploy(zone, '0.5', registerDomain('carol')),
      ]),
      rootDeed(root.address),
      step(3, alice, 'alice asks for alice.ton.', [send(zone.address, '0.5', registerDomain('alice'))]),
      step(4, alice, 'alice sets the records of alice.ton: a wallet, a site, and a bag of files.', [
        send(alices, '0.1', changeDnsRecord('wallet', contractRecord(alice.address))),
        send(alices, '0.1', changeDnsRecord('site', siteRecord(made('site')))),
        send(alices, '0.1', changeDnsRecord('storage', storageRecord(made('bag')))),
      ]),
    ],
  };
}

/** Makes a root known. A chain that has one already keeps it. */
function rootDeed(root: Address): CustomStep {
  return {
    round: 2,
    what: 'The configuration names the root of domain names.',
    isDone: (chain) => readConfigContract(chain).params.has(DNS_ROOT_PARAM),
    message: (chain) =>
      configOrder(chain, new Map([[DNS_ROOT_PARAM, beginCell().storeBuffer(root.hash).endCell()]])),
  };
}

/** The first auction lasts a week from round 3 on, which is not later than this after the genesis. */
const FIRST_AUCTION_OVER_SECONDS = 7 * 86_400 + 2 * 3600;

/** Two domains go to auction: one auction is over, and nobody has claimed the domain; the other has three bids. */
export function auctionStory({ stakers, wallets, genesisTime }: StoryContext): Story {
  const { nora, nick, olga } = stakers;
  const zone = demoZone().address;
  const [over, open] = ['sold-to-nora', 'bid-for-me'].map((name) => dnsItem(zone, name).address);
  const begin = (name: string) => send(zone, '10', registerDomain(name));
  const bid = (ton: string) => send(open!, ton, textComment('A bid for bid-for-me.ton'));
  return {
    contracts: {
      'domain sold-to-nora.ton': over!,
      'domain bid-for-me.ton': open!,
    },
    steps: [
      step(1, wallets.bank, 'The bank gives money to olga.', [pay(olga, '100')]),
      step(3, nora, 'nora bids for sold-to-nora.ton.', [begin('sold-to-nora')]),
      step(4, nick, 'nick bids for bid-for-me.ton.', [begin('bid-for-me')]),
      step(5, olga, 'olga bids more.', [bid('12')]),
      step(6, nora, 'nora bids most.', [bid('15')]),
    ],
    waits: [wait(4, 'The auction of sold-to-nora.ton ends.', () => genesisTime + FIRST_AUCTION_OVER_SECONDS)],
  };
}
