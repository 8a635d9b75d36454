import type { NftItemRecord } from '../interfaces.ts';

const TON_DOMAIN_CODE = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=';
const TON_DOMAINS = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF';
const FRAGMENT = 'https://nft.fragment.com';

/** A name or number of Telegram, which is its own auction. */
export function isTeleitem({ content }: NftItemRecord): boolean {
  const uri = content?.uri;
  return typeof uri === 'string' && uri.includes(FRAGMENT);
}

/** A domain of the zone .ton. */
export function isTonDomain({ codeHash, collection }: NftItemRecord): boolean {
  return codeHash === TON_DOMAIN_CODE || collection === TON_DOMAINS;
}
