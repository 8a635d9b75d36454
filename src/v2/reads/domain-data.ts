import { type DnsEntry, readDnsRecords } from '../../chain/contracts/dns-records.ts';
import { bytesArgument } from '../../chain/stack/slice-arguments.ts';
import { intEntry, openEntry } from '../../chain/stack/stack-entry.ts';
import type { V2Call } from '../call.ts';
import type { AccountAt } from './account-at.ts';
import { NotThat, orNotThat, probe, refuse } from './probe.ts';

/** A domain: its whole name, empty where the contract does not tell it, and what it leads to. */
export interface Domain {
  readonly name: string;
  readonly records: readonly DnsEntry[];
}

/** The name of the domain itself, as seen from the contract that is it. */
const ITSELF = Buffer.alloc(1);
const ALL_RECORDS = intEntry(0);
const ZONE = '.ton';

/** Reads an NFT as a domain; undefined if it is none. */
export async function readDomain(call: V2Call, at: AccountAt): Promise<Domain | undefined> {
  const records = await orNothing(readRecords(call, at));
  if (records === undefined) return undefined;
  const [full, label] = await Promise.all([
    orNothing(readFullName(call, at)),
    orNothing(readText(call, at, 'get_domain')),
  ]);
  // Existing servers take every domain for one of the zone .ton; where a contract knows better, it is believed.
  return { name: full ?? (label === undefined ? '' : `${label}${ZONE}`), records };
}

async function readRecords(call: V2Call, at: AccountAt): Promise<DnsEntry[]> {
  const answer = await probe(call, at, 'dnsresolve', { args: [bytesArgument(ITSELF), ALL_RECORDS] });
  if (answer.size !== 2) refuse(`${answer.size} results`);
  const { cells, cell } = answer.cell(1);
  return orNotThat(() => readDnsRecords(cells, cell));
}

/** A name in the form of resolvers: labels from the last to the first, a zero byte after each. */
async function readFullName(call: V2Call, at: AccountAt): Promise<string> {
  const text = await readText(call, at, 'get_full_domain');
  const labels = text.split('\0').filter((label) => label !== '');
  return labels.length === 0 ? refuse('no name') : labels.reverse().join('.');
}

async function readText(call: V2Call, at: AccountAt, method: string): Promise<string> {
  const answer = await probe(call, at, method);
  return orNotThat(() => {
    const slice = openEntry(answer.part(0));
    if (slice.bitsLeft % 8 !== 0) refuse('no whole bytes');
    return slice.bytes(slice.bitsLeft / 8).toString('utf8');
  });
}

async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotThat) return undefined;
    throw error;
  }
}
