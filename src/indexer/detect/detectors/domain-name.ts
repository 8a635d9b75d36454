import { isUtf8 } from 'node:buffer';
import { sameAccount } from '../../../chain/address/same-account.ts';
import { decodeFullName } from '../../../chain/contracts/dns-name.ts';
import { refuse } from '../../../chain/contracts/not-that.ts';
import type { Probe } from '../../../chain/contracts/probe.ts';
import type { AccountId } from '../../../chain/tl/names.ts';
import type { DnsZone } from '../detector.ts';

/** The longest name that resolvers can be asked for. */
const MAX_NAME_BYTES = 126;

/** The zone whose names are the items of a collection; undefined if they are no names. */
export function zoneOf(zones: readonly DnsZone[], collection: AccountId | undefined): DnsZone | undefined {
  return zones.find((zone) => sameAccount(collection, zone.collection));
}

/** The whole name of an item of a zone; throws NotThat if it tells none. */
export async function readDomainName(probe: Probe, { zone }: DnsZone): Promise<string> {
  const name =
    zone === 'ton'
      ? `${labelOf(await readText(probe, 'get_domain'))}.ton`
      : decodeFullName(await readText(probe, 'get_full_domain'));
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) refuse('too long a name');
  return name;
}

function labelOf(text: string): string {
  return text === '' || text.includes('\0') ? refuse('a label expected') : text;
}

async function readText(probe: Probe, method: string): Promise<string> {
  const bytes = (await probe.run(method)).bytes(0);
  return isUtf8(bytes) ? bytes.toString('utf8') : refuse('no text');
}
