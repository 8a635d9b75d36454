import { askOwnRecords } from '../../chain/contracts/ask-own-records.ts';
import { decodeFullName } from '../../chain/contracts/dns-name.ts';
import { type DnsEntry, readDnsRecords } from '../../chain/contracts/dns-records.ts';
import { orNothing, orNotThat } from '../../chain/contracts/not-that.ts';
import type { Probe } from '../../chain/contracts/probe.ts';

/** A domain: its whole name, empty where the contract does not tell it, and what it leads to. */
export interface Domain {
  readonly name: string;
  readonly records: readonly DnsEntry[];
}

const ZONE = '.ton';

/** Reads an NFT as a domain; undefined if it is none. */
export async function readDomain(probe: Probe): Promise<Domain | undefined> {
  const records = await orNothing(readRecords(probe));
  if (records === undefined) return undefined;
  const [full, label] = await Promise.all([
    orNothing(readFullName(probe)),
    orNothing(readText(probe, 'get_domain')),
  ]);
  // Existing servers take every domain for one of the zone .ton; where a contract knows better, it is believed.
  return { name: full ?? (label === undefined ? '' : `${label}${ZONE}`), records };
}

async function readRecords(probe: Probe): Promise<DnsEntry[]> {
  const { cells, cell } = (await askOwnRecords(probe)).cell(1);
  return orNotThat(() => readDnsRecords(cells, cell));
}

async function readFullName(probe: Probe): Promise<string> {
  return decodeFullName(await readText(probe, 'get_full_domain'));
}

async function readText(probe: Probe, method: string): Promise<string> {
  return (await probe.run(method)).bytes(0).toString('utf8');
}
