import { hash as hashOnce } from 'node:crypto';
import { Address, beginCell, type Cell, Dictionary, internal, toNano } from '@ton/core';
import { onChainContent } from '../../contracts/contract.ts';
import {
  changeDnsRecord,
  contractRecord,
  dnsCollection,
  dnsItem,
  dnsRoot,
  registerDomain,
  siteRecord,
  storageRecord,
} from '../../contracts/dns.ts';
import { adminKeys } from '../../genesis/keys.ts';
import { CONFIG_ID, configChangeMessage } from '../../genesis/special-accounts.ts';
import { contractData, type DemoChain } from '../demo-chain.ts';
import { type CustomStep, type Story, type StoryContext, VALID_SECONDS } from '../story.ts';

const DNS_ROOT_PARAM = 4;
const CONFIG_CONTRACT = new Address(-1, CONFIG_ID);

/** The zone .ton is opened and made known by the configuration; carol and alice have domains in it. */
export function domainStory({ wallets: { bank, alice, carol } }: StoryContext): Story {
  const zone = dnsCollection(onChainContent({ name: 'Demo domains', description: 'Names that end in .ton' }));
  const root = dnsRoot({ zone: 'ton', resolver: zone.address });
  const alices = dnsItem(zone.address, 'alice').address;
  const register = (name: string) => ({ to: zone.address, value: toNano('0.5'), body: registerDomain(name) });
  const change = (body: Cell) => internal({ to: alices, value: toNano('0.1'), body });
  const made = (what: string) => hashOnce('sha256', `${what} of alice.ton`, 'buffer');

  return {
    contracts: {
      'DNS root': root.address,
      'DNS zone .ton': zone.address,
      'domain alice.ton': alices,
      'domain carol.ton': dnsItem(zone.address, 'carol').address,
    },
    steps: [
      {
        round: 1,
        what: 'The bank deploys the root of domain names in the masterchain.',
        by: bank,
        sends: [internal({ to: root.address, value: toNano('100'), init: root.init })],
      },
      {
        round: 2,
        what: 'carol opens the zone .ton by asking for carol.ton.',
        by: carol,
        sends: [internal({ ...register('carol'), init: zone.init })],
      },
      rootDeed(root.address),
      {
        round: 3,
        what: 'alice asks for alice.ton.',
        by: alice,
        sends: [internal(register('alice'))],
      },
      {
        round: 4,
        what: 'alice sets the records of alice.ton: a wallet, a site, and a bag of files.',
        by: alice,
        sends: [
          change(changeDnsRecord('wallet', contractRecord(alice.address))),
          change(changeDnsRecord('site', siteRecord(made('site')))),
          change(changeDnsRecord('storage', storageRecord(made('bag')))),
        ],
      },
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
      configChangeMessage({
        admin: adminKeys(),
        seqno: readConfigContract(chain).seqno,
        validUntil: chain.now() + VALID_SECONDS,
        change: new Map([[DNS_ROOT_PARAM, beginCell().storeBuffer(root.hash).endCell()]]),
      }),
  };
}

function readConfigContract(chain: DemoChain): { seqno: number; params: Dictionary<number, Cell> } {
  const data = contractData(chain, CONFIG_CONTRACT)!.beginParse();
  const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), data.loadRef());
  return { seqno: data.loadUint(32), params };
}
