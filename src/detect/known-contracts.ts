import type { AccountId } from '../chain/address.ts';
import { dnsCategory, encodeDnsName, readDnsRecord } from '../chain/contracts/dns.ts';
import { type ContractReader, InterfaceMismatch } from '../chain/contracts/probe.ts';
import { bytesArgument } from '../chain/stack/arguments.ts';
import { intEntry } from '../chain/stack/entries.ts';
import type { KnownContracts } from './detection.ts';

/** A view of the network at one block, for finding well-known contracts. */
export interface NetworkView {
  /** The root DNS contract of the configuration; undefined where there is none. */
  readonly dnsRoot: AccountId | undefined;
  /** A contract; throws InterfaceMismatch when there is none. */
  beside(account: AccountId): Promise<ContractReader>;
}

/** Finds the well-known contracts; throws when they are unavailable. */
export type FindKnownContracts = (network: NetworkView) => Promise<KnownContracts>;

const MAINNET: KnownContracts = {
  zones: [
    {
      zone: 'ton',
      collection: basechain('b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf'),
    },
    {
      zone: 't.me',
      collection: basechain('80d78a35f955a14b679faa887ff4cd5bfc0f43b4a4eea2a7e6927f3701b273c2'),
    },
  ],
  poolFactory: basechain('5f0564fb5f604783db57031ce1cf668a88d4d4d6da6de4db222b4b920d6fd800'),
};

const TESTNET: KnownContracts = {
  zones: [
    {
      zone: 'ton',
      collection: basechain('e33ed33a42eb2032059f97d90c706f8400bb256d32139ca707f1564ad699c7dd'),
    },
  ],
  poolFactory: undefined,
};

/** Where there are none, or they were not looked up yet. */
export const NO_KNOWN_CONTRACTS: KnownContracts = { zones: [], poolFactory: undefined };

/** The well-known contracts of a network: constants on public networks, looked up on others. */
export function knownContracts(network: 'mainnet' | 'testnet' | 'other') {
  if (network === 'other') return findZones;
  return network === 'mainnet' ? MAINNET : TESTNET;
}

async function findZones({ dnsRoot, beside }: NetworkView): Promise<KnownContracts> {
  if (dnsRoot === undefined) return NO_KNOWN_CONTRACTS;
  const category = BigInt(`0x${dnsCategory('dns_next_resolver').toString('hex')}`);
  try {
    const root = await beside(dnsRoot);
    const result = await root.run('dnsresolve', [bytesArgument(encodeDnsName('ton')), intEntry(category)]);
    const { cells, cell } = result.atLeast(2).cell(1);
    const record = readDnsRecord(cells, cell);
    if (record?.kind !== 'next_resolver') return NO_KNOWN_CONTRACTS;
    const { workchain, hash } = record.address;
    return { zones: [{ zone: 'ton', collection: { workchain, hash } }], poolFactory: undefined };
  } catch (error) {
    if (error instanceof InterfaceMismatch) return NO_KNOWN_CONTRACTS;
    throw error;
  }
}

function basechain(hex: string): AccountId {
  return { workchain: 0, hash: Buffer.from(hex, 'hex') };
}
